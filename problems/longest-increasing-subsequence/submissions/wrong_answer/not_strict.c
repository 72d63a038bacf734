/* Wrong: replaces the first tail that is greater, so that equal numbers follow each other: the longest subsequence that
 * does not fall. */
#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int tails[MAX_COUNT];

/* Index of the first tail that is greater than the value. */
static int first_greater(int length, int value)
{
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (tails[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    int n, value, length = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        int at = first_greater(length, value);
        tails[at] = value;
        if (at == length)
            length++;
    }
    printf("%d\n", length);
    return 0;
}
