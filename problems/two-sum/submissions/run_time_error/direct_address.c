/* Wrong: a table indexed by the number itself, with room for numbers up to a million either way. Most inputs hold larger
 * ones, and an index in the thousands of millions lies far outside the program's memory. */
#include <stdio.h>

enum { MAX_ABSOLUTE = 1000000 };

static int position_of[2 * MAX_ABSOLUTE + 1];

int main(void)
{
    int n;
    long long target, value;
    if (scanf("%d %lld", &n, &target) != 2)
        return 1;
    for (int i = 1; i <= n; i++) {
        if (scanf("%lld", &value) != 1)
            return 1;
        long long wanted = target - value;
        if (wanted >= -MAX_ABSOLUTE && wanted <= MAX_ABSOLUTE && position_of[wanted + MAX_ABSOLUTE] != 0) {
            printf("%d %d\n", position_of[wanted + MAX_ABSOLUTE], i);
            return 0;
        }
        position_of[value + MAX_ABSOLUTE] = i;
    }
    return 1;
}
