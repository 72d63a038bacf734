/* Too slow: backtracking over all ladders, cut off only where one is no shorter than the best so far. Exponential. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int n, best;
static char words[10000][11], end[11];
static bool is_used[10000];

static bool is_step(const char *a, const char *b)
{
    int count = 0;
    for (; *a && count < 2; a++, b++)
        count += *a != *b;
    return count == 1;
}

static void climb(const char *word, int rungs)
{
    if (best != 0 && rungs >= best)
        return;
    if (strcmp(word, end) == 0) {
        best = rungs;
        return;
    }
    for (int i = 0; i < n; i++)
        if (!is_used[i] && is_step(word, words[i])) {
            is_used[i] = true;
            climb(words[i], rungs + 1);
            is_used[i] = false;
        }
}

int main(void)
{
    char start[11];
    if (scanf("%d %10s %10s", &n, start, end) != 3)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%10s", words[i]) != 1)
            return 1;
    climb(start, 1);
    printf("%d\n", best);
    return 0;
}
