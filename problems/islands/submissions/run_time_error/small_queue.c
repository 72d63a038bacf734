/* Wrong: believes that the front of the search is all that the queue must hold, and gives it 100 000 places. As places
 * are not used again, a larger island is written past its end. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIDE = 2000, STRIDE = MAX_SIDE + 3, QUEUE_SIZE = 100000 };

static char grid[(MAX_SIDE + 2) * STRIDE];

/* From malloc, and large enough to get a mapping of its own: behind it nothing can be written, so the overflow is
 * a crash and not silent damage to other variables. */
static int *queue;

static void sink_island(int start)
{
    static const int steps[4] = { -STRIDE, -1, 1, STRIDE };
    int head = 0, tail = 0;
    grid[start] = '0';
    queue[tail++] = start;
    while (head < tail) {
        int at = queue[head++];
        for (int i = 0; i < 4; i++)
            if (grid[at + steps[i]] == '1') {
                grid[at + steps[i]] = '0';
                queue[tail++] = at + steps[i];
            }
    }
}

int main(void)
{
    int m, n;
    queue = malloc(sizeof(int) * QUEUE_SIZE);
    if (!queue || scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int row = 1; row <= m; row++)
        if (scanf("%2000s", &grid[row * STRIDE + 1]) != 1)
            return 1;
    int islands = 0;
    for (int row = 1; row <= m; row++)
        for (int column = 1; column <= n; column++)
            if (grid[row * STRIDE + column] == '1') {
                islands++;
                sink_island(row * STRIDE + column);
            }
    printf("%d\n", islands);
    free(queue);
    return 0;
}
