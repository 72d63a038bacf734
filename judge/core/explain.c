/* Explaining a failure without giving hidden data away: the policy is this file's table. */
#include "core/explain.h"

#include <string.h>

enum {
    CONTEXT_BEFORE = 30, /* bytes shown before the first different byte */
    CONTEXT_AFTER = 60,
    INPUT_MAX_BYTES = 1024,
};

static const Visibility visibilities[] = {
    [FEEDBACK_VERDICT] = {.policy = "verdict"},
    [FEEDBACK_DIFFERENCE] = {.policy = "difference", .has_difference = true, .has_exit_code = true},
    [FEEDBACK_INPUT] = {.policy = "input", .has_difference = true, .has_input = true, .has_exit_code = true},
};

Visibility visibility_of(FeedbackPolicy policy, bool is_sample, bool is_author)
{
    static const Visibility everything = {.policy = "sample",
                                          .has_difference = true,
                                          .has_input = true,
                                          .has_judge_message = true,
                                          .has_exit_code = true};
    return is_sample || is_author ? everything : visibilities[policy];
}

/* ---- the difference ------------------------------------------------------------------------------------------- */

/* Where two tokens part: a long one is shown around that place, not from its start. */
static size_t common_prefix(const char *left, size_t left_size, const char *right, size_t right_size)
{
    size_t shorter = left_size < right_size ? left_size : right_size, i = 0;
    while (i < shorter && left[i] == right[i])
        i++;
    return i;
}

static bool is_line_end(char character)
{
    return character == '\n' || character == '\r';
}

typedef struct Cut {
    size_t start, end;
    bool has_more_before, has_more_after;
} Cut;

/* A window around `offset`, which stays on its line unless the difference is white space itself. */
static Cut cut_around(const char *text, size_t size, size_t offset, bool is_one_line)
{
    Cut cut = {.start = offset, .end = offset};
    while (cut.start > 0 && offset - cut.start < CONTEXT_BEFORE && !(is_one_line && is_line_end(text[cut.start - 1])))
        cut.start--;
    while (cut.end < size && cut.end - offset < CONTEXT_AFTER && !(is_one_line && is_line_end(text[cut.end])))
        cut.end++;
    cut.has_more_before = cut.start > 0 && !(is_one_line && is_line_end(text[cut.start - 1]));
    cut.has_more_after = cut.end < size && !(is_one_line && is_line_end(text[cut.end]));
    return cut;
}

static const char *show_around(const char *text, size_t size, size_t offset, bool is_one_line, Arena *arena)
{
    Cut cut = cut_around(text, size, offset > size ? size : offset, is_one_line);
    const char *shown = report_printable(arena, text + cut.start, cut.end - cut.start, cut.end - cut.start, false);
    return arena_format(arena, "%s%s%s", cut.has_more_before ? "..." : "", shown, cut.has_more_after ? "..." : "");
}

Difference explain_difference(const TokensResult *tokens, const char *output, size_t output_size, const char *answer,
                              size_t answer_size, Arena *arena)
{
    bool is_one_line = tokens->outcome != TOKENS_SPACE_DIFFERENT;
    size_t shared = 0;
    if (tokens->outcome == TOKENS_DIFFERENT || tokens->outcome == TOKENS_NUMBER_OFF)
        shared = common_prefix(output + tokens->output_offset, tokens->output_length, answer + tokens->answer_offset,
                               tokens->answer_length);
    return (Difference){
        .is_present = true,
        .line = tokens->line,
        .column = tokens->column,
        .token_index = tokens->token_index,
        .output_offset = (int64_t)tokens->output_offset,
        .expected = show_around(answer, answer_size, tokens->answer_offset + shared, is_one_line, arena),
        .got = show_around(output, output_size, tokens->output_offset + shared, is_one_line, arena),
        .what = tokens_outcome_text(tokens->outcome),
    };
}

const char *explain_input(const char *input, size_t size, Arena *arena)
{
    const char *head = report_printable(arena, input, size, INPUT_MAX_BYTES, true);
    return size > INPUT_MAX_BYTES ? arena_format(arena, "%s...", head) : head;
}

/* ---- redaction ------------------------------------------------------------------------------------------------ */

/* An exit code is the submission's to choose, and hidden input could be read out through it a byte a time. */
void explain_redact(TestReport *test, const Visibility *visibility)
{
    if (visibility->has_exit_code)
        return;
    for (size_t i = 0; i < test->attempt_count; i++) {
        Attempt *attempt = &test->attempts[i];
        if (attempt->exit_code > 0 && !attempt->signal)
            test->detail = "exit code other than 0";
        attempt->exit_code = -1;
        attempt->output_bytes = -1;
    }
}
