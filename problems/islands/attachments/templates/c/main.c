#include <stdio.h>

enum { MAX_SIDE = 2000 };

static char grid[MAX_SIDE][MAX_SIDE + 1];

/* The number of islands in grid[0..m-1][0..n-1], whose cells are '0' (water) or '1' (land). */
static int count_islands(int m, int n)
{
    (void)m;
    (void)n;
    return 0; /* TODO: your algorithm */
}

int main(void)
{
    int m, n;
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 0; row < m; row++)
        if (scanf("%2000s", grid[row]) != 1)
            return 1;
    printf("%d\n", count_islands(m, n));
    return 0;
}
