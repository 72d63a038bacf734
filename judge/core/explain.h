/* What a contestant gets to see of a failing test. */
#ifndef GAVEL_CORE_EXPLAIN_H
#define GAVEL_CORE_EXPLAIN_H

#include "core/tokens.h"
#include "gavel/problem.h"
#include "gavel/report.h"

/* One answer a question that a policy decides. */
typedef struct Visibility {
    const char *policy; /* for FailureReport.policy */
    bool has_difference;
    bool has_input;
    bool has_judge_message;
    bool has_exit_code; /* also the size of the output: both can carry hidden data out */
} Visibility;

/* Samples and authors see everything; else the problem's policy holds. */
Visibility visibility_of(FeedbackPolicy policy, bool is_sample, bool is_author);

/* The first difference, both sides cut around it and printable. */
Difference explain_difference(const TokensResult *tokens, const char *output, size_t output_size, const char *answer,
                              size_t answer_size, Arena *arena);

/* The head of an input, printable. */
const char *explain_input(const char *input, size_t size, Arena *arena);

/* Takes out of a test's report what must not be seen. */
void explain_redact(TestReport *test, const Visibility *visibility);

#endif
