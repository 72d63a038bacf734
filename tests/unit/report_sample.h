/* Reports for the tests of the report's views: one with every part filled, in a few variations. */
#ifndef GAVEL_TESTS_REPORT_SAMPLE_H
#define GAVEL_TESTS_REPORT_SAMPLE_H

#include "gavel/report.h"

/* A run that crashed on the third of `test_count` tests (at least 3), the first run again, the rest not run. */
static inline Report *sample_crash(size_t test_count)
{
    Report *report = report_new();
    report->problem = "islands";
    report->problem_title = "Number of Islands";
    report->problem_title_zh = "岛屿数量";
    report->source_name = "dfs.c";
    report->language = "c";
    report->verdict = VERDICT_RUNTIME_ERROR;
    report->elapsed_ns = 1234000000;
    report->compile = (CompileReport){
        .is_needed = true,
        .has_succeeded = true,
        .log = "dfs.c:3:9: warning: unused variable 'x' [-Wunused-variable]\n",
        .cpu_ns = 90000000,
        .wall_ns = 101000000,
        .memory_peak_bytes = 30 << 20,
        .diagnostic_count = 1,
        .diagnostics = arena_new_array(report->arena, Diagnostic, 1),
    };
    report->compile.diagnostics[0] = (Diagnostic){DIAGNOSTIC_WARNING, "dfs.c", 3, 9, "unused variable 'x'"};

    report->test_count = test_count;
    report->run_count = 3;
    report->passed_count = 2;
    report->slowest_index = 2;
    report->tests = arena_new_array(report->arena, TestReport, test_count);
    for (size_t i = 0; i < test_count; i++)
        report->tests[i] =
            (TestReport){.name = arena_format(report->arena, "secret/%03zu", i), .verdict = VERDICT_NONE};
    for (size_t i = 0; i < 3; i++) {
        TestReport *test = &report->tests[i];
        test->verdict = i == 2 ? VERDICT_RUNTIME_ERROR : VERDICT_ACCEPTED;
        test->attempt_count = i == 0 ? 2 : 1;
        test->attempts = arena_new_array(report->arena, Attempt, test->attempt_count);
        for (size_t j = 0; j < test->attempt_count; j++)
            test->attempts[j] = (Attempt){.verdict = test->verdict,
                                          .cpu_ns = 1234567 * (int64_t)(i * 100 + 1),
                                          .wall_ns = 2345678 * (int64_t)(i * 100 + 1),
                                          .memory_peak_bytes = 1500000 * (int64_t)(i * 100 + 1),
                                          .output_bytes = 2,
                                          .exit_code = i == 2 ? -1 : 0,
                                          .signal = i == 2 ? 11 : 0,
                                          .cause = i == 2 ? "signal" : "exit"};
    }
    report->tests[0].is_sample = true;
    report->tests[0].name = "sample/1";
    report->tests[2].detail = "signal 11 (segmentation fault)";
    report->tests[2].hint = "peak memory is at the limit: likely out of memory";
    report->failure = (FailureReport){
        .is_present = true,
        .test_index = 2,
        .sanitizer = {.is_present = true, .kind = "stack-overflow", .file = "dfs.c", .line = 14, .function = "visit"},
        .policy = "verdict",
    };
    report_add_note(report, "the stack limit is %d MiB", 64);
    report->provenance = (Provenance){
        .problem_sha256 = "00",
        .compiler = "gcc 12.2.0 (Debian 12.2.0-14)",
        .gavel_version = "0.1.0",
        .isolation = "full",
        .cgroup = "v2",
        .device = "cpu",
        .seed = UINT64_MAX,
        .time_limit_ns = 1000000000,
        .wall_limit_ns = 2500000000,
        .idle_limit_ns = -1,
        .memory_limit_bytes = 256 << 20,
        .stack_limit_bytes = 64 << 20,
        .output_limit_bytes = 8 << 20,
        .started_at = "2025-01-01T00:00:00Z",
    };
    return report;
}

/* The same, with a wrong answer on the sample whose difference and input are shown. */
static inline Report *sample_wrong_answer(const char *expected, const char *got)
{
    Report *report = sample_crash(3);
    report->verdict = report->tests[2].verdict = VERDICT_WRONG_ANSWER;
    report->tests[2].detail = report->tests[2].hint = NULL;
    report->failure.sanitizer.is_present = false;
    report->failure.policy = "sample";
    report->failure.input = "2 3\n110\n\t011\n";
    report->failure.message = "close, but no";
    report->failure.judge_message = "expected 4 islands\ngot 5";
    report->failure.difference = (Difference){
        .is_present = true,
        .line = 3,
        .column = 7,
        .token_index = 5,
        .output_offset = 12,
        .expected = expected,
        .got = got,
        .what = "the output has a different token",
    };
    return report;
}

static inline Report *sample_compile_error(void)
{
    Report *report = sample_crash(3);
    report->verdict = VERDICT_COMPILE_ERROR;
    report->compile.has_succeeded = false;
    report->compile.reason = "compile time limit of 30 s exceeded";
    report->compile.diagnostics[0] = (Diagnostic){DIAGNOSTIC_ERROR, "dfs.c", 5, 1, "expected ';' before '}' token"};
    report->failure.is_present = false;
    report->run_count = report->passed_count = 0;
    report->slowest_index = -1;
    for (size_t i = 0; i < report->test_count; i++)
        report->tests[i] = (TestReport){.name = report->tests[i].name, .verdict = VERDICT_NONE};
    return report;
}

#endif
