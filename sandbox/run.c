/* The supervisor's side of a run: start, step, end.
 *
 * One epoll descriptor per run holds what can happen to it: a message of the keeper's, the clock, bytes to drain. All
 * changes of state pass run_enter, all kills run_kill, so that the first cause is the only one. */
#include "run.h"
#include "descriptor.h"
#include "keeper.h"
#include "raw.h"
#include "stage.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define NS_PER_S              INT64_C(1000000000)
#define SETUP_LIMIT_NS        (20 * NS_PER_S) /* building a jail takes milliseconds; copying large files seconds */
#define ENDING_LIMIT_NS       (20 * NS_PER_S) /* from our kill to the keeper's farewell; a thousand processes take one */
#define DISMISSAL_PATIENCE_MS 1000            /* building a root takes one or two */

/* ---- states ------------------------------------------------------------------------------------------------- */

#define MAY_GO(state) (1U << (state))
static const unsigned legal_moves[] = {
    [SANDBOX_STATE_STARTING] =
        MAY_GO(SANDBOX_STATE_RUNNING) | MAY_GO(SANDBOX_STATE_ENDING) | MAY_GO(SANDBOX_STATE_ENDED),
    [SANDBOX_STATE_RUNNING] = MAY_GO(SANDBOX_STATE_FROZEN) | MAY_GO(SANDBOX_STATE_ENDING) | MAY_GO(SANDBOX_STATE_ENDED),
    [SANDBOX_STATE_FROZEN] = MAY_GO(SANDBOX_STATE_RUNNING) | MAY_GO(SANDBOX_STATE_ENDING) | MAY_GO(SANDBOX_STATE_ENDED),
    [SANDBOX_STATE_ENDING] = MAY_GO(SANDBOX_STATE_ENDED),
    [SANDBOX_STATE_ENDED] = 0,
};

static void run_enter(SandboxRun *run, SandboxState state)
{
    assert(legal_moves[run->state] & MAY_GO(state));
    run->state = state;
}

static void run_fault(SandboxRun *run, SandboxStage stage, int system_errno, const char *what)
{
    if (run->fault.stage == SANDBOX_STAGE_NONE)
        sandbox_fail(&run->fault, stage, system_errno, "%s", what);
}

/* ---- letting go --------------------------------------------------------------------------------------------- */

/* Our copies of what only the program may hold: its ends of pipes, or we would wait for ever for their end. */
static void drop_parked(SandboxRun *run)
{
    for (size_t i = 0; i < run->parked_count; i++)
        close(run->parked_fds[i]);
    run->parked_count = 0;
}

static void drop_keepers_descriptors(SandboxRun *run)
{
    close_descriptor(&run->keeper_socket_fd);
    close_descriptor(&run->keeper_signal_fd);
}

/* Everything but what the keeper may still be looking at: its stacks, and the order in `run` itself. */
static void run_close(SandboxRun *run)
{
    drop_parked(run);
    free(run->parked_fds);
    free(run->moves);
    for (size_t i = 0; run->artifacts && i < run->plan->artifact_count; i++)
        close_descriptor(&run->artifacts[i].fd);
    free(run->artifacts);
    run->parked_fds = NULL;
    run->moves = NULL;
    run->artifacts = NULL;
    drain_done(&run->drain);
    drop_keepers_descriptors(run);
    close_descriptor(&run->capture_fd);
    close_descriptor(&run->channel_fd);
    close_descriptor(&run->socket_fd);
    close_descriptor(&run->timer_fd);
    close_descriptor(&run->epoll_fd);
}

static void run_free(SandboxRun *run)
{
    stacks_give(run->sandbox, run->stacks);
    close_descriptor(&run->keeper_fd);
    free(run);
}

static bool reap_keeper(SandboxRun *run, int flags)
{
    siginfo_t information = {0};
    /* __WALL: the keeper was cloned without an exit signal, so that it never shows in the caller's own waits. */
    int result;
    do
        result = waitid(P_PIDFD, (id_t)run->keeper_fd, &information, WEXITED | __WALL | flags);
    while (result != 0 && errno == EINTR);
    return result != 0 || information.si_pid != 0; /* ECHILD: somebody else reaped it */
}

/* The kernel takes a millisecond or more to dissolve a mount namespace, in the exiting keeper. Nobody waits for that:
 * the run's processes are gone already. Departing keepers are reaped when the next run has started or the sandbox
 * closes. */
void departing_reap(Sandbox *sandbox)
{
    for (SandboxRun **link = &sandbox->departing; *link;) {
        SandboxRun *run = *link;
        if (!reap_keeper(run, WNOHANG)) {
            link = &run->next_departing;
            continue;
        }
        *link = run->next_departing;
        run_free(run);
    }
}

void departing_await(Sandbox *sandbox)
{
    while (sandbox->departing) {
        SandboxRun *run = sandbox->departing;
        (void)reap_keeper(run, 0);
        sandbox->departing = run->next_departing;
        run_free(run);
    }
}

/* ---- start -------------------------------------------------------------------------------------------------- */

static SandboxRun *run_new(Sandbox *sandbox)
{
    SandboxRun *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->sandbox = sandbox;
    run->slot = -1;
    run->socket_fd = run->keeper_fd = run->epoll_fd = run->timer_fd = run->channel_fd = run->capture_fd = -1;
    run->keeper_socket_fd = run->keeper_signal_fd = -1;
    run->drain.read_fd = -1;
    run->cgroup = (Cgroup){.set = NULL, .into_fd = -1, .cpu_fd = -1};
    return run;
}

static bool join_group(SandboxRun *run, SandboxError *error)
{
    Sandbox *sandbox = run->sandbox;
    KeeperOrder *order = &run->order;
    char name[CGROUP_NAME_BYTES];
    slot_group_name(&sandbox->slots, run->slot, name);
    if (!cgroup_make(&run->cgroup, &sandbox->cgroups, name, &run->limits, error))
        return false;
    order->cgroup_fd = run->cgroup.into_fd;
    for (size_t i = 0; i < sandbox->cgroups.tree_count; i++)
        if (run->cgroup.attach_fds[i] >= 0)
            order->attach_fds[order->attach_count++] = run->cgroup.attach_fds[i];
    return true;
}

static bool watch_descriptor(SandboxRun *run, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return fd < 0 || epoll_ctl(run->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* What the keeper and we talk and wait through. */
static bool open_watch(SandboxRun *run)
{
    int ends[2];
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    run->socket_fd = ends[0];
    run->keeper_socket_fd = run->order.socket_fd = ends[1];
    run->keeper_signal_fd = run->order.signal_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    run->order.supervisor_fd = run->sandbox->self_fd;
    run->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    run->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return run->keeper_signal_fd >= 0 && run->timer_fd >= 0 && run->epoll_fd >= 0 &&
           watch_descriptor(run, run->socket_fd) && watch_descriptor(run, run->timer_fd);
}

/* The keeper shares memory and descriptors with us and starts with every signal blocked (keeper.c). */
static bool clone_keeper(SandboxRun *run)
{
    uint64_t all = ~UINT64_C(0), former = 0;
    struct clone_args args = {
        .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                 (run->order.has_user_namespace ? CLONE_NEWUSER : 0),
        .pidfd = (uint64_t)(uintptr_t)&run->keeper_fd,
        .stack = (uint64_t)(uintptr_t)stacks_keeper(run->stacks),
        .stack_size = ORDER_STACK_BYTES,
    };
    RAW(rt_sigprocmask, SIG_SETMASK, &all, &former, sizeof all);
    long pid = raw_clone3(&args, keeper_main, &run->order);
    RAW(rt_sigprocmask, SIG_SETMASK, &former, 0, sizeof former);
    run->keeper_pid = (pid_t)pid;
    errno = pid < 0 ? (int)-pid : 0;
    return pid > 0 && watch_descriptor(run, run->keeper_fd);
}

static bool command_keeper(const SandboxRun *run, KeeperCommand command, SandboxError *error)
{
    return send(run->socket_fd, &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof command ||
           sandbox_fail(error, SANDBOX_STAGE_CLONE, errno, "giving the keeper a command");
}

static void arm_timer(SandboxRun *run, int64_t wake_ns)
{
    struct itimerspec when = {0};
    if (wake_ns != INT64_MAX)
        when.it_value = (struct timespec){.tv_sec = wake_ns / NS_PER_S, .tv_nsec = wake_ns % NS_PER_S};
    (void)timerfd_settime(run->timer_fd, 0, &when, NULL); /* fails only for values out of range */
}

static bool clone_into(SandboxRun *run, SandboxProfile profile, const SandboxPlan *plan, SandboxError *error)
{
    Sandbox *sandbox = run->sandbox;
    if (!slot_lease(&sandbox->slots, &sandbox->cgroups, &run->slot, error))
        return false;
    plan_resolve_jail(run, profile, plan);
    run->stacks = stacks_take(sandbox);
    return (run->stacks && open_watch(run) && clone_keeper(run)) ||
           sandbox_fail(error, SANDBOX_STAGE_CLONE, errno, "starting a keeper in new namespaces");
}

SandboxRun *run_clone(Sandbox *sandbox, SandboxProfile profile, const SandboxPlan *plan, SandboxError *error)
{
    SandboxRun *run = run_new(sandbox);
    if (run) {
        if (clone_into(run, profile, plan, error))
            return run;
        run_drop(run);
        return NULL;
    }
    sandbox_fail(error, SANDBOX_STAGE_CLONE, ENOMEM, "starting a run");
    return NULL;
}

/* The last resort: with pid 1 the kernel kills the whole namespace. */
static void kill_keeper(const SandboxRun *run)
{
    RAW(pidfd_send_signal, run->keeper_fd, SIGKILL, 0, 0);
}

/* Until its order is complete the keeper shares our descriptor table: killed half-way through building its root, it
 * would leave what it has open to us. So it is asked to go, which it hears at its next wait for a command, and killed
 * only if it does not. */
static void dismiss_keeper(const SandboxRun *run)
{
    struct pollfd gone = {.fd = run->keeper_fd, .events = POLLIN};
    (void)shutdown(run->socket_fd, SHUT_RDWR); /* fails only if the keeper's end is closed already */
    int ready;
    do
        ready = poll(&gone, 1, DISMISSAL_PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    if (ready != 1)
        kill_keeper(run);
}

void run_drop(SandboxRun *run)
{
    if (run->keeper_fd >= 0) {
        dismiss_keeper(run);
        (void)reap_keeper(run, 0);
    }
    (void)cgroup_remove(&run->cgroup, NULL); /* what stays is swept by the slot's next holder */
    if (run->slot >= 0)
        slot_release(&run->sandbox->slots, run->slot);
    run_close(run);
    run_free(run);
}

static bool adopt_plan(SandboxRun *run, const SandboxPlan *plan, SandboxError *error)
{
    run->plan = plan;
    run->artifacts = calloc(plan->artifact_count + 1, sizeof *run->artifacts);
    if (!run->artifacts)
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, ENOMEM, "starting a run");
    for (size_t i = 0; i < plan->artifact_count; i++)
        run->artifacts[i] = (SandboxArtifactResult){.fd = -1, .bytes = -1, .open_errno = ECANCELED};
    return true;
}

/* The keeper, spare or new, is at work meanwhile. */
static bool run_begin(SandboxRun *run, const SandboxPlan *plan, SandboxError *error)
{
    if (!adopt_plan(run, plan, error) || !plan_resolve(run, error) ||
        !command_keeper(run, KEEPER_COMMAND_BEGIN, error) || !join_group(run, error))
        return false;
    if (!watch_descriptor(run, run->drain.read_fd))
        return sandbox_fail(error, SANDBOX_STAGE_CLONE, errno, "watching the run");
    if (!command_keeper(run, KEEPER_COMMAND_START, error))
        return false;
    arm_timer(run, SETUP_LIMIT_NS);
    return true;
}

bool sandbox_start(Sandbox *sandbox, const SandboxPlan *plan, SandboxRun **ret_run, SandboxError *error)
{
    int64_t start_ns = monotonic_ns();
    if (!plan_check(plan, error))
        return false;
    sandbox->start_count++;
    SandboxRun *run = spare_take(sandbox, plan);
    if (!run)
        run = run_clone(sandbox, plan->profile, plan, error);
    if (!run)
        return false;
    run->clock.start_ns = start_ns;
    if (run_begin(run, plan, error)) {
        *ret_run = run;
        return true;
    }
    run_drop(run);
    return false;
}

int sandbox_poll_fd(const SandboxRun *run)
{
    return run->epoll_fd;
}

int sandbox_channel_fd(const SandboxRun *run)
{
    return run->channel_fd;
}

/* ---- killing ------------------------------------------------------------------------------------------------ */

/* The end of the frozen time; the frozen do not die before they are thawed (v1). */
static void leave_frozen(SandboxRun *run)
{
    if (!run->clock.frozen_since_ns)
        return;
    int64_t frozen_ns = monotonic_ns() - run->clock.frozen_since_ns;
    run->clock.frozen_since_ns = 0;
    run->clock.frozen_ns += frozen_ns;
    run->clock.idle_since_ns += frozen_ns;
}

static void run_kill(SandboxRun *run, SandboxCause cause)
{
    if (run->state >= SANDBOX_STATE_ENDING)
        return;
    if (!run->has_cause) {
        run->has_cause = true;
        run->cause = cause;
    }
    run->clock.kill_sent_ns = monotonic_ns();
    (void)command_keeper(run, KEEPER_COMMAND_KILL,
                         NULL); /* a keeper that does not listen is killed by the ending limit */
    if (run->state == SANDBOX_STATE_FROZEN) {
        leave_frozen(run);
        (void)cgroup_set_frozen(&run->cgroup, false, NULL); /* a failure shows as a run that does not end */
    }
    run_enter(run, SANDBOX_STATE_ENDING);
    arm_timer(run, ENDING_LIMIT_NS);
}

void sandbox_cancel(SandboxRun *run)
{
    run_kill(run, SANDBOX_CAUSE_CANCELLED);
}

/* ---- messages ----------------------------------------------------------------------------------------------- */

static bool has_failed(const SandboxRun *run)
{
    return run->order.failure.stage != SANDBOX_STAGE_NONE && !result_is_exec_failure(run);
}

static void run_end(SandboxRun *run)
{
    run->clock.done_ns = monotonic_ns();
    leave_frozen(run);
    drain_read_rest(&run->drain);
    if (has_failed(run))
        run_fault(run, run->order.failure.stage, run->order.failure.system_errno, run->order.failure.what);
    if (run->has_farewell && !has_failed(run))
        result_decide(run);
    run_enter(run, SANDBOX_STATE_ENDED);
    arm_timer(run, 1); /* the poll descriptor stays ready until the run is collected */
}

/* Changing the user in the program's process made our shared memory non-dumpable: /proc/self and core files of the
 * judge would be root's. */
static void restore_dumpable(const SandboxRun *run)
{
    if (run->sandbox->was_dumpable && run->order.has_own_ids)
        (void)prctl(PR_SET_DUMPABLE, 1); /* cannot fail for 1 */
}

/* fdinfo gives the pid in the namespace of the /proc it is read from: ours. */
static pid_t pid_of(int pidfd)
{
    char path[48], text[512];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (got <= 0)
        return -1;
    text[got] = 0;
    const char *line = strstr(text, "Pid:");
    return line ? (pid_t)strtol(line + strlen("Pid:"), NULL, 10) : -1;
}

/* Only root can enter a namespace that another run's keeper made: without root each has its own user namespace. */
static void keep_network(SandboxRun *run)
{
    char path[48];
    if (run->order.network_fd >= 0 || run->order.has_user_namespace)
        return;
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)run->keeper_pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    run->sandbox->slots.network_fds[run->slot] = fd > 0 ? fd : 0; /* none: the slot's next run makes one again */
}

/* The program runs, and our processor is free: time for what the next run will need. */
static void on_started(SandboxRun *run, int pidfd)
{
    restore_dumpable(run);
    drop_parked(run);
    drop_keepers_descriptors(run);
    run->clock.exec_ns = run->order.exec_ns;
    /* The group's counter starts when the program joins, rusage (no group) when it is cloned. */
    run->clock.cpu_offset_ns = run->order.exec_cpu_ns - (run->cgroup.cpu_fd >= 0 ? run->order.joined_cpu_ns : 0);
    limit_start_window(run, run->clock.exec_ns, 0);
    if (pidfd >= 0)
        run->program_pid = pid_of(pidfd);
    if (run->state == SANDBOX_STATE_STARTING)
        run_enter(run, SANDBOX_STATE_RUNNING);
    keep_network(run);
    departing_reap(run->sandbox);
    spare_make(run->sandbox, run->plan->profile);
}

static void on_exit_stop(SandboxRun *run)
{
    if (!(run->sandbox->cgroups.roles & CGROUP_ROLE_MEMORY))
        limit_note_peak(run);
    if (run->plan->exit_observer && run->program_pid > 0)
        run->plan->exit_observer(run->plan->observer_context, run->program_pid);
    (void)command_keeper(run, KEEPER_COMMAND_CONTINUE, NULL); /* a dead keeper shows as the end of its messages */
}

static void on_artifact(SandboxRun *run, const KeeperMessage *message, int *fd)
{
    SandboxArtifactResult *artifact = &run->artifacts[message->index];
    bool is_open = message->value >= 0 && *fd >= 0;
    artifact->fd = is_open ? steal_fd(fd) : -1;
    artifact->bytes = is_open ? message->value : -1;
    artifact->open_errno = is_open              ? 0
                           : message->value < 0 ? (int)-message->value
                                                : EMFILE; /* no room for it with us */
}

static void on_done(SandboxRun *run, const KeeperMessage *message)
{
    restore_dumpable(run);
    run->farewell = *message;
    run->has_farewell = true;
    if (run->state != SANDBOX_STATE_ENDING)
        run_enter(run, SANDBOX_STATE_ENDING);
    run_end(run);
}

/* False: nothing is there. */
static bool receive_message(SandboxRun *run)
{
    KeeperMessage message;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec data = {.iov_base = &message, .iov_len = sizeof message};
    struct msghdr header = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(run->socket_fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got != sizeof message)
        return false; /* the keeper's end is closed: see on_silence */
    struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    auto_close int fd = rights && rights->cmsg_type == SCM_RIGHTS ? *(int *)(void *)CMSG_DATA(rights) : -1;
    switch (message.word) {
    case KEEPER_STARTED: on_started(run, fd); break;
    case KEEPER_EXIT_STOP: on_exit_stop(run); break;
    case KEEPER_ARTIFACT: on_artifact(run, &message, &fd); break;
    case KEEPER_DONE: on_done(run, &message); break;
    }
    return run->state != SANDBOX_STATE_ENDED;
}

/* ---- step --------------------------------------------------------------------------------------------------- */

static void apply_limits(SandboxRun *run)
{
    SandboxCause cause;
    int64_t now_ns = monotonic_ns();
    if (limit_exceeded(run, now_ns, &cause))
        run_kill(run, cause);
    else
        arm_timer(run, limit_next_wake_ns(run, now_ns));
}

static bool has_timer_fired(const SandboxRun *run)
{
    uint64_t count;
    return read(run->timer_fd, &count, sizeof count) == sizeof count;
}

static void on_overdue(SandboxRun *run)
{
    run_fault(run, SANDBOX_STAGE_WAIT, ETIMEDOUT,
              run->state == SANDBOX_STATE_STARTING ? "building the jail" : "ending the run after its kill");
    kill_keeper(run);
}

static void receive_messages(SandboxRun *run)
{
    while (receive_message(run))
        continue;
}

/* A keeper says goodbye before it goes, so what it has said is asked for once more. */
static void on_silence(SandboxRun *run)
{
    if (!reap_keeper(run, WNOHANG | WNOWAIT))
        return;
    receive_messages(run);
    if (run->state == SANDBOX_STATE_ENDED)
        return;
    run_fault(run, SANDBOX_STAGE_WAIT, 0, "the keeper died");
    run_end(run);
}

SandboxState sandbox_step(SandboxRun *run)
{
    if (run->state == SANDBOX_STATE_ENDED)
        return run->state;
    bool was_starting = run->state == SANDBOX_STATE_STARTING;
    receive_messages(run);
    if (run->state != SANDBOX_STATE_ENDED)
        on_silence(run);
    if (run->state == SANDBOX_STATE_ENDED)
        return run->state;
    drain_read(&run->drain);
    bool is_due = has_timer_fired(run);
    if (run->state == SANDBOX_STATE_RUNNING && (is_due || was_starting))
        apply_limits(run);
    else if (is_due && run->state != SANDBOX_STATE_FROZEN)
        on_overdue(run);
    return run->state;
}

bool sandbox_freeze(SandboxRun *run, SandboxError *error)
{
    if (run->state != SANDBOX_STATE_RUNNING)
        return run->state == SANDBOX_STATE_FROZEN ||
               sandbox_fail(error, SANDBOX_STAGE_CGROUP, EBUSY, "only a running program can be frozen");
    if (!cgroup_set_frozen(&run->cgroup, true, error)) {
        (void)cgroup_set_frozen(&run->cgroup, false, NULL); /* half frozen is worse than the first failure */
        return false;
    }
    run->clock.frozen_since_ns = monotonic_ns();
    run_enter(run, SANDBOX_STATE_FROZEN);
    arm_timer(run, INT64_MAX);
    return true;
}

bool sandbox_thaw(SandboxRun *run, SandboxError *error)
{
    if (run->state != SANDBOX_STATE_FROZEN)
        return run->state == SANDBOX_STATE_RUNNING ||
               sandbox_fail(error, SANDBOX_STAGE_CGROUP, EBUSY, "only a frozen run can be thawed");
    if (!cgroup_set_frozen(&run->cgroup, false, error))
        return false;
    leave_frozen(run);
    run_enter(run, SANDBOX_STATE_RUNNING);
    arm_timer(run, limit_next_wake_ns(run, monotonic_ns()));
    return true;
}

/* ---- collect ------------------------------------------------------------------------------------------------ */

static void await_end(SandboxRun *run)
{
    struct pollfd ready = {.fd = run->epoll_fd, .events = POLLIN};
    while (sandbox_step(run) != SANDBOX_STATE_ENDED)
        (void)poll(&ready, 1, -1); /* EINTR: step again */
}

static void depart(SandboxRun *run)
{
    Sandbox *sandbox = run->sandbox;
    run_close(run);
    run->plan = NULL;
    if (reap_keeper(run, WNOHANG)) {
        run_free(run);
        return;
    }
    run->next_departing = sandbox->departing;
    sandbox->departing = run;
}

bool sandbox_collect(SandboxRun *run, SandboxResult *ret_result, SandboxError *error)
{
    Sandbox *sandbox = run->sandbox;
    await_end(run);
    if (!run->has_farewell)
        (void)reap_keeper(run, 0); /* its namespace dies with it: only then is the group empty */
    SandboxError removal;
    if (run->fault.stage == SANDBOX_STAGE_NONE) {
        result_fill(run, ret_result);
    } else if (error) {
        *error = run->fault;
    }
    bool is_good = run->fault.stage == SANDBOX_STAGE_NONE;
    if (!cgroup_remove(&run->cgroup, &removal) && is_good) {
        is_good = false;
        sandbox_result_done(ret_result);
        if (error)
            *error = removal;
    }
    slot_release(&sandbox->slots, run->slot);
    depart(run);
    return is_good;
}

bool sandbox_run(Sandbox *sandbox, const SandboxPlan *plan, SandboxResult *ret_result, SandboxError *error)
{
    SandboxRun *run;
    return sandbox_start(sandbox, plan, &run, error) && sandbox_collect(run, ret_result, error);
}

void sandbox_result_done(SandboxResult *result)
{
    for (size_t i = 0; result->artifacts && i < result->artifact_count; i++)
        close_descriptor(&result->artifacts[i].fd);
    free(result->artifacts);
    free(result->error_data);
    close_descriptor(&result->output_fd);
    *result = (SandboxResult){.output_fd = -1};
}
