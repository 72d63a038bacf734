/* Wrong: the longest rising run of neighbours; a subsequence may leave numbers out. */
#include <stdio.h>

int main(void)
{
    int n, value, previous = 0, length = 0, longest = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        length = i > 0 && value > previous ? length + 1 : 1;
        previous = value;
        if (length > longest)
            longest = length;
    }
    printf("%d\n", longest);
    return 0;
}
