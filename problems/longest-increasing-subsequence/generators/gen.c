/* Prints one input, the same bytes for the same arguments:
 *   random N LOW HIGH SEED
 *   falling N SEED                 strictly falling, by random steps
 *   saw N PERIOD SEED              rises for PERIOD numbers, falls back below the last tooth, and so on
 *   nearly-rising N SHAKE SEED     rises by 1 to 9000 a step; each number is then moved by up to SHAKE either way */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint64_t random_next(void)   /* splitmix64 */
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform enough for test data: the bias of the modulus is below 2^-30. */
static long long random_between(long long least, long long most)
{
    return least + (long long)(random_next() % (uint64_t)(most - least + 1));
}

enum { MAX_COUNT = 200000 };

static long long values[MAX_COUNT];

static void fill_random(int n, long long low, long long high)
{
    for (int i = 0; i < n; i++)
        values[i] = random_between(low, high);
}

static void fill_falling(int n)
{
    long long at = 1000000000;
    for (int i = 0; i < n; i++) {
        values[i] = at;
        at -= random_between(1, 9000);
    }
}

static void fill_saw(int n, int period)
{
    for (int i = 0; i < n; i++)
        values[i] = (long long)(i % period) * 1000 - i / period + random_between(0, 3);
}

static void fill_nearly_rising(int n, long long shake)
{
    long long at = -999000000;
    for (int i = 0; i < n; i++) {
        values[i] = at + random_between(-shake, shake);
        at += random_between(1, 9000);
    }
}

static int fail(const char *message)
{
    fprintf(stderr, "gen: %s\n", message);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fail("arguments: KIND N [PARAMETERS] SEED");
    const char *kind = argv[1];
    int n = atoi(argv[2]);
    if (n < 1 || n > MAX_COUNT)
        return fail("N is 1 to 200000");
    random_state = strtoull(argv[argc - 1], NULL, 10);

    if (strcmp(kind, "random") == 0 && argc == 6)
        fill_random(n, atoll(argv[3]), atoll(argv[4]));
    else if (strcmp(kind, "falling") == 0 && argc == 4)
        fill_falling(n);
    else if (strcmp(kind, "saw") == 0 && argc == 5 && atoi(argv[3]) > 0)
        fill_saw(n, atoi(argv[3]));
    else if (strcmp(kind, "nearly-rising") == 0 && argc == 5)
        fill_nearly_rising(n, atoll(argv[3]));
    else
        return fail("unknown kind, or wrong number of arguments");
    printf("%d\n", n);
    for (int i = 0; i < n; i++)
        printf(i < n - 1 ? "%lld " : "%lld\n", values[i]);
    return 0;
}
