/* Row 33: a child of one's own parent. The keeper must not take its end for the program's. */
#include "attack.h"
#include <sched.h>

int main(void)
{
    long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(7);
    sleep_ms(60);
    return 3;
}
