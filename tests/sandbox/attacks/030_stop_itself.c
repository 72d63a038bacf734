/* Row 30: a stopped process is not a finished one. */
#include "attack.h"

int main(void)
{
    raise(SIGSTOP);
    puts("ESCAPED somebody continued it");
    return 0;
}
