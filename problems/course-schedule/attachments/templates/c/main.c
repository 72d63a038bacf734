#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Course before[i] comes before course after[i], for i = 0 .. m - 1. Writes an order of the courses 1 .. n into
 * order[0 .. n - 1], or returns false if there is none. */
static bool find_order(int n, int m, const int *before, const int *after, int *order)
{
    (void)n, (void)m, (void)before, (void)after, (void)order;
    return false; /* your algorithm goes here */
}

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    int *before = malloc((size_t)m * sizeof *before);
    int *after = malloc((size_t)m * sizeof *after);
    int *order = malloc((size_t)n * sizeof *order);
    for (int i = 0; i < m; i++)
        if (scanf("%d %d", &before[i], &after[i]) != 2)
            return 1;

    if (!find_order(n, m, before, after, order)) {
        puts("IMPOSSIBLE");
        return 0;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", order[i]);
    return 0;
}
