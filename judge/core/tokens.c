/* Token comparison. Both sides are walked once, token by token; what is the same byte for byte is skipped first, eight
 * bytes at a time. Where a difference lies (line, column, index) is worked out only after one has been found. */
#include "core/tokens.h"

#include <string.h>

#include "core/decimal.h"

static const bool is_space[256] = {
    ['\t'] = true, ['\n'] = true, ['\v'] = true, ['\f'] = true, ['\r'] = true, [' '] = true};

/* What makes two tokens equal. */
typedef struct Rules {
    bool is_case_sensitive;
    bool has_tolerance;
    DecimalTolerance tolerance;
} Rules;

/* One input and its current token. */
typedef struct Side {
    const char *data;
    size_t size;
    size_t start, end; /* the token; start == size: there is none left */
} Side;

static bool is_space_at(const Side *side, size_t offset)
{
    return is_space[(unsigned char)side->data[offset]];
}

static void next_token(Side *side)
{
    size_t at = side->end;
    while (at < side->size && is_space_at(side, at))
        at++;
    side->start = at;
    while (at < side->size && !is_space_at(side, at))
        at++;
    side->end = at;
}

static bool has_token(const Side *side)
{
    return side->start < side->size;
}

/* ---- two tokens ------------------------------------------------------------------------------------------------ */

static unsigned char folded(char character)
{
    unsigned char byte = (unsigned char)character;
    return (unsigned)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

static bool is_same_folded(const char *left, const char *right, size_t size)
{
    size_t i = 0;
    while (i < size && folded(left[i]) == folded(right[i]))
        i++;
    return i == size;
}

static TokensOutcome compare_token(const Side *output, const Side *answer, const Rules *rules)
{
    const char *left = output->data + output->start, *right = answer->data + answer->start;
    size_t left_size = output->end - output->start, right_size = answer->end - answer->start;
    if (left_size == right_size && memcmp(left, right, left_size) == 0)
        return TOKENS_EQUAL;
    Decimal value, reference;
    if (rules->has_tolerance && decimal_parse(right, right_size, &reference) && decimal_parse(left, left_size, &value))
        return decimal_is_close(&value, &reference, &rules->tolerance) ? TOKENS_EQUAL : TOKENS_NUMBER_OFF;
    if (!rules->is_case_sensitive && left_size == right_size && is_same_folded(left, right, left_size))
        return TOKENS_EQUAL;
    return TOKENS_DIFFERENT;
}

/* ---- all tokens ------------------------------------------------------------------------------------------------ */

static size_t common_prefix(const Side *left, const Side *right)
{
    size_t size = left->size < right->size ? left->size : right->size, at = 0;
    uint64_t left_word, right_word;
    for (; size - at >= sizeof left_word; at += sizeof left_word) {
        memcpy(&left_word, left->data + at, sizeof left_word);
        memcpy(&right_word, right->data + at, sizeof right_word);
        if (left_word != right_word)
            break;
    }
    while (at < size && left->data[at] == right->data[at])
        at++;
    return at;
}

/* Puts both sides behind what they have in common, at a place where no token is cut. */
static void skip_common(Side *left, Side *right)
{
    size_t at = common_prefix(left, right);
    while (at > 0 && !is_space_at(left, at - 1))
        at--;
    left->end = right->end = at;
}

/* Leaves both sides at the first tokens that differ. */
static TokensOutcome compare_tokens(Side *output, Side *answer, const Rules *rules)
{
    skip_common(output, answer);
    TokensOutcome outcome = TOKENS_EQUAL;
    while (outcome == TOKENS_EQUAL) {
        next_token(output);
        next_token(answer);
        if (!has_token(output) || !has_token(answer))
            break;
        outcome = compare_token(output, answer, rules);
    }
    if (outcome != TOKENS_EQUAL)
        return outcome;
    if (has_token(answer))
        return TOKENS_OUTPUT_SHORT;
    return has_token(output) ? TOKENS_OUTPUT_LONG : TOKENS_EQUAL;
}

/* ---- all white space, once the tokens are known to be equal ---------------------------------------------------- */

/* The gap before the current token, without what both gaps begin with. A gap that ends early is shown by the byte that
 * stands in the place of its space. */
static void show_gap(Side *side, size_t gap_start, size_t common)
{
    size_t gap_end = side->start;
    side->start = gap_start + common;
    side->end = gap_end > side->start || side->start == side->size ? gap_end : side->start + 1;
}

static TokensOutcome compare_spaces(Side *output, Side *answer)
{
    output->end = answer->end = 0;
    do {
        size_t output_gap = output->end, answer_gap = answer->end, common = 0;
        next_token(output);
        next_token(answer);
        size_t output_length = output->start - output_gap, answer_length = answer->start - answer_gap;
        while (common < output_length && common < answer_length &&
               output->data[output_gap + common] == answer->data[answer_gap + common])
            common++;
        if (common < output_length || common < answer_length) {
            show_gap(output, output_gap, common);
            show_gap(answer, answer_gap, common);
            return TOKENS_SPACE_DIFFERENT;
        }
    } while (has_token(output));
    return TOKENS_EQUAL;
}

/* ---- where --------------------------------------------------------------------------------------------------- */

static int64_t count_tokens_before(const Side *side)
{
    int64_t count = 0;
    for (size_t at = 0; at < side->start; at++)
        count += !is_space_at(side, at) && (at == 0 || is_space_at(side, at - 1));
    return count;
}

static int64_t line_of(const Side *side, size_t *ret_line_start)
{
    int64_t line = 1;
    const char *newline, *at = side->data, *end = side->data + side->start;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
        line++;
    *ret_line_start = (size_t)(at - side->data);
    return line;
}

static TokensResult locate(TokensOutcome outcome, const Side *output, const Side *answer)
{
    if (outcome == TOKENS_EQUAL)
        return (TokensResult){.outcome = TOKENS_EQUAL};
    size_t line_start, answer_line_start;
    TokensResult result = {
        .outcome = outcome,
        .token_index = outcome == TOKENS_SPACE_DIFFERENT ? 0 : count_tokens_before(output) + 1,
        .line = line_of(output, &line_start),
        .output_offset = output->start,
        .output_length = output->end - output->start,
        .answer_offset = answer->start,
        .answer_length = answer->end - answer->start,
        .answer_line = line_of(answer, &answer_line_start),
    };
    result.column = (int64_t)(output->start - line_start) + 1;
    return result;
}

TokensResult tokens_compare(const char *output, size_t output_size, const char *answer, size_t answer_size,
                            const ValidatorFlags *flags)
{
    /* An empty side may come without data. */
    Side output_side = {.data = output_size ? output : "", .size = output_size};
    Side answer_side = {.data = answer_size ? answer : "", .size = answer_size};
    if (output_size == answer_size && (output_size == 0 || memcmp(output, answer, output_size) == 0))
        return (TokensResult){.outcome = TOKENS_EQUAL};
    Rules rules = {.is_case_sensitive = flags->is_case_sensitive};
    decimal_tolerance_init(&rules.tolerance, flags->float_absolute, flags->float_relative);
    rules.has_tolerance = rules.tolerance.has_absolute || rules.tolerance.has_relative;

    TokensOutcome outcome = compare_tokens(&output_side, &answer_side, &rules);
    if (outcome == TOKENS_EQUAL && flags->is_space_change_sensitive)
        outcome = compare_spaces(&output_side, &answer_side);
    return locate(outcome, &output_side, &answer_side);
}

const char *tokens_outcome_text(TokensOutcome outcome)
{
    static const char *const texts[] = {
        [TOKENS_EQUAL] = "the output equals the answer",
        [TOKENS_DIFFERENT] = "the output has a different token",
        [TOKENS_NUMBER_OFF] = "a number is off by more than the tolerance",
        [TOKENS_OUTPUT_SHORT] = "the output ends too early",
        [TOKENS_OUTPUT_LONG] = "the output goes on after the expected end",
        [TOKENS_SPACE_DIFFERENT] = "white space differs from the answer's, and this problem compares it",
    };
    return texts[outcome];
}
