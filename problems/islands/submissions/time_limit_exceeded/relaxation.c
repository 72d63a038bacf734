/* Slow: every land cell carries a label, and the whole picture is swept, forwards and backwards in turn, until no cell
 * can take a smaller one from a neighbour. A label needs one more sweep for every few bends of its way: along a snake
 * that is a thousand sweeps over all cells. */
#include <stdbool.h>
#include <stdio.h>

enum { MAX_SIDE = 2000, STRIDE = MAX_SIDE + 2, WATER = 0x7fffffff };

static int label[STRIDE * STRIDE];
static char line[MAX_SIDE + 1];
static int m, n;

static bool relax(int at)
{
    if (label[at] == WATER)
        return false;
    const int around[4] = { label[at - STRIDE], label[at - 1], label[at + 1], label[at + STRIDE] };
    int least = label[at];
    for (int i = 0; i < 4; i++)
        least = around[i] < least ? around[i] : least;
    bool is_changed = least != label[at];
    label[at] = least;
    return is_changed;
}

static bool sweep(void)
{
    bool is_changed = false;
    for (int at = STRIDE + 1; at <= m * STRIDE + n; at++)
        is_changed |= relax(at);
    for (int at = m * STRIDE + n; at >= STRIDE + 1; at--)
        is_changed |= relax(at);
    return is_changed;
}

int main(void)
{
    if (scanf("%d %d", &m, &n) != 2)
        return 1;
    for (int at = 0; at < STRIDE * STRIDE; at++)
        label[at] = WATER;
    for (int row = 1; row <= m; row++) {
        if (scanf("%2000s", line) != 1)
            return 1;
        for (int column = 1; column <= n; column++)
            if (line[column - 1] == '1')
                label[row * STRIDE + column] = row * STRIDE + column;
    }
    while (sweep()) {
    }
    int islands = 0;
    for (int at = 0; at < STRIDE * STRIDE; at++)
        islands += label[at] == at;     /* the cell that gave its label to the island */
    printf("%d\n", islands);
    return 0;
}
