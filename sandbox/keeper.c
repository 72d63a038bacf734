/* The keeper: pid 1 of a run's pid namespace, between the supervisor and the program.
 *
 * Why it exists. A pid namespace needs a first process, and the program must not be it: pid 1 ignores the signals it
 * has no handler for, so abort() and raise() would lie. The keeper also is the only one who can end a run for sure:
 * kill(-1) from pid 1 hits every process of the namespace at once, however it forked, and wait until ECHILD proves
 * that they are gone. And it stands inside the jail, where artifacts can be opened without a path of the host.
 *
 * Why it shares the supervisor's memory. The supervisor is a large process (a judge); fork would copy its page tables,
 * which costs more than all namespaces together. So the keeper is cloned with CLONE_VM and a stack of its own, and both
 * run at the same time. That has a price, which is paid in keeper.c, jail.c and program.c and nowhere else:
 *
 *   - No libc. Wrappers write errno and read the thread's cached ids, both in the supervisor's thread-local storage;
 *     malloc and stdio have locks and state. All system calls are raw (raw.h), results are -errno.
 *   - Nothing is written but the own stack and the order (order.h), which the supervisor leaves alone meanwhile.
 *   - No sanitizer instruments this code (KEEPER_CODE).
 *   - No signal handler of the supervisor may run here: all signals were blocked before the clone and stay so. A
 * blocked SIGCHLD is still queued, also for a pid 1, and is read from a signalfd.
 *   - The out-of-memory killer kills everybody who shares a victim's memory. The program joins its small control group
 *     before exec, while it still shares ours; the kernel never chooses a vfork child whose parent has the same memory
 *     (oom_badness, in_vfork), so exec fails with ENOMEM instead. This is why the program is cloned with CLONE_VFORK.
 *   - setresuid in the program makes the shared memory non-dumpable; the supervisor repairs that (run.c).
 *
 * It dies with the supervisor (PDEATHSIG), and the death of pid 1 kills the rest.
 *
 * It also shares the supervisor's descriptor table (CLONE_FILES) until its order is complete. So a keeper can be cloned
 * before its plan is known: what the supervisor opens later is there when the order comes. Most of what a fresh run
 * costs, the namespaces and the root, is then done by a spare keeper while the former run still computes (run.c). */
#include "keeper.h"
#include "raw.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/openat2.h>
#include <linux/prctl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum {
    SIGNAL_COUNT = 64,
    SPARE_PATIENCE_MS = 50, /* longer than a judge takes from one test to the next */
    SIGNAL_SET_BYTES = 8,
    TRACE_CONT = 7,
    TRACE_SETOPTIONS = 0x4200,
    TRACE_GETSIGINFO = 0x4202,
    TRACE_O_EXITKILL = 1 << 20,
    TRACE_O_TRACEEXEC = 1 << 4, /* else every later exec of the program's raises a SIGTRAP */
    TRACE_O_TRACEEXIT = 1 << 6,
    TRACE_EVENT_EXEC = 4,
    TRACE_EVENT_EXIT = 6,
};

/* What the keeper knows of its children. */
typedef struct Watch {
    int socket_fd, signal_fd;
    int program_pidfd; /* if the order has it observed, else -1 */
    pid_t program;
    bool has_ended;
    bool is_traced; /* its trace options are set */
    bool is_killing;
    KeeperMessage farewell;
} Watch;

KEEPER_CODE bool keeper_check(KeeperOrder *order, SandboxStage stage, long result, const char *what)
{
    if (result >= 0)
        return true;
    KeeperFailure *failure = &order->failure;
    if (failure->stage != SANDBOX_STAGE_NONE)
        return false;
    size_t length = 0;
    for (; what[length] && length + 1 < sizeof failure->what; length++)
        failure->what[length] = what[length];
    failure->what[length] = 0;
    failure->system_errno = (int)-result;
    failure->stage = stage;
    return false;
}

KEEPER_CODE int64_t keeper_clock_ns(int clock)
{
    struct timespec now = {0};
    RAW(clock_gettime, clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- messages ----------------------------------------------------------------------------------------------- */

KEEPER_CODE static long send_message(int socket_fd, const KeeperMessage *message, int fd)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec data = {.iov_base = (void *)message, .iov_len = sizeof *message};
    struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd >= 0) {
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        *(int *)(void *)CMSG_DATA(&control.header) = fd;
        header.msg_control = &control;
        header.msg_controllen = sizeof control;
    }
    return RAW(sendmsg, socket_fd, &header, MSG_NOSIGNAL);
}

/* ---- start -------------------------------------------------------------------------------------------------- */

KEEPER_CODE static bool write_text_file(KeeperOrder *order, const char *path, const char *text)
{
    long fd = RAW(openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
    if (!keeper_check(order, SANDBOX_STAGE_USER, fd, path))
        return false;
    long written = RAW(write, fd, text, raw_length(text));
    RAW(close, fd);
    return keeper_check(order, SANDBOX_STAGE_USER, written, path);
}

KEEPER_CODE static bool map_user(KeeperOrder *order)
{
    return !order->has_user_namespace || (write_text_file(order, "/proc/self/setgroups", "deny") &&
                                          write_text_file(order, "/proc/self/uid_map", order->uid_map) &&
                                          write_text_file(order, "/proc/self/gid_map", order->gid_map));
}

/* The supervisor may have died before the signal was asked for; in here getppid says nothing, its pidfd does. */
KEEPER_CODE static bool die_with_supervisor(KeeperOrder *order)
{
    struct pollfd supervisor = {.fd = order->supervisor_fd, .events = POLLIN};
    struct timespec at_once = {0};
    return keeper_check(order, SANDBOX_STAGE_CLONE, RAW(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0),
                        "binding the keeper's life to the supervisor's") &&
           keeper_check(order, SANDBOX_STAGE_CLONE,
                        RAW(ppoll, &supervisor, 1, &at_once, 0, SIGNAL_SET_BYTES) == 0 ? 0 : -ESRCH,
                        "looking for the supervisor");
}

/* What the judge ignores is no business of the program's, which inherits this table: an ignored SIGPIPE would survive
 * exec. And with SIGCHLD ignored the kernel would reap for us, and no status would be left. */
KEEPER_CODE static void reset_signals(void)
{
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } action = {0};
    for (int signal = 1; signal <= SIGNAL_COUNT; signal++)
        RAW(rt_sigaction, signal, &action, 0, SIGNAL_SET_BYTES); /* SIGKILL and SIGSTOP refuse */
}

/* The program inherits it too. The keeper keeps what it has: the set bounds only what exec could add. */
KEEPER_CODE static bool drop_bounding_set(KeeperOrder *order)
{
    for (int capability = 0; capability <= order->last_capability; capability++)
        if (!keeper_check(order, SANDBOX_STAGE_PRIVILEGES, RAW(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0),
                          "dropping the bounding set"))
            return false;
    return true;
}

KEEPER_CODE static bool leave_host_name(KeeperOrder *order)
{
    static const char name[] = "gavel";
    return keeper_check(order, SANDBOX_STAGE_CLONE, RAW(sethostname, name, sizeof name - 1), "naming the host");
}

/* A network namespace takes longer to make, and in the background to dissolve, than all the others together; storms of
 * them have brought machines down. It belongs to the slot, which only one run has at a time, and nothing stays in it
 * from run to run: its one interface is down, and no profile can make a socket other than AF_UNIX. */
KEEPER_CODE static bool leave_network(KeeperOrder *order)
{
    long result = order->network_fd >= 0 ? RAW(setns, order->network_fd, CLONE_NEWNET) : RAW(unshare, CLONE_NEWNET);
    return keeper_check(order, SANDBOX_STAGE_CLONE, result, "leaving the host's network");
}

/* vfork semantics: the call returns when the program has executed its file or is gone. */
KEEPER_CODE static bool start_program(KeeperOrder *order, Watch *watch)
{
    watch->program_pidfd = -1;
    struct clone_args args = {
        .flags = CLONE_VM | CLONE_VFORK | CLONE_NEWCGROUP | (order->is_observed ? CLONE_PIDFD : 0) |
                 (order->cgroup_fd >= 0 ? CLONE_INTO_CGROUP : 0),
        .pidfd = (uint64_t)(uintptr_t)&watch->program_pidfd,
        .exit_signal = SIGCHLD,
        .stack = (uint64_t)(uintptr_t)order->program_stack,
        .stack_size = ORDER_STACK_BYTES,
        .cgroup = order->cgroup_fd >= 0 ? (uint64_t)order->cgroup_fd : 0,
    };
    long pid = raw_clone3(&args, program_main, order);
    if (!keeper_check(order, SANDBOX_STAGE_CLONE, pid, "starting the program"))
        return false;
    watch->program = (pid_t)pid;
    return order->failure.stage == SANDBOX_STAGE_NONE;
}

/* The table was the supervisor's until now, so that everything it opened for the order is there. From here it is a
 * copy: a file being written must not be in the supervisor's table, whose forks would hold it open, and busy. */
KEEPER_CODE static bool take_own_descriptors(KeeperOrder *order)
{
    return keeper_check(order, SANDBOX_STAGE_CLONE, RAW(unshare, CLONE_FILES), "leaving the descriptor table");
}

/* The supervisor's pipes and sockets must not live on in the copy: their readers wait for an end of file. */
KEEPER_CODE static void close_foreign_descriptors(const Watch *watch)
{
    bool is_socket_lower = watch->socket_fd < watch->signal_fd;
    unsigned low = (unsigned)(is_socket_lower ? watch->socket_fd : watch->signal_fd);
    unsigned high = (unsigned)(is_socket_lower ? watch->signal_fd : watch->socket_fd);
    if (low > 0)
        RAW(close_range, 0, low - 1, 0);
    if (high > low + 1)
        RAW(close_range, low + 1, high - 1, 0);
    RAW(close_range, high + 1, ~0U, 0);
}

/* From here on the keeper kills, waits, and opens files; nothing else. A failure leaves no hole (the program cannot
 * reach the keeper), so it is not checked. */
KEEPER_CODE static void shed_privileges(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    uint32_t kept = 1U << CAP_KILL | 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_SYS_PTRACE;
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {
        {.effective = kept, .permitted = kept, .inheritable = 0},
        {.effective = 0, .permitted = 0, .inheritable = 0},
    };
    RAW(capset, &header, data);
}

KEEPER_CODE static void report_start(const Watch *watch)
{
    KeeperMessage message = {.word = KEEPER_STARTED};
    send_message(watch->socket_fd, &message, watch->program_pidfd);
}

/* ---- watching ----------------------------------------------------------------------------------------------- */

KEEPER_CODE static void kill_all(Watch *watch)
{
    watch->is_killing = true;
    RAW(kill, -1, SIGKILL); /* ESRCH: everybody is gone already */
}

KEEPER_CODE static void note_program_end(Watch *watch, int status, const struct rusage *usage)
{
    KeeperMessage *farewell = &watch->farewell;
    watch->has_ended = true;
    farewell->has_status = true;
    farewell->status = status;
    farewell->end_ns = keeper_clock_ns(CLOCK_MONOTONIC);
    farewell->user_us = usage->ru_utime.tv_sec * INT64_C(1000000) + usage->ru_utime.tv_usec;
    farewell->system_us = usage->ru_stime.tv_sec * INT64_C(1000000) + usage->ru_stime.tv_usec;
    farewell->max_rss_kib = usage->ru_maxrss;
    farewell->switches_voluntary = usage->ru_nvcsw;
    farewell->switches_involuntary = usage->ru_nivcsw;
    farewell->faults_major = usage->ru_majflt;
}

/* A stop of the traced program: the trap of its exec sets the options, the exit stop is reported, signals go on to
 * it, and a group stop stays a stop. */
KEEPER_CODE static void handle_stop(Watch *watch, int status)
{
    int signal = WSTOPSIG(status);
    if (!watch->is_traced) {
        watch->is_traced = true;
        RAW(ptrace, TRACE_SETOPTIONS, watch->program, 0, TRACE_O_TRACEEXIT | TRACE_O_TRACEEXEC | TRACE_O_EXITKILL);
        RAW(ptrace, TRACE_CONT, watch->program, 0, 0);
        return;
    }
    if (status >> 16 == TRACE_EVENT_EXIT) {
        KeeperMessage message = {.word = KEEPER_EXIT_STOP};
        if (watch->is_killing || send_message(watch->socket_fd, &message, -1) < 0)
            RAW(ptrace, TRACE_CONT, watch->program, 0, 0);
        return;
    }
    if (status >> 16 == TRACE_EVENT_EXEC)
        signal = 0;
    siginfo_t information;
    if (RAW(ptrace, TRACE_GETSIGINFO, watch->program, 0, &information) != -EINVAL)
        RAW(ptrace, TRACE_CONT, watch->program, 0, signal);
}

/* Reaps whatever is ready. The program is known by its pid: a child it made with CLONE_PARENT, or an orphan, is a
 * stranger whose status means nothing. Returns false when no child is left at all. */
KEEPER_CODE static bool reap(Watch *watch, int flags)
{
    for (;;) {
        int status = 0;
        struct rusage usage;
        long pid = RAW(wait4, -1, &status, flags | __WALL, &usage);
        if (pid == -EINTR)
            continue;
        if (pid <= 0)
            return pid == 0;
        if (pid == watch->program && WIFSTOPPED(status))
            handle_stop(watch, status);
        else if (pid == watch->program)
            note_program_end(watch, status, &usage);
        else if (watch->has_ended && watch->is_killing)
            watch->farewell.left_processes++;
    }
}

KEEPER_CODE static void drain_signals(const Watch *watch)
{
    char information[sizeof(struct signalfd_siginfo)];
    while (RAW(read, watch->signal_fd, information, sizeof information) > 0)
        continue;
}

/* False when the supervisor is gone. */
KEEPER_CODE static bool obey(Watch *watch)
{
    KeeperCommand command;
    long got = RAW(recvfrom, watch->socket_fd, &command, sizeof command, MSG_DONTWAIT, 0, 0);
    if (got == -EAGAIN || got == -EINTR)
        return true;
    if (got != sizeof command)
        return false;
    if (command == KEEPER_COMMAND_KILL)
        kill_all(watch);
    RAW(ptrace, TRACE_CONT, watch->program, 0, 0); /* CONTINUE, or a kill of a program held at its exit stop */
    return true;
}

KEEPER_CODE static void watch_program(Watch *watch)
{
    struct pollfd ready[] = {
        {.fd = watch->socket_fd, .events = POLLIN},
        {.fd = watch->signal_fd, .events = POLLIN},
    };
    while (!watch->has_ended) {
        long count = RAW(ppoll, ready, 2, 0, 0, SIGNAL_SET_BYTES);
        if (count < 0 && count != -EINTR)
            return;
        if (ready[0].revents && !obey(watch))
            return;
        if (ready[1].revents) {
            drain_signals(watch);
            (void)reap(watch, WNOHANG);
        }
    }
}

/* Who was dead already has not outlived the program. Then until ECHILD: everybody in the namespace is a descendant and,
 * its parent dead, our child. */
KEEPER_CODE static void sweep(Watch *watch)
{
    (void)reap(watch, WNOHANG);
    kill_all(watch);
    (void)reap(watch, 0);
}

/* ---- artifacts ---------------------------------------------------------------------------------------------- */

/* Everybody is dead, so what is checked cannot change any more. A FIFO does not block (O_NONBLOCK), a symbolic link is
 * not followed anywhere on the way, a device or a second link is refused. Returns the descriptor or -errno. */
KEEPER_CODE static long open_artifact(const SandboxArtifact *artifact, int64_t *ret_bytes)
{
    struct open_how how = {
        .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    struct stat status;
    long fd = RAW(openat2, AT_FDCWD, artifact->name, &how, sizeof how);
    if (fd < 0)
        return fd == -ENXIO ? -EINVAL : fd; /* a socket; told like the other special files */
    long refusal = RAW(fstat, fd, &status);
    if (refusal >= 0)
        refusal = !S_ISREG(status.st_mode)                                          ? -EINVAL
                  : status.st_nlink != 1                                            ? -EMLINK
                  : artifact->max_bytes > 0 && status.st_size > artifact->max_bytes ? -EFBIG
                                                                                    : 0;
    if (refusal < 0) {
        RAW(close, fd);
        return refusal;
    }
    *ret_bytes = status.st_size;
    return fd;
}

/* The working directory has been /w since the jail was built. */
KEEPER_CODE static void hand_out_artifacts(const KeeperOrder *order, const Watch *watch)
{
    for (size_t i = 0; i < order->artifact_count; i++) {
        KeeperMessage message = {.word = KEEPER_ARTIFACT, .index = (int)i};
        long fd = open_artifact(&order->artifacts[i], &message.value);
        if (fd < 0)
            message.value = fd;
        send_message(watch->socket_fd, &message, (int)fd);
        if (fd >= 0)
            RAW(close, fd);
    }
}

/* ---- contents page ------------------------------------------------------------------------------------------ */

KEEPER_CODE static bool keeper_enter(KeeperOrder *order)
{
    RAW(umask, 0);
    reset_signals();
    return die_with_supervisor(order) && map_user(order) && leave_network(order) && leave_host_name(order) &&
           drop_bounding_set(order);
}

KEEPER_CODE static bool await_command(KeeperOrder *order, KeeperCommand wanted)
{
    KeeperCommand command;
    long got = RAW(recvfrom, order->socket_fd, &command, sizeof command, 0, 0, 0);
    return got == sizeof command && command == wanted;
}

/* False: nobody wants this keeper. A spare goes away by itself, so that an idle judge has no processes. */
KEEPER_CODE static bool await_order(KeeperOrder *order)
{
    struct pollfd command_ready = {.fd = order->socket_fd, .events = POLLIN};
    struct timespec patience = {.tv_nsec = SPARE_PATIENCE_MS * 1000000L};
    long ready = RAW(ppoll, &command_ready, 1, order->is_spare ? &patience : NULL, 0, SIGNAL_SET_BYTES);
    if (ready == 0 && order_claim(order, ORDER_GIVEN_UP))
        return false;
    return await_command(order, KEEPER_COMMAND_BEGIN);
}

/* Before the order is complete a keeper may look only at what does not depend on the plan. A spare builds that part of
 * the jail while it waits; any other keeper mounts the plan's places and binds at once, so it waits first. */
KEEPER_CODE static bool build_jail(KeeperOrder *order)
{
    if (order->is_spare)
        return jail_build(order) && await_order(order) && jail_furnish(order);
    return await_order(order) && jail_build(order) && jail_furnish(order);
}

KEEPER_CODE int keeper_main(void *context)
{
    KeeperOrder *order = context;
    Watch watch = {.socket_fd = order->socket_fd, .signal_fd = order->signal_fd, .farewell = {.word = KEEPER_DONE}};
    if (keeper_enter(order) && build_jail(order) && await_command(order, KEEPER_COMMAND_START) &&
        take_own_descriptors(order) && jail_fill(order) && start_program(order, &watch)) {
        report_start(&watch);
        close_foreign_descriptors(&watch);
        shed_privileges();
        watch_program(&watch);
    }
    sweep(&watch);
    if (order->exec_ns)
        hand_out_artifacts(order, &watch);
    send_message(watch.socket_fd, &watch.farewell, -1);
    return 0;
}
