/* Rows 60, 65, 115: leaves as many waiting processes as the table says, each a session of its own, and says how long
 * it ran itself, in nanoseconds: clearing up after it is not its time. "300:400" ends 400 ms after its start. */
#include "attack.h"

static long long now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    (void)argc;
    long long start = now_ns();
    for (long left = atol(argv[1]); left > 0; left--) {
        pid_t child = fork();
        if (child < 0)
            return finish_with_errno();
        if (child == 0) {
            setsid();
            for (;;)
                pause();
        }
    }
    const char *until = strchr(argv[1], ':');
    if (until)
        sleep_ms(atol(until + 1) - (long)((now_ns() - start) / 1000000));
    printf("%lld\n", now_ns() - start);
    return 0;
}
