/* Row 36: a better place in the scheduler, or more processors than the plan gives (one). */
#include "attack.h"
#include <sched.h>
#include <sys/resource.h>

int main(void)
{
    struct sched_param first = {.sched_priority = 1};
    must_fail("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &first));
    must_fail("SCHED_RR", sched_setscheduler(0, SCHED_RR, &first));
    must_fail("nice -5", setpriority(PRIO_PROCESS, 0, -5));
    must_fail("ioprio realtime", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    (void)sched_setaffinity(0, sizeof all, &all);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    (void)sched_getaffinity(0, sizeof mine, &mine);
    printf("processors %d\n", CPU_COUNT(&mine));
    return 0;
}
