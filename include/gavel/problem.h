/* A problem package in memory: what a Kattis package (legacy, 2023-07, 2025-09) and our gavel.yaml say, as one model.
 *
 * Formats: Kattis Problem Package Format, versions legacy and 2025-09 (https://www.kattis.com/problem-package-format/).
 * A Problem belongs to an arena of its own; every string in it lives as long as the Problem. Errors about a package's
 * content are ERROR_INPUT with "FILE:LINE: " (and ":COLUMN" where known) in front. */
#ifndef GAVEL_PROBLEM_H
#define GAVEL_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "gavel/report.h"

typedef enum ProblemFormat { PROBLEM_FORMAT_LEGACY, PROBLEM_FORMAT_2023_07, PROBLEM_FORMAT_2025_09 } ProblemFormat;

/* Properties from `type` and `validation`; pass-fail is the absence of SCORING. */
typedef enum ProblemTrait {
    PROBLEM_SCORING = 1,
    PROBLEM_INTERACTIVE = 2,
    PROBLEM_MULTI_PASS = 4,
    PROBLEM_SUBMIT_ANSWER = 8,
} ProblemTrait;

/* What a contestant sees of a failing hidden test (gavel.yaml `feedback:`). Samples are always shown in full. */
typedef enum FeedbackPolicy {
    FEEDBACK_VERDICT,    /* "verdict": the verdict and which test (default) */
    FEEDBACK_DIFFERENCE, /* "difference": the first difference too */
    FEEDBACK_INPUT,      /* "input": the difference and the input's head */
} FeedbackPolicy;

const char *feedback_policy_word(FeedbackPolicy policy);

/* Limits in bytes, nanoseconds; package value or the default. */
typedef struct ProblemLimits {
    int64_t time_ns;                  /* 0: none given; must be calibrated */
    int64_t time_resolution_ns;       /* default 1 s */
    double ac_to_time_limit;          /* default 2 (legacy time_multiplier: 5) */
    double time_limit_to_tle;         /* default 1.5 (legacy time_safety_margin: 2) */
    int64_t memory_bytes;             /* default 2048 MiB */
    int64_t stack_bytes;              /* gavel.yaml stack_bytes; default: memory_bytes */
    int64_t output_bytes;             /* default 8 MiB */
    int64_t code_bytes;               /* default 128 KiB */
    int64_t compilation_time_ns;      /* default 60 s */
    int64_t compilation_memory_bytes; /* default 2048 MiB */
    int64_t validation_time_ns;       /* default 60 s */
    int64_t validation_memory_bytes;  /* default 2048 MiB */
    int64_t validation_output_bytes;  /* default 8 MiB */
} ProblemLimits;

/* Flags of the default output validator; one meaning for all versions. */
typedef struct ValidatorFlags {
    bool is_case_sensitive;
    bool is_space_change_sensitive;
    const char *float_absolute; /* tolerance as written (a decimal), or NULL */
    const char *float_relative;
} ValidatorFlags;

/* One test case. Content is not loaded: paths lead to it. */
typedef struct TestCase {
    const char *name; /* "sample/1", "secret/020-snake": path below data/, without .in */
    bool is_sample;
    const char *input_path; /* absolute */
    const char *answer_path;
    size_t group_index;      /* in Problem.groups */
    const char *description; /* .desc or .yaml description, or NULL */
    const char *hint;
    ValidatorFlags validator_flags; /* as inherited, for the default validator */
    const char **validator_args;    /* as inherited, for a custom one; NULL-terminated */
    const char **program_args;      /* `args` of 2025-09; NULL-terminated */
} TestCase;

/* A test group (pass-fail: accepted iff all in it are). Group 0 is data/ itself, parents come before children. */
typedef struct TestGroup {
    const char *name;        /* "", "sample", "secret", "secret/group1" */
    size_t parent_index;     /* its own index for the root */
    bool is_break_on_reject; /* legacy on_reject: break (default) */
} TestGroup;

/* What the package says a submission in submissions/ must get: one contract, in Kattis verdicts. */
typedef struct Expectation {
    const char *directory; /* "accepted", "wrong_answer" ... or the glob of submissions.yaml it comes from */
    unsigned permitted;    /* bit set 1 << KattisVerdict: verdicts that any test may get */
    unsigned required;     /* bit set: at least one test gets one of these; 0: nothing required */
    const char *message;   /* text that must be part of a judge message, or NULL */
} Expectation;

typedef struct ProblemSubmission {
    const char *path; /* absolute: file or directory */
    const char *name; /* "accepted/bfs.c" */
    const Expectation *expectations;
    size_t expectation_count;
    bool is_model;               /* model_solution, or gavel.yaml `model:` */
    bool counts_for_lower_bound; /* its slowest run is a lower bound of the time limit */
    bool counts_for_upper_bound;
    Verdict exact_verdict; /* gavel.yaml `verdicts:` names it exactly; VERDICT_NONE if not */
} ProblemSubmission;

/* A program of the author's: a file or directory with its language left to the build. */
typedef struct AuthorProgram {
    const char *path;
    const char *name;
} AuthorProgram;

/* gavel.yaml `data:`: one generated test. */
typedef struct GeneratedTest {
    const char *name;                         /* "secret/020-snake" */
    const char **args;                        /* of the generator, NULL-terminated; the seed is one of them */
    const char *input_sha256, *answer_sha256; /* from the lock file, or NULL if it is not locked yet */
} GeneratedTest;

typedef struct Problem {
    Arena *arena;
    const char *name;      /* directory's base name: "islands" */
    const char *directory; /* absolute */
    ProblemFormat format;
    unsigned traits;                                /* ProblemTrait */
    const char *title, *title_zh;                   /* never NULL / NULL if there is none */
    const char *statement_path, *statement_zh_path; /* Markdown or TeX; NULL if absent */
    const char *uuid, *license, *author;            /* or NULL */
    const char **keywords;                          /* NULL-terminated */
    ProblemLimits limits;
    TestGroup *groups;
    size_t group_count;
    TestCase *tests; /* judging order: sample, then secret, by name, depth first */
    size_t test_count;
    AuthorProgram *input_validators;
    size_t input_validator_count;
    AuthorProgram *output_validator; /* NULL: the default one */
    ProblemSubmission *submissions;
    size_t submission_count;
    /* gavel.yaml */
    FeedbackPolicy feedback;
    const char *model_path;   /* the solution that answers custom input, absolute; NULL: first accepted one */
    const char *difficulty;   /* "easy", "medium", "hard", or NULL */
    AuthorProgram *generator; /* NULL if all data is in the package */
    GeneratedTest *generated;
    size_t generated_count;
    const char *starter_directory; /* attachments/templates, or NULL */
    const char **warnings;         /* "FILE:LINE: text" of what is tolerated; NULL-terminated */
    const char *sha256;            /* of the whole package: names and contents, generated data by its lock */
    const char *tests_sha256;      /* of all inputs, answers and flags */
} Problem;

/* Where to read generated data from. */
typedef struct ProblemPaths {
    const char *data_cache; /* directory with <name>-<hash>/secret/...; see problem_data_directory */
} ProblemPaths;

/* Reads the package in `directory`. Strict: an unknown key in gavel.yaml or a broken rule is ERROR_INPUT; what the
 * field tolerates becomes a warning. Generated tests are part of `tests` with paths into the package's data/ if
 * present there, else into the data cache; whether those files exist is for the caller to see (problem_missing_data).
 * A package without any test is ERROR_INPUT. On success free *ret_problem with problem_free. */
bool problem_load(const char *directory, const ProblemPaths *paths, Problem **ret_problem, Error *error) MUST_CHECK;
void problem_free(Problem *problem);

/* Number of tests whose .in or .ans does not exist yet, and must be generated. */
size_t problem_missing_data(const Problem *problem);

/* Directory where this problem's generated data belongs (made by nobody yet). Owned by the problem's arena. */
const char *problem_data_directory(const Problem *problem);

/* ---- the bank ----------------------------------------------------------------------------------------------- */

typedef struct ProblemSummary {
    const char *name, *title, *title_zh, *difficulty, *directory;
    const char **keywords;
    const char *error; /* why the package can't be read, or NULL */
} ProblemSummary;

/* All packages along a search path (colon-separated directories; each entry's folders with a problem.yaml), by name,
 * the first of two equal names. Owned by `arena`. A broken package is listed with its error. */
bool bank_list(const char *search_path, Arena *arena, ProblemSummary **ret_list, size_t *ret_count,
               Error *error) MUST_CHECK;

/* Directory of the problem `name`: a path with a slash or an existing directory with problem.yaml is taken as it is,
 * else the first package of that name along the search path. ERROR_INPUT names close matches. Owned by `arena`. */
bool bank_find(const char *search_path, const char *name, Arena *arena, const char **ret_directory,
               Error *error) MUST_CHECK;

#endif
