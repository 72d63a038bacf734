/* Wrong: sorts the numbers and prints where the pair stands in the sorted list, not in the input. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

static long long values[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int n;
    long long target;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%lld", &values[i]) != 1)
            return 1;
    qsort(values, (size_t)n, sizeof(values[0]), compare);
    int low = 0, high = n - 1;
    while (low < high && values[low] + values[high] != target) {
        if (values[low] + values[high] < target)
            low++;
        else
            high--;
    }
    printf("%d %d\n", low + 1, high + 1);
    return 0;
}
