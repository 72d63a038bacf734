/* verdict: the precedence table, over every combination of facts, against a second statement of the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "core/verdict.h"

enum { LIMIT = 1000, CAP = 100 };

static const int signals[] = {0, SIGSEGV, SIGKILL, SIGSYS, SIGXFSZ, SIGXCPU, SIGABRT, SIGUSR1};
static const int exit_codes[] = {0, 1, 42, 127, 137};
static const int64_t times[] = {-1, 0, LIMIT, LIMIT + 1};
static const int64_t outputs[] = {0, CAP - 1, CAP, CAP + 1};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The rules of reference/sandbox.md 5.5 in words of their own: kills by cause, then late limits, then the status. */
static Verdict expected(const SandboxResult *result)
{
    static const Verdict by_kill[] = {
        [SANDBOX_CAUSE_EXIT] = VERDICT_NONE,
        [SANDBOX_CAUSE_CPU] = VERDICT_TIME_LIMIT,
        [SANDBOX_CAUSE_WALL] = VERDICT_WALL_LIMIT,
        [SANDBOX_CAUSE_IDLE] = VERDICT_IDLE_LIMIT,
        [SANDBOX_CAUSE_MEMORY] = VERDICT_MEMORY_LIMIT,
        [SANDBOX_CAUSE_OUTPUT] = VERDICT_OUTPUT_LIMIT,
        [SANDBOX_CAUSE_POLICY] = VERDICT_SECURITY,
        [SANDBOX_CAUSE_EXEC] = VERDICT_NONE,
        [SANDBOX_CAUSE_CANCELLED] = VERDICT_JUDGE_ERROR,
    };
    _Static_assert(COUNT(by_kill) == SANDBOX_CAUSE_COUNT, "every cause has a rule");
    bool is_late = result->cpu_ns > LIMIT, is_over = result->output_bytes > CAP || result->is_output_truncated;
    Verdict killed = by_kill[result->cause];
    Verdict by_signal = result->signal == SIGXFSZ && result->output_bytes >= CAP ? VERDICT_OUTPUT_LIMIT
                        : result->signal == SIGXCPU && result->cpu_ns >= LIMIT   ? VERDICT_TIME_LIMIT
                        : result->signal                                         ? VERDICT_RUNTIME_ERROR
                                                                                 : VERDICT_NONE;
    Verdict by_exit = result->exit_code == 0 ? VERDICT_ACCEPTED : VERDICT_RUNTIME_ERROR;
    if (killed != VERDICT_NONE)
        return killed;
    if (result->oom_kills > 0)
        return VERDICT_MEMORY_LIMIT;
    return is_late                     ? VERDICT_TIME_LIMIT
           : result->wall_ns > LIMIT   ? VERDICT_WALL_LIMIT
           : is_over                   ? VERDICT_OUTPUT_LIMIT
           : by_signal != VERDICT_NONE ? by_signal
                                       : by_exit;
}

static void check(const SandboxResult *result)
{
    Verdict got = verdict_decide(result, LIMIT), wanted = expected(result);
    if (got != wanted)
        fail_msg("cause %s signal %d exit %d cpu %ld wall %ld output %ld oom %ld: got %s, wanted %s",
                 sandbox_cause_name(result->cause), result->signal, result->exit_code, (long)result->cpu_ns,
                 (long)result->wall_ns, (long)result->output_bytes, (long)result->oom_kills, verdict_row(got)->word,
                 verdict_row(wanted)->word);
}

static void vary_counters(SandboxResult result)
{
    for (size_t cpu = 0; cpu < COUNT(times); cpu++)
        for (size_t wall = 0; wall < COUNT(times); wall++)
            for (size_t output = 0; output < COUNT(outputs); output++)
                for (int flags = 0; flags < 4; flags++) {
                    result.cpu_ns = times[cpu];
                    result.wall_ns = times[wall];
                    result.output_bytes = outputs[output];
                    result.oom_kills = flags & 1;
                    result.is_output_truncated = flags & 2;
                    check(&result);
                }
}

static void every_combination_of_facts(void **state)
{
    (void)state;
    SandboxResult result = {.limits = {.wall_ns = LIMIT, .output_bytes = CAP}};
    for (result.cause = 0; result.cause < SANDBOX_CAUSE_COUNT; result.cause++) {
        if (result.cause == SANDBOX_CAUSE_EXEC)
            continue; /* a table of its own below */
        for (size_t i = 0; i < COUNT(signals); i++)
            for (size_t j = 0; j < COUNT(exit_codes); j++) {
                result.signal = signals[i];
                result.exit_code = signals[i] ? -1 : exit_codes[j];
                vary_counters(result);
            }
    }
}

typedef struct ExecCase {
    int exec_errno;
    Verdict verdict;
} ExecCase;

static void what_execve_refused(void **state)
{
    (void)state;
    static const ExecCase cases[] = {
        {ENOEXEC, VERDICT_RUNTIME_ERROR}, {EACCES, VERDICT_RUNTIME_ERROR}, {ENOENT, VERDICT_RUNTIME_ERROR},
        {ENOMEM, VERDICT_MEMORY_LIMIT},   {EPERM, VERDICT_JUDGE_ERROR},    {EIO, VERDICT_JUDGE_ERROR},
        {EMFILE, VERDICT_JUDGE_ERROR},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        SandboxResult result = {.cause = SANDBOX_CAUSE_EXEC, .exec_errno = cases[i].exec_errno, .exit_code = -1};
        assert_int_equal(verdict_decide(&result, LIMIT), cases[i].verdict);
    }
}

static void details_name_the_signal(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    SandboxResult result = {.cause = SANDBOX_CAUSE_EXIT, .signal = SIGSEGV, .exit_code = -1};
    assert_string_equal(verdict_detail(VERDICT_RUNTIME_ERROR, &result, arena), "signal 11 (segmentation fault)");
    result.signal = 60;
    assert_string_equal(verdict_detail(VERDICT_RUNTIME_ERROR, &result, arena), "signal 60 (signal)");
    result = (SandboxResult){.cause = SANDBOX_CAUSE_EXIT, .exit_code = 3};
    assert_string_equal(verdict_detail(VERDICT_RUNTIME_ERROR, &result, arena), "exit code 3");
    assert_null(verdict_detail(VERDICT_ACCEPTED, &result, arena));
}

static void memory_at_the_limit_is_a_hint(void **state)
{
    (void)state;
    SandboxResult result = {.memory_peak_bytes = 99, .limits = {.memory_bytes = 100}};
    assert_non_null(verdict_hint(VERDICT_RUNTIME_ERROR, &result));
    assert_null(verdict_hint(VERDICT_ACCEPTED, &result));
    assert_null(verdict_hint(VERDICT_MEMORY_LIMIT, &result));
    result.memory_peak_bytes = 50;
    assert_null(verdict_hint(VERDICT_RUNTIME_ERROR, &result));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_of_facts),
        cmocka_unit_test(what_execve_refused),
        cmocka_unit_test(details_name_the_signal),
        cmocka_unit_test(memory_at_the_limit_is_a_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
