/* Slow: tries all pairs, up to 20 000 000 000 of them. */
#include <stdio.h>

enum { MAX_COUNT = 200000 };

static long long values[MAX_COUNT];

int main(void)
{
    int n;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%lld", &values[i]) != 1)
            return 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (values[i] + values[j] == target) {
                printf("%d %d\n", i + 1, j + 1);
                return 0;
            }
    return 1;
}
