/* From what was seen to one cause and a record of facts (reference/sandbox.md 5.5, items 1 to 4). */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t captured_bytes(const SandboxRun *run)
{
    struct stat status;
    return run->capture_fd >= 0 && fstat(run->capture_fd, &status) == 0 ? status.st_size : -1;
}

/* exec errors about the artifact are the artifact's, and so is a memory limit too small to come as far as exec; all
 * else before exec is ours. */
bool result_is_exec_failure(const SandboxRun *run)
{
    const KeeperFailure *failure = &run->order.failure;
    return failure->stage == SANDBOX_STAGE_EXEC ||
           (failure->stage != SANDBOX_STAGE_NONE && failure->system_errno == ENOMEM && run->order.has_joined);
}

static int64_t used_cpu_ns(const SandboxRun *run)
{
    if (run->facts.cpu_ns >= 0)
        return run->facts.cpu_ns - run->clock.cpu_offset_ns;
    int64_t waited_ns = (run->farewell.user_us + run->farewell.system_us) * 1000 - run->clock.cpu_offset_ns;
    return waited_ns > run->cpu_ns ? waited_ns : run->cpu_ns; /* the watcher may have seen what nobody waited for */
}

static int64_t end_wall_ns(const SandboxRun *run)
{
    return run->order.exec_ns && run->farewell.has_status ? limit_wall_ns(run, run->farewell.end_ns) : -1;
}

static bool ended_by(const SandboxRun *run, int signal)
{
    return run->farewell.has_status && WIFSIGNALED(run->farewell.status) && WTERMSIG(run->farewell.status) == signal;
}

/* The kernel carries the largest resident size over exec, so the judge's own shows until the program passes it; the
 * watcher saw the program alone, but only now and then. */
static int64_t degraded_peak_bytes(const SandboxRun *run)
{
    struct rusage own;
    int64_t seen = run->rss_peak_bytes, reported = run->farewell.max_rss_kib * 1024;
    bool is_programs = getrusage(RUSAGE_SELF, &own) == 0 && reported > own.ru_maxrss * 1024;
    return is_programs && reported > seen ? reported : seen;
}

/* Without a memory group: what the watcher did not live to see. */
static bool is_over_unwatched(const SandboxRun *run)
{
    return run->facts.memory_peak_bytes < 0 && degraded_peak_bytes(run) > run->limits.memory_bytes;
}

/* The first row that holds. A kill of ours stands before all of them (run->has_cause). */
void result_decide(SandboxRun *run)
{
    cgroup_read_facts(&run->cgroup, &run->facts);
    run->cpu_ns = result_is_exec_failure(run) ? 0 : used_cpu_ns(run);
    if (run->has_cause)
        return;
    const struct {
        bool holds;
        SandboxCause cause;
    } rows[] = {
        {run->facts.oom_kills > 0, SANDBOX_CAUSE_MEMORY},
        {is_over_unwatched(run), SANDBOX_CAUSE_MEMORY},
        {result_is_exec_failure(run), SANDBOX_CAUSE_EXEC},
        {run->cpu_ns > run->limits.cpu_ns, SANDBOX_CAUSE_CPU},
        {end_wall_ns(run) > run->limits.wall_ns, SANDBOX_CAUSE_WALL},
        {captured_bytes(run) > run->limits.output_bytes, SANDBOX_CAUSE_OUTPUT},
        {ended_by(run, SIGSYS), SANDBOX_CAUSE_POLICY},
        {true, SANDBOX_CAUSE_EXIT},
    };
    size_t row = 0;
    while (!rows[row].holds)
        row++;
    run->cause = rows[row].cause;
    run->has_cause = true;
}

static void fill_memory(const SandboxRun *run, SandboxResult *result)
{
    bool has_cgroup = run->facts.memory_peak_bytes >= 0;
    result->memory_peak_bytes = has_cgroup ? run->facts.memory_peak_bytes : degraded_peak_bytes(run);
    result->memory_source = !has_cgroup ? "rss" : run->sandbox->cgroups.kind == SANDBOX_CGROUP_V2 ? "v2" : "v1";
    result->oom_kills = run->facts.oom_kills;
    result->processes_peak = run->facts.processes_peak;
}

static void fill_cpu(const SandboxRun *run, SandboxResult *result)
{
    bool has_cgroup = run->cgroup.cpu_fd >= 0;
    result->cpu_ns = run->cpu_ns;
    result->cpu_user_ns = has_cgroup ? run->facts.cpu_user_ns : run->farewell.user_us * 1000;
    result->cpu_system_ns = has_cgroup ? run->facts.cpu_system_ns : run->farewell.system_us * 1000;
    result->cpu_source = !has_cgroup ? "rusage" : run->sandbox->cgroups.kind == SANDBOX_CGROUP_V1 ? "v1" : "v2";
}

static void fill_end(const SandboxRun *run, SandboxResult *result)
{
    const KeeperMessage *farewell = &run->farewell;
    bool has_ended = farewell->has_status && !result_is_exec_failure(run);
    result->cause = run->cause;
    result->exit_code = has_ended && WIFEXITED(farewell->status) ? WEXITSTATUS(farewell->status) : -1;
    result->signal = has_ended && WIFSIGNALED(farewell->status) ? WTERMSIG(farewell->status) : 0;
    result->exec_errno = result_is_exec_failure(run) ? run->order.failure.system_errno : 0;
    result->left_processes = farewell->left_processes;
    result->switches_voluntary = farewell->switches_voluntary;
    result->switches_involuntary = farewell->switches_involuntary;
    result->faults_major = farewell->faults_major;
}

static void fill_times(const SandboxRun *run, SandboxResult *result)
{
    const Clock *clock = &run->clock;
    bool has_started = run->order.exec_ns != 0;
    result->wall_ns = end_wall_ns(run);
    result->setup_ns = has_started ? run->order.exec_ns - clock->start_ns : -1;
    result->teardown_ns = has_started && run->farewell.has_status ? clock->done_ns - run->farewell.end_ns : -1;
    result->kill_ns = clock->kill_sent_ns && has_started ? clock->kill_sent_ns - run->order.exec_ns : -1;
}

/* Hands over the descriptors and buffers: the run no longer has them. */
static void move_outputs(SandboxRun *run, SandboxResult *result)
{
    int64_t written = captured_bytes(run), cap = run->limits.output_bytes;
    result->is_output_truncated = written > cap && ftruncate(run->capture_fd, cap) == 0;
    result->output_bytes = result->is_output_truncated ? cap : written;
    if (run->capture_fd >= 0)
        (void)lseek(run->capture_fd, 0, SEEK_SET); /* a memfd can seek */
    result->output_fd = run->capture_fd;
    run->capture_fd = -1;
    result->error_data = run->drain.data;
    result->error_size = run->drain.size;
    result->error_bytes = run->drain.total_bytes;
    run->drain.data = NULL;
    result->artifacts = run->artifacts;
    result->artifact_count = run->plan->artifact_count;
    run->artifacts = NULL;
}

void result_fill(SandboxRun *run, SandboxResult *ret_result)
{
    *ret_result = (SandboxResult){
        .isolation = run->sandbox->machine.isolation,
        .cgroup = run->sandbox->machine.cgroup,
        .profile = run->plan->profile,
        .limits = run->limits,
        .slot = run->slot,
    };
    fill_end(run, ret_result);
    fill_times(run, ret_result);
    fill_cpu(run, ret_result);
    fill_memory(run, ret_result);
    move_outputs(run, ret_result);
}
