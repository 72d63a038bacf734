/* Every submission of the package gets what the package says it gets.
 *
 * Verdicts are read off at the problem's time limit, but a submission may run with a higher one, so that one run
 * answers two questions: a submission that must be too slow runs at limit x time_limit_to_tle, and shows whether it
 * exceeds the limit clearly; with --calibrate those that must be fast enough run with a generous limit, and show what
 * the limit should be. A test that took longer than the problem's limit then counts as TLE, whatever it printed. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "verify/expectation.h"
#include "verify/stage.h"

static const int64_t second = 1000000000;

enum { SUBMISSION_MAX_BYTES = 256 << 20, GENEROUS_FACTOR = 10, GENEROUS_SECONDS = 20 };

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* A directory with one source in it is that source; with several it is more than this judge can build yet. */
static const char *only_source(VerifyRun *run, const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    const char *found = NULL;
    size_t sources = 0;
    for (int i = 0; i < count; i++) {
        if (language_by_file_name(entries[i]->d_name)) {
            found = arena_format(run->arena, "%s/%s", directory, entries[i]->d_name);
            sources++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return sources == 1 ? found : NULL;
}

static const char *source_path(VerifyRun *run, const ProblemSubmission *submission)
{
    struct stat status;
    bool is_directory = stat(submission->path, &status) == 0 && S_ISDIR(status.st_mode);
    return is_directory ? only_source(run, submission->path) : submission->path;
}

/* ---- one run ------------------------------------------------------------------------------------------------ */

typedef struct Candidate {
    const ProblemSubmission *submission;
    VerifiedSubmission *entry;
    const char *path, *command;
    Buffer source;
    JudgeJob job;
    bool is_decided; /* more tests could not change whether it is as expected */
} Candidate;

static int64_t job_limit(const VerifyRun *run, const ProblemSubmission *submission)
{
    const TimeBounds *bounds = &run->report->bounds;
    if (submission->counts_for_lower_bound && bounds->was_calibrated) {
        int64_t generous = GENEROUS_FACTOR * bounds->limit_ns;
        return generous > GENEROUS_SECONDS * second ? generous : GENEROUS_SECONDS * second;
    }
    if (submission->counts_for_upper_bound)
        return (int64_t)ceil((double)bounds->used_ns * run->problem->limits.time_limit_to_tle);
    return bounds->used_ns;
}

/* All tests matter where a wrong answer or a crash is permitted, since another test could still give what is not.
 * Where time limits are permitted the first one may decide: burning the limit on every test proves nothing more. */
static bool starts_exhaustive(const ProblemSubmission *submission)
{
    unsigned permitted = expectation_permitted(submission);
    return permitted & (1u << KATTIS_WA | 1u << KATTIS_RTE) && !(permitted & 1u << KATTIS_TLE);
}

static Verdict verdict_at_limit(const TestReport *test, int64_t limit_ns)
{
    bool is_slow = test->attempt_count > 0 && test->attempts[test->attempt_count - 1].cpu_ns > limit_ns;
    bool is_timing_already = verdict_row(test->verdict)->kattis == KATTIS_TLE;
    bool is_judgement = test->verdict != VERDICT_NONE && test->verdict != VERDICT_JUDGE_ERROR;
    return is_slow && is_judgement && !is_timing_already ? VERDICT_TIME_LIMIT : test->verdict;
}

static void note_slowest(VerifiedSubmission *entry, const TestReport *test, Arena *arena)
{
    if (test->attempt_count == 0)
        return;
    int64_t cpu_ns = test->attempts[test->attempt_count - 1].cpu_ns;
    if (cpu_ns <= entry->slowest_ns)
        return;
    entry->slowest_ns = cpu_ns;
    entry->slowest_test = arena_string(arena, test->name);
    entry->is_slowest_cut = verdict_row(test->verdict)->kattis == KATTIS_TLE;
}

static void summarise(VerifyRun *run, VerifiedSubmission *entry, const Report *report)
{
    *entry = (VerifiedSubmission){.submission = entry->submission,
                                  .expected = entry->expected,
                                  .slowest_ns = -1,
                                  .verdict = VERDICT_ACCEPTED,
                                  .test_count = report->test_count};
    for (size_t i = 0; i < report->test_count; i++) {
        const TestReport *test = &report->tests[i];
        Verdict verdict = verdict_at_limit(test, run->report->bounds.used_ns);
        if (verdict == VERDICT_NONE)
            continue;
        entry->run_count++;
        entry->counts[verdict]++;
        if (entry->verdict == VERDICT_ACCEPTED)
            entry->verdict = verdict;
        note_slowest(entry, test, run->arena);
    }
    if (report->verdict == VERDICT_COMPILE_ERROR || report->verdict == VERDICT_JUDGE_ERROR)
        entry->verdict = report->verdict;
}

/* What the contract is held against. 2025-09: the verdicts of all tests. Legacy: the final verdict, which is that of
 * the first failing test; what later tests would have said is not part of that contract. */
static unsigned seen_verdicts(const VerifyRun *run, const VerifiedSubmission *entry)
{
    if (run->problem->format == PROBLEM_FORMAT_LEGACY)
        return 1u << KATTIS_AC | 1u << verdict_row(entry->verdict)->kattis;
    unsigned seen = entry->run_count == 0 ? 1u << verdict_row(entry->verdict)->kattis : 0;
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        if (entry->counts[i] > 0)
            seen |= 1u << verdict_row((Verdict)i)->kattis;
    return seen;
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

static const char *first_diagnostic(const CompileReport *compile)
{
    for (size_t i = 0; i < compile->diagnostic_count; i++)
        if (compile->diagnostics[i].level == DIAGNOSTIC_ERROR)
            return compile->diagnostics[i].text;
    return compile->reason;
}

static const char *explain(const VerifyRun *run, const Report *report)
{
    const char *diagnostic = first_diagnostic(&report->compile);
    if (report->verdict == VERDICT_COMPILE_ERROR)
        return arena_format(run->arena, " (it does not compile: %s)",
                            diagnostic ? diagnostic : "see the compiler's log");
    if (!report->failure.is_present || report->failure.test_index >= report->test_count)
        return "";
    const TestReport *test = &report->tests[report->failure.test_index];
    const char *detail = test->detail ? test->detail : verdict_row(test->verdict)->text;
    return arena_format(run->arena, " (%s: %s)", test->name, detail);
}

static void judge_expectations(VerifyRun *run, Candidate *candidate, const Report *report, bool is_last)
{
    VerifiedSubmission *entry = candidate->entry;
    ExpectationFailure failures[4];
    unsigned seen = seen_verdicts(run, entry);
    size_t count = expectation_check(candidate->submission, seen, entry->verdict, report->failure.judge_message,
                                     run->arena, failures);
    bool is_whole = entry->run_count == entry->test_count || entry->run_count == 0;
    bool has_forbidden = count > 0 && failures[0].rule == RULE_VERDICT_NOT_PERMITTED;
    bool ends_in_time_limit = verdict_row(entry->verdict)->kattis == KATTIS_TLE;
    entry->is_as_expected = count == 0;
    candidate->is_decided = is_whole || has_forbidden || (count == 0 && ends_in_time_limit);
    if (!candidate->is_decided && !is_last)
        return;
    for (size_t i = 0; i < count; i++)
        verify_find(run, failures[i].rule, candidate->path, 0, candidate->command, "%s%s", failures[i].text,
                    explain(run, report));
}

/* With --fast only samples ran: what a wrong solution does on hidden tests is not known, only that it builds and, if
 * it must be accepted, that it passes them. */
static void judge_samples_only(VerifyRun *run, Candidate *candidate, const Report *report)
{
    VerifiedSubmission *entry = candidate->entry;
    unsigned forbidden = seen_verdicts(run, entry) & ~expectation_permitted(candidate->submission);
    entry->is_as_expected = !forbidden;
    candidate->is_decided = true;
    if (forbidden)
        verify_find(run, RULE_VERDICT_NOT_PERMITTED, candidate->path, 0, candidate->command,
                    "on the samples it gets %s%s", verdict_row(entry->verdict)->word, explain(run, report));
}

static void note_judge_error(VerifyRun *run, const Candidate *candidate, const Report *report)
{
    const char *cause = report->judge_error ? report->judge_error : "no cause was given";
    if (!run->report->judge_error)
        run->report->judge_error = arena_format(run->arena, "%s: %s", candidate->submission->name, cause);
}

/* ---- judging ------------------------------------------------------------------------------------------------ */

static void skip(VerifiedSubmission *entry, const char *reason)
{
    entry->skipped = reason;
    entry->is_as_expected = true;
}

/* What is wrong with the package is a finding; only a fault of ours goes on as an Error. */
static bool give_up(VerifyRun *run, const Candidate *candidate, Error *error)
{
    if (error->kind != ERROR_INPUT)
        return false;
    verify_find(run, RULE_SUBMISSION_UNREADABLE, candidate->path, 0, candidate->command, "%s", error_text(error));
    error_clear(error);
    skip(candidate->entry, "unusable");
    candidate->entry->is_as_expected = false;
    return true;
}

static bool judge_once(VerifyRun *run, Candidate *candidate, bool is_last, Error *error)
{
    Report *report;
    if (!judge_submission(run->judge, &candidate->job, run->sink.events, run->cancel, &report, error))
        return false;
    summarise(run, candidate->entry, report);
    if (report->verdict == VERDICT_JUDGE_ERROR) {
        candidate->is_decided = true;
        note_judge_error(run, candidate, report);
    } else if (run->options->is_fast) {
        judge_samples_only(run, candidate, report);
    } else {
        judge_expectations(run, candidate, report, is_last);
    }
    report_free(report);
    return true;
}

static bool judge_candidate(VerifyRun *run, Candidate *candidate, Error *error)
{
    bool is_exhaustive = candidate->job.is_exhaustive;
    bool is_judged = judge_once(run, candidate, is_exhaustive, error);
    if (is_judged && !candidate->is_decided && !is_exhaustive) {
        candidate->job.is_exhaustive = true;
        is_judged = judge_once(run, candidate, true, error);
    }
    return is_judged || give_up(run, candidate, error);
}

static const char *command_for(VerifyRun *run, const char *path)
{
    Arena *arena = run->arena;
    return arena_format(arena, "gavel judge %s %s --all --seed %llu", verify_quote(arena, run->problem->directory),
                        verify_quote(arena, path), (unsigned long long)run->options->seed);
}

static bool prepare(VerifyRun *run, const ProblemSubmission *submission, Candidate *candidate, Error *error)
{
    const char *path = source_path(run, submission);
    const char *slash = path ? strrchr(path, '/') : NULL;
    const Language *language = slash ? language_by_file_name(slash + 1) : NULL;
    if (!language) {
        verify_find(run, RULE_LANGUAGE_UNSUPPORTED, submission->path, 0, NULL, "%s",
                    path ? "no supported language has files of this name"
                         : "a directory must hold exactly one source file");
        skip(candidate->entry, "unsupported");
        return true;
    }
    candidate->path = path;
    candidate->command = command_for(run, path);
    if (!fd_read_file(path, SUBMISSION_MAX_BYTES, &candidate->source, error))
        return give_up(run, candidate, error);
    candidate->job = (JudgeJob){.problem = run->problem,
                                .source_name = slash + 1,
                                .source = buffer_text(&candidate->source),
                                .source_size = candidate->source.size,
                                .language = language,
                                .is_author = true,
                                .has_no_sanitizer = true,
                                .tests = run->options->is_fast ? JUDGE_SAMPLES : JUDGE_ALL_TESTS,
                                .seed = run->options->seed,
                                .is_exhaustive = run->options->is_fast || starts_exhaustive(submission),
                                .time_limit_ns = job_limit(run, submission)};
    return true;
}

static bool verify_submission(VerifyRun *run, const ProblemSubmission *submission, VerifiedSubmission *entry,
                              Error *error)
{
    Candidate candidate = {.submission = submission, .entry = entry};
    verify_step(run, submission->name, NULL);
    bool is_verified = !verify_is_cancelled(run, error) && prepare(run, submission, &candidate, error) &&
                       (entry->skipped || judge_candidate(run, &candidate, error));
    buffer_done(&candidate.source);
    return is_verified;
}

/* ---- the stage ---------------------------------------------------------------------------------------------- */

static bool verify_those(VerifyRun *run, bool counts_for_lower_bound, Error *error)
{
    for (size_t i = 0; i < run->problem->submission_count; i++) {
        const ProblemSubmission *submission = &run->problem->submissions[i];
        if (submission->counts_for_lower_bound == counts_for_lower_bound &&
            !verify_submission(run, submission, &run->report->submissions[i], error))
            return error_wrap(error, "%s", submission->name);
    }
    return true;
}

/* A submission says what the limit must at least be only if all its tests ran to their end. */
static void find_lower_bound(VerifyRun *run)
{
    TimeBounds *bounds = &run->report->bounds;
    double factor = run->problem->limits.ac_to_time_limit;
    for (size_t i = 0; i < run->report->submission_count; i++) {
        const VerifiedSubmission *entry = &run->report->submissions[i];
        if (!entry->submission->counts_for_lower_bound || entry->slowest_ns < 0)
            continue;
        int64_t bound = (int64_t)((double)entry->slowest_ns * factor);
        if (bound <= bounds->lower_ns)
            continue;
        bounds->lower_ns = bound;
        bounds->lower_name = entry->submission->name;
    }
}

static void calibrate(VerifyRun *run)
{
    TimeBounds *bounds = &run->report->bounds;
    int64_t step = run->problem->limits.time_resolution_ns;
    if (bounds->lower_ns < 0 || step <= 0)
        return;
    int64_t steps = (bounds->lower_ns + step - 1) / step;
    bounds->calibrated_ns = (steps > 0 ? steps : 1) * step;
    if (bounds->limit_ns == 0)
        bounds->used_ns = bounds->calibrated_ns;
}

static void start_entries(VerifyRun *run)
{
    VerifyReport *report = run->report;
    report->submission_count = run->problem->submission_count;
    report->submissions = arena_new_array(run->arena, VerifiedSubmission, report->submission_count);
    for (size_t i = 0; i < report->submission_count; i++) {
        const ProblemSubmission *submission = &run->problem->submissions[i];
        report->submissions[i] = (VerifiedSubmission){.submission = submission,
                                                      .verdict = VERDICT_NONE,
                                                      .slowest_ns = -1,
                                                      .expected = expectation_text(submission, run->arena)};
    }
}

static void start_bounds(VerifyRun *run)
{
    int64_t limit_ns = run->problem->limits.time_ns;
    bool is_generous = run->options->calibrates || limit_ns == 0;
    run->report->bounds = (TimeBounds){.limit_ns = limit_ns,
                                       .used_ns = limit_ns ? limit_ns : GENEROUS_SECONDS * second,
                                       .lower_ns = -1,
                                       .upper_ns = -1,
                                       .calibrated_ns = -1,
                                       .was_calibrated = is_generous && !run->options->is_fast};
}

/* Those that must be fast enough come first: without a limit in the package, they say what it is for the others. */
bool verify_submissions(VerifyRun *run, Error *error)
{
    start_entries(run);
    start_bounds(run);
    if (!verify_those(run, true, error))
        return false;
    find_lower_bound(run);
    calibrate(run);
    return verify_those(run, false, error);
}
