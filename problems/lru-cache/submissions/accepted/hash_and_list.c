/* A hash table with chains finds an entry, a doubly linked list keeps the entries in order of use; both are indices into
 * one array. O(1) an operation, O(capacity) space. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 17, END = 0 }; /* entry 0 closes the ring: next is the newest, previous the oldest */

typedef struct Entry {
    int key, value;
    int next, previous;
    int chain; /* next entry of the same bucket, or 0 */
} Entry;

typedef struct Cache {
    Entry *entries;
    int capacity, count;
    int buckets[BUCKETS];
} Cache;

static Cache cache;

static int *bucket_of(int key)
{
    return &cache.buckets[((uint32_t)key * 2654435769u) >> 15];
}

static int find(int key)
{
    int i = *bucket_of(key);
    while (i != 0 && cache.entries[i].key != key)
        i = cache.entries[i].chain;
    return i;
}

static void detach(int i)
{
    Entry *entry = &cache.entries[i];
    cache.entries[entry->previous].next = entry->next;
    cache.entries[entry->next].previous = entry->previous;
}

static void attach_newest(int i)
{
    Entry *entry = &cache.entries[i], *end = &cache.entries[END];
    entry->previous = END;
    entry->next = end->next;
    cache.entries[end->next].previous = i;
    end->next = i;
}

/* Takes the oldest entry out of list and table and returns it for use again. */
static int evict(void)
{
    int oldest = cache.entries[END].previous;
    detach(oldest);
    int *link = bucket_of(cache.entries[oldest].key);
    while (*link != oldest)
        link = &cache.entries[*link].chain;
    *link = cache.entries[oldest].chain;
    return oldest;
}

static int get(int key)
{
    int i = find(key);
    if (i == 0)
        return -1;
    detach(i);
    attach_newest(i);
    return cache.entries[i].value;
}

static void put(int key, int value)
{
    int i = find(key);
    if (i != 0) {
        detach(i);
    } else {
        i = cache.count < cache.capacity ? ++cache.count : evict();
        int *bucket = bucket_of(key);
        cache.entries[i].key = key;
        cache.entries[i].chain = *bucket;
        *bucket = i;
    }
    cache.entries[i].value = value;
    attach_newest(i);
}

int main(void)
{
    int q;
    if (scanf("%d %d", &cache.capacity, &q) != 2)
        return 1;
    cache.entries = calloc((size_t)cache.capacity + 1, sizeof *cache.entries);
    while (q-- > 0) {
        char operation[4];
        int key, value;
        if (scanf("%3s %d", operation, &key) != 2)
            return 1;
        if (operation[0] == 'g')
            printf("%d\n", get(key));
        else if (scanf("%d", &value) == 1)
            put(key, value);
    }
    return 0;
}
