/* Row 46: reads all of a large input. Its pages belong to the judge. */
#include "attack.h"

int main(void)
{
    static char block[64 * 1024];
    long total = 0;
    ssize_t size;
    while ((size = read(0, block, sizeof block)) > 0)
        total += size;
    printf("%ld\n", total);
    return 0;
}
