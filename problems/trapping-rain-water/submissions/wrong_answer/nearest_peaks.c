/* Wrong: takes the nearest peak on each side for the wall. A higher one behind it can hold more water. */
#include <stdio.h>

static int height[100000], left_peak[100000], right_peak[100000];

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &height[i]) != 1)
            return 1;

    for (int i = 0; i < n; i++) /* climbs as long as it goes up */
        left_peak[i] = i > 0 && height[i - 1] >= height[i] ? left_peak[i - 1] : height[i];
    for (int i = n - 1; i >= 0; i--)
        right_peak[i] = i + 1 < n && height[i + 1] >= height[i] ? right_peak[i + 1] : height[i];

    long long water = 0;
    for (int i = 0; i < n; i++)
        water += (left_peak[i] < right_peak[i] ? left_peak[i] : right_peak[i]) - height[i];
    printf("%lld\n", water);
    return 0;
}
