/* What the supervisor hands the keeper: a plan resolved to numbers, strings and descriptors, so that the keeper only
 * executes. Lives in the supervisor's memory, which the keeper shares; written by the supervisor before the keeper
 * exists and by the keeper (the part at the end) until it says KEEPER_DONE. */
#ifndef SANDBOX_ORDER_H
#define SANDBOX_ORDER_H

#include "gavel/sandbox.h"

#include <linux/filter.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

enum {
    ORDER_ATTACH_MAX = 6,
    ORDER_RLIMIT_MAX = 14,
    ORDER_STACK_BYTES = 64 * 1024,
    ORDER_DETAIL_BYTES = 96,
};

/* A host path that becomes visible in the jail. */
typedef struct JailBind {
    const char *host_path;
    const char *jail_path; /* absolute; the jail opens it relative to its root */
    bool is_device;        /* not read-only, and device access allowed */
    bool is_optional;      /* a part of the host's system that may be absent */
} JailBind;

typedef struct JailLink {
    const char *jail_path;
    const char *target;
} JailLink;

typedef struct JailNode {
    const char *name; /* below /dev */
    unsigned major, minor;
} JailNode;

typedef struct DescriptorMove {
    int source_fd, target_fd;
} DescriptorMove;

typedef struct RlimitRow {
    int resource;
    struct rlimit value;
} RlimitRow;

/* First failure on the way to exec: the record of style.md 1.3, in shared memory instead of a pipe. */
typedef struct KeeperFailure {
    SandboxStage stage; /* SANDBOX_STAGE_NONE: nothing failed */
    int system_errno;
    char what[ORDER_DETAIL_BYTES]; /* "mounting /proc" */
} KeeperFailure;

typedef struct KeeperOrder {
    /* Until KEEPER_COMMAND_BEGIN the keeper looks only at what stands above "program", and at the control group's
     * descriptors only after KEEPER_COMMAND_START. */
    int socket_fd;     /* the keeper's end */
    int signal_fd;     /* signalfd for SIGCHLD: reads the signals of whoever reads it */
    int supervisor_fd; /* pidfd of the supervisor */
    int network_fd;    /* the slot's network namespace, or -1: make one */
    int last_capability;
    bool is_spare; /* the plan was not known at the clone: /w and its like come after BEGIN */
    int claim;     /* OrderClaim; both sides change it with order_claim only */

    /* user namespace, if any */
    bool has_user_namespace;
    char uid_map[48], gid_map[48];

    /* jail */
    const char *mount_point; /* an empty directory of ours on the host */
    bool has_proc;
    bool can_make_nodes;
    const JailLink *links;
    size_t link_count;
    const JailBind *system_binds;
    size_t system_bind_count;
    const SandboxBind *binds;
    size_t bind_count;
    const char *const *devices;

    /* program */
    char work_options[160]; /* of the tmpfs at /w, /tmp, /dev/shm */
    bool is_work_executable;
    const SandboxFile *files;
    size_t file_count;
    int attach_fds[ORDER_ATTACH_MAX]; /* control group files that take "0" */
    size_t attach_count;
    int cgroup_fd; /* for CLONE_INTO_CGROUP, or -1 */
    RlimitRow rlimits[ORDER_RLIMIT_MAX];
    size_t rlimit_count;
    DescriptorMove *moves; /* sorted by target; sources are all above the greatest target */
    size_t move_count;
    int executable_fd; /* or -1 */
    const char *const *argv;
    const char *const *environment;
    bool has_cpus;
    cpu_set_t cpus;
    bool is_address_fixed;
    bool has_own_ids; /* root: change to uid and gid */
    unsigned uid, gid;
    struct sock_fprog filter;
    bool is_observed;             /* stop at exit, tell, wait for KEEPER_COMMAND_CONTINUE */
    bool must_be_observed;        /* false: for the watcher of a degraded run, if the machine allows tracing */
    unsigned char *program_stack; /* ORDER_STACK_BYTES */

    /* after the end */
    const SandboxArtifact *artifacts;
    size_t artifact_count;

    /* written by the keeper */
    KeeperFailure failure;
    bool has_joined;       /* the program is in its control group: what fails for memory now, fails by the limit */
    int64_t joined_cpu_ns; /* CPU time of the program's process when it had joined its group */
    int64_t exec_cpu_ns;   /* and at the exec instant */
    int64_t exec_ns;       /* CLOCK_MONOTONIC at the exec instant; 0: never reached */
} KeeperOrder;

/* Who has decided what becomes of a waiting keeper: the supervisor that it is wanted, or the keeper that it waited
 * enough. */
typedef enum OrderClaim {
    ORDER_OPEN,
    ORDER_WANTED,
    ORDER_GIVEN_UP,
} OrderClaim;

/* True for the side that was first. */
__attribute__((no_sanitize("address", "undefined", "thread"))) static inline bool order_claim(KeeperOrder *order,
                                                                                              OrderClaim claim)
{
    int open = ORDER_OPEN;
    return __atomic_compare_exchange_n(&order->claim, &open, (int)claim, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Keeper -> supervisor, one SOCK_SEQPACKET message each. */
typedef enum KeeperWord {
    KEEPER_STARTED,   /* the program runs; carries its pidfd if is_observed */
    KEEPER_EXIT_STOP, /* the program is stopped on its way out */
    KEEPER_ARTIFACT,  /* index, value = size or -errno; carries the descriptor if there is one */
    KEEPER_DONE,      /* nothing of the run is alive but the keeper, which now exits */
} KeeperWord;

typedef struct KeeperMessage {
    KeeperWord word;
    int index;
    int64_t value;
    /* KEEPER_DONE */
    bool has_status;
    int status;     /* of the program, as from wait */
    int64_t end_ns; /* CLOCK_MONOTONIC when it was reaped */
    int left_processes;
    int64_t user_us, system_us; /* rusage of the program and what it waited for */
    int64_t max_rss_kib;
    int64_t switches_voluntary, switches_involuntary, faults_major;
} KeeperMessage;

typedef enum KeeperCommand {
    KEEPER_COMMAND_BEGIN, /* the order is complete but for the control group */
    KEEPER_COMMAND_START, /* it is complete */
    KEEPER_COMMAND_KILL,
    KEEPER_COMMAND_CONTINUE, /* after KEEPER_EXIT_STOP */
} KeeperCommand;

#endif
