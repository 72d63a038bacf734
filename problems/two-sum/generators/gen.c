/* Prints one input, the same bytes for the same arguments: KIND N FIRST SECOND SEED, where FIRST < SECOND are the
 * positions (from 1) of the only pair.
 *   random      the other numbers are multiples of 3, the pair's are 1 more than that: only their sum is 2 modulo 3
 *   few         the same, but the others are of eight different values only
 *   multiples   all numbers are multiples of 2^14, so that their low bits say nothing; the target is 0, and of the
 *               others no two are opposite */
#include <stdbool.h>
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

enum { MAX_COUNT = 200000, MAX_THIRD = 666666666, STRIDE = 1 << 14, MAX_MULTIPLE = 2000000000 / STRIDE };

static long long values[MAX_COUNT + 1];     /* from 1 */

static long long random_third(void)
{
    return 3 * random_between(-MAX_THIRD, MAX_THIRD);
}

static void fill_random(int n, int first, int second)
{
    for (int i = 1; i <= n; i++)
        values[i] = random_third();
    values[first] = random_third() + 1;
    values[second] = random_third() + 1;
}

static void fill_few(int n, int first, int second)
{
    long long choice[8];
    for (int i = 0; i < 8; i++)
        choice[i] = random_third();
    for (int i = 1; i <= n; i++)
        values[i] = choice[random_between(0, 7)];
    values[first] = random_third() + 1;
    values[second] = random_third() + 1;
}

static void fill_multiples(int n, int first, int second)
{
    static bool is_negative[MAX_MULTIPLE + 1];
    for (int i = 1; i <= MAX_MULTIPLE; i++)
        is_negative[i] = random_between(0, 1) != 0;
    for (int i = 1; i <= n; i++) {
        long long multiple = random_between(1, MAX_MULTIPLE - 1);   /* the largest is the pair's alone */
        values[i] = is_negative[multiple] ? -multiple * STRIDE : multiple * STRIDE;
    }
    values[first] = -(long long)MAX_MULTIPLE * STRIDE;
    values[second] = (long long)MAX_MULTIPLE * STRIDE;
}

static int fail(const char *message)
{
    fprintf(stderr, "gen: %s\n", message);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return fail("arguments: KIND N FIRST SECOND SEED");
    int n = atoi(argv[2]), first = atoi(argv[3]), second = atoi(argv[4]);
    if (n < 2 || n > MAX_COUNT || first < 1 || first >= second || second > n)
        return fail("1 <= FIRST < SECOND <= N <= 200000 does not hold");
    random_state = strtoull(argv[5], NULL, 10);

    if (strcmp(argv[1], "random") == 0)
        fill_random(n, first, second);
    else if (strcmp(argv[1], "few") == 0)
        fill_few(n, first, second);
    else if (strcmp(argv[1], "multiples") == 0)
        fill_multiples(n, first, second);
    else
        return fail("unknown kind");
    printf("%d %lld\n", n, values[first] + values[second]);
    for (int i = 1; i <= n; i++)
        printf(i < n ? "%lld " : "%lld\n", values[i]);
    return 0;
}
