/* Slow: the hash is the low bits of the number. Multiples of a power of two fall into a few buckets only, and their
 * chains grow as long as the list. */
#include <stdint.h>
#include <stdio.h>

enum { MAX_COUNT = 200000, BUCKETS = 1 << 16 };

static long long values[MAX_COUNT + 1];
static int first[BUCKETS], next[MAX_COUNT + 1];     /* 0 ends a chain */

static int bucket_of(long long value)
{
    return (int)((uint64_t)value % BUCKETS);
}

int main(void)
{
    int n;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 1; i <= n; i++) {
        if (scanf("%lld", &values[i]) != 1)
            return 1;
        long long wanted = target - values[i];
        for (int j = first[bucket_of(wanted)]; j != 0; j = next[j])
            if (values[j] == wanted) {
                printf("%d %d\n", j, i);
                return 0;
            }
        next[i] = first[bucket_of(values[i])];
        first[bucket_of(values[i])] = i;
    }
    return 1;
}
