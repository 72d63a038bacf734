/* Wrong: takes the width of a row from the length of its line less one for '\n'. With CR LF the '\r' becomes a cell, and
 * as it is not '0' it counts as land; without a final newline the last cell is lost. */
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 2000 };

static char grid[MAX_SIDE + 2][MAX_SIDE + 8];

static void sink(int row, int column)
{
    if (grid[row][column] == 0 || grid[row][column] == '0')
        return;
    grid[row][column] = '0';
    sink(row - 1, column);
    sink(row + 1, column);
    sink(row, column - 1);
    sink(row, column + 1);
}

int main(void)
{
    char line[MAX_SIDE + 8];
    int m = 0, islands = 0;
    if (!fgets(line, sizeof(line), stdin))
        return 1;
    while (fgets(line, sizeof(line), stdin)) {
        m++;
        memcpy(grid[m] + 1, line, strlen(line) - 1);
    }
    for (int row = 1; row <= m; row++)
        for (int column = 1; grid[row][column] != 0; column++)
            if (grid[row][column] != '0') {
                islands++;
                sink(row, column);
            }
    printf("%d\n", islands);
    return 0;
}
