/* Row 32: the end by signal is told as it was. As pid 1 of a namespace these would be ignored or look different. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    volatile int zero = 0;
    int *volatile nowhere = NULL;
    if (strcmp(argv[1], "abort") == 0)
        abort();
    if (strcmp(argv[1], "segv") == 0)
        *nowhere = 1;
    if (strcmp(argv[1], "fpe") == 0)
        return 7 / zero; /* 1 / zero would be computed without dividing */
    if (strcmp(argv[1], "ill") == 0)
        __asm__ volatile("ud2");
    raise(atoi(argv[1]));
    puts("survived");
    return 0;
}
