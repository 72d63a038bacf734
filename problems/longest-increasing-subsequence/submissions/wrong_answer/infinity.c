/* Wrong: "infinity", the tail of lengths not reached yet, is 1 000 000 000, which is also a number of the input: a
 * subsequence that ends with it is taken as not reached. */
#include <stdio.h>

enum { MAX_COUNT = 200000, INFINITE = 1000000000 };

static int tails[MAX_COUNT];

int main(void)
{
    int n, value, length = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        tails[i] = INFINITE;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        int low = 0, high = n - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (tails[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        tails[low] = value;
    }
    while (length < n && tails[length] < INFINITE)
        length++;
    printf("%d\n", length);
    return 0;
}
