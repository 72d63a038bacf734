/* From a plan to an order: defaults filled in, names checked, streams opened, everything reduced to numbers. */
#include "descriptor.h"
#include "profile.h"
#include "run.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHANNEL_TARGET_FD = 3,
    UIDS_PER_SLOT = 2,
    PENDING_SIGNALS = 4096,
    INNER_ID = 1000,            /* what the only mapped user is called inside a user namespace */
    INNER_KEEPER_PROCESSES = 1, /* of the same user there: RLIMIT_NPROC counts the keeper too */
};

/* Address space in degraded mode: a backstop for what the watcher is too slow to see, far above what an honest
 * program reserves. */
#define DEGRADED_SPACE_FACTOR 4
#define DEGRADED_SPACE_EXTRA  (INT64_C(4) << 30)

SandboxPlan sandbox_plan_init(SandboxProfile profile)
{
    return (SandboxPlan){.profile = profile, .executable_fd = -1, .input.fd = -1, .output.fd = -1, .error.fd = -1};
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Every part of the path is a name: not empty, not "." and not "..". A leading slash is the caller's to judge. */
static bool has_plain_parts(const char *path)
{
    for (const char *part = path + (*path == '/');; part++) {
        size_t length = strcspn(part, "/");
        if (length == 0 || strncmp(part, ".", length) == 0 || strncmp(part, "..", length) == 0)
            return false;
        part += length;
        if (!*part)
            return true;
    }
}

static bool check_names(const SandboxPlan *plan, SandboxError *error)
{
    for (size_t i = 0; i < plan->file_count; i++) {
        const char *name = plan->files[i].name;
        if (!name || *name == '/' || !has_plain_parts(name))
            return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "file name '%s' is not below /w", name ? name : "");
    }
    for (size_t i = 0; i < plan->bind_count; i++)
        if (plan->binds[i].host_path[0] != '/' || plan->binds[i].jail_path[0] != '/' ||
            !has_plain_parts(plan->binds[i].jail_path))
            return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "bind %s=%s needs two absolute paths without '..'",
                                plan->binds[i].host_path, plan->binds[i].jail_path);
    for (const char *const *device = plan->devices; device && *device; device++)
        if (strncmp(*device, "/dev/", 5) != 0 || !has_plain_parts(*device))
            return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "device %s is not below /dev", *device);
    return true;
}

static bool check_descriptors(const SandboxPlan *plan, SandboxError *error)
{
    for (size_t i = 0; i < plan->descriptor_count; i++) {
        int target = plan->descriptors[i].target_fd;
        if (target < 3 || (plan->has_channel && target == CHANNEL_TARGET_FD))
            return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "descriptor %d is taken or too low", target);
        for (size_t j = 0; j < i; j++)
            if (plan->descriptors[j].target_fd == target)
                return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "descriptor %d is given twice", target);
    }
    return true;
}

static bool check_streams(const SandboxPlan *plan, SandboxError *error)
{
    if (plan->input.kind > SANDBOX_STREAM_FD)
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "standard input can only be null or a descriptor");
    if (plan->output.kind == SANDBOX_STREAM_MERGE)
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "only standard error can be merged");
    if (plan->error.kind == SANDBOX_STREAM_CAPTURE)
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "only standard output can be captured");
    return true;
}

static bool check_limits(const SandboxLimits *limits, SandboxError *error)
{
    const int64_t *all = (const int64_t *)limits;
    for (size_t i = 0; i < sizeof *limits / sizeof *all; i++)
        if (all[i] < 0)
            return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "a limit is negative");
    return true;
}

bool plan_check(const SandboxPlan *plan, SandboxError *error)
{
    if (plan->profile >= SANDBOX_PROFILE_COUNT)
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "unknown profile %d", (int)plan->profile);
    if (!plan->argv || !plan->argv[0])
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "no program is named");
    return check_names(plan, error) && check_descriptors(plan, error) && check_streams(plan, error) &&
           check_limits(&plan->limits, error);
}

/* ---- descriptors -------------------------------------------------------------------------------------------- */

static int greatest_target(const SandboxPlan *plan)
{
    int greatest = plan->has_channel ? CHANNEL_TARGET_FD : STDERR_FILENO;
    for (size_t i = 0; i < plan->descriptor_count; i++)
        if (plan->descriptors[i].target_fd > greatest)
            greatest = plan->descriptors[i].target_fd;
    return greatest;
}

/* The same file above every target, so that no move can overwrite it; our own duplicate if need be. -1: errno. */
static int park(SandboxRun *run, int fd, int greatest)
{
    if (fd > greatest)
        return fd;
    int parked = fcntl(fd, F_DUPFD_CLOEXEC, greatest + 1);
    if (parked >= 0)
        run->parked_fds[run->parked_count++] = parked;
    return parked;
}

static bool add_move(SandboxRun *run, int source_fd, int target_fd, int greatest, SandboxError *error)
{
    int parked = park(run, source_fd, greatest);
    if (parked < 0)
        return sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "duplicating descriptor %d", source_fd);
    run->moves[run->order.move_count++] = (DescriptorMove){.source_fd = parked, .target_fd = target_fd};
    return true;
}

/* The side that only the program keeps. */
static bool own_source(SandboxRun *run, int fd, int target_fd, int greatest, SandboxError *error)
{
    if (!add_move(run, fd, target_fd, greatest, error)) {
        close(fd);
        return false;
    }
    if (run->moves[run->order.move_count - 1].source_fd == fd)
        run->parked_fds[run->parked_count++] = fd;
    else
        close(fd);
    return true;
}

static bool open_capture(SandboxRun *run, SandboxError *error)
{
    run->capture_fd = memfd_create("out", MFD_CLOEXEC);
    return run->capture_fd >= 0 || sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "making the output memfd");
}

static bool open_drain_onto(SandboxRun *run, int target_fd, int greatest, SandboxError *error)
{
    int write_fd;
    return drain_open(&run->drain, run->limits.error_bytes, &write_fd, error) &&
           own_source(run, write_fd, target_fd, greatest, error);
}

static int source_of(const SandboxRun *run, int target_fd)
{
    for (size_t i = 0; i < run->order.move_count; i++)
        if (run->moves[i].target_fd == target_fd)
            return run->moves[i].source_fd;
    return -1;
}

static bool add_stream(SandboxRun *run, const SandboxStream *stream, int target_fd, int greatest, SandboxError *error)
{
    switch (stream->kind) {
    case SANDBOX_STREAM_NULL: return add_move(run, run->sandbox->null_fd, target_fd, greatest, error);
    case SANDBOX_STREAM_FD: return add_move(run, stream->fd, target_fd, greatest, error);
    case SANDBOX_STREAM_CAPTURE:
        return open_capture(run, error) && add_move(run, run->capture_fd, target_fd, greatest, error);
    case SANDBOX_STREAM_DRAIN:
        if (run->drain.read_fd >= 0) /* output and error into one pipe */
            return add_move(run, source_of(run, STDOUT_FILENO), target_fd, greatest, error);
        return open_drain_onto(run, target_fd, greatest, error);
    case SANDBOX_STREAM_MERGE: return add_move(run, source_of(run, STDOUT_FILENO), target_fd, greatest, error);
    }
    return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "unknown kind of stream");
}

static bool add_channel(SandboxRun *run, int greatest, SandboxError *error)
{
    int ends[2];
    if (!run->plan->has_channel)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "making the message channel");
    run->channel_fd = ends[0];
    return own_source(run, ends[1], CHANNEL_TARGET_FD, greatest, error);
}

static int compare_moves(const void *left, const void *right)
{
    const DescriptorMove *a = left, *b = right;
    return (a->target_fd > b->target_fd) - (a->target_fd < b->target_fd);
}

static bool resolve_descriptors(SandboxRun *run, SandboxError *error)
{
    const SandboxPlan *plan = run->plan;
    KeeperOrder *order = &run->order;
    size_t room = plan->descriptor_count + 8;
    int greatest = greatest_target(plan);
    run->moves = calloc(room, sizeof *run->moves);
    run->parked_fds = calloc(room, sizeof *run->parked_fds);
    if (!run->moves || !run->parked_fds)
        return sandbox_fail(error, SANDBOX_STAGE_STREAMS, ENOMEM, "planning descriptors");
    bool is_done = add_stream(run, &plan->input, STDIN_FILENO, greatest, error) &&
                   add_stream(run, &plan->output, STDOUT_FILENO, greatest, error) &&
                   add_stream(run, &plan->error, STDERR_FILENO, greatest, error) && add_channel(run, greatest, error);
    for (size_t i = 0; is_done && i < plan->descriptor_count; i++)
        is_done = add_move(run, plan->descriptors[i].source_fd, plan->descriptors[i].target_fd, greatest, error);
    if (!is_done)
        return false;
    qsort(run->moves, order->move_count, sizeof *run->moves, compare_moves);
    order->moves = run->moves;
    order->executable_fd = plan->executable_fd < 0 ? -1 : park(run, plan->executable_fd, greatest);
    return plan->executable_fd < 0 || order->executable_fd >= 0 ||
           sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "duplicating the executable's descriptor");
}

/* ---- limits ------------------------------------------------------------------------------------------------- */

/* Without CAP_SYS_RESOURCE a hard limit of ours cannot be raised, only obeyed. */
static void add_rlimit(SandboxRun *run, int resource, int64_t value)
{
    KeeperOrder *order = &run->order;
    int64_t most = run->sandbox->hard_limits[resource];
    rlim_t limit = value >= SANDBOX_UNLIMITED ? RLIM_INFINITY : (rlim_t)value;
    if (most != SANDBOX_UNLIMITED && (limit == RLIM_INFINITY || limit > (rlim_t)most))
        limit = (rlim_t)most;
    order->rlimits[order->rlimit_count++] = (RlimitRow){resource, {limit, limit}};
}

/* The captured output may grow to one byte over its cap: that byte proves that it wanted more. Other files have a limit
 * of their own; where that is the greater one, limit.c watches the output's size. */
static int64_t file_limit(const SandboxRun *run)
{
    int64_t limit = run->limits.file_bytes, output = run->limits.output_bytes;
    if (run->capture_fd >= 0 && output < SANDBOX_UNLIMITED && output + 1 > limit)
        limit = output + 1;
    return run->capture_fd >= 0 && output == SANDBOX_UNLIMITED ? SANDBOX_UNLIMITED : limit;
}

static bool has_huge_address_space(SandboxProfile profile)
{
    return profile == SANDBOX_PROFILE_SANITIZER || profile == SANDBOX_PROFILE_CUDA ||
           profile == SANDBOX_PROFILE_RUN_JVM;
}

static void add_degraded_rlimits(SandboxRun *run)
{
    const SandboxLimits *limits = &run->limits;
    unsigned roles = run->sandbox->cgroups.roles;
    if (!(roles & CGROUP_ROLE_PIDS) && limits->processes != SANDBOX_UNLIMITED)
        add_rlimit(run, RLIMIT_NPROC, limits->processes + (run->order.has_own_ids ? 0 : INNER_KEEPER_PROCESSES));
    if (!(roles & CGROUP_ROLE_MEMORY) && !has_huge_address_space(run->plan->profile) &&
        limits->memory_bytes < SANDBOX_UNLIMITED / DEGRADED_SPACE_FACTOR - DEGRADED_SPACE_EXTRA)
        add_rlimit(run, RLIMIT_AS, limits->memory_bytes * DEGRADED_SPACE_FACTOR + DEGRADED_SPACE_EXTRA);
    /* A backstop only: it counts one process, in whole seconds, and coarsens the process's CPU clock. */
    if (!(roles & CGROUP_ROLE_CPU) && limits->cpu_ns != SANDBOX_UNLIMITED)
        add_rlimit(run, RLIMIT_CPU, limits->cpu_ns / 1000000000 + 2);
}

static void resolve_rlimits(SandboxRun *run)
{
    add_rlimit(run, RLIMIT_FSIZE, file_limit(run));
    add_rlimit(run, RLIMIT_NOFILE, run->limits.open_files);
    add_rlimit(run, RLIMIT_STACK, run->limits.stack_bytes);
    add_rlimit(run, RLIMIT_CORE, 1); /* 0 would still start a core_pattern pipe handler, 1 stops that too */
    add_rlimit(run, RLIMIT_MEMLOCK, run->plan->profile == SANDBOX_PROFILE_CUDA ? SANDBOX_UNLIMITED : 0);
    add_rlimit(run, RLIMIT_MSGQUEUE, 0);
    add_rlimit(run, RLIMIT_RTPRIO, 0);
    add_rlimit(run, RLIMIT_NICE, 0);
    add_rlimit(run, RLIMIT_SIGPENDING, PENDING_SIGNALS);
    add_degraded_rlimits(run);
}

static int64_t bytes_of_files(const SandboxPlan *plan)
{
    int64_t total = 0;
    for (size_t i = 0; i < plan->file_count; i++) {
        struct stat status;
        if (plan->files[i].data)
            total += (int64_t)plan->files[i].size + 4096;
        else if (fstat(plan->files[i].fd, &status) == 0)
            total += status.st_size + 4096;
    }
    return total;
}

/* The limit is the program's; what we put into /w comes on top. */
static void resolve_work_options(SandboxRun *run)
{
    KeeperOrder *order = &run->order;
    const SandboxLimits *limits = &run->limits;
    char *at = order->work_options;
    size_t room = sizeof order->work_options;
    int length = snprintf(at, room, "mode=0755");
    if (limits->disk_bytes != SANDBOX_UNLIMITED)
        length += snprintf(at + length, room - (size_t)length, ",size=%lld",
                           (long long)limits->disk_bytes + bytes_of_files(run->plan));
    if (limits->disk_inodes != SANDBOX_UNLIMITED)
        length += snprintf(at + length, room - (size_t)length, ",nr_inodes=%lld",
                           (long long)limits->disk_inodes + 1 + 2 * (long long)run->plan->file_count);
    if (order->has_own_ids)
        snprintf(at + length, room - (size_t)length, ",uid=%u,gid=%u", order->uid, order->gid);
}

/* ---- the rest ----------------------------------------------------------------------------------------------- */

void plan_resolve_jail(SandboxRun *run, SandboxProfile profile, const SandboxPlan *plan)
{
    KeeperOrder *order = &run->order;
    const Sandbox *sandbox = run->sandbox;
    const HostSystem *host = &sandbox->system;
    const ProfileRow *row = profile_row(profile);
    run->jail_profile = profile;
    order->is_spare = !plan;
    order->network_fd = sandbox->slots.network_fds[run->slot] > 0 ? sandbox->slots.network_fds[run->slot] : -1;
    order->last_capability = sandbox->last_capability;
    order->has_user_namespace = sandbox->has_user_namespaces_only;
    snprintf(order->uid_map, sizeof order->uid_map, "%d %u 1", INNER_ID, (unsigned)geteuid());
    snprintf(order->gid_map, sizeof order->gid_map, "%d %u 1", INNER_ID, (unsigned)getegid());
    order->can_make_nodes = !order->has_user_namespace;
    order->mount_point = sandbox->mount_point;
    order->has_proc = row->has_proc;
    order->links = host->links;
    order->link_count = row->has_system ? host->link_count : 0;
    order->system_binds = host->binds;
    order->system_bind_count = row->has_system ? host->bind_count : 0;
    order->binds = plan ? plan->binds : NULL;
    order->bind_count = plan ? plan->bind_count : 0;
    order->devices = plan ? plan->devices : NULL;
}

static void resolve_ids(SandboxRun *run)
{
    KeeperOrder *order = &run->order;
    unsigned offset = UIDS_PER_SLOT * (unsigned)run->slot + profile_row(run->plan->profile)->uid_offset;
    order->has_own_ids = !run->sandbox->has_user_namespaces_only;
    order->uid = order->gid = run->sandbox->first_uid + offset;
}

static void resolve_files(SandboxRun *run)
{
    KeeperOrder *order = &run->order;
    const SandboxPlan *plan = run->plan;
    /* A program that is a file of the plan's must be allowed to run from where it lies. */
    order->is_work_executable = profile_row(plan->profile)->is_work_executable || plan->executable_fd < 0;
    order->files = plan->files;
    order->file_count = plan->file_count;
    order->artifacts = plan->artifacts;
    order->artifact_count = plan->artifact_count;
}

static void resolve_program(SandboxRun *run)
{
    KeeperOrder *order = &run->order;
    const SandboxPlan *plan = run->plan;
    const Filter *filter = &run->sandbox->filters[plan->profile];
    order->argv = plan->argv;
    order->environment = plan->environment ? plan->environment : profile_environment(plan->profile);
    order->is_address_fixed = plan->is_address_fixed;
    order->filter = (struct sock_fprog){.len = filter->count, .filter = filter->instructions};
    order->must_be_observed = plan->exit_observer != NULL;
    order->is_observed = plan->exit_observer || !(run->sandbox->cgroups.roles & CGROUP_ROLE_MEMORY);
    order->has_cpus = plan->cpu_count > 0;
    for (size_t i = 0; i < plan->cpu_count; i++)
        CPU_SET(plan->cpus[i], &order->cpus);
    order->program_stack = stacks_program(run->stacks);
}

bool plan_resolve(SandboxRun *run, SandboxError *error)
{
    run->limits = limits_complete(&run->plan->limits, run->plan->profile);
    resolve_ids(run);
    resolve_files(run);
    resolve_program(run);
    if (!resolve_descriptors(run, error))
        return false;
    resolve_rlimits(run);
    resolve_work_options(run);
    return true;
}
