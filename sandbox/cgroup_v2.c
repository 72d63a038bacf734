/* Control groups, version 2: one directory with everything. Also the controller-less v2 mount of a hybrid machine,
 * which still counts CPU time, freezes and kills. */
#include "cgroup.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FREEZE_LIMIT_MS = 1000, TEXT_BYTES = 4096, MOVE_ROUNDS = 8 };

static int limit_memory(int directory_fd, int64_t bytes)
{
    int result = cgroup_write_number(directory_fd, "memory.max", bytes);
    if (result)
        return result;
    result = cgroup_write(directory_fd, "memory.swap.max", "0");
    if (result != 0 && result != ENOENT) /* absent without swap accounting */
        return result;
    return cgroup_write(directory_fd, "memory.oom.group", "1"); /* the tree dies as one, not its biggest child */
}

static int v2_limit(int directory_fd, unsigned roles, const SandboxLimits *limits)
{
    int result = 0;
    if ((roles & CGROUP_ROLE_MEMORY) && limits->memory_bytes != SANDBOX_UNLIMITED)
        result = limit_memory(directory_fd, limits->memory_bytes);
    if (result == 0 && (roles & CGROUP_ROLE_PIDS) && limits->processes != SANDBOX_UNLIMITED)
        result = cgroup_write_number(directory_fd, "pids.max", limits->processes);
    return result;
}

static bool v2_parse_cpu(const char *text, int64_t *ret_ns)
{
    int64_t usage_us = cgroup_field(text, "usage_usec");
    *ret_ns = usage_us * 1000;
    return usage_us >= 0;
}

static void read_cpu_split(int directory_fd, CgroupFacts *facts)
{
    char text[TEXT_BYTES];
    if (cgroup_read(directory_fd, "cpu.stat", text, sizeof text) != 0)
        return;
    (void)v2_parse_cpu(text, &facts->cpu_ns); /* the core's own file always has the field */
    facts->cpu_user_ns = cgroup_field(text, "user_usec") * 1000;
    facts->cpu_system_ns = cgroup_field(text, "system_usec") * 1000;
}

static void v2_read_facts(int directory_fd, unsigned roles, CgroupFacts *facts)
{
    if (roles & CGROUP_ROLE_MEMORY) {
        char text[TEXT_BYTES];
        facts->memory_peak_bytes = cgroup_read_number(directory_fd, "memory.peak");
        if (cgroup_read(directory_fd, "memory.events", text, sizeof text) == 0)
            facts->oom_kills = cgroup_field(text, "oom_kill");
    }
    if (roles & CGROUP_ROLE_PIDS)
        facts->processes_peak = cgroup_read_number(directory_fd, "pids.peak");
    if (roles & CGROUP_ROLE_CPU)
        read_cpu_split(directory_fd, facts);
}

static int v2_set_frozen(int directory_fd, bool is_frozen)
{
    int result = cgroup_write(directory_fd, "cgroup.freeze", is_frozen ? "1" : "0");
    return result ? result
                  : cgroup_await(directory_fd, "cgroup.events", is_frozen ? "frozen 1" : "frozen 0", FREEZE_LIMIT_MS);
}

const CgroupOps cgroup_v2_ops = {
    .attach_file = NULL,
    .cpu_file = "cpu.stat",
    .limit = v2_limit,
    .parse_cpu = v2_parse_cpu,
    .read_facts = v2_read_facts,
    .set_frozen = v2_set_frozen,
};

/* ---- preparing the parent ----------------------------------------------------------------------------------- */

typedef struct Controller {
    const char *name, *enable;
    unsigned role;
    bool is_needed;
} Controller;

static const Controller controllers[] = {
    {"memory", "+memory", CGROUP_ROLE_MEMORY, true},
    {"pids", "+pids", CGROUP_ROLE_PIDS, true},
    {"cpu", "+cpu", 0, false},
};

enum { CONTROLLER_COUNT = sizeof controllers / sizeof *controllers };

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\n' || !at[length]))
            return true;
    return false;
}

static int move_processes(int parent_fd, int leaf_fd)
{
    char text[64 * 1024];
    int result = cgroup_read(parent_fd, "cgroup.procs", text, sizeof text);
    if (result)
        return result;
    for (char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        char pid[24];
        snprintf(pid, sizeof pid, "%.*s", (int)(end - at), at);
        result = strcmp(pid, "0") == 0 ? EXDEV : cgroup_write(leaf_fd, "cgroup.procs", pid);
        if (result != 0 && result != ESRCH) /* gone meanwhile */
            return result;
    }
    return 0;
}

/* A group with processes of its own cannot have controllers for its children: its processes go into a leaf. New ones
 * may be forked while we look, hence the rounds. */
static int empty_into_leaf(int parent_fd)
{
    if (mkdirat(parent_fd, CGROUP_V2_LEAF, 0755) != 0 && errno != EEXIST)
        return errno;
    auto_close int leaf_fd = openat(parent_fd, CGROUP_V2_LEAF, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (leaf_fd < 0)
        return errno;
    for (int round = 0; round < MOVE_ROUNDS; round++) {
        char text[64];
        int result = move_processes(parent_fd, leaf_fd);
        if (result)
            return result;
        if (cgroup_read(parent_fd, "cgroup.procs", text, sizeof text) == 0 && !*text)
            return 0;
    }
    return EBUSY;
}

static int enable_missing(int parent_fd, const char *available, const char *enabled)
{
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        if (!has_word(available, controllers[i].name) || has_word(enabled, controllers[i].name))
            continue;
        int result = cgroup_write(parent_fd, "cgroup.subtree_control", controllers[i].enable);
        if (result != 0 && controllers[i].is_needed)
            return result;
    }
    return 0;
}

unsigned cgroup_v2_enable(int parent_fd)
{
    char available[1024], enabled[1024];
    unsigned roles = CGROUP_ROLE_CPU | CGROUP_ROLE_FREEZER | CGROUP_ROLE_KILL; /* the core's, without controllers */
    if (cgroup_read(parent_fd, "cgroup.controllers", available, sizeof available) != 0 ||
        cgroup_read(parent_fd, "cgroup.subtree_control", enabled, sizeof enabled) != 0)
        return roles;
    if (enable_missing(parent_fd, available, enabled) == EBUSY && empty_into_leaf(parent_fd) == 0)
        (void)enable_missing(parent_fd, available, enabled); /* read back below */
    if (cgroup_read(parent_fd, "cgroup.subtree_control", enabled, sizeof enabled) != 0)
        return roles;
    for (size_t i = 0; i < CONTROLLER_COUNT; i++)
        if (has_word(enabled, controllers[i].name))
            roles |= controllers[i].role;
    return roles;
}
