/* Row 58: nearly all of the time is the kernel's. */
#include "attack.h"

int main(void)
{
    static char block[256 * 1024];
    int zero = open("/dev/zero", O_RDONLY);
    for (;;)
        if (read(zero, block, sizeof block) < 0)
            return finish_with_errno();
}
