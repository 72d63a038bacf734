/* Answers must pass the output validator themselves. The default one is asked directly. A custom one needs files beside
 * it, which only the journey of a submission gives it: there every accepted submission puts it to the test. */
#include "base/fd.h"
#include "core/tokens.h"
#include "verify/stage.h"

enum { ANSWER_MAX_BYTES = 1 << 30 };

static bool check_answer(VerifyRun *run, const TestCase *test, Error *error)
{
    auto_buffer Buffer answer = {0};
    if (!fd_read_file(test->answer_path, ANSWER_MAX_BYTES, &answer, error))
        return false;
    const char *text = buffer_text(&answer);
    TokensResult result = tokens_compare(text, answer.size, text, answer.size, &test->validator_flags);
    if (result.outcome != TOKENS_EQUAL)
        verify_find(run, RULE_ANSWER_REJECTED, test->answer_path, (int)result.answer_line, NULL,
                    "the answer of %s is not accepted as an output: %s", test->name,
                    tokens_outcome_text(result.outcome));
    if ((int64_t)answer.size > run->problem->limits.output_bytes)
        verify_find(run, RULE_ANSWER_REJECTED, test->answer_path, 0, NULL,
                    "the answer of %s has %zu bytes, more than the output limit of %lld", test->name, answer.size,
                    (long long)run->problem->limits.output_bytes);
    return true;
}

bool verify_answers(VerifyRun *run, Error *error)
{
    if (run->problem->output_validator)
        return true;
    for (size_t i = 0; i < run->problem->test_count; i++) {
        if (!verify_looks_at(run, &run->problem->tests[i]))
            continue;
        if (!check_answer(run, &run->problem->tests[i], error))
            return false;
    }
    return true;
}
