/* Sorts the log, turns equal neighbours into runs, and sorts the runs by count and number. O(n log n). */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Run {
    int value, count;
} Run;

static int values[MAX_COUNT];
static Run runs[MAX_COUNT];

static int compare_values(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_runs(const void *a, const void *b)
{
    const Run *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* From sorted values; returns how many runs there are. */
static int collect_runs(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (count == 0 || runs[count - 1].value != values[i])
            runs[count++] = (Run){ .value = values[i] };
        runs[count - 1].count++;
    }
    return count;
}

int main(void)
{
    int n, k;
    if (scanf("%d %d", &n, &k) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &values[i]) != 1)
            return 1;
    qsort(values, (size_t)n, sizeof(values[0]), compare_values);
    int count = collect_runs(n);
    qsort(runs, (size_t)count, sizeof(runs[0]), compare_runs);
    for (int i = 0; i < k; i++)
        printf(i < k - 1 ? "%d " : "%d\n", runs[i].value);
    return 0;
}
