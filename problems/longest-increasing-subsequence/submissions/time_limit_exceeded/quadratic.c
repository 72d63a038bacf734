/* Slow: the textbook recurrence over all pairs, up to 20 000 000 000 steps. */
#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int values[MAX_COUNT], best[MAX_COUNT];

int main(void)
{
    int n, longest = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &values[i]) != 1)
            return 1;
    for (int i = 0; i < n; i++) {
        best[i] = 1;
        for (int j = 0; j < i; j++)
            if (values[j] < values[i] && best[j] >= best[i])
                best[i] = best[j] + 1;
        if (best[i] > longest)
            longest = best[i];
    }
    printf("%d\n", longest);
    return 0;
}
