/* Slow: union-find with neither union by size nor path compression. On large islands the trees become long chains, and
 * each find walks all the way. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

static char grid[MAX_SIDE][MAX_SIDE + 1];
static int parent[MAX_SIDE * MAX_SIDE];

static int find(int x)
{
    while (parent[x] != x)
        x = parent[x];
    return x;
}

static int unite(int a, int b)
{
    a = find(a);
    b = find(b);
    parent[b] = a;
    return a != b;
}

int main(void)
{
    int m, n, islands = 0;
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 0; row < m; row++)
        if (scanf("%2000s", grid[row]) != 1)
            return 1;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            if (grid[row][column] != '1')
                continue;
            int id = row * n + column;
            parent[id] = id;
            islands++;
            if (row > 0 && grid[row - 1][column] == '1')
                islands -= unite(id, id - n);
            if (column > 0 && grid[row][column - 1] == '1')
                islands -= unite(id, id - 1);
        }
    printf("%d\n", islands);
    return 0;
}
