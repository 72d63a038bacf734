/* Profiles: one row of profiles.def each. */
#ifndef SANDBOX_PROFILE_H
#define SANDBOX_PROFILE_H

#include "gavel/sandbox.h"

/* Groups of system calls, columns of filters.def. A profile allows a set of them. */
typedef enum FilterGroup {
    FILTER_BASE = 1 << 0,     /* memory, time, files, signals to oneself */
    FILTER_THREAD = 1 << 1,   /* clone with CLONE_THREAD */
    FILTER_PROCESS = 1 << 2,  /* fork, exec of other programs, wait, process groups */
    FILTER_LOCAL = 1 << 3,    /* AF_UNIX sockets */
    FILTER_CHANNEL = 1 << 4,  /* send and receive on inherited sockets */
    FILTER_AFFINITY = 1 << 5, /* sched_setaffinity and priorities of oneself */
    FILTER_DEVICE = 1 << 6,   /* any ioctl */
} FilterGroup;

typedef struct ProfileRow {
    const char *name;
    unsigned filter_groups;  /* set of FilterGroup */
    bool has_system;         /* /usr and what belongs to it, read-only */
    bool has_proc;           /* /proc, own processes only */
    bool is_work_executable; /* /w and /tmp without noexec */
    unsigned uid_offset;     /* 0 run, 1 compile: a compiler never owns what a run could touch */
    SandboxLimits limits;    /* defaults */
} ProfileRow;

const ProfileRow *profile_row(SandboxProfile profile);

/* The clean environment of a profile, NULL-terminated. */
const char *const *profile_environment(SandboxProfile profile);

/* `asked` with every 0 replaced by the profile's default. */
SandboxLimits limits_complete(const SandboxLimits *asked, SandboxProfile profile);

#endif
