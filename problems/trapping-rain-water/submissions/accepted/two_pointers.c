/* Two pointers walk towards each other. The side with the lower wall so far moves: whatever lies between, its water
 * reaches up to that wall. Time O(n), no space beside the input. */
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
    int left = 0, right = n - 1, left_wall = 0, right_wall = 0;
    while (left <= right) {
        if (height[left] > left_wall)
            left_wall = height[left];
        if (height[right] > right_wall)
            right_wall = height[right];
        water += left_wall <= right_wall ? left_wall - height[left++] : right_wall - height[right--];
    }
    printf("%lld\n", water);
    return 0;
}
