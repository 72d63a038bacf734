/* Prints one input, the same bytes for the same arguments:
 *   random N K LOW HIGH SEED
 *   skewed N K DIFFERENT SEED    numbers from a list of DIFFERENT random ones, those early in the list far more often
 *   majority N K SHARE SEED      one number exactly SHARE times, the others from 1 to 1000
 *   distinct N K SEED            no number twice, in random order
 * K must not be more than the different numbers that come out; the input validator tells. */
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

enum { MAX_COUNT = 200000, MAX_VALUE = 1000000000 };

static long long values[MAX_COUNT];

static void fill_random(int n, long long low, long long high)
{
    for (int i = 0; i < n; i++)
        values[i] = random_between(low, high);
}

static void fill_skewed(int n, int different)
{
    static long long list[MAX_COUNT];
    for (int i = 0; i < different; i++)
        list[i] = random_between(-MAX_VALUE, MAX_VALUE);
    for (int i = 0; i < n; i++) {
        long long bound = random_between(0, different - 1);
        values[i] = list[random_between(0, bound)];
    }
}

static void shuffle(int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)random_between(0, i);
        long long swap = values[i];
        values[i] = values[j];
        values[j] = swap;
    }
}

static void fill_majority(int n, int share)
{
    long long favourite = -random_between(1, MAX_VALUE);
    for (int i = 0; i < n; i++)
        values[i] = i < share ? favourite : random_between(1, 1000);
    shuffle(n);
}

static void fill_distinct(int n)
{
    int step = 2 * MAX_VALUE / n;
    for (int i = 0; i < n; i++)
        values[i] = -MAX_VALUE + (long long)i * step + random_between(0, step - 1);
    shuffle(n);
}

static int fail(const char *message)
{
    fprintf(stderr, "gen: %s\n", message);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return fail("arguments: KIND N K [PARAMETERS] SEED");
    const char *kind = argv[1];
    int n = atoi(argv[2]), k = atoi(argv[3]);
    if (n < 1 || n > MAX_COUNT || k < 1 || k > n)
        return fail("1 <= K <= N <= 200000 does not hold");
    int parameter = atoi(argv[4]);
    random_state = strtoull(argv[argc - 1], NULL, 10);

    if (strcmp(kind, "random") == 0 && argc == 7)
        fill_random(n, parameter, atoi(argv[5]));
    else if (strcmp(kind, "skewed") == 0 && argc == 6 && parameter >= 1 && parameter <= MAX_COUNT)
        fill_skewed(n, parameter);
    else if (strcmp(kind, "majority") == 0 && argc == 6)
        fill_majority(n, parameter);
    else if (strcmp(kind, "distinct") == 0 && argc == 5)
        fill_distinct(n);
    else
        return fail("unknown kind, or wrong arguments");
    printf("%d %d\n", n, k);
    for (int i = 0; i < n; i++)
        printf(i < n - 1 ? "%lld " : "%lld\n", values[i]);
    return 0;
}
