/* Wrong: has room for 100 000 numbers; the limit is 200 000. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 100000 };

typedef struct Item {
    long long value;
    int position;
} Item;

static int compare(const void *a, const void *b)
{
    long long x = ((const Item *)a)->value, y = ((const Item *)b)->value;
    return (x > y) - (x < y);
}

int main(void)
{
    int n;
    long long target;
    /* So large a block gets a mapping of its own: behind it nothing can be written, so the overflow is a crash. */
    Item *items = malloc(sizeof(Item) * MAX_COUNT);
    if (!items || scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%lld", &items[i].value) != 1)
            return 1;
        items[i].position = i + 1;
    }
    qsort(items, (size_t)n, sizeof(items[0]), compare);
    int low = 0, high = n - 1;
    while (low < high && items[low].value + items[high].value != target) {
        if (items[low].value + items[high].value < target)
            low++;
        else
            high--;
    }
    int a = items[low].position, b = items[high].position;
    printf("%d %d\n", a < b ? a : b, a < b ? b : a);
    free(items);
    return 0;
}
