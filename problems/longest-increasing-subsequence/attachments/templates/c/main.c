#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int values[MAX_COUNT];

/* The length of the longest strictly increasing subsequence of values[0..n-1]. */
static int longest(int n)
{
    (void)n;
    return 1; /* TODO: your algorithm */
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &values[i]) != 1)
            return 1;
    printf("%d\n", longest(n));
    return 0;
}
