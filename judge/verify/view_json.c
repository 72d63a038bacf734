/* The verification as JSON, from the same model as the terminal's view. */
#include "verify/verify.h"

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* null for what is unknown */
static json_t *seconds_or_null(int64_t ns)
{
    return ns < 0 ? json_null() : json_real(seconds(ns));
}

static json_t *counts_json(const VerifiedSubmission *entry)
{
    json_t *counts = json_object();
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        if (entry->counts[i] > 0)
            (void)json_object_set_new(counts, verdict_row((Verdict)i)->word,
                                      json_integer((json_int_t)entry->counts[i]));
    return counts;
}

static json_t *submission_json(const VerifyReport *report, const VerifiedSubmission *entry)
{
    json_t *headroom =
        entry->slowest_ns > 0 ? json_real((double)report->bounds.used_ns / (double)entry->slowest_ns) : json_null();
    return json_pack("{s:s, s:s, s:s, s:b, s:s?, s:o, s:I, s:I, s:o, s:s?, s:b, s:o}", "name", entry->submission->name,
                     "expected", entry->expected, "verdict", verdict_row(entry->verdict)->word, "as_expected",
                     entry->is_as_expected, "skipped", entry->skipped, "counts", counts_json(entry), "tests_run",
                     (json_int_t)entry->run_count, "tests", (json_int_t)entry->test_count, "slowest_s",
                     seconds_or_null(entry->slowest_ns), "slowest_test", entry->slowest_test, "slowest_was_stopped",
                     entry->is_slowest_cut, "headroom", headroom);
}

static json_t *submissions_json(const VerifyReport *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->submission_count; i++)
        (void)json_array_append_new(list, submission_json(report, &report->submissions[i]));
    return list;
}

static json_t *finding_json(const Finding *finding)
{
    const RuleRow *rule = verify_rule(finding->rule);
    json_t *line = finding->line > 0 ? json_integer(finding->line) : json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:s?}", "rule", rule->id, "level", rule_level_word(rule->level),
                     "title", rule->title, "file", finding->file, "line", line, "text", finding->text, "command",
                     finding->command);
}

static json_t *findings_json(const VerifyReport *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->finding_count; i++)
        (void)json_array_append_new(list, finding_json(&report->findings[i]));
    return list;
}

static json_t *bounds_json(const TimeBounds *bounds)
{
    return json_pack("{s:o, s:o, s:s?, s:o, s:s?, s:b, s:o}", "limit_s",
                     bounds->limit_ns > 0 ? json_real(seconds(bounds->limit_ns)) : json_null(), "lower_s",
                     seconds_or_null(bounds->lower_ns), "lower_by", bounds->lower_name, "upper_s",
                     seconds_or_null(bounds->upper_ns), "upper_by", bounds->upper_name, "upper_is_open",
                     bounds->is_upper_open, "calibrated_s",
                     bounds->was_calibrated ? seconds_or_null(bounds->calibrated_ns) : json_null());
}

static json_t *stages_json(const VerifyReport *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->stage_count; i++) {
        const VerifyStage *stage = &report->stages[i];
        (void)json_array_append_new(list, json_pack("{s:s, s:b, s:I, s:f}", "name", stage->name, "run", stage->was_run,
                                                    "findings", (json_int_t)stage->finding_count, "elapsed_s",
                                                    seconds(stage->elapsed_ns)));
    }
    return list;
}

json_t *verify_to_json(const VerifyReport *report)
{
    bool is_well = report->level_counts[LEVEL_ERROR] + report->level_counts[LEVEL_TIMING] == 0 && !report->judge_error;
    return json_pack("{s:i, s:s, s:s?, s:b, s:b, s:s?, s:o, s:o, s:o, s:o, s:f, s:o}", "schema", 1, "problem",
                     report->problem->name, "problem_sha256", report->problem->sha256, "ok", is_well, "fast",
                     report->is_fast, "judge_error", report->judge_error, "stages", stages_json(report), "findings",
                     findings_json(report), "submissions", submissions_json(report), "time_limit",
                     bounds_json(&report->bounds), "elapsed_s", seconds(report->elapsed_ns), "seed",
                     json_sprintf("%llu", (unsigned long long)report->seed));
}
