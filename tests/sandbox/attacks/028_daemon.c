/* Row 28: double fork and setsid: a daemon that outlives the run and still holds its standard output. Where the
 * profile has no fork, it says so. */
#include "attack.h"

int main(void)
{
    pid_t child = fork();
    if (child < 0)
        return finish_refused();
    if (child > 0) {
        waitpid(child, NULL, 0);
        puts("left");
        return 0;
    }
    setsid();
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (fork() > 0)
        _exit(0);
    for (;;)
        pause();
}
