/* Row 51: all descriptors there are. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 100000; i++)
        if (open("/dev/null", O_RDONLY) < 0)
            return finish_with_errno();
    puts("ESCAPED 100000 descriptors");
    return 0;
}
