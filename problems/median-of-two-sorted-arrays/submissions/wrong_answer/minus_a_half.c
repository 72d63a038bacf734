/* Wrong: prints the whole part and then the half. The whole part of -0.5 is 0, and the sign is gone. */
#include <stdio.h>
#include <stdlib.h>

static int a[100001], b[100001];

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    for (int i = 0; i < m; i++)
        if (scanf("%d", &b[i]) != 1)
            return 1;

    int i = 0, j = 0;
    long long lower = 0, upper = 0;
    for (int step = 0; step <= (n + m) / 2; step++) {
        lower = upper;
        upper = j >= m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
    }
    long long sum = (n + m) % 2 == 1 ? 2 * upper : lower + upper;
    printf("%lld.%d\n", sum / 2, sum % 2 ? 5 : 0); /* the mistake */
    return 0;
}
