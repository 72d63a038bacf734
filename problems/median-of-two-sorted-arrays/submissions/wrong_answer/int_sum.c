/* Wrong: adds the two middle values as int. Two values above 2^30 overflow it. */
#include <stdio.h>

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

    int i = 0, j = 0, lower = 0, upper = 0;
    for (int step = 0; step <= (n + m) / 2; step++) {
        lower = upper;
        upper = j >= m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
    }
    if ((n + m) % 2 == 1)
        printf("%.1f\n", (double)upper);
    else
        printf("%.1f\n", (lower + upper) / 2.0); /* the mistake */
    return 0;
}
