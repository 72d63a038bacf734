/* Rows 61 and 66: burns as many milliseconds of CPU time as the table says, and leaves. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    struct timespec used;
    do {
        for (volatile int turn = 0; turn < 100000; turn++)
            continue;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < atol(argv[1]));
    puts("burnt");
    return 0;
}
