/* What the hostile programs share. Each states facts on standard output, one a line:
 *   "ESCAPED what"   something worked that must not; the runner fails the row wherever it sees the word
 *   "refused"        the last line of a program all of whose attempts failed
 * Programs get three arguments from the runner: argv[1] the row's own, argv[2] the path of a secret file on the host,
 * argv[3] the host's name. */
#ifndef GAVEL_ATTACK_H
#define GAVEL_ATTACK_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB (1024L * 1024L)
#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Any result but an error is an escape. */
static inline void must_fail(const char *what, long result)
{
    if (result >= 0)
        printf("ESCAPED %s (%ld)\n", what, result);
}

/* Stricter: the call must not even reach the kernel's own argument checks, or a bug there is within reach. */
static inline void must_not_reach(const char *what, long result)
{
    if (result >= 0)
        printf("ESCAPED %s (%ld)\n", what, result);
    else if (errno != EPERM && errno != ENOSYS)
        printf("ESCAPED %s reached the kernel: %s\n", what, strerrorname_np(errno));
}

static inline int finish_refused(void)
{
    puts("refused");
    return 0;
}

/* Says which error ended the attempts, so that the table can name it. */
static inline int finish_with_errno(void)
{
    puts(strerrorname_np(errno));
    return 0;
}

static inline void sleep_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&time, &time) < 0 && errno == EINTR)
        continue;
}

static inline void burn_forever(void)
{
    for (volatile unsigned long turn = 0;; turn++)
        continue;
}

static inline void touch_bytes(volatile char *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += 4096)
        bytes[at] = 1;
}

#endif
