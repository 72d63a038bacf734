/* Too slow: from every column looks all the way to both ends for the highest wall. O(n^2). */
#include <stdio.h>

static int height[100000];

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &height[i]) != 1)
            return 1;

    long long water = 0;
    for (int i = 0; i < n; i++) {
        int left_wall = 0, right_wall = 0;
        for (int j = 0; j <= i; j++)
            if (height[j] > left_wall)
                left_wall = height[j];
        for (int j = i; j < n; j++)
            if (height[j] > right_wall)
                right_wall = height[j];
        water += (left_wall < right_wall ? left_wall : right_wall) - height[i];
    }
    printf("%lld\n", water);
    return 0;
}
