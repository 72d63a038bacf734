/* Control groups, version 1: a directory per controller (or per set of co-mounted controllers). */
#include "cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FREEZE_LIMIT_MS = 1000 };

/* Joining is a write to `tasks`, not `cgroup.procs`: for the single thread that writes, the kernel then skips a
 * global lock whose waits make up the tail of an attach (it waits for all CPUs). */

static int limit_memory(int directory_fd, int64_t bytes)
{
    int result = cgroup_write_number(directory_fd, "memory.limit_in_bytes", bytes);
    if (result)
        return result;
    /* Memory plus swap at the same value means no swap; the file is absent where the kernel does not count swap. */
    result = cgroup_write_number(directory_fd, "memory.memsw.limit_in_bytes", bytes);
    if (result != ENOENT)
        return result;
    return cgroup_write_number(directory_fd, "memory.swappiness", 0);
}

static int v1_limit(int directory_fd, unsigned roles, const SandboxLimits *limits)
{
    int result = 0;
    if ((roles & CGROUP_ROLE_MEMORY) && limits->memory_bytes != SANDBOX_UNLIMITED)
        result = limit_memory(directory_fd, limits->memory_bytes);
    if (result == 0 && (roles & CGROUP_ROLE_PIDS) && limits->processes != SANDBOX_UNLIMITED)
        result = cgroup_write_number(directory_fd, "pids.max", limits->processes);
    return result;
}

static bool v1_parse_cpu(const char *text, int64_t *ret_ns)
{
    char *end;
    *ret_ns = strtoll(text, &end, 10);
    return end != text;
}

static void read_cpu_split(int directory_fd, CgroupFacts *facts)
{
    char text[128];
    int64_t tick_ns = INT64_C(1000000000) / sysconf(_SC_CLK_TCK);
    facts->cpu_ns = cgroup_read_number(directory_fd, "cpuacct.usage");
    if (cgroup_read(directory_fd, "cpuacct.stat", text, sizeof text) != 0)
        return;
    facts->cpu_user_ns = cgroup_field(text, "user") * tick_ns;
    facts->cpu_system_ns = cgroup_field(text, "system") * tick_ns;
}

static void v1_read_facts(int directory_fd, unsigned roles, CgroupFacts *facts)
{
    if (roles & CGROUP_ROLE_MEMORY) {
        char text[256];
        facts->memory_peak_bytes = cgroup_read_number(directory_fd, "memory.max_usage_in_bytes");
        if (cgroup_read(directory_fd, "memory.oom_control", text, sizeof text) == 0)
            facts->oom_kills = cgroup_field(text, "oom_kill");
    }
    if (roles & CGROUP_ROLE_PIDS)
        facts->processes_peak = cgroup_read_number(directory_fd, "pids.peak"); /* Linux 6.11 */
    if (roles & CGROUP_ROLE_CPU)
        read_cpu_split(directory_fd, facts);
}

static int v1_set_frozen(int directory_fd, bool is_frozen)
{
    const char *state = is_frozen ? "FROZEN" : "THAWED";
    int result = cgroup_write(directory_fd, "freezer.state", state);
    return result ? result : cgroup_await(directory_fd, "freezer.state", state, FREEZE_LIMIT_MS);
}

const CgroupOps cgroup_v1_ops = {
    .attach_file = "tasks",
    .cpu_file = "cpuacct.usage",
    .limit = v1_limit,
    .parse_cpu = v1_parse_cpu,
    .read_facts = v1_read_facts,
    .set_frozen = v1_set_frozen,
};
