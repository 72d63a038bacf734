/* What the stages of a verification share: the run they are part of, and how they report what they find. */
#ifndef GAVEL_VERIFY_STAGE_H
#define GAVEL_VERIFY_STAGE_H

#include "verify/verify.h"

typedef struct VerifyRun {
    Judge *judge;
    const Problem *problem;
    const VerifyOptions *options;
    VerifySink sink;
    const CancelToken *cancel;
    VerifyReport *report;
    Arena *arena; /* the report's */
    size_t finding_capacity;
    bool has_no_data; /* generated tests could not be made: what reads them is pointless */
} VerifyRun;

/* Adds a finding; `file` is an absolute path inside the package, a path below it, or "". `command` may be NULL. */
void verify_find(VerifyRun *run, VerifyRule rule, const char *file, int line, const char *command, const char *format,
                 ...) PRINTF_LIKE(6, 7);

void verify_step(const VerifyRun *run, const char *subject, const char *text);

/* True if the user gave up; fills the error like judge_submission does. */
bool verify_is_cancelled(const VerifyRun *run, Error *error);

/* The tests this level looks at: all, or with --fast the samples. */
bool verify_looks_at(const VerifyRun *run, const TestCase *test);

/* A word of a shell command, quoted if need be. */
const char *verify_quote(Arena *arena, const char *word);

/* The stages, in order. Each returns false on faults only. */
bool verify_structure(VerifyRun *run, Error *error) MUST_CHECK;
bool verify_data(VerifyRun *run, Error *error) MUST_CHECK;
bool verify_inputs(VerifyRun *run, Error *error) MUST_CHECK;
bool verify_answers(VerifyRun *run, Error *error) MUST_CHECK;
bool verify_submissions(VerifyRun *run, Error *error) MUST_CHECK;
bool verify_limits(VerifyRun *run, Error *error) MUST_CHECK;

#endif
