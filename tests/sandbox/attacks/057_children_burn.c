/* Row 57: the work is done by children that are never waited for; the parent itself costs nothing. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            burn_forever();
    for (;;)
        pause();
}
