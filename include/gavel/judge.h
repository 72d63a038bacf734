/* The journey of a submission: judge_submission(job, events, cancel) -> report.
 *
 * No terminal, no globals: the caller gives an event sink (a progress line is one, a server's stream another) and may
 * cancel from a signal handler. Whatever the submission does is data in the report; Error is kept for unusable calls.
 */
#ifndef GAVEL_JUDGE_H
#define GAVEL_JUDGE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gavel/problem.h"
#include "gavel/report.h"
#include "gavel/sandbox.h"

/* ---- languages (table in judge/core/language.c) ------------------------------------------------------------- */

typedef struct Language Language;

/* By id ("c", "cpp", "python3"); by the file's name (".c", ".cpp .cc .cxx .C", ".py"). NULL if there is none. */
const Language *language_by_id(const char *id);
const Language *language_by_file_name(const char *file_name);
const char *language_id(const Language *language);
const char *language_title(const Language *language);     /* "C (gnu17)" */
const char *language_extension(const Language *language); /* ".c": what `gavel start` writes */
/* i-th language of the table, NULL past the end. */
const Language *language_at(size_t index);

/* ---- context ------------------------------------------------------------------------------------------------ */

typedef struct JudgeConfig {
    const char *cache_directory; /* artifacts and generated data; NULL: $GAVEL_CACHE, else $XDG_CACHE_HOME/gavel, else
                                    ~/.cache/gavel, else /var/cache/gavel */
    int64_t cache_max_bytes;     /* 0: 2 GiB */
    bool is_cache_off;           /* neither read nor write artifacts */
    SandboxConfig sandbox;
    const char *degraded_policy; /* reserved: NULL */
} JudgeConfig;

typedef struct Judge Judge;

/* Opens the sandbox and the cache; cleans up what a killed judge left. Free with judge_close. */
bool judge_open(const JudgeConfig *config, Judge **ret_judge, Error *error) MUST_CHECK;
void judge_close(Judge *judge);
Sandbox *judge_sandbox(Judge *judge);             /* borrowed */
const char *judge_data_cache(const Judge *judge); /* for ProblemPaths; borrowed */
/* Default cache directory for a NULL in JudgeConfig, without opening anything. Owned by `arena`. */
const char *judge_default_cache(Arena *arena);

/* ---- events: the words of the event stream ------------------------------------------------------------------ */

typedef enum EventKind {
    EVENT_QUEUED,
    EVENT_GENERATING, /* test data is being made: index of count */
    EVENT_COMPILING,
    EVENT_COMPILED,   /* verdict AC or CE; is_cached */
    EVENT_TEST,       /* a test is over: index (from 1) of count, its name and verdict */
    EVENT_RERUN,      /* a run near a limit is done again */
    EVENT_SANITIZING, /* the failing test is run in a sanitizer build */
    EVENT_FINISHED,
    EVENT_KIND_COUNT
} EventKind;

const char *event_word(EventKind kind); /* "queued", "compiling", "test" ... */

typedef struct Event {
    EventKind kind;
    size_t index, count;
    const char *name; /* the test's name, or NULL */
    Verdict verdict;
    bool is_cached;
    int64_t cpu_ns, wall_ns, memory_bytes; /* of a test */
    double score;                          /* of finished */
} Event;

typedef struct EventSink {
    void (*on_event)(void *context, const Event *event); /* NULL: nobody listens */
    void *context;
} EventSink;

/* Set from a signal handler or another part of the loop; looked at between and during runs. */
typedef struct CancelToken {
    volatile sig_atomic_t is_cancelled;
} CancelToken;

/* ---- jobs --------------------------------------------------------------------------------------------------- */

typedef enum JudgeTests {
    JUDGE_ALL_TESTS,
    JUDGE_SAMPLES, /* hidden tests are neither opened nor generated */
} JudgeTests;

typedef struct JudgeJob {
    const Problem *problem;
    const char *source_name; /* base name as the contestant calls it: "my.c" */
    const void *source;      /* any bytes */
    size_t source_size;
    const Language *language; /* NULL: by source_name */
    JudgeTests tests;
    bool is_exhaustive;    /* run all tests even after one fails (verify) */
    bool is_author;        /* show everything of every test, ignore the feedback policy (verify) */
    bool has_no_sanitizer; /* do not run a sanitizer build after a crash */
    int64_t time_limit_ns; /* 0: the problem's; verify calibrates with a higher one */
    uint64_t seed;
} JudgeJob;

/* Judges a submission: build, run and validate every test, aggregate, explain the first failure.
 * Verdicts, CE and JE included, are in the report; false only if the job itself is unusable (ERROR_INPUT: unknown
 * language, a problem type that is not supported) or was cancelled (ERROR_FAULT, errno ECANCELED).
 * Free *ret_report with report_free. */
bool judge_submission(Judge *judge, const JudgeJob *job, EventSink events, const CancelToken *cancel,
                      Report **ret_report, Error *error) MUST_CHECK;

/* One run on custom input, for `gavel test --input`: the submission's output and the model solution's beside it.
 * Never touches hidden tests. */
typedef struct CustomRun {
    Report *report; /* compile part, one test "custom", verdict of comparing with the model's answer */
    char *output;   /* submission's output, terminated; cut at output_cap */
    size_t output_size;
    char *answer; /* the model's, or NULL if there is no model or it failed on this input */
    size_t answer_size;
    const char *answer_error; /* why there is no answer ("the input is not valid: ..."), or NULL; in report's arena */
} CustomRun;

bool judge_custom_input(Judge *judge, const JudgeJob *job, const void *input, size_t input_size, EventSink events,
                        const CancelToken *cancel, CustomRun *ret_run, Error *error) MUST_CHECK;
void custom_run_done(CustomRun *run);

/* ---- author programs (verify, generate) --------------------------------------------------------------------- */

/* What an author's program (validator, generator) did on one run. */
typedef struct AuthorRun {
    bool has_exited; /* false: killed or crashed; see what */
    int exit_code;
    const char *what; /* "exit code 1", "time limit of 60 s exceeded", "signal 6 (aborted)" */
    char *output;     /* standard output, terminated */
    size_t output_size;
    const char *message; /* head of standard error, printable */
    int64_t cpu_ns;
} AuthorRun;

/* Builds (through the cache) and runs an author's program in the sandbox, profile `author`. `input` may be NULL.
 * False on faults and when it does not compile (ERROR_INPUT with the compiler's message). Strings belong to `arena`. */
bool judge_author_run(Judge *judge, const Problem *problem, const AuthorProgram *program, const char *const *args,
                      const void *input, size_t input_size, Arena *arena, AuthorRun *ret_run, Error *error) MUST_CHECK;

/* Makes the data that problem_missing_data counts: generator, then model solution, in the sandbox; checks both
 * against the lock file; writes into problem_data_directory atomically (two judges at once are safe).
 * With `target_directory` not NULL all generated tests are written there instead ("data" of a package).
 * ERROR_INPUT if the package can't produce them or a hash differs. */
bool judge_generate_data(Judge *judge, const Problem *problem, const char *target_directory, EventSink events,
                         const CancelToken *cancel, Error *error) MUST_CHECK;

/* The same tests made twice without the lock file, for authors: rewrites data/gavel.lock. */
bool judge_write_lock(Judge *judge, const Problem *problem, EventSink events, const CancelToken *cancel,
                      Error *error) MUST_CHECK;

#endif
