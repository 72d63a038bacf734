/* The inside of a SandboxRun: one run from start to collect, as the supervisor sees it. */
#ifndef SANDBOX_RUN_H
#define SANDBOX_RUN_H

#include "cgroup.h"
#include "context.h"
#include "order.h"

/* Output that is read while the run goes on: the first bytes are kept, the rest is counted. */
typedef struct Drain {
    int read_fd; /* -1: nothing is drained */
    char *data;  /* `size` kept bytes and a terminator */
    size_t size, room;
    int64_t limit_bytes, total_bytes;
} Drain;

/* What the clocks start from. Times are CLOCK_MONOTONIC. */
typedef struct Clock {
    int64_t start_ns; /* sandbox_start */
    int64_t exec_ns;
    int64_t cpu_offset_ns;                                  /* used before the exec instant: set-up is not billed */
    int64_t frozen_ns;                                      /* total so far */
    int64_t frozen_since_ns;                                /* while frozen */
    int64_t idle_since_ns, idle_cpu_ns, idle_drained_bytes; /* start of the idleness window */
    int64_t kill_sent_ns;                                   /* 0: no kill yet */
    int64_t done_ns;
} Clock;

struct SandboxRun {
    Sandbox *sandbox;
    const SandboxPlan *plan;
    SandboxState state;
    SandboxLimits limits;
    KeeperOrder order;
    DescriptorMove *moves;
    int *parked_fds; /* duplicates made for the order; closed once the keeper has its own */
    size_t parked_count;
    StackPair *stacks;
    int slot;
    Cgroup cgroup;
    int socket_fd, keeper_fd, epoll_fd, timer_fd, channel_fd, capture_fd;
    int keeper_socket_fd, keeper_signal_fd; /* the keeper's, in the table it shares with us until KEEPER_STARTED */
    SandboxProfile jail_profile;            /* whose root the keeper builds */
    pid_t keeper_pid;
    pid_t program_pid; /* in our pid namespace; known only to an observed run */
    Drain drain;
    Clock clock;
    bool has_cause;
    SandboxCause cause;
    bool has_farewell;
    KeeperMessage farewell;
    CgroupFacts facts;
    int64_t cpu_ns;
    int64_t rss_peak_bytes; /* degraded: seen by the watcher */
    SandboxError fault;     /* of ours; the run then says nothing about the program */
    SandboxArtifactResult *artifacts;
    struct SandboxRun *next_departing;
};

int64_t monotonic_ns(void);

/* spare.c: a keeper prepared ahead. Take: the spare if it fits the plan, else NULL. Make: if there is none. */
SandboxRun *spare_take(Sandbox *sandbox, const SandboxPlan *plan);
void spare_make(Sandbox *sandbox, SandboxProfile profile);
void spare_drop(Sandbox *sandbox);

/* run.c: a run without a plan, with a keeper that builds the root of `profile`, and the plan's binds if there is a
 * plan. */
SandboxRun *run_clone(Sandbox *sandbox, SandboxProfile profile, const SandboxPlan *plan, SandboxError *error);
void run_drop(SandboxRun *run); /* kills the keeper of a run that never began, and frees it */

/* run.c: frees collected runs whose keepers are gone by now; or waits for all of them. */
void departing_reap(Sandbox *sandbox);
void departing_await(Sandbox *sandbox);

/* plan.c: the two parts of an order. First what the keeper needs to build the root; `plan` is NULL for a spare, which
 * gets the profile's root without extras. Then, with run->plan set, all the rest: limits, streams, the program. */
bool plan_check(const SandboxPlan *plan, SandboxError *error);
void plan_resolve_jail(SandboxRun *run, SandboxProfile profile, const SandboxPlan *plan);
bool plan_resolve(SandboxRun *run, SandboxError *error);

/* drain.c */
bool drain_open(Drain *drain, int64_t limit_bytes, int *ret_write_fd, SandboxError *error);
void drain_read(Drain *drain); /* what is there now, at most a bounded amount */
void drain_read_rest(Drain *drain);
void drain_done(Drain *drain);

/* limit.c: the one who decides that a run is over. False: nothing is due. */
bool limit_exceeded(SandboxRun *run, int64_t now_ns, SandboxCause *ret_cause);
int64_t limit_next_wake_ns(const SandboxRun *run, int64_t now_ns); /* from now; INT64_MAX: never */
int64_t limit_wall_ns(const SandboxRun *run, int64_t now_ns);      /* from exec, without frozen time */
void limit_note_peak(SandboxRun *run); /* degraded: the program's own largest resident size, on its way out */
void limit_start_window(SandboxRun *run, int64_t now_ns, int64_t cpu_ns);

/* tree.c: without control groups, what the run's processes use, from /proc. */
typedef struct TreeUsage {
    int64_t cpu_ns, rss_bytes;
} TreeUsage;
TreeUsage tree_measure(pid_t keeper_pid);
int64_t tree_peak_bytes(pid_t pid); /* of one process, by the kernel's own high-water mark */

/* result.c */
bool result_is_exec_failure(const SandboxRun *run);
void result_decide(SandboxRun *run); /* the cause, once everything is known */
void result_fill(SandboxRun *run, SandboxResult *ret_result);

#endif
