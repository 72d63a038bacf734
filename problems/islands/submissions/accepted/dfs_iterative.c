/* Depth-first search with a stack of our own, so the depth of the call stack does not matter. A cell is marked when it
 * is pushed: the stack never holds more than all cells. */
#include <stdio.h>
#include <stdlib.h>

static char *grid;
static int *stack;
static int m, n;

static int read_grid(void)
{
    for (int i = 0; i < m * n; i++) {
        int c = getchar();
        while (c == '\n' || c == '\r')
            c = getchar();
        if (c == EOF)
            return 0;
        grid[i] = (char)c;
    }
    return 1;
}

static void sink(int start)
{
    int top = 0;
    stack[top++] = start;
    grid[start] = '0';
    while (top > 0) {
        int at = stack[--top];
        int row = at / n, column = at % n;
        int next[4], count = 0;
        if (row > 0)
            next[count++] = at - n;
        if (row < m - 1)
            next[count++] = at + n;
        if (column > 0)
            next[count++] = at - 1;
        if (column < n - 1)
            next[count++] = at + 1;
        for (int i = 0; i < count; i++)
            if (grid[next[i]] == '1') {
                grid[next[i]] = '0';
                stack[top++] = next[i];
            }
    }
}

int main(void)
{
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    grid = malloc((size_t)m * (size_t)n + 1);
    stack = malloc(sizeof(int) * ((size_t)m * (size_t)n + 1));
    if (!grid || !stack || !read_grid())
        return 1;
    int islands = 0;
    for (int i = 0; i < m * n; i++)
        if (grid[i] == '1') {
            islands++;
            sink(i);
        }
    printf("%d\n", islands);
    free(grid);
    free(stack);
    return 0;
}
