/* Wrong: the order is taken from a difference cut to 32 bits; begins may be up to 4 000 000 000 apart, and the sign of the
 * difference is then the wrong one. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Interval {
    int left, right;
} Interval;

static Interval intervals[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    long long x = ((const Interval *)a)->left, y = ((const Interval *)b)->left;
    return (int)(x - y);
}

/* Merges sorted intervals in place; returns how many are left. */
static int merge(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (count == 0 || intervals[i].left > intervals[count - 1].right)
            intervals[count++] = intervals[i];
        else if (intervals[i].right > intervals[count - 1].right)
            intervals[count - 1].right = intervals[i].right;
    }
    return count;
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d %d", &intervals[i].left, &intervals[i].right) != 2)
            return 1;
    qsort(intervals, (size_t)n, sizeof(intervals[0]), compare);
    int count = merge(n);
    printf("%d\n", count);
    for (int i = 0; i < count; i++)
        printf("%d %d\n", intervals[i].left, intervals[i].right);
    return 0;
}
