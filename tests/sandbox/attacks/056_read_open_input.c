/* Row 56: waits for input that never comes: the other end stays open. */
#include "attack.h"

int main(void)
{
    char byte;
    printf("read %zd\n", read(0, &byte, 1));
    return 0;
}
