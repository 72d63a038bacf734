/* Generator: gen KIND CAPACITY Q [KEYS GET_PERCENT] SEED prints one input.
 *
 * random CAPACITY Q KEYS GET_PERCENT SEED   random operations on KEYS different keys
 * cold CAPACITY Q SEED      fills the cache, then always gets the entry that was not used for longest
 * scan CAPACITY Q SEED      puts and gets CAPACITY + 1 keys in turn, so that every get just misses
 * updates CAPACITY Q SEED   a full cache, mostly changed in place, with a new key now and then */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEY = 1000000000 };

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_next(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int random_below(int bound)
{
    return (int)(random_next() % (uint64_t)bound);
}

/* `count` different keys, spread over all that are allowed: one from each of as many equal ranges, shuffled. */
static int *random_keys(int count)
{
    int *keys = malloc((size_t)count * sizeof *keys);
    if (!keys)
        exit(1);
    int range = MAX_KEY / count;
    for (int i = 0; i < count; i++)
        keys[i] = i * range + random_below(range);
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(i + 1);
        int key = keys[j];
        keys[j] = keys[i];
        keys[i] = key;
    }
    return keys;
}

static void print_put(int key)
{
    printf("put %d %d\n", key, random_below(MAX_KEY + 1));
}

static void print_get(int key)
{
    printf("get %d\n", key);
}

static void make_random(int capacity, int q, int key_count, int get_percent)
{
    int *keys = random_keys(key_count);
    printf("%d %d\n", capacity, q);
    for (int i = 0; i < q; i++) {
        int key = keys[random_below(key_count)];
        if (i + 1 == q || random_below(100) < get_percent)
            print_get(key);
        else
            print_put(key);
    }
}

static void make_cold(int capacity, int q)
{
    int *keys = random_keys(capacity);
    printf("%d %d\n", capacity, q);
    for (int i = 0; i < q; i++)
        if (i < capacity)
            print_put(keys[i]);
        else
            print_get(keys[(i - capacity) % capacity]);
}

static void make_scan(int capacity, int q)
{
    int *keys = random_keys(capacity + 1);
    printf("%d %d\n", capacity, q);
    for (int i = 0; i < q; i++) {
        int key = keys[i / 2 % (capacity + 1)];
        if (i % 2 == 0)
            print_get(key);
        else
            print_put(key);
    }
}

static void make_updates(int capacity, int q)
{
    int *keys = random_keys(q);
    int newest = capacity; /* keys[0 .. newest - 1] were put at least once */
    printf("%d %d\n", capacity, q);
    for (int i = 0; i < q; i++) {
        int dice = random_below(10);
        if (i < capacity)
            print_put(keys[i]);
        else if (dice == 0)
            print_put(keys[newest++]);
        else if (dice < 7 && i + 1 < q)
            print_put(keys[random_below(newest)]);
        else
            print_get(keys[random_below(newest)]);
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int number[5] = {0};
    int count = argc - 2;
    if (count < 3 || count > 5) {
        fprintf(stderr, "usage: gen KIND CAPACITY Q [KEYS GET_PERCENT] SEED\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        number[i] = atoi(argv[i + 2]);
    random_state = (uint64_t)number[count - 1];

    if (strcmp(kind, "random") == 0 && count == 5)
        make_random(number[0], number[1], number[2], number[3]);
    else if (strcmp(kind, "cold") == 0 && count == 3)
        make_cold(number[0], number[1]);
    else if (strcmp(kind, "scan") == 0 && count == 3)
        make_scan(number[0], number[1]);
    else if (strcmp(kind, "updates") == 0 && count == 3)
        make_updates(number[0], number[1]);
    else {
        fprintf(stderr, "gen: no kind \"%s\" with %d numbers\n", kind, count);
        return 2;
    }
    return 0;
}
