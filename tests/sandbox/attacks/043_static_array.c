/* Row 43: an array larger than the limit, in .bss: it loads, and dies of the limit when it is used. */
#include "attack.h"

static char array[800 * MIB];

int main(void)
{
    touch_bytes(array, sizeof array);
    puts("touched");
    return 0;
}
