/* Row 10: the compile step leaves a daemon that waits for the next submission's files. */
#include "attack.h"

int main(void)
{
    pid_t child = fork();
    if (child < 0)
        return finish_with_errno();
    if (child > 0) {
        waitpid(child, NULL, 0);
        return 0;
    }
    setsid();
    if (fork() > 0)
        _exit(0);
    for (;;)
        pause();
}
