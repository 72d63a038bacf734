#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int values[MAX_COUNT], top[MAX_COUNT];

/* Fills top[0..k-1] with the most frequent of values[0..n-1], best first; the smaller of equally frequent ones first. */
static void find_top(int n, int k)
{
    (void)n;
    (void)k;
    /* TODO: your algorithm */
}

int main(void)
{
    int n, k;
    if (scanf("%d %d", &n, &k) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &values[i]) != 1)
            return 1;
    find_top(n, k);
    for (int i = 0; i < k; i++)
        printf(i < k - 1 ? "%d " : "%d\n", top[i]);
    return 0;
}
