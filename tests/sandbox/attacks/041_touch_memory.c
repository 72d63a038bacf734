/* Rows 41, 45, 47, 54: allocate and touch as many mebibytes as the table says, a little at a time. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    for (long left = atol(argv[1]); left > 0; left--) {
        char *block = malloc(MIB);
        if (!block)
            return 12;
        touch_bytes(block, MIB);
    }
    puts("touched");
    return 0;
}
