/* Wrong: also walks to the four diagonal neighbours, so islands that touch at a corner are counted as one. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

static char grid[MAX_SIDE + 2][MAX_SIDE + 3];
static int stack[MAX_SIDE * MAX_SIDE];

static void sink(int row, int column)
{
    int top = 0;
    grid[row][column] = '0';
    stack[top++] = row * (MAX_SIDE + 2) + column;
    while (top > 0) {
        int at = stack[--top];
        for (int r = at / (MAX_SIDE + 2) - 1; r <= at / (MAX_SIDE + 2) + 1; r++)
            for (int c = at % (MAX_SIDE + 2) - 1; c <= at % (MAX_SIDE + 2) + 1; c++)
                if (grid[r][c] == '1') {
                    grid[r][c] = '0';
                    stack[top++] = r * (MAX_SIDE + 2) + c;
                }
    }
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
