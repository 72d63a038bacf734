/* tails[k] is the least number that a rising subsequence of length k + 1 can end with; the array itself rises. A new
 * number replaces the first tail that is not less, found by binary search. O(n log n). */
#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int tails[MAX_COUNT];

/* Index of the first tail that is not less than the value. */
static int first_not_less(int length, int value)
{
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (tails[middle] < value)
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
        int at = first_not_less(length, value);
        tails[at] = value;
        if (at == length)
            length++;
    }
    printf("%d\n", length);
    return 0;
}
