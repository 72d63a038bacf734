/* gavel verify: does a problem package keep its promises? Every check is a rule with a stable id (rules.def).
 *
 * The package is judged by the very code that judges contestants. A broken package is findings in the report, never an
 * Error; an Error is a fault of ours or the machine's, or a cancelled run. */
#ifndef GAVEL_VERIFY_VERIFY_H
#define GAVEL_VERIFY_VERIFY_H

#include <jansson.h>
#include <stdio.h>

#include "gavel/judge.h"

typedef enum VerifyRule {
#define RULE(name, ...) RULE_##name,
#include "verify/rules.def"
#undef RULE
    RULE_COUNT
} VerifyRule;

typedef enum RuleLevel { LEVEL_ERROR, LEVEL_WARNING, LEVEL_TIMING, RULE_LEVEL_COUNT } RuleLevel;

typedef struct RuleRow {
    const char *id; /* "PKG402" */
    RuleLevel level;
    const char *title;
} RuleRow;

const RuleRow *verify_rule(VerifyRule rule);  /* static */
const char *rule_level_word(RuleLevel level); /* "error", "warning", "timing" */

typedef struct Finding {
    VerifyRule rule;
    const char *file;    /* below the package, "" if it is about the package itself */
    int line;            /* 0 if unknown */
    const char *text;    /* one sentence */
    const char *command; /* one line that shows it again, or NULL */
} Finding;

typedef struct VerifiedSubmission {
    const ProblemSubmission *submission;
    const char *expected;         /* "AC", "WA, or AC elsewhere" ... */
    const char *skipped;          /* why it was not judged, or NULL */
    Verdict verdict;              /* at the problem's time limit */
    size_t counts[VERDICT_COUNT]; /* tests with each verdict, at the problem's time limit */
    size_t run_count, test_count;
    int64_t slowest_ns; /* largest CPU time of a test, -1 if nothing ran */
    const char *slowest_test;
    bool is_slowest_cut; /* the slowest run was stopped at a limit: it would have taken longer */
    bool is_as_expected;
} VerifiedSubmission;

/* What the submissions say about the time limit. -1: no submission says anything. */
typedef struct TimeBounds {
    int64_t limit_ns; /* the package's; 0 if it gives none */
    int64_t used_ns;  /* what verdicts were decided with */
    int64_t lower_ns; /* slowest that must pass x ac_to_time_limit */
    const char *lower_name;
    int64_t upper_ns; /* fastest that must exceed it / time_limit_to_tle */
    const char *upper_name;
    bool is_upper_open;    /* it was stopped: the true bound is at least upper_ns */
    int64_t calibrated_ns; /* smallest multiple of time_resolution not below lower_ns; -1 if unknown */
    bool was_calibrated;   /* lower-bound submissions ran with a generous limit */
} TimeBounds;

typedef struct VerifyStage {
    const char *name;
    bool was_run;
    size_t finding_count;
    int64_t elapsed_ns;
} VerifyStage;

enum { VERIFY_STAGE_MAX = 8 };

typedef struct VerifyReport {
    Arena *arena;
    const Problem *problem; /* borrowed */
    Finding *findings;
    size_t finding_count;
    size_t level_counts[RULE_LEVEL_COUNT];
    VerifiedSubmission *submissions; /* in the package's order */
    size_t submission_count;
    TimeBounds bounds;
    VerifyStage stages[VERIFY_STAGE_MAX];
    size_t stage_count;
    const char *judge_error; /* a step of ours failed on the way (exit code 3), or NULL */
    bool is_fast;
    uint64_t seed;
    int64_t elapsed_ns;
} VerifyReport;

typedef struct VerifyOptions {
    bool is_fast;    /* structure, builds and samples only */
    bool calibrates; /* measure with a generous limit what the time limit should be */
    uint64_t seed;
} VerifyOptions;

typedef struct VerifySink {
    void (*on_step)(void *context, const char *subject,
                    const char *text); /* "accepted/bfs.c", or a stage; may be NULL */
    EventSink events;                  /* of the submission or generation at work */
    void *context;
} VerifySink;

/* Runs all stages. False only on faults and cancellation; then there is no report. Free with verify_report_free. */
bool verify_package(Judge *judge, const Problem *problem, const VerifyOptions *options, VerifySink sink,
                    const CancelToken *cancel, VerifyReport **ret_report, Error *error) MUST_CHECK;
void verify_report_free(VerifyReport *report);

/* Views. The JSON value is the caller's; NULL when out of memory. */
void verify_print_terminal(const VerifyReport *report, const TerminalStyle *style, FILE *stream);
json_t *verify_to_json(const VerifyReport *report);

#endif
