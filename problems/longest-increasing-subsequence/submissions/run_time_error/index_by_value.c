/* Wrong: a Fenwick tree indexed by the numbers themselves, moved up by a million. Numbers beyond that, or below minus a
 * million, lie far outside the tree. */
#include <stdio.h>

enum { OFFSET = 1000000, SIZE = 2 * OFFSET + 1 };

static int best[SIZE + 1];      /* from 1 */

int main(void)
{
    int n, value, longest = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        int length = 1;
        for (int at = value + OFFSET; at > 0; at -= at & -at)
            if (best[at] >= length)
                length = best[at] + 1;
        best[value + OFFSET + 1] = best[value + OFFSET + 1] > length ? best[value + OFFSET + 1] : length;
        for (int at = value + OFFSET + 1; at <= SIZE; at += at & -at)
            if (best[at] < length)
                best[at] = length;
        if (length > longest)
            longest = length;
    }
    printf("%d\n", longest);
    return 0;
}
