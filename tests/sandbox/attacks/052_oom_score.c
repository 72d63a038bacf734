/* Row 52: make oneself the last that the kernel would kill, so that the judge goes first. */
#include "attack.h"

int main(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    if (fd >= 0)
        must_fail("oom_score_adj", write(fd, "-1000", 5));
    fd = open("/proc/1/oom_score_adj", O_WRONLY);
    if (fd >= 0)
        must_fail("keeper's oom_score_adj", write(fd, "1000", 4));
    return finish_refused();
}
