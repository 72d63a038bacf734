/* The precedence of verdicts: one table, read from the top, the first row that holds decides.
 *
 * The order is that of reference/sandbox.md 5.5. Rows look only at what the supervisor saw itself: a signal, an exit
 * code or a message proves nothing, since a program can choose all of them. */
#include "core/verdict.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

typedef struct Facts {
    const SandboxResult *result;
    int64_t time_limit_ns;
} Facts;

static bool was_cancelled(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_CANCELLED;
}

/* execve's errors that speak about the artifact; all others are about us. */
static bool is_exec_memory(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_EXEC && facts->result->exec_errno == ENOMEM;
}

static bool is_exec_artifact(const Facts *facts)
{
    static const int artifact_errnos[] = {ENOEXEC, EACCES, ENOENT, EINVAL, ELIBBAD, E2BIG};
    for (size_t i = 0; i < sizeof artifact_errnos / sizeof *artifact_errnos; i++)
        if (facts->result->cause == SANDBOX_CAUSE_EXEC && facts->result->exec_errno == artifact_errnos[i])
            return true;
    return false;
}

static bool is_exec_other(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_EXEC;
}
static bool was_killed_cpu(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_CPU;
}
static bool was_killed_wall(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_WALL;
}
static bool was_killed_idle(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_IDLE;
}
static bool was_killed_memory(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_MEMORY;
}
static bool was_killed_output(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_OUTPUT;
}
static bool was_killed_policy(const Facts *facts)
{
    return facts->result->cause == SANDBOX_CAUSE_POLICY;
}

/* A child of the program died for memory, and the program went on to exit as if nothing had happened. */
static bool has_oom_kill(const Facts *facts)
{
    return facts->result->oom_kills > 0;
}

static bool is_late_cpu(const Facts *facts)
{
    return facts->result->cpu_ns >= 0 && facts->result->cpu_ns > facts->time_limit_ns;
}

static bool is_late_wall(const Facts *facts)
{
    const SandboxResult *result = facts->result;
    return result->limits.wall_ns > 0 && result->wall_ns > result->limits.wall_ns;
}

static bool is_output_over(const Facts *facts)
{
    const SandboxResult *result = facts->result;
    return result->is_output_truncated ||
           (result->limits.output_bytes > 0 && result->output_bytes > result->limits.output_bytes);
}

/* The kernel sends SIGXFSZ for the file-size limit, which also bounds other files: only a full output counts. */
static bool is_output_full(const Facts *facts)
{
    const SandboxResult *result = facts->result;
    return result->signal == SIGXFSZ && result->limits.output_bytes > 0 &&
           result->output_bytes >= result->limits.output_bytes;
}

/* The kernel's own CPU limit, a backstop where there is no control group; by then the time is the limit. */
static bool is_kernel_cpu(const Facts *facts)
{
    return facts->result->signal == SIGXCPU && facts->result->cpu_ns >= facts->time_limit_ns;
}

static bool has_signal(const Facts *facts)
{
    return facts->result->signal != 0;
}
static bool has_failed(const Facts *facts)
{
    return facts->result->exit_code != 0;
}
static bool is_anything(const Facts *facts)
{
    (void)facts;
    return true;
}

typedef struct PrecedenceRow {
    bool (*holds)(const Facts *facts);
    Verdict verdict;
} PrecedenceRow;

static const PrecedenceRow precedence[] = {
    /* 1. nothing was learnt about the program, or execve refused it */
    {was_cancelled, VERDICT_JUDGE_ERROR},
    {is_exec_memory, VERDICT_MEMORY_LIMIT},
    {is_exec_artifact, VERDICT_RUNTIME_ERROR},
    {is_exec_other, VERDICT_JUDGE_ERROR},
    /* 2. the first kill, by the supervisor or the kernel's memory control */
    {was_killed_cpu, VERDICT_TIME_LIMIT},
    {was_killed_wall, VERDICT_WALL_LIMIT},
    {was_killed_idle, VERDICT_IDLE_LIMIT},
    {was_killed_memory, VERDICT_MEMORY_LIMIT},
    {was_killed_output, VERDICT_OUTPUT_LIMIT},
    {was_killed_policy, VERDICT_SECURITY},
    {has_oom_kill, VERDICT_MEMORY_LIMIT},
    /* 3. nobody killed it, but a limit was passed: that beats any exit status */
    {is_late_cpu, VERDICT_TIME_LIMIT},
    {is_late_wall, VERDICT_WALL_LIMIT},
    {is_output_over, VERDICT_OUTPUT_LIMIT},
    /* 4. signals, trusted only with the matching counter */
    {is_output_full, VERDICT_OUTPUT_LIMIT},
    {is_kernel_cpu, VERDICT_TIME_LIMIT},
    {has_signal, VERDICT_RUNTIME_ERROR},
    /* 5. and 6. the exit code */
    {has_failed, VERDICT_RUNTIME_ERROR},
    {is_anything, VERDICT_ACCEPTED},
};

Verdict verdict_decide(const SandboxResult *result, int64_t time_limit_ns)
{
    const Facts facts = {.result = result, .time_limit_ns = time_limit_ns};
    const PrecedenceRow *row = precedence;
    while (!row->holds(&facts))
        row++;
    return row->verdict;
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

static const char *const signal_texts[] = {
    [SIGABRT] = "aborted",
    [SIGBUS] = "bus error",
    [SIGFPE] = "arithmetic exception, such as a division by zero",
    [SIGILL] = "illegal instruction",
    [SIGKILL] = "killed",
    [SIGPIPE] = "broken pipe",
    [SIGSEGV] = "segmentation fault",
    [SIGSYS] = "forbidden system call",
    [SIGTERM] = "terminated",
    [SIGTRAP] = "trap",
    [SIGXCPU] = "CPU time limit of the kernel",
    [SIGXFSZ] = "file size limit",
    [SIGALRM] = "alarm clock",
    [SIGHUP] = "hangup",
    [SIGINT] = "interrupt",
    [SIGQUIT] = "quit",
    [SIGUSR1] = "user signal 1",
    [SIGUSR2] = "user signal 2",
    [SIGSTKFLT] = "stack fault",
};

const char *signal_text(int signal)
{
    size_t count = sizeof signal_texts / sizeof *signal_texts;
    return signal > 0 && (size_t)signal < count && signal_texts[signal] ? signal_texts[signal] : "signal";
}

static const char *runtime_detail(const SandboxResult *result, Arena *arena)
{
    if (result->cause == SANDBOX_CAUSE_EXEC)
        return arena_format(arena, "the program cannot be executed (%s)", strerror(result->exec_errno));
    if (result->signal)
        return arena_format(arena, "signal %d (%s)", result->signal, signal_text(result->signal));
    return arena_format(arena, "exit code %d", result->exit_code);
}

const char *verdict_detail(Verdict verdict, const SandboxResult *result, Arena *arena)
{
    switch (verdict) {
    case VERDICT_RUNTIME_ERROR: return runtime_detail(result, arena);
    case VERDICT_IDLE_LIMIT: return "it waited without using the processor";
    case VERDICT_WALL_LIMIT:
        return arena_format(arena, "more than %.3g s passed", (double)result->limits.wall_ns / 1e9);
    case VERDICT_OUTPUT_LIMIT:
        return arena_format(arena, "more than %.3g MiB of output", (double)result->limits.output_bytes / (1 << 20));
    case VERDICT_SECURITY: return "a forbidden system call";
    default: return NULL;
    }
}

/* An allocation that failed under the limit ends in a crash that no counter explains. */
const char *verdict_hint(Verdict verdict, const SandboxResult *result)
{
    bool is_full = result->limits.memory_bytes > 0 && result->limits.memory_bytes != SANDBOX_UNLIMITED &&
                   result->memory_peak_bytes >= result->limits.memory_bytes - result->limits.memory_bytes / 20;
    if (!is_full || verdict == VERDICT_ACCEPTED || verdict == VERDICT_MEMORY_LIMIT)
        return NULL;
    return "peak memory is at the limit: likely out of memory";
}
