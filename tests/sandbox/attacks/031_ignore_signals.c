/* Row 31: ignore every signal that can be ignored, block the rest, and burn. */
#include "attack.h"

int main(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    burn_forever();
}
