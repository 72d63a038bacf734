#include <stdio.h>
#include <stdlib.h>

typedef struct Cache {
    int capacity;
    /* what else your cache needs */
} Cache;

static Cache *cache_new(int capacity)
{
    Cache *cache = calloc(1, sizeof *cache);
    cache->capacity = capacity;
    return cache;
}

/* The value of the key, or -1. */
static int cache_get(Cache *cache, int key)
{
    (void)cache, (void)key;
    return -1; /* your algorithm goes here */
}

static void cache_put(Cache *cache, int key, int value)
{
    (void)cache, (void)key, (void)value; /* and here */
}

int main(void)
{
    int capacity, q;
    if (scanf("%d %d", &capacity, &q) != 2)
        return 1;
    Cache *cache = cache_new(capacity);
    while (q-- > 0) {
        char operation[4];
        int key, value;
        if (scanf("%3s %d", operation, &key) != 2)
            return 1;
        if (operation[0] == 'g')
            printf("%d\n", cache_get(cache, key));
        else if (scanf("%d", &value) == 1)
            cache_put(cache, key, value);
    }
    return 0;
}
