#include <stdio.h>
#include <stdlib.h>

/* The units of water that stay on the columns height[0 .. n - 1]. */
static long long trapped_water(int n, const int *height)
{
    (void)n, (void)height;
    return 0; /* your algorithm goes here */
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    int *height = malloc((size_t)n * sizeof *height);
    for (int i = 0; i < n; i++)
        if (scanf("%d", &height[i]) != 1)
            return 1;
    printf("%lld\n", trapped_water(n, height));
    return 0;
}
