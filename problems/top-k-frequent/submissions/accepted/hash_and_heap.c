/* Counts in a hash table, then keeps the k best in a heap whose root is the worst of them. O(n + d log k) for d
 * different numbers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_COUNT = 200000, TABLE_BITS = 19, TABLE_SIZE = 1 << TABLE_BITS };

typedef struct Entry {
    int value, count;       /* count 0: a free slot */
} Entry;

static Entry table[TABLE_SIZE];
static Entry heap[MAX_COUNT];
static int heap_size;

static void count_value(int value)
{
    int slot = (int)((uint32_t)value * 0x9e3779b1u >> (32 - TABLE_BITS));
    while (table[slot].count != 0 && table[slot].value != value)
        slot = (slot + 1) % TABLE_SIZE;
    table[slot].value = value;
    table[slot].count++;
}

static bool is_worse(Entry a, Entry b)
{
    return a.count != b.count ? a.count < b.count : a.value > b.value;
}

static void sift_up(int at)
{
    Entry moved = heap[at];
    for (; at > 0 && is_worse(moved, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static void sift_down(int at)
{
    Entry moved = heap[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= heap_size)
            break;
        if (child + 1 < heap_size && is_worse(heap[child + 1], heap[child]))
            child++;
        if (!is_worse(heap[child], moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void offer(Entry entry, int k)
{
    if (heap_size < k) {
        heap[heap_size++] = entry;
        sift_up(heap_size - 1);
    } else if (is_worse(heap[0], entry)) {
        heap[0] = entry;
        sift_down(0);
    }
}

/* Takes the worst out again and again: the heap's array ends up with the best first. */
static void sort_heap(void)
{
    while (heap_size > 1) {
        Entry worst = heap[0];
        heap[0] = heap[--heap_size];
        sift_down(0);
        heap[heap_size] = worst;
    }
}

int main(void)
{
    int n, k, value;
    if (scanf("%d %d", &n, &k) != 2)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        count_value(value);
    }
    for (int slot = 0; slot < TABLE_SIZE; slot++)
        if (table[slot].count != 0)
            offer(table[slot], k);
    sort_heap();
    for (int i = 0; i < k; i++)
        printf(i < k - 1 ? "%d " : "%d\n", heap[i].value);
    return 0;
}
