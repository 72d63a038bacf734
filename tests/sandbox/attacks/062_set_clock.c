/* Row 62: step the machine's clock back. */
#include "attack.h"
#include <sys/time.h>
#include <sys/timex.h>

int main(void)
{
    struct timespec past = {.tv_sec = 1};
    struct timeval old = {.tv_sec = 1};
    struct timex change = {.modes = ADJ_OFFSET, .offset = -1};
    must_fail("clock_settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &past));
    must_fail("settimeofday", syscall(SYS_settimeofday, &old, NULL));
    must_fail("adjtimex", syscall(SYS_adjtimex, &change));
    must_fail("clock_adjtime", syscall(SYS_clock_adjtime, CLOCK_REALTIME, &change));
    return finish_refused();
}
