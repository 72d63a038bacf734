/* Slow: compares each interval with all merged so far and absorbs those it meets. If few meet, that is every pair. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Interval {
    int left, right;
} Interval;

static Interval merged[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    int x = ((const Interval *)a)->left, y = ((const Interval *)b)->left;
    return (x > y) - (x < y);
}

/* Returns the new number of merged intervals. */
static int absorb(int count, Interval added)
{
    for (int i = 0; i < count;) {
        if (merged[i].right < added.left || added.right < merged[i].left) {
            i++;
            continue;
        }
        if (merged[i].left < added.left)
            added.left = merged[i].left;
        if (merged[i].right > added.right)
            added.right = merged[i].right;
        merged[i] = merged[--count];
    }
    merged[count] = added;
    return count + 1;
}

int main(void)
{
    int n, count = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        Interval added;
        if (scanf("%d %d", &added.left, &added.right) != 2)
            return 1;
        count = absorb(count, added);
    }
    qsort(merged, (size_t)count, sizeof(merged[0]), compare);
    printf("%d\n", count);
    for (int i = 0; i < count; i++)
        printf("%d %d\n", merged[i].left, merged[i].right);
    return 0;
}
