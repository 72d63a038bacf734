/* When is a run over its limits, and when must we look again.
 *
 * CPU time is not polled: the next look is when the budget could be used up at the earliest, that is the rest of it
 * divided by the processors that could burn it; then again for what is left. Ten to twenty looks a run, and the kill
 * comes within a millisecond or two. */
#include "run.h"

#include <sys/stat.h>
#include <time.h>

#define NS_PER_MS INT64_C(1000000)

enum {
    IDLE_SHARE = 100,    /* idle: used less than 1/100 of one processor */
    IDLE_LOOKS = 4,      /* looks per window, so that idleness is seen at most a quarter late */
    OUTPUT_LOOK_MS = 20, /* where only our eyes cap the output */
    DEGRADED_LOOK_MS = 10,
};

int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t limit_wall_ns(const SandboxRun *run, int64_t now_ns)
{
    return now_ns - run->clock.exec_ns - run->clock.frozen_ns;
}

void limit_start_window(SandboxRun *run, int64_t now_ns, int64_t cpu_ns)
{
    run->clock.idle_since_ns = now_ns;
    run->clock.idle_cpu_ns = cpu_ns;
    run->clock.idle_drained_bytes = run->drain.total_bytes;
}

static bool has_cgroup(const SandboxRun *run, unsigned role)
{
    return run->sandbox->cgroups.roles & role;
}

static void measure(SandboxRun *run)
{
    int64_t total_ns;
    if (has_cgroup(run, CGROUP_ROLE_CPU) && cgroup_cpu_ns(&run->cgroup, &total_ns))
        run->cpu_ns = total_ns - run->clock.cpu_offset_ns;
    if (has_cgroup(run, CGROUP_ROLE_CPU) && has_cgroup(run, CGROUP_ROLE_MEMORY))
        return;
    TreeUsage usage = tree_measure(run->keeper_pid);
    usage.cpu_ns -= run->clock.cpu_offset_ns;
    if (!has_cgroup(run, CGROUP_ROLE_CPU) && usage.cpu_ns > run->cpu_ns)
        run->cpu_ns = usage.cpu_ns;
    if (usage.rss_bytes > run->rss_peak_bytes)
        run->rss_peak_bytes = usage.rss_bytes;
}

void limit_note_peak(SandboxRun *run)
{
    int64_t peak_bytes = tree_peak_bytes(run->program_pid);
    if (peak_bytes > run->rss_peak_bytes)
        run->rss_peak_bytes = peak_bytes;
}

static bool is_out_of_memory(const SandboxRun *run)
{
    return has_cgroup(run, CGROUP_ROLE_MEMORY) ? cgroup_oom_kills(&run->cgroup) > 0
                                               : run->rss_peak_bytes > run->limits.memory_bytes;
}

static bool is_output_over(const SandboxRun *run)
{
    struct stat status;
    return run->capture_fd >= 0 && fstat(run->capture_fd, &status) == 0 && status.st_size > run->limits.output_bytes;
}

/* Any progress ends a window early: CPU time, or bytes that we drained. */
static bool is_idle(SandboxRun *run, int64_t now_ns)
{
    const Clock *clock = &run->clock;
    int64_t window_ns = run->limits.idle_ns;
    if (window_ns == SANDBOX_UNLIMITED)
        return false;
    if (run->cpu_ns - clock->idle_cpu_ns >= window_ns / IDLE_SHARE ||
        run->drain.total_bytes != clock->idle_drained_bytes) {
        limit_start_window(run, now_ns, run->cpu_ns);
        return false;
    }
    return now_ns - clock->idle_since_ns >= window_ns;
}

bool limit_exceeded(SandboxRun *run, int64_t now_ns, SandboxCause *ret_cause)
{
    measure(run);
    const struct {
        bool is_over;
        SandboxCause cause;
    } order[] = {
        {is_out_of_memory(run), SANDBOX_CAUSE_MEMORY},
        {is_output_over(run), SANDBOX_CAUSE_OUTPUT},
        {run->cpu_ns >= run->limits.cpu_ns, SANDBOX_CAUSE_CPU},
        {limit_wall_ns(run, now_ns) >= run->limits.wall_ns, SANDBOX_CAUSE_WALL},
        {is_idle(run, now_ns), SANDBOX_CAUSE_IDLE},
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!order[i].is_over)
            continue;
        *ret_cause = order[i].cause;
        return true;
    }
    return false;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Processors that could burn the budget at once. */
static int64_t burner_count(const SandboxRun *run)
{
    int64_t processors = run->plan->cpu_count ? (int64_t)run->plan->cpu_count : run->sandbox->machine.cpu_count;
    return least(processors, run->limits.processes);
}

int64_t limit_next_wake_ns(const SandboxRun *run, int64_t now_ns)
{
    const SandboxLimits *limits = &run->limits;
    int64_t wake = INT64_MAX;
    if (limits->cpu_ns != SANDBOX_UNLIMITED)
        wake = least(wake, (limits->cpu_ns - run->cpu_ns) / burner_count(run));
    if (limits->wall_ns != SANDBOX_UNLIMITED)
        wake = least(wake, limits->wall_ns - limit_wall_ns(run, now_ns));
    if (limits->idle_ns != SANDBOX_UNLIMITED) {
        int64_t left = run->clock.idle_since_ns + limits->idle_ns - now_ns;
        wake = least(wake, least(left, limits->idle_ns / IDLE_LOOKS));
    }
    if (run->capture_fd >= 0 && limits->file_bytes > limits->output_bytes)
        wake = least(wake, OUTPUT_LOOK_MS * NS_PER_MS);
    if (!has_cgroup(run, CGROUP_ROLE_MEMORY))
        wake = least(wake, DEGRADED_LOOK_MS * NS_PER_MS);
    return wake < NS_PER_MS ? NS_PER_MS : wake;
}
