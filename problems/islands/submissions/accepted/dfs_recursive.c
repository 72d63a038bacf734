/* Depth-first search, one call a cell: up to 4 000 000 calls deep, which the 1024 MiB stack holds. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

/* A frame of water around the picture saves the tests for its edges. */
static char grid[MAX_SIDE + 2][MAX_SIDE + 3];

static void sink(int row, int column)
{
    if (grid[row][column] != '1')
        return;
    grid[row][column] = '0';
    sink(row - 1, column);
    sink(row, column - 1);
    sink(row, column + 1);
    sink(row + 1, column);
}

int main(void)
{
    int m, n;
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 1; row <= m; row++)
        if (scanf("%2000s", grid[row] + 1) != 1)
            return 1;
    int islands = 0;
    for (int row = 1; row <= m; row++)
        for (int column = 1; column <= n; column++)
            if (grid[row][column] == '1') {
                islands++;
                sink(row, column);
            }
    printf("%d\n", islands);
    return 0;
}
