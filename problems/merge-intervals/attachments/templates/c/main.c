#include <stdio.h>

enum { MAX_COUNT = 200000 };

typedef struct Interval {
    int left, right;
} Interval;

static Interval intervals[MAX_COUNT];

/* Merges intervals[0..n-1] in place, earliest first; returns how many are left. */
static int merge(int n)
{
    return n; /* TODO: your algorithm */
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d %d", &intervals[i].left, &intervals[i].right) != 2)
            return 1;
    int count = merge(n);
    printf("%d\n", count);
    for (int i = 0; i < count; i++)
        printf("%d %d\n", intervals[i].left, intervals[i].right);
    return 0;
}
