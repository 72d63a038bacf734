/* Wrong: the total is an int, but 100 000 columns under a billion units of water need 47 bits. */
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

    int water = 0; /* the mistake */
    int left = 0, right = n - 1, left_wall = 0, right_wall = 0;
    while (left <= right) {
        if (height[left] > left_wall)
            left_wall = height[left];
        if (height[right] > right_wall)
            right_wall = height[right];
        water += left_wall <= right_wall ? left_wall - height[left++] : right_wall - height[right--];
    }
    printf("%d\n", water);
    return 0;
}
