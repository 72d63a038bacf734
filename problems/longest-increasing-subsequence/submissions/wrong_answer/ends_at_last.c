/* Wrong: prints the length of the best subsequence that ends with the last number, not the best of all. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

static int values[MAX_COUNT], sorted[MAX_COUNT];
static int best[MAX_COUNT + 1];     /* from 1; best[i] covers the ranks (i - lowest bit of i, i] */

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* From 1; equal numbers have the same rank, that of the first of them in sorted order. */
static int rank_of(int n, int value)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1;
}

static int best_up_to(int rank)
{
    int result = 0;
    for (; rank > 0; rank -= rank & -rank)
        if (best[rank] > result)
            result = best[rank];
    return result;
}

static void raise_best(int n, int rank, int length)
{
    for (; rank <= n; rank += rank & -rank)
        if (best[rank] < length)
            best[rank] = length;
}

int main(void)
{
    int n, length = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &values[i]) != 1)
            return 1;
        sorted[i] = values[i];
    }
    qsort(sorted, (size_t)n, sizeof(sorted[0]), compare);
    for (int i = 0; i < n; i++) {
        int rank = rank_of(n, values[i]);
        length = best_up_to(rank - 1) + 1;
        raise_best(n, rank, length);
    }
    printf("%d\n", length);
    return 0;
}
