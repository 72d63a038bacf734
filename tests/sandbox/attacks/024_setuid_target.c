/* Row 24: installed set-uid and set-gid root by the runner. */
#include "attack.h"

int main(void)
{
    if (geteuid() != getuid() || getegid() != getgid())
        puts("ESCAPED set-uid took effect");
    return finish_refused();
}
