/* From the clone of the program to its exec: everything that must be done in the process itself.
 *
 * Runs on a stack of its own in the supervisor's memory while the keeper sleeps in vfork: raw system calls only
 * (keeper.c says why). The order of the steps is the point: joining the control group needs the keeper's rights,
 * descriptors need the old limits, capabilities go with the old uid, and the filter comes last. */
#include "keeper.h"
#include "raw.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/personality.h>
#include <time.h>

enum {
    PTRACE_TRACEME_REQUEST = 0,
};

/* A version 2 group was joined by the clone itself, and counts CPU time from there; v1 groups are joined here. */
KEEPER_CODE static bool join_cgroups(KeeperOrder *order)
{
    for (size_t i = 0; i < order->attach_count; i++)
        if (!keeper_check(order, SANDBOX_STAGE_CGROUP, RAW(write, order->attach_fds[i], "0", 1),
                          "joining the control group"))
            return false;
    order->has_joined = true;
    order->joined_cpu_ns = order->cgroup_fd >= 0 ? 0 : keeper_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    return true;
}

/* Dispositions were reset by the keeper, whose table this process got a copy of. */
KEEPER_CODE static bool unblock_signals(KeeperOrder *order)
{
    uint64_t none = 0;
    return keeper_check(order, SANDBOX_STAGE_STREAMS, RAW(rt_sigprocmask, SIG_SETMASK, &none, 0, sizeof none),
                        "clearing the signal mask");
}

/* Between the moved descriptors everything is marked to close at exec: it must stay open until then (the executable,
 * the control group), and nothing but the moved ones may survive. */
KEEPER_CODE static bool move_descriptors(KeeperOrder *order)
{
    unsigned next = 0;
    for (size_t i = 0; i < order->move_count; i++) {
        unsigned target = (unsigned)order->moves[i].target_fd;
        if (!keeper_check(order, SANDBOX_STAGE_STREAMS, RAW(dup3, order->moves[i].source_fd, target, 0),
                          "moving a descriptor"))
            return false;
        if (target > next &&
            !keeper_check(order, SANDBOX_STAGE_STREAMS, RAW(close_range, next, target - 1, CLOSE_RANGE_CLOEXEC),
                          "closing descriptors"))
            return false;
        next = target + 1;
    }
    return keeper_check(order, SANDBOX_STAGE_STREAMS, RAW(close_range, next, ~0U, CLOSE_RANGE_CLOEXEC),
                        "closing descriptors");
}

KEEPER_CODE static bool set_rlimits(KeeperOrder *order)
{
    for (size_t i = 0; i < order->rlimit_count; i++)
        if (!keeper_check(order, SANDBOX_STAGE_LIMITS,
                          RAW(prlimit64, 0, order->rlimits[i].resource, &order->rlimits[i].value, 0),
                          "setting a resource limit"))
            return false;
    return true;
}

KEEPER_CODE static bool set_surroundings(KeeperOrder *order)
{
    RAW(umask, 022);
    return keeper_check(order, SANDBOX_STAGE_LIMITS, RAW(setsid), "starting a session") &&
           (!order->has_cpus ||
            keeper_check(order, SANDBOX_STAGE_LIMITS, RAW(sched_setaffinity, 0, sizeof order->cpus, &order->cpus),
                         "setting the CPU set")) &&
           keeper_check(order, SANDBOX_STAGE_LIMITS, RAW(personality, order->is_address_fixed ? ADDR_NO_RANDOMIZE : 0),
                        "setting the personality");
}

KEEPER_CODE static bool ask_to_be_traced(KeeperOrder *order)
{
    long result = order->is_observed ? RAW(ptrace, PTRACE_TRACEME_REQUEST, 0, 0, 0) : 0;
    return !order->must_be_observed || keeper_check(order, SANDBOX_STAGE_PRIVILEGES, result, "asking to be traced");
}

KEEPER_CODE static bool become_user(KeeperOrder *order)
{
    if (!order->has_own_ids)
        return true;
    return keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(setgroups, 0, 0), "dropping groups") &&
           keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(setresgid, order->gid, order->gid, order->gid),
                        "changing the group") &&
           keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(setresuid, order->uid, order->uid, order->uid),
                        "changing the user");
}

KEEPER_CODE static bool drop_capabilities(KeeperOrder *order)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0),
                        "clearing ambient capabilities") &&
           keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(capset, &header, none), "dropping capabilities") &&
           keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                        "setting no_new_privs");
}

KEEPER_CODE static bool load_filter(KeeperOrder *order)
{
    return keeper_check(order, SANDBOX_STAGE_FILTER, RAW(seccomp, SECCOMP_SET_MODE_FILTER, 0, &order->filter),
                        "loading the filter");
}

/* The clocks start here, one call before exec, and not when vfork lets the keeper go: on a busy machine that comes
 * late, and what the program did meanwhile would be given to it. The process's own CPU clock is exact to this moment,
 * where the group's counter lags by up to a tick. */
KEEPER_CODE static void note_exec_instant(KeeperOrder *order)
{
    order->exec_cpu_ns = keeper_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    order->exec_ns = keeper_clock_ns(CLOCK_MONOTONIC);
}

KEEPER_CODE static void execute(KeeperOrder *order)
{
    note_exec_instant(order);
    long result = order->executable_fd >= 0
                      ? RAW(execveat, order->executable_fd, "", order->argv, order->environment, AT_EMPTY_PATH)
                      : RAW(execve, order->argv[0], order->argv, order->environment);
    order->exec_ns = 0; /* still here */
    (void)keeper_check(order, SANDBOX_STAGE_EXEC, result, "executing the program");
}

KEEPER_CODE int program_main(void *context)
{
    KeeperOrder *order = context;
    if (join_cgroups(order) && unblock_signals(order) && move_descriptors(order) && set_rlimits(order) &&
        set_surroundings(order) && ask_to_be_traced(order) && become_user(order) && drop_capabilities(order) &&
        load_filter(order))
        execute(order);
    return 127; /* nobody reads it: order->failure says what happened */
}
