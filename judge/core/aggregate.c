/* From tests to a verdict. Pass-fail: accepted iff every test is; else the first failing test's verdict. */
#include "core/journey.h"

enum { SCORE_MAX = 100 };

static void count_test(Report *report, size_t index)
{
    const TestReport *test = &report->tests[index];
    if (test->attempt_count == 0)
        return;
    report->run_count++;
    report->passed_count += test->verdict == VERDICT_ACCEPTED;
    const TestReport *slowest = report->slowest_index < 0 ? NULL : &report->tests[report->slowest_index];
    if (!slowest ||
        test->attempts[test->attempt_count - 1].cpu_ns > slowest->attempts[slowest->attempt_count - 1].cpu_ns)
        report->slowest_index = (int64_t)index;
}

static Verdict tests_verdict(const Report *report)
{
    for (size_t i = 0; i < report->test_count; i++)
        if (report->tests[i].verdict != VERDICT_NONE && report->tests[i].verdict != VERDICT_ACCEPTED)
            return report->tests[i].verdict;
    return report->passed_count > 0 ? VERDICT_ACCEPTED : VERDICT_NONE;
}

void journey_aggregate(Journey *journey)
{
    Report *report = journey->report;
    report->run_count = report->passed_count = 0;
    report->slowest_index = -1;
    for (size_t i = 0; i < report->test_count; i++)
        count_test(report, i);
    if (!report->compile.has_succeeded)
        report->verdict = VERDICT_COMPILE_ERROR;
    else
        report->verdict = tests_verdict(report);
    if (report->judge_error)
        report->verdict = VERDICT_JUDGE_ERROR;
    report->score_max = SCORE_MAX;
    report->score = report->verdict == VERDICT_ACCEPTED ? SCORE_MAX : 0;
}
