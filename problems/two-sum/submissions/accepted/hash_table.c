/* One pass: before a number is put into a hash table, ask the table for the number that would complete it.
 * Open addressing; the key is multiplied by a large odd constant and the top bits are taken, so that keys which differ
 * only in their high bits spread as well. O(n) expected. */
#include <stdint.h>
#include <stdio.h>

enum { TABLE_BITS = 19, TABLE_SIZE = 1 << TABLE_BITS };

static long long keys[TABLE_SIZE];
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
    long long target, value;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 1; i <= n; i++) {
        if (scanf("%lld", &value) != 1)
            return 1;
        int partner = positions[slot_of(target - value)];
        if (partner != 0) {
            printf("%d %d\n", partner, i);
            return 0;
        }
        int slot = slot_of(value);
        keys[slot] = value;
        positions[slot] = i;
    }
    return 1;
}
