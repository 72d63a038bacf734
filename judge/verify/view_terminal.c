/* The verification for people: stages, one aligned row a submission, the time limit, then what is to be mended. */
#include <string.h>

#include "verify/verify.h"

typedef struct View {
    const VerifyReport *report;
    const TerminalStyle *style;
    FILE *stream;
} View;

static const char red[] = "\x1b[31m", green[] = "\x1b[32m", yellow[] = "\x1b[33m", bold[] = "\x1b[1m",
                  plain[] = "\x1b[0m";

static const char *colour(const View *view, const char *code)
{
    return view->style->has_colour ? code : "";
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* ---- submissions -------------------------------------------------------------------------------------------- */

static int widest_name(const VerifyReport *report)
{
    size_t width = strlen("submission");
    for (size_t i = 0; i < report->submission_count; i++)
        if (strlen(report->submissions[i].submission->name) > width)
            width = strlen(report->submissions[i].submission->name);
    return (int)width;
}

static int widest_expectation(const VerifyReport *report)
{
    size_t width = strlen("expected");
    for (size_t i = 0; i < report->submission_count; i++)
        if (strlen(report->submissions[i].expected) > width)
            width = strlen(report->submissions[i].expected);
    return (int)width;
}

/* "20 AC, 3 WA" of the tests that ran, "-" if none did. */
static const char *count_text(const VerifiedSubmission *entry, Arena *arena)
{
    auto_buffer Buffer text = {0};
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        if (entry->counts[i] > 0)
            buffer_format(&text, "%s%zu %s", text.size ? ", " : "", entry->counts[i], verdict_row((Verdict)i)->word);
    if (entry->run_count < entry->test_count && entry->run_count > 0)
        buffer_format(&text, ", %zu not run", entry->test_count - entry->run_count);
    return text.size ? arena_string(arena, buffer_text(&text)) : "-";
}

static const char *slowest_text(const VerifiedSubmission *entry, Arena *arena)
{
    if (entry->slowest_ns < 0)
        return "-";
    return arena_format(arena, "%s%.3f s", entry->is_slowest_cut ? ">" : "", seconds(entry->slowest_ns));
}

/* How many times the slowest test fits into the limit: below 1 it does not. */
static const char *headroom_text(const VerifyReport *report, const VerifiedSubmission *entry, Arena *arena)
{
    if (entry->slowest_ns <= 0)
        return "-";
    return arena_format(arena, "%s%.1fx", entry->is_slowest_cut ? "<" : "",
                        (double)report->bounds.used_ns / (double)entry->slowest_ns);
}

static void print_submission(const View *view, const VerifiedSubmission *entry, int name_width, int expected_width)
{
    Arena *arena = view->report->arena;
    const char *got = entry->skipped ? entry->skipped : verdict_row(entry->verdict)->word;
    const char *mark = entry->skipped && entry->is_as_expected ? "skip" : entry->is_as_expected ? "ok" : "FAIL";
    fprintf(view->stream, "  %s%-4s%s  %-*s  %-*s  %-4s  %9s  %6s  %s\n",
            colour(view, !entry->is_as_expected ? red
                         : entry->skipped       ? yellow
                                                : green),
            mark, colour(view, plain), name_width, entry->submission->name, expected_width, entry->expected, got,
            slowest_text(entry, arena), headroom_text(view->report, entry, arena), count_text(entry, arena));
}

static void print_submissions(const View *view)
{
    const VerifyReport *report = view->report;
    int name_width = widest_name(report), expected_width = widest_expectation(report);
    if (report->submission_count == 0)
        return;
    fprintf(view->stream, "  %s%-4s  %-*s  %-*s  %-4s  %9s  %6s  %s%s\n", colour(view, bold), "", name_width,
            "submission", expected_width, "expected", "got", "slowest", "room", "tests", colour(view, plain));
    for (size_t i = 0; i < report->submission_count; i++)
        print_submission(view, &report->submissions[i], name_width, expected_width);
    fputc('\n', view->stream);
}

/* ---- time limit --------------------------------------------------------------------------------------------- */

static void print_limit(const View *view)
{
    const TimeBounds *bounds = &view->report->bounds;
    if (bounds->limit_ns > 0)
        fprintf(view->stream, "  time limit %.3f s", seconds(bounds->limit_ns));
    else
        fprintf(view->stream, "  no time limit is given");
    if (bounds->lower_ns >= 0)
        fprintf(view->stream, "; at least %.3f s for %s", seconds(bounds->lower_ns), bounds->lower_name);
    if (bounds->upper_ns >= 0)
        fprintf(view->stream, "; at most %.3f s%s for %s", seconds(bounds->upper_ns),
                bounds->is_upper_open ? " or more" : "", bounds->upper_name);
    fputc('\n', view->stream);
}

static void print_calibration(const View *view)
{
    const TimeBounds *bounds = &view->report->bounds;
    if (!bounds->was_calibrated || bounds->calibrated_ns < 0)
        return;
    bool is_fitting = bounds->limit_ns >= bounds->calibrated_ns;
    fprintf(view->stream, "  calibration yields %.3f s on this machine: ", seconds(bounds->calibrated_ns));
    if (bounds->limit_ns == 0)
        fprintf(view->stream, "put `time_limit: %g` below `limits:` in problem.yaml\n", seconds(bounds->calibrated_ns));
    else if (is_fitting)
        fprintf(view->stream, "%sproblem.yaml's %.3f s fits%s\n", colour(view, green), seconds(bounds->limit_ns),
                colour(view, plain));
    else
        fprintf(view->stream, "%sproblem.yaml's %.3f s is too tight%s\n", colour(view, red), seconds(bounds->limit_ns),
                colour(view, plain));
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

static void print_finding(const View *view, const Finding *finding)
{
    const RuleRow *rule = verify_rule(finding->rule);
    const char *level_colour = rule->level == LEVEL_WARNING ? yellow : red;
    fprintf(view->stream, "%s%s %s%s ", colour(view, level_colour), rule_level_word(rule->level), rule->id,
            colour(view, plain));
    if (*finding->file && finding->line > 0)
        fprintf(view->stream, "%s:%d: ", finding->file, finding->line);
    else if (*finding->file)
        fprintf(view->stream, "%s: ", finding->file);
    fprintf(view->stream, "%s\n    %s\n", rule->title, finding->text);
    if (finding->command)
        fprintf(view->stream, "    again: %s\n", finding->command);
}

static void print_stages(const View *view)
{
    for (size_t i = 0; i < view->report->stage_count; i++) {
        const VerifyStage *stage = &view->report->stages[i];
        if (!stage->was_run)
            fprintf(view->stream, "  -     %s (not run)\n", stage->name);
        else if (stage->finding_count == 0)
            fprintf(view->stream, "  %sok%s    %s\n", colour(view, green), colour(view, plain), stage->name);
        else
            fprintf(view->stream, "  %s%-4zu%s  %s\n", colour(view, yellow), stage->finding_count, colour(view, plain),
                    stage->name);
    }
    fputc('\n', view->stream);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_summary(const View *view)
{
    const VerifyReport *report = view->report;
    size_t errors = report->level_counts[LEVEL_ERROR], warnings = report->level_counts[LEVEL_WARNING],
           timings = report->level_counts[LEVEL_TIMING];
    bool is_well = errors + timings == 0 && !report->judge_error;
    fprintf(view->stream, "%s%s: %s%s, %zu error%s, %zu timing, %zu warning%s, %zu tests, %zu submissions, %.1f s\n",
            colour(view, is_well ? green : red), report->problem->name, is_well ? "verified" : "NOT verified",
            colour(view, plain), errors, plural(errors), timings, warnings, plural(warnings),
            report->problem->test_count, report->submission_count, seconds(report->elapsed_ns));
}

void verify_print_terminal(const VerifyReport *report, const TerminalStyle *style, FILE *stream)
{
    View view = {.report = report, .style = style, .stream = stream};
    if (!style->is_quiet) {
        print_stages(&view);
        print_submissions(&view);
        print_limit(&view);
        print_calibration(&view);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < report->finding_count; i++)
        if (!style->is_quiet || verify_rule(report->findings[i].rule)->level != LEVEL_WARNING)
            print_finding(&view, &report->findings[i]);
    if (report->judge_error)
        fprintf(stream, "%sjudge error%s %s\n", colour(&view, red), colour(&view, plain), report->judge_error);
    print_summary(&view);
}
