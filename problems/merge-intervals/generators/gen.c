/* Prints one input, the same bytes for the same arguments:
 *   random N SPAN LENGTH SEED   begins in [-SPAN, SPAN], lengths from 0 to LENGTH
 *   apart N SEED                no two have a moment in common; gaps are as small as 1
 *   touching N SEED             each begins where another ends: one interval in all
 *   nested N SEED               each within the next larger, a few of them moved far away
 * The order is random. */
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

typedef struct Interval {
    long long left, right;
} Interval;

static Interval intervals[MAX_COUNT];

static void fill_random(int n, long long span, long long length)
{
    for (int i = 0; i < n; i++) {
        long long left = random_between(-span, span);
        intervals[i] = (Interval){ left, left + random_between(0, length) };
    }
}

/* From left to right, with steps that fit n of them into the bounds. */
static void fill_apart(int n)
{
    long long at = -2000000000;
    for (int i = 0; i < n; i++) {
        long long right = at + random_between(0, 9000);
        intervals[i] = (Interval){ at, right };
        at = right + random_between(1, 9000);
    }
}

static void fill_touching(int n)
{
    long long at = -2000000000;
    for (int i = 0; i < n; i++) {
        long long right = at + random_between(1, 9000);
        intervals[i] = (Interval){ at, right };
        at = right;
    }
}

static void fill_nested(int n)
{
    for (int i = 0; i < n; i++) {
        long long shift = i % 1000 == 999 ? 1000000LL * (i / 1000 + 1) : 0;
        intervals[i] = (Interval){ shift - i, shift + i };
    }
}

static void shuffle(int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)random_between(0, i);
        Interval swap = intervals[i];
        intervals[i] = intervals[j];
        intervals[j] = swap;
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
        return fail("arguments: KIND N [SPAN LENGTH] SEED");
    const char *kind = argv[1];
    int n = atoi(argv[2]);
    if (n < 1 || n > MAX_COUNT)
        return fail("N is 1 to 200000");
    random_state = strtoull(argv[argc - 1], NULL, 10);

    if (strcmp(kind, "random") == 0 && argc == 6)
        fill_random(n, atoll(argv[3]), atoll(argv[4]));
    else if (strcmp(kind, "apart") == 0 && argc == 4)
        fill_apart(n);
    else if (strcmp(kind, "touching") == 0 && argc == 4)
        fill_touching(n);
    else if (strcmp(kind, "nested") == 0 && argc == 4)
        fill_nested(n);
    else
        return fail("unknown kind, or wrong number of arguments");
    shuffle(n);
    printf("%d\n", n);
    for (int i = 0; i < n; i++)
        printf("%lld %lld\n", intervals[i].left, intervals[i].right);
    return 0;
}
