#include <stdio.h>

enum { MAX_COUNT = 200000 };

static long long values[MAX_COUNT];

/* Finds the two different positions, from 0, whose values add up to `target`. */
static void find_pair(int n, long long target, int *ret_first, int *ret_second)
{
    (void)n;
    (void)target;
    *ret_first = 0; /* TODO: your algorithm */
    *ret_second = 1;
}

int main(void)
{
    int n, first, second;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%lld", &values[i]) != 1)
            return 1;
    find_pair(n, target, &first, &second);
    printf("%d %d\n", first + 1, second + 1);
    return 0;
}
