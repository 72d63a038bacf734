/* Crashes: to drop the last entry it goes to the one before it, and does not ask whether there is one. With a capacity
 * of one there is none, and it follows a null pointer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 17 };

typedef struct Entry {
    int key, value;
    struct Entry *newer, *older, *chain;
} Entry;

static Entry *newest, *oldest, *buckets[BUCKETS];
static int capacity, count;

static Entry **link_to(int key)
{
    Entry **link = &buckets[((uint32_t)key * 2654435769u) >> 15];
    while (*link && (*link)->key != key)
        link = &(*link)->chain;
    return link;
}

static void attach(Entry *entry)
{
    entry->newer = NULL;
    entry->older = newest;
    if (newest)
        newest->newer = entry;
    else
        oldest = entry;
    newest = entry;
}

static void touch(Entry *entry)
{
    if (entry == newest)
        return;
    entry->newer->older = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        oldest = entry->newer;
    attach(entry);
}

static void evict(void)
{
    Entry *entry = oldest;
    oldest = entry->newer;
    oldest->older = NULL; /* the mistake */
    *link_to(entry->key) = entry->chain;
    free(entry);
    count--;
}

static int get(int key)
{
    Entry *entry = *link_to(key);
    if (!entry)
        return -1;
    touch(entry);
    return entry->value;
}

static void put(int key, int value)
{
    Entry *entry = *link_to(key);
    if (entry) {
        touch(entry);
    } else {
        if (count == capacity)
            evict();
        entry = calloc(1, sizeof *entry);
        entry->key = key;
        *link_to(key) = entry;
        attach(entry);
        count++;
    }
    entry->value = value;
}

int main(void)
{
    int q;
    if (scanf("%d %d", &capacity, &q) != 2)
        return 1;
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
