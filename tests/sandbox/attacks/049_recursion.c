/* Row 49: recursion as deep as the table says; every frame takes about 100 bytes and none can be optimised away. */
#include "attack.h"

static __attribute__((noinline)) long descend(long depth)
{
    volatile char frame[48];
    frame[0] = (char)depth;
    return depth == 0 ? 0 : descend(depth - 1) + frame[0] - (char)depth + 1;
}

int main(int argc, char **argv)
{
    (void)argc;
    printf("%ld\n", descend(atol(argv[1])));
    return 0;
}
