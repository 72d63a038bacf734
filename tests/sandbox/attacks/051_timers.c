/* Row 51: kernel timers and queued signals, each a little kernel memory. Bounded by a limit or refused: never 100000. */
#include "attack.h"

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    int made = 0;
    for (timer_t timer; made < 100000; made++)
        if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) < 0)
            break;
    sigset_t queued;
    sigemptyset(&queued);
    sigaddset(&queued, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &queued, NULL);
    int sent = 0;
    while (sent < 100000 && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0)
        sent++;
    if (made == 100000 || sent == 100000)
        puts("ESCAPED no bound");
    puts("bounded");
    return 0;
}
