/* The inside of a Sandbox: what sandbox_open prepared for all runs. */
#ifndef SANDBOX_CONTEXT_H
#define SANDBOX_CONTEXT_H

#include "cgroup.h"
#include "filter.h"
#include "order.h"
#include "slot.h"

enum {
    SYSTEM_PART_MAX = 12,
    RLIMIT_KINDS = 16,
};

/* The toolchain and libraries as they lie on this host: a directory is bound, a symbolic link is made again. */
typedef struct HostSystem {
    JailBind binds[SYSTEM_PART_MAX];
    size_t bind_count;
    JailLink links[SYSTEM_PART_MAX];
    size_t link_count;
    char link_targets[SYSTEM_PART_MAX][64];
} HostSystem;

/* The stacks of a keeper and its program, each above a guard page; kept for the next run. */
typedef struct StackPair {
    unsigned char *mapping;
    struct StackPair *next;
} StackPair;

struct Sandbox {
    SandboxMachine machine;
    CgroupSet cgroups;
    SlotPool slots;
    Filter filters[SANDBOX_PROFILE_COUNT];
    HostSystem system;
    char *mount_point;
    char degraded_reason[200];
    int null_fd;
    int last_capability;
    unsigned first_uid;            /* of slot 0 */
    bool has_user_namespaces_only; /* not root: runs get a user namespace */
    bool was_dumpable;
    int64_t hard_limits[RLIMIT_KINDS]; /* by RLIMIT_ number: what we may set at most */
    StackPair *free_stacks;
    int self_fd;                    /* pidfd of this process, for keepers to see whether it lives */
    unsigned long long start_count; /* runs started so far */
    struct SandboxRun *spare;       /* a keeper that waits in a finished root for the next plan; or NULL */
    struct SandboxRun *departing;   /* collected runs whose keepers are still being torn down by the kernel */
};

/* stacks.c: a pair of guarded stacks. NULL if there is no memory. */
StackPair *stacks_take(struct Sandbox *sandbox);
void stacks_give(struct Sandbox *sandbox, StackPair *stacks);
void stacks_free_all(struct Sandbox *sandbox);
unsigned char *stacks_keeper(const StackPair *stacks); /* lowest byte of ORDER_STACK_BYTES */
unsigned char *stacks_program(const StackPair *stacks);

#endif
