/* Wrong: puts all numbers into the table first, and then does not ask whether the partner found is the number itself: a
 * single number of half the target is taken as both halves of the pair. */
#include <stdint.h>
#include <stdio.h>

enum { MAX_COUNT = 200000, TABLE_BITS = 19, TABLE_SIZE = 1 << TABLE_BITS };

static long long values[MAX_COUNT + 1], keys[TABLE_SIZE];
static int positions[TABLE_SIZE];   /* 0: free */

static int slot_of(long long key)
{
    int slot = (int)((uint64_t)key * 0x9e3779b97f4a7c15u >> (64 - TABLE_BITS));
    while (positions[slot] != 0 && keys[slot] != key)
        slot = (slot + 1) % TABLE_SIZE;
    return slot;
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
        int slot = slot_of(values[i]);
        keys[slot] = values[i];
        positions[slot] = i;
    }
    for (int i = 1; i <= n; i++) {
        int partner = positions[slot_of(target - values[i])];
        if (partner != 0) {
            printf("%d %d\n", i, partner);
            return 0;
        }
    }
    return 1;
}
