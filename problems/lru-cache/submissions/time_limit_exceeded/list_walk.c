/* Too slow: a linked list in order of use without a table beside it. Finding a key walks the list: O(capacity) each. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Entry {
    int key, value;
    struct Entry *next;
} Entry;

static Entry *newest;
static int capacity, count;

/* Takes the entry of `key` out of the list, or the oldest one if the cache is full and has no such key. */
static Entry *take(int key, int is_put)
{
    Entry **link = &newest;
    while (*link && (*link)->key != key) {
        if (is_put && !(*link)->next && count == capacity)
            break;
        link = &(*link)->next;
    }
    Entry *entry = *link;
    if (entry)
        *link = entry->next;
    return entry;
}

static int get(int key)
{
    Entry *entry = take(key, 0);
    if (!entry)
        return -1;
    entry->next = newest;
    newest = entry;
    return entry->value;
}

static void put(int key, int value)
{
    Entry *entry = take(key, 1);
    if (!entry) {
        entry = malloc(sizeof *entry);
        count++;
    }
    *entry = (Entry){.key = key, .value = value, .next = newest};
    newest = entry;
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
