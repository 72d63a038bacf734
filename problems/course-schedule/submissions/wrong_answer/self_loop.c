/* Wrong: throws rules "a a" away as if they said nothing, but such a course can never be taken. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    int *before = malloc((size_t)m * sizeof *before);
    int *after = malloc((size_t)m * sizeof *after);
    int *first = calloc((size_t)n + 2, sizeof *first); /* next[first[a]] .. next[first[a + 1] - 1] follow a */
    int *next = malloc((size_t)m * sizeof *next);
    int *fill = malloc((size_t)(n + 2) * sizeof *fill);
    int *missing = calloc((size_t)n + 1, sizeof *missing);
    int *queue = malloc((size_t)n * sizeof *queue);

    for (int i = 0; i < m; i++) {
        if (scanf("%d %d", &before[i], &after[i]) != 2)
            return 1;
        if (before[i] == after[i]) { /* the mistake */
            i--;
            m--;
            continue;
        }
        first[before[i] + 1]++;
        missing[after[i]]++;
    }
    for (int c = 1; c <= n + 1; c++)
        first[c] += first[c - 1];
    for (int c = 1; c <= n; c++)
        fill[c] = first[c];
    for (int i = 0; i < m; i++)
        next[fill[before[i]]++] = after[i];

    int head = 0, tail = 0;
    for (int c = 1; c <= n; c++)
        if (missing[c] == 0)
            queue[tail++] = c;
    while (head < tail) {
        int course = queue[head++];
        for (int i = first[course]; i < first[course + 1]; i++)
            if (--missing[next[i]] == 0)
                queue[tail++] = next[i];
    }

    if (tail < n) {
        puts("IMPOSSIBLE");
        return 0;
    }
    for (int i = 0; i < n; i++)
        printf("%d%c", queue[i], i + 1 < n ? ' ' : '\n');
    return 0;
}
