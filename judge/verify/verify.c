/* The stages of a verification in order, and the findings they gather. */
#include "verify/verify.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "verify/stage.h"

/* ---- rules -------------------------------------------------------------------------------------------------- */

static const RuleRow rule_rows[] = {
#define RULE(name, rule_id, rule_level, rule_title)                                                                    \
    [RULE_##name] = {.id = rule_id, .level = LEVEL_##rule_level, .title = rule_title},
#include "verify/rules.def"
#undef RULE
};
_Static_assert(sizeof rule_rows / sizeof *rule_rows == RULE_COUNT, "one row a rule");

const RuleRow *verify_rule(VerifyRule rule)
{
    return &rule_rows[rule];
}

const char *rule_level_word(RuleLevel level)
{
    static const char *const words[RULE_LEVEL_COUNT] = {
        [LEVEL_ERROR] = "error", [LEVEL_WARNING] = "warning", [LEVEL_TIMING] = "timing"};
    return words[level];
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

static void reserve_finding(VerifyRun *run)
{
    if (run->report->finding_count < run->finding_capacity)
        return;
    run->finding_capacity = run->finding_capacity ? 2 * run->finding_capacity : 16;
    Finding *larger = arena_new_array(run->arena, Finding, run->finding_capacity);
    if (run->report->finding_count > 0)
        memcpy(larger, run->report->findings, run->report->finding_count * sizeof *larger);
    run->report->findings = larger;
}

static const char *below_package(const VerifyRun *run, const char *file)
{
    size_t length = strlen(run->problem->directory);
    bool is_below = strncmp(file, run->problem->directory, length) == 0 && file[length] == '/';
    return arena_string(run->arena, is_below ? file + length + 1 : file);
}

void verify_find(VerifyRun *run, VerifyRule rule, const char *file, int line, const char *command, const char *format,
                 ...)
{
    auto_buffer Buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vformat(&text, format, arguments);
    va_end(arguments);
    reserve_finding(run);
    run->report->findings[run->report->finding_count++] = (Finding){
        .rule = rule,
        .file = below_package(run, file),
        .line = line,
        .text = arena_string(run->arena, buffer_text(&text)),
        .command = command,
    };
    run->report->level_counts[verify_rule(rule)->level]++;
}

/* ---- helpers of the stages ---------------------------------------------------------------------------------- */

void verify_step(const VerifyRun *run, const char *subject, const char *text)
{
    if (run->sink.on_step)
        run->sink.on_step(run->sink.context, subject, text);
}

bool verify_is_cancelled(const VerifyRun *run, Error *error)
{
    if (!run->cancel || !run->cancel->is_cancelled)
        return false;
    errno = ECANCELED;
    (void)error_system(error, "verifying %s", run->problem->name);
    return true;
}

bool verify_looks_at(const VerifyRun *run, const TestCase *test)
{
    return test->is_sample || !run->options->is_fast;
}

const char *verify_quote(Arena *arena, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
    if (*word && strspn(word, safe) == strlen(word))
        return word;
    auto_buffer Buffer quoted = {0};
    buffer_char(&quoted, '\'');
    for (; *word; word++)
        if (*word == '\'')
            buffer_string(&quoted, "'\\''");
        else
            buffer_char(&quoted, *word);
    buffer_char(&quoted, '\'');
    return arena_string(arena, buffer_text(&quoted));
}

/* ---- stages ------------------------------------------------------------------------------------------------- */

static const struct StageRow {
    const char *name;
    bool (*run)(VerifyRun *run, Error *error);
    bool is_fast;    /* part of --fast */
    bool needs_data; /* pointless if generated tests could not be made */
} stage_rows[] = {
    {"structure", verify_structure, true, false},    {"generated data", verify_data, true, false},
    {"input validators", verify_inputs, true, true}, {"answers", verify_answers, true, true},
    {"submissions", verify_submissions, true, true}, {"time limit", verify_limits, false, true},
};
_Static_assert(sizeof stage_rows / sizeof *stage_rows <= VERIFY_STAGE_MAX, "the report has room for every stage");

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool run_stage(VerifyRun *run, const struct StageRow *row, Error *error)
{
    VerifyStage *stage = &run->report->stages[run->report->stage_count++];
    stage->name = row->name;
    stage->was_run = (row->is_fast || !run->options->is_fast) && !(row->needs_data && run->has_no_data);
    if (!stage->was_run)
        return true;
    if (verify_is_cancelled(run, error))
        return false;
    int64_t start = now_ns();
    size_t before = run->report->finding_count;
    verify_step(run, NULL, row->name);
    bool is_run = row->run(run, error);
    stage->elapsed_ns = now_ns() - start;
    stage->finding_count = run->report->finding_count - before;
    return is_run || error_wrap(error, "verify, %s", row->name);
}

static VerifyReport *new_report(const Problem *problem, const VerifyOptions *options)
{
    Arena *arena = arena_new();
    VerifyReport *report = arena_alloc(arena, sizeof *report);
    *report = (VerifyReport){.arena = arena, .problem = problem, .is_fast = options->is_fast, .seed = options->seed};
    return report;
}

bool verify_package(Judge *judge, const Problem *problem, const VerifyOptions *options, VerifySink sink,
                    const CancelToken *cancel, VerifyReport **ret_report, Error *error)
{
    VerifyReport *report = new_report(problem, options);
    VerifyRun run = {.judge = judge,
                     .problem = problem,
                     .options = options,
                     .sink = sink,
                     .cancel = cancel,
                     .report = report,
                     .arena = report->arena};
    int64_t start = now_ns();
    bool is_run = true;
    for (size_t i = 0; is_run && i < sizeof stage_rows / sizeof *stage_rows; i++)
        is_run = run_stage(&run, &stage_rows[i], error);
    report->elapsed_ns = now_ns() - start;
    if (!is_run) {
        verify_report_free(report);
        return false;
    }
    *ret_report = report;
    return true;
}

void verify_report_free(VerifyReport *report)
{
    if (report)
        arena_free(report->arena); /* the report lives in its own arena */
}
