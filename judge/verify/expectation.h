/* Expectations of submissions: what the package says each of its own solutions must get, and whether it did. */
#ifndef GAVEL_VERIFY_EXPECTATION_H
#define GAVEL_VERIFY_EXPECTATION_H

#include "verify/verify.h"

typedef struct ExpectationFailure {
    VerifyRule rule;
    const char *text; /* one sentence */
} ExpectationFailure;

/* "AC"; "WA, else AC" (some test must get WA, others may get AC). Owned by `arena`. */
const char *expectation_text(const ProblemSubmission *submission, Arena *arena);

/* What every expectation permits, as bits of Kattis verdicts. */
unsigned expectation_permitted(const ProblemSubmission *submission);

/* What of its expectations a judged submission breaks, at most one a rule; count 0 if it is as expected.
 * `seen` are the Kattis verdicts of its tests (or of the build) as bits; `message` is the judge message or NULL. */
size_t expectation_check(const ProblemSubmission *submission, unsigned seen, Verdict verdict, const char *message,
                         Arena *arena, ExpectationFailure ret_failures[4]);

#endif
