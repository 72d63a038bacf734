/* Union-find, row by row: start with one island per land cell, and take one off for every union that joins two. */
#include <stdio.h>

enum { MAX_SIDE = 2000 };

static char line[2][MAX_SIDE + 1];
static int parent[MAX_SIDE * MAX_SIDE], size[MAX_SIDE * MAX_SIDE];

static int find(int x)
{
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

/* Returns 1 if a and b were apart. */
static int unite(int a, int b)
{
    a = find(a);
    b = find(b);
    if (a == b)
        return 0;
    if (size[a] < size[b]) {
        int swap = a;
        a = b;
        b = swap;
    }
    parent[b] = a;
    size[a] += size[b];
    return 1;
}

int main(void)
{
    int m, n, islands = 0;
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 0; row < m; row++) {
        char *here = line[row % 2], *above = line[1 - row % 2];
        if (scanf("%2000s", here) != 1)
            return 1;
        for (int column = 0; column < n; column++) {
            if (here[column] != '1')
                continue;
            int id = row * n + column;
            parent[id] = id;
            size[id] = 1;
            islands++;
            if (column > 0 && here[column - 1] == '1')
                islands -= unite(id, id - 1);
            if (row > 0 && above[column] == '1')
                islands -= unite(id, id - n);
        }
    }
    printf("%d\n", islands);
    return 0;
}
