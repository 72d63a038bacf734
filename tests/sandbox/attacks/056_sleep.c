/* Row 56: sleeps or pauses for ever. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    if (strcmp(argv[1], "sleep") == 0)
        sleep_ms(100000);
    for (;;)
        pause();
}
