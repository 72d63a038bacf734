/* Row 67: catches SIGXCPU and goes on. */
#include "attack.h"

static void go_on(int number)
{
    (void)number;
}

int main(void)
{
    signal(SIGXCPU, go_on);
    burn_forever();
}
