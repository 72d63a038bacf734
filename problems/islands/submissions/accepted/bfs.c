/* Breadth-first search. A cell is turned into water when it enters the queue, so it enters only once.
 * O(mn) time; the queue of one island is an array that never needs more than one place a cell. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

static char grid[MAX_SIDE][MAX_SIDE + 1];
static int queue[MAX_SIDE * MAX_SIDE];
static int m, n;

static int enqueue(int row, int column, int tail)
{
    if (row < 0 || row >= m || column < 0 || column >= n || grid[row][column] != '1')
        return tail;
    grid[row][column] = '0';
    queue[tail] = row * n + column;
    return tail + 1;
}

static void sink_island(int row, int column)
{
    int head = 0, tail = enqueue(row, column, 0);
    while (head < tail) {
        int r = queue[head] / n, c = queue[head] % n;
        head++;
        tail = enqueue(r - 1, c, tail);
        tail = enqueue(r + 1, c, tail);
        tail = enqueue(r, c - 1, tail);
        tail = enqueue(r, c + 1, tail);
    }
}

int main(void)
{
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 0; row < m; row++)
        if (scanf("%2000s", grid[row]) != 1)
            return 1;
    int islands = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++)
            if (grid[row][column] == '1') {
                islands++;
                sink_island(row, column);
            }
    printf("%d\n", islands);
    return 0;
}
