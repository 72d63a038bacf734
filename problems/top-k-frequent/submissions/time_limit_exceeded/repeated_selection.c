/* Slow: counts well, but then goes through all different numbers once for each of the k that it prints. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Run {
    int value, count;
} Run;

static int values[MAX_COUNT];
static Run runs[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Index of the run with the greatest count, the first of equal ones: that is the one of the smallest number. */
static int find_best(int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (runs[i].count > runs[best].count)
            best = i;
    return best;
}

int main(void)
{
    int n, k, count = 0;
    if (scanf("%d %d", &n, &k) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &values[i]) != 1)
            return 1;
    qsort(values, (size_t)n, sizeof(values[0]), compare);
    for (int i = 0; i < n; i++) {
        if (count == 0 || runs[count - 1].value != values[i])
            runs[count++].value = values[i];
        runs[count - 1].count++;
    }
    for (int i = 0; i < k; i++) {
        int best = find_best(count);
        printf(i < k - 1 ? "%d " : "%d\n", runs[best].value);
        runs[best].count = 0;
    }
    return 0;
}
