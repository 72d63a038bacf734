/* Too slow: puts each value of the second list in its place by swapping it down, neighbour by neighbour. O(n * m). */
#include <stdio.h>

static int values[200000];

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    for (int i = 0; i < n + m; i++) {
        if (scanf("%d", &values[i]) != 1)
            return 1;
        for (int j = i; j > 0 && values[j - 1] > values[j]; j--) {
            int value = values[j];
            values[j] = values[j - 1];
            values[j - 1] = value;
        }
    }
    long long sum = (long long)values[(n + m - 1) / 2] + values[(n + m) / 2];
    printf("%.1f\n", sum / 2.0);
    return 0;
}
