/* The report of one judged submission: a plain model that measuring code fills and every view renders.
 *
 * All strings and arrays belong to the report's arena. Sizes are bytes, times nanoseconds; -1 means unknown.
 * Views (terminal, JSON) live in judge/report and read nothing but this model. */
#ifndef GAVEL_REPORT_H
#define GAVEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

/* ---- verdicts (table: verdicts.def) ------------------------------------------------------------------------- */

typedef enum Verdict {
#define VERDICT(word, name, ...) VERDICT_##name,
#include "gavel/verdicts.def"
#undef VERDICT
    VERDICT_COUNT,
    VERDICT_NONE /* not judged (yet): a test that was not run */
} Verdict;

typedef enum VerdictColour { COLOUR_GREEN, COLOUR_RED, COLOUR_YELLOW, COLOUR_MAGENTA } VerdictColour;

/* What a verdict counts as in a Kattis package's expectations. */
typedef enum KattisVerdict { KATTIS_AC, KATTIS_WA, KATTIS_TLE, KATTIS_RTE, KATTIS_CE, KATTIS_JE } KattisVerdict;

typedef enum DeviceMask { DEVICE_CPU = 1, DEVICE_PTX = 2, DEVICE_GPU = 4 } DeviceMask;

typedef struct VerdictRow {
    const char *word; /* "AC": JSON and terminal */
    const char *text; /* "accepted" */
    const char *text_zh;
    VerdictColour colour;
    KattisVerdict kattis;
    unsigned devices;  /* DeviceMask */
    const char *twins; /* words of rejecting verdicts that another device may give instead */
} VerdictRow;

/* The row of a verdict; VERDICT_NONE has one too ("-", "not run"). Static. */
const VerdictRow *verdict_row(Verdict verdict);

/* Looks a word up ("AC"); false if there is none. */
bool verdict_from_word(const char *word, Verdict *ret_verdict);

/* ---- parts of a report -------------------------------------------------------------------------------------- */

typedef enum DiagnosticLevel { DIAGNOSTIC_ERROR, DIAGNOSTIC_WARNING, DIAGNOSTIC_NOTE } DiagnosticLevel;

/* One message of the compiler about the submission. Text is the compiler's, made safe for a terminal. */
typedef struct Diagnostic {
    DiagnosticLevel level;
    const char *file; /* as the contestant named it */
    int line, column; /* from 1; 0 if unknown */
    const char *text;
} Diagnostic;

typedef struct CompileReport {
    bool is_needed; /* false: nothing to compile for this language */
    bool has_succeeded;
    bool is_cached;     /* taken from the artifact cache */
    const char *reason; /* why it failed beyond diagnostics ("compile time limit of 30 s exceeded"), or NULL */
    Diagnostic *diagnostics;
    size_t diagnostic_count;
    const char *log; /* the compiler's output, cut and made safe; "" if none */
    bool is_log_cut;
    int64_t cpu_ns, wall_ns, memory_peak_bytes;
} CompileReport;

/* One run of the program on a test. A run that ended close to a limit is done again; the last attempt decides. */
typedef struct Attempt {
    Verdict verdict;
    int64_t cpu_ns, wall_ns;
    int64_t memory_peak_bytes;
    int64_t output_bytes;
    int exit_code;     /* -1 if none */
    int signal;        /* 0 if none */
    const char *cause; /* the sandbox's word: "exit", "cpu", "memory" ... */
} Attempt;

typedef struct TestReport {
    const char *name; /* "sample/1", "secret/020-snake" */
    bool is_sample;
    Verdict verdict;   /* VERDICT_NONE: not run, since an earlier test failed */
    Attempt *attempts; /* at least one if it ran; the last one decides */
    size_t attempt_count;
    const char *detail; /* one line: "signal 11 (segmentation fault)", "exit code 3", or NULL */
    const char *hint;   /* "peak memory is at the limit: likely out of memory", or NULL */
} TestReport;

/* The first difference between an output and the answer; both sides cut around it and made printable. */
typedef struct Difference {
    bool is_present;
    int64_t line, column;  /* in the submission's output, from 1; column counts bytes */
    int64_t token_index;   /* from 1; 0 if the difference is white space */
    int64_t output_offset; /* bytes */
    const char *expected;  /* "end of output" cases are said in `what` */
    const char *got;
    const char *what; /* one sentence: "different token", "output ends too early", "trailing token" ... */
} Difference;

/* What a sanitizer build run on the failing test found. */
typedef struct SanitizerReport {
    bool is_present;
    const char *kind;     /* "heap-buffer-overflow", "stack-overflow", "signed integer overflow" ... */
    const char *file;     /* the contestant's file name */
    int line;             /* 0 if unknown */
    const char *function; /* or NULL */
} SanitizerReport;

/* The first failing test, as far as the problem's feedback policy lets it be seen. */
typedef struct FailureReport {
    bool is_present;
    size_t test_index;
    Difference difference;
    SanitizerReport sanitizer;
    const char *input;         /* head of the input, printable; only where it may be shown, else NULL */
    const char *message;       /* a custom validator's team message, or NULL */
    const char *judge_message; /* a validator's judge message; only for verify and samples, else NULL */
    const char *policy;        /* "sample", or the problem's feedback word: what was allowed to be shown */
} FailureReport;

typedef struct NamedHash {
    const char *name;
    const char *sha256;
} NamedHash;

/* Everything needed to replay a verdict. */
typedef struct Provenance {
    const char *problem_sha256, *tests_sha256, *checker_sha256, *source_sha256, *artifact_sha256;
    const char *compiler;                             /* "gcc 12.2.0 (Debian 12.2.0-14)" */
    const char *compiler_sha256;                      /* identity used in the cache key */
    const char *command;                              /* the compile command as one line, for people */
    const char *gavel_version, *gavel_build;          /* release, and hash of our own executable */
    const char *isolation, *cgroup, *degraded_reason; /* sandbox words; reason NULL if not degraded */
    const char *device;                               /* "cpu" */
    const char *kernel, *processor;
    uint64_t seed;
    int64_t time_limit_ns, wall_limit_ns, idle_limit_ns, memory_limit_bytes, stack_limit_bytes, output_limit_bytes;
    const char *started_at; /* RFC 3339 UTC */
} Provenance;

enum { REPORT_SCHEMA_VERSION = 1 };

typedef struct Report {
    Arena *arena;
    const char *problem; /* short name: "islands" */
    const char *problem_title;
    const char *problem_title_zh; /* or NULL */
    const char *source_name;
    const char *language; /* "c", "cpp", "python3" */
    Verdict verdict;
    double score, score_max; /* pass-fail: 0 or 100, of 100 */
    CompileReport compile;
    TestReport *tests; /* all that the package has, in judging order */
    size_t test_count;
    size_t passed_count, run_count;
    int64_t slowest_index; /* test with the largest CPU time, -1 if none ran */
    FailureReport failure;
    const char *judge_error; /* for JE: the step and its cause, one sentence; else NULL */
    const char **notes;      /* remarks for the reader ("isolation is degraded: ...") */
    size_t note_count;
    int64_t elapsed_ns;
    Provenance provenance;
} Report;

/* An empty report with an arena of its own. Free with report_free. */
Report *report_new(void);
void report_free(Report *report);
void report_add_note(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- views -------------------------------------------------------------------------------------------------- */

typedef struct TerminalStyle {
    bool has_colour; /* ANSI colours; the caller has looked at NO_COLOR and isatty */
    bool is_chinese; /* interface words in Chinese */
    int width;       /* columns; 0: 80 */
    bool is_quiet;   /* only the verdict line */
} TerminalStyle;

/* Writes the report for people: verdict first, then tests in an aligned table, then the first failure. */
void report_print_terminal(const Report *report, const TerminalStyle *style, FILE *stream);

/* The report as JSON text (docs/report.schema.json, version REPORT_SCHEMA_VERSION), appended to `out`, with a final
 * newline. False only when out of memory. */
bool report_write_json(const Report *report, Buffer *out, Error *error) MUST_CHECK;

/* Makes untrusted bytes printable: valid UTF-8 stays, control characters, escapes and invalid bytes become \xNN;
 * newline becomes \n unless keep_newlines. At most max_bytes of input are used. Owned by the arena. */
const char *report_printable(Arena *arena, const void *data, size_t size, size_t max_bytes, bool keep_newlines);

#endif
