/* Fuzz entry of the default output validator. The first byte chooses flags, the next 0xFF parts output from answer.
 * Without a tolerance the result must be that of a slow, plain reading of the specification; with one, comparing a text
 * with itself must succeed, and so must whatever is equal without it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Token {
    size_t start, end;
} Token;

typedef struct Split {
    const char *text;
    size_t size;
    Token *tokens;
    size_t count;
} Split;

static void require(int condition)
{
    if (!condition)
        abort();
}

/* ---- the slow reading -------------------------------------------------------------------------------------------- */

static int is_white(char character)
{
    return character != '\0' && strchr(" \t\n\v\f\r", character) != NULL;
}

static Split split(const char *text, size_t size)
{
    Split result = {.text = text, .size = size, .tokens = calloc(size + 1, sizeof(Token))};
    require(result.tokens != NULL);
    for (size_t i = 0; i < size; i++) {
        if (is_white(text[i]))
            continue;
        if (i == 0 || is_white(text[i - 1]))
            result.tokens[result.count++].start = i;
        result.tokens[result.count - 1].end = i + 1;
    }
    result.tokens[result.count] = (Token){size, size};
    return result;
}

static int lower(char character)
{
    return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character;
}

static int is_equal(const Split *output, const Split *answer, size_t index, int is_case_sensitive)
{
    Token left = output->tokens[index], right = answer->tokens[index];
    if (left.end - left.start != right.end - right.start)
        return 0;
    for (size_t i = 0; i < left.end - left.start; i++) {
        char a = output->text[left.start + i], b = answer->text[right.start + i];
        if (is_case_sensitive ? a != b : lower(a) != lower(b))
            return 0;
    }
    return 1;
}

/* Are the gaps before the tokens `index` the same bytes? */
static int has_equal_gap(const Split *output, const Split *answer, size_t index)
{
    size_t left = index ? output->tokens[index - 1].end : 0, right = index ? answer->tokens[index - 1].end : 0;
    size_t left_size = output->tokens[index].start - left, right_size = answer->tokens[index].start - right;
    return left_size == right_size && memcmp(output->text + left, answer->text + right, left_size) == 0;
}

static TokensOutcome slow_outcome(const Split *output, const Split *answer, const ValidatorFlags *flags, size_t *index)
{
    for (*index = 0; *index < output->count && *index < answer->count; ++*index)
        if (!is_equal(output, answer, *index, flags->is_case_sensitive))
            return TOKENS_DIFFERENT;
    if (output->count != answer->count)
        return output->count < answer->count ? TOKENS_OUTPUT_SHORT : TOKENS_OUTPUT_LONG;
    for (*index = 0; flags->is_space_change_sensitive && *index <= output->count; ++*index)
        if (!has_equal_gap(output, answer, *index))
            return TOKENS_SPACE_DIFFERENT;
    return TOKENS_EQUAL;
}

static void require_place(const TokensResult *result, const Split *output, const Split *answer, size_t index)
{
    int64_t line = 1, column = 1, answer_line = 1;
    for (size_t i = 0; i < result->output_offset; i++) {
        column = output->text[i] == '\n' ? 1 : column + 1;
        line += output->text[i] == '\n';
    }
    for (size_t i = 0; i < result->answer_offset; i++)
        answer_line += answer->text[i] == '\n';
    require(result->line == line && result->column == column && result->answer_line == answer_line);
    require(result->output_offset + result->output_length <= output->size);
    require(result->answer_offset + result->answer_length <= answer->size);
    if (result->outcome == TOKENS_SPACE_DIFFERENT) {
        require(result->token_index == 0);
        require(result->output_length == 0 || result->answer_length == 0 ||
                output->text[result->output_offset] != answer->text[result->answer_offset]);
        return;
    }
    require(result->token_index == (int64_t)index + 1);
    require(result->output_offset == output->tokens[index].start &&
            result->answer_offset == answer->tokens[index].start);
    require(result->output_offset + result->output_length == output->tokens[index].end);
    require(result->answer_offset + result->answer_length == answer->tokens[index].end);
}

static TokensOutcome check_plain(const char *output, size_t output_size, const char *answer, size_t answer_size,
                                 const ValidatorFlags *flags)
{
    Split left = split(output, output_size), right = split(answer, answer_size);
    TokensResult result = tokens_compare(output, output_size, answer, answer_size, flags);
    size_t index;
    require(result.outcome == slow_outcome(&left, &right, flags, &index));
    if (result.outcome != TOKENS_EQUAL)
        require_place(&result, &left, &right, index);
    free(left.tokens);
    free(right.tokens);
    return result.outcome;
}

/* ---- the entry --------------------------------------------------------------------------------------------------- */

static void check_tolerance(const char *output, size_t output_size, const char *answer, size_t answer_size,
                            ValidatorFlags flags, TokensOutcome plain)
{
    static const char *const tolerances[][2] = {{"1e-6", "1e-6"}, {"0", NULL}, {NULL, "0.1"}, {"3e-400", "1e300"}};
    for (size_t i = 0; i < sizeof tolerances / sizeof tolerances[0]; i++) {
        flags.float_absolute = tolerances[i][0];
        flags.float_relative = tolerances[i][1];
        TokensOutcome outcome = tokens_compare(output, output_size, answer, answer_size, &flags).outcome;
        require(plain != TOKENS_EQUAL || outcome == TOKENS_EQUAL);
        require(tokens_compare(output, output_size, output, output_size, &flags).outcome == TOKENS_EQUAL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const ValidatorFlags flags = {.is_case_sensitive = data[0] & 1, .is_space_change_sensitive = data[0] & 2};
    const char *output = (const char *)data + 1;
    const char *parting = memchr(output, 0xFF, size - 1);
    size_t output_size = parting ? (size_t)(parting - output) : (size - 1) / 2;
    const char *answer = parting ? parting + 1 : output + output_size;
    size_t answer_size = size - 1 - output_size - (parting != NULL);

    TokensOutcome plain = check_plain(output, output_size, answer, answer_size, &flags);
    check_tolerance(output, output_size, answer, answer_size, flags, plain);
    return 0;
}
