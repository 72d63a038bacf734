/* Opening a sandbox: what this machine can do, and everything that runs share. */
#include "context.h"
#include "descriptor.h"
#include "profile.h"
#include "raw.h"
#include "run.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PREFERRED_FIRST_UID = 600000,
    SMALL_FIRST_UID = 50000, /* inside a container with 65536 ids */
    UID_SPAN = 2 * SLOT_MAX,
    FALLBACK_LAST_CAPABILITY = 40,
};

/* ---- the machine -------------------------------------------------------------------------------------------- */

static int64_t read_number_file(const char *path, int64_t fallback)
{
    char text[32];
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (got <= 0)
        return fallback;
    text[got] = 0;
    return strtoll(text, NULL, 10);
}

/* In a user namespace (a container) only the ids of its map exist. */
static bool is_mapped(unsigned first, unsigned count)
{
    FILE *file = fopen("/proc/self/uid_map", "re");
    unsigned inside, outside, length;
    bool is_found = !file;
    while (file && !is_found && fscanf(file, "%u %u %u", &inside, &outside, &length) == 3)
        is_found = first >= inside && first - inside <= length && length - (first - inside) >= count;
    if (file)
        fclose(file);
    return is_found;
}

/* Proved by making one, maps included (Ubuntu lets it be made and then refuses its use). */
static bool can_make_user_namespace(void)
{
    struct clone_args args = {.flags = CLONE_NEWUSER | CLONE_NEWNS, .exit_signal = SIGCHLD};
    int status = -1;
    long pid = RAW(clone3, &args, sizeof args);
    if (pid == 0) { /* a copy of us, not sharing memory; still only raw calls, since libc's idea of our pid is wrong */
        long result = RAW(mount, 0, "/", 0, MS_REC | MS_PRIVATE, 0);
        RAW(exit_group, result < 0);
    }
    if (pid < 0)
        return false;
    return waitpid((pid_t)pid, &status, 0) == pid && status == 0;
}

/* CAP_SYS_RESOURCE, which could raise them, is not looked for: an obeyed hard limit is never wrong. */
static void read_hard_limits(Sandbox *sandbox)
{
    for (int resource = 0; resource < RLIMIT_KINDS; resource++) {
        struct rlimit limit;
        sandbox->hard_limits[resource] = SANDBOX_UNLIMITED;
        if (getrlimit((__rlimit_resource_t)resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY)
            sandbox->hard_limits[resource] = (int64_t)limit.rlim_max;
    }
}

static int count_cpus(void)
{
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
}

static void describe_machine(Sandbox *sandbox)
{
    unsigned roles = sandbox->cgroups.roles;
    bool is_complete = roles & CGROUP_ROLE_MEMORY;
    sandbox->machine = (SandboxMachine){
        .isolation = is_complete ? SANDBOX_ISOLATION_FRESH : SANDBOX_ISOLATION_DEGRADED,
        .cgroup = sandbox->cgroups.kind,
        .is_root = geteuid() == 0,
        .has_user_namespace = can_make_user_namespace(),
        .has_memory_cgroup = roles & CGROUP_ROLE_MEMORY,
        .has_pids_cgroup = roles & CGROUP_ROLE_PIDS,
        .has_cpu_cgroup = roles & CGROUP_ROLE_CPU,
        .has_freezer = roles & CGROUP_ROLE_FREEZER,
        .cgroup_path = sandbox->cgroups.tree_count ? sandbox->cgroups.trees[0].parent_path : NULL,
        .degraded_reason = is_complete ? NULL : sandbox->degraded_reason,
        .cpu_count = count_cpus(),
    };
}

/* ---- the host's system tree --------------------------------------------------------------------------------- */

/* Present on both supported distributions, some as links into /usr; the last two are read by the loader and by names
 * such as cc. Never /etc itself: passwd and its like are nobody's business in there. */
static const char *const system_parts[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives", "/etc/ld.so.cache",
};
_Static_assert(sizeof system_parts / sizeof *system_parts <= SYSTEM_PART_MAX, "too many parts of the system");

static void find_system(HostSystem *host)
{
    for (size_t i = 0; i < sizeof system_parts / sizeof *system_parts; i++) {
        const char *path = system_parts[i];
        struct stat status;
        if (lstat(path, &status) != 0)
            continue;
        if (!S_ISLNK(status.st_mode)) {
            host->binds[host->bind_count++] = (JailBind){.host_path = path, .jail_path = path, .is_optional = true};
            continue;
        }
        char *target = host->link_targets[host->link_count];
        ssize_t length = readlink(path, target, sizeof host->link_targets[0] - 1);
        if (length > 0)
            host->links[host->link_count++] = (JailLink){.jail_path = path, .target = target};
    }
}

/* ---- open and close ----------------------------------------------------------------------------------------- */

static bool check_rights(const Sandbox *sandbox, SandboxError *error)
{
    return sandbox->machine.is_root || sandbox->machine.has_user_namespace ||
           sandbox_fail(
               error, SANDBOX_STAGE_USER, EPERM,
               "neither root nor allowed to make user namespaces (see kernel.apparmor_restrict_unprivileged_userns, "
               "user.max_user_namespaces)");
}

static bool check_minimum(const Sandbox *sandbox, SandboxIsolation minimum, SandboxError *error)
{
    if (minimum > SANDBOX_ISOLATION_FRESH)
        minimum = SANDBOX_ISOLATION_FRESH; /* pooled slots isolate no better */
    return sandbox->machine.isolation >= minimum ||
           sandbox_fail(error, SANDBOX_STAGE_CGROUP, 0, "isolation %s is asked for, but %s",
                        sandbox_isolation_name(minimum), sandbox->degraded_reason);
}

static bool choose_ids(Sandbox *sandbox, SandboxError *error)
{
    sandbox->has_user_namespaces_only = geteuid() != 0;
    sandbox->first_uid = is_mapped(PREFERRED_FIRST_UID, UID_SPAN) ? PREFERRED_FIRST_UID : SMALL_FIRST_UID;
    return sandbox->has_user_namespaces_only || is_mapped(sandbox->first_uid, UID_SPAN) ||
           sandbox_fail(error, SANDBOX_STAGE_USER, 0, "no user ids for runs: %d to %d are not mapped here",
                        SMALL_FIRST_UID, SMALL_FIRST_UID + UID_SPAN - 1);
}

static bool make_mount_point(Sandbox *sandbox, SandboxError *error)
{
    if (asprintf(&sandbox->mount_point, "%s/root", sandbox->slots.directory) < 0) {
        sandbox->mount_point = NULL;
        return sandbox_fail(error, SANDBOX_STAGE_STATE, ENOMEM, "naming the mount point");
    }
    return mkdir(sandbox->mount_point, 0755) == 0 || errno == EEXIST ||
           sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "making %s", sandbox->mount_point);
}

static bool open_null(Sandbox *sandbox, SandboxError *error)
{
    sandbox->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    return sandbox->null_fd >= 0 || sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "opening /dev/null");
}

static bool open_self(Sandbox *sandbox, SandboxError *error)
{
    sandbox->self_fd = (int)syscall(SYS_pidfd_open, getpid(), 0); /* close-on-exec by nature */
    return sandbox->self_fd >= 0 || sandbox_fail(error, SANDBOX_STAGE_CLONE, errno, "opening a pidfd of ourselves");
}

static bool build_filters(Sandbox *sandbox, SandboxError *error)
{
    for (size_t i = 0; i < SANDBOX_PROFILE_COUNT; i++)
        if (!filter_build(&sandbox->filters[i], (SandboxProfile)i, error))
            return false;
    return true;
}

static bool prepare(Sandbox *sandbox, const SandboxConfig *config, SandboxError *error)
{
    sandbox->was_dumpable = prctl(PR_GET_DUMPABLE) == 1;
    sandbox->last_capability = (int)read_number_file("/proc/sys/kernel/cap_last_cap", FALLBACK_LAST_CAPABILITY);
    read_hard_limits(sandbox);
    find_system(&sandbox->system);
    if (!cgroup_open(&sandbox->cgroups, config->cgroup, config->cgroup_parent, sandbox->degraded_reason,
                     sizeof sandbox->degraded_reason, error))
        return false;
    describe_machine(sandbox);
    return check_rights(sandbox, error) && check_minimum(sandbox, config->minimum, error) &&
           choose_ids(sandbox, error) && slot_pool_open(&sandbox->slots, config->state_directory, error) &&
           make_mount_point(sandbox, error) && open_null(sandbox, error) && open_self(sandbox, error) &&
           build_filters(sandbox, error);
}

bool sandbox_open(const SandboxConfig *config, Sandbox **ret_sandbox, SandboxError *error)
{
    static const SandboxConfig defaults = {.cgroup = SANDBOX_CGROUP_AUTO};
    Sandbox *sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, ENOMEM, "opening the sandbox");
    sandbox->null_fd = sandbox->self_fd = sandbox->slots.directory_fd = -1;
    if (!prepare(sandbox, config ? config : &defaults, error)) {
        sandbox_close(sandbox);
        return false;
    }
    *ret_sandbox = sandbox;
    return true;
}

void sandbox_close(Sandbox *sandbox)
{
    if (!sandbox)
        return;
    spare_drop(sandbox);
    departing_await(sandbox);
    close_descriptor(&sandbox->self_fd);
    stacks_free_all(sandbox);
    for (size_t i = 0; i < SANDBOX_PROFILE_COUNT; i++)
        filter_done(&sandbox->filters[i]);
    close_descriptor(&sandbox->null_fd);
    free(sandbox->mount_point);
    slot_pool_close(&sandbox->slots);
    cgroup_close(&sandbox->cgroups);
    free(sandbox);
}

const SandboxMachine *sandbox_machine(const Sandbox *sandbox)
{
    return &sandbox->machine;
}
