/* Is the time limit far enough from both sides? Rules of packages.md 1.4, on the times the submissions just took. */
#include "verify/stage.h"

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static const char *calibrate_command(VerifyRun *run)
{
    return arena_format(run->arena, "gavel verify %s --calibrate", verify_quote(run->arena, run->problem->directory));
}

static void check_lower(VerifyRun *run)
{
    const TimeBounds *bounds = &run->report->bounds;
    if (bounds->limit_ns == 0 || bounds->lower_ns <= bounds->limit_ns)
        return;
    verify_find(run, RULE_LIMIT_BELOW_BOUND, "problem.yaml", 0, calibrate_command(run),
                "the limit is %.3f s, but %s needs at least %.3f s (its slowest test x %g)", seconds(bounds->limit_ns),
                bounds->lower_name, seconds(bounds->lower_ns), run->problem->limits.ac_to_time_limit);
}

/* The fastest of those that must be too slow decides. One that was stopped might have taken for ever. */
static void find_upper_bound(VerifyRun *run)
{
    TimeBounds *bounds = &run->report->bounds;
    for (size_t i = 0; i < run->report->submission_count; i++) {
        const VerifiedSubmission *entry = &run->report->submissions[i];
        if (!entry->submission->counts_for_upper_bound || entry->slowest_ns < 0)
            continue;
        int64_t bound = (int64_t)((double)entry->slowest_ns / run->problem->limits.time_limit_to_tle);
        if (bounds->upper_ns >= 0 && bound >= bounds->upper_ns)
            continue;
        bounds->upper_ns = bound;
        bounds->upper_name = entry->submission->name;
        bounds->is_upper_open = entry->is_slowest_cut;
    }
}

static void check_upper(VerifyRun *run)
{
    const TimeBounds *bounds = &run->report->bounds;
    if (bounds->upper_ns < 0 || bounds->is_upper_open || bounds->used_ns <= bounds->upper_ns)
        return;
    /* 2025-09 makes the margin a rule; legacy knows it as advice only. */
    bool is_advice = run->problem->format == PROBLEM_FORMAT_LEGACY;
    verify_find(run, is_advice ? RULE_LIMIT_LEGACY_MARGIN : RULE_LIMIT_ABOVE_BOUND, "problem.yaml", 0,
                calibrate_command(run), "the limit is %.3f s, but %s allows at most %.3f s (its slowest test / %g)",
                seconds(bounds->used_ns), bounds->upper_name, seconds(bounds->upper_ns),
                run->problem->limits.time_limit_to_tle);
}

static void check_value(VerifyRun *run)
{
    const TimeBounds *bounds = &run->report->bounds;
    int64_t step = run->problem->limits.time_resolution_ns;
    if (bounds->limit_ns == 0)
        verify_find(run, RULE_LIMIT_ABSENT, "problem.yaml", 0, calibrate_command(run), "calibration here yields %.3f s",
                    seconds(bounds->calibrated_ns > 0 ? bounds->calibrated_ns : 0));
    else if (run->problem->format == PROBLEM_FORMAT_2025_09 && step > 0 && bounds->limit_ns % step != 0)
        verify_find(run, RULE_LIMIT_NOT_MULTIPLE, "problem.yaml", 0, NULL, "%.3f s is not a multiple of %.3f s",
                    seconds(bounds->limit_ns), seconds(step));
}

bool verify_limits(VerifyRun *run, Error *error)
{
    (void)error;
    find_upper_bound(run);
    check_value(run);
    check_lower(run);
    check_upper(run);
    return true;
}
