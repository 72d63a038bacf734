/* Slow: knows about the tails, but walks along them to find the place of each number. Quadratic if the sequence rises. */
#include <stdio.h>

enum { MAX_COUNT = 200000 };

static int tails[MAX_COUNT];

int main(void)
{
    int n, value, length = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        int at = 0;
        while (at < length && tails[at] < value)
            at++;
        tails[at] = value;
        if (at == length)
            length++;
    }
    printf("%d\n", length);
    return 0;
}
