/* Begins and ends are sorted apart, and a sweep counts how many intervals are open: a merged one lasts from the moment the
 * count leaves 0 until it returns to 0. At equal moments begins come first, so that touching intervals stay one. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

static int begins[MAX_COUNT], ends[MAX_COUNT];
static int merged_begin[MAX_COUNT], merged_end[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int sweep(int n)
{
    int count = 0, open = 0, next_begin = 0;
    for (int next_end = 0; next_end < n; next_end++) {
        for (; next_begin < n && begins[next_begin] <= ends[next_end]; next_begin++)
            if (open++ == 0)
                merged_begin[count] = begins[next_begin];
        if (--open == 0)
            merged_end[count++] = ends[next_end];
    }
    return count;
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d %d", &begins[i], &ends[i]) != 2)
            return 1;
    qsort(begins, (size_t)n, sizeof(begins[0]), compare);
    qsort(ends, (size_t)n, sizeof(ends[0]), compare);
    int count = sweep(n);
    printf("%d\n", count);
    for (int i = 0; i < count; i++)
        printf("%d %d\n", merged_begin[i], merged_end[i]);
    return 0;
}
