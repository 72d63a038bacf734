/* Wrong: computes with 32-bit numbers. Sums reach 4 000 000 000; modulo 2^32 another pair may have the same one. */
#include <stdint.h>
#include <stdio.h>

enum { TABLE_BITS = 19, TABLE_SIZE = 1 << TABLE_BITS };

static int keys[TABLE_SIZE];
static int positions[TABLE_SIZE];   /* 0: free */

static int slot_of(int key)
{
    int slot = (int)((uint32_t)key * 0x9e3779b1u >> (32 - TABLE_BITS));
    while (positions[slot] != 0 && keys[slot] != key)
        slot = (slot + 1) % TABLE_SIZE;
    return slot;
}

int main(void)
{
    int n, value;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 1; i <= n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        int wanted = (int)(target - value);
        int partner = positions[slot_of(wanted)];
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
