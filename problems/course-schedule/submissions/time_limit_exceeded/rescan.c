/* Too slow: term by term, walks all rules again to see who is free. O(m) a term, and a chain has n terms. */
#include <stdbool.h>
#include <stdio.h>

static int before[100000], after[100000];
static bool is_taken[50001], is_blocked[50001];
static int order[50000];

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    for (int i = 0; i < m; i++)
        if (scanf("%d %d", &before[i], &after[i]) != 2)
            return 1;

    int count = 0;
    for (int last = -1; count != last;) {
        last = count;
        for (int c = 1; c <= n; c++)
            is_blocked[c] = is_taken[c];
        for (int i = 0; i < m; i++)
            if (!is_taken[before[i]])
                is_blocked[after[i]] = true;
        for (int c = 1; c <= n; c++)
            if (!is_blocked[c]) {
                is_taken[c] = true;
                order[count++] = c;
            }
    }

    if (count < n) {
        puts("IMPOSSIBLE");
        return 0;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", order[i]);
    return 0;
}
