/* Sorts the numbers together with their positions and closes in from both ends. O(n log n) time, no hashing. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Item {
    long long value;
    int position;
} Item;

static Item items[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    long long x = ((const Item *)a)->value, y = ((const Item *)b)->value;
    return (x > y) - (x < y);
}

int main(void)
{
    int n;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
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
    return 0;
}
