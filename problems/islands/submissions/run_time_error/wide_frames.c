/* Wrong: every call keeps its list of neighbours in an array with room for 8000 of them, "to be safe". A recursion
 * thousands of calls deep then needs more than even the 1024 MiB stack. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

typedef struct Cell {
    int row, column;
} Cell;

static char grid[MAX_SIDE + 2][MAX_SIDE + 3];

static int list_neighbours(Cell cell, Cell *ret_list)
{
    static const Cell steps[4] = { { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, 0 } };
    int count = 0;
    for (int i = 0; i < 4; i++) {
        Cell next = { cell.row + steps[i].row, cell.column + steps[i].column };
        if (grid[next.row][next.column] == '1')
            ret_list[count++] = next;
    }
    return count;
}

static void sink(Cell cell)
{
    Cell neighbours[4 * MAX_SIDE];
    grid[cell.row][cell.column] = '0';
    int count = list_neighbours(cell, neighbours);
    for (int i = 0; i < count; i++)
        if (grid[neighbours[i].row][neighbours[i].column] == '1')
            sink(neighbours[i]);
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
                sink((Cell){ row, column });
            }
    printf("%d\n", islands);
    return 0;
}
