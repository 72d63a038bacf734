#include <stdio.h>
#include <stdlib.h>

/* The median of a[0 .. n - 1] and b[0 .. m - 1] together; both are sorted, one may be empty. */
static double find_median(int n, const int *a, int m, const int *b)
{
    (void)n, (void)a, (void)m, (void)b;
    return 0; /* your algorithm goes here */
}

static int *read_list(int length)
{
    int *values = malloc((size_t)(length ? length : 1) * sizeof *values);
    for (int i = 0; i < length; i++)
        if (scanf("%d", &values[i]) != 1)
            exit(1);
    return values;
}

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    int *a = read_list(n);
    int *b = read_list(m);
    printf("%.1f\n", find_median(n, a, m, b));
    return 0;
}
