/* tokens: the default output validator. The first table is section 5 of the study of package formats, row by row (what
 * the three judges in use there get right and wrong); the second is ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "core/tokens.h"
#include "package/validator_flags.h"

typedef struct Text {
    const char *data;
    size_t size;
} Text;
#define T(text)                                                                                                        \
    {                                                                                                                  \
        (text), sizeof(text) - 1                                                                                       \
    }

typedef struct Row {
    const char *name;
    Text answer, output;
    ValidatorFlags flags;
    TokensOutcome outcome;
} Row;

#define PLAIN                                                                                                          \
    {                                                                                                                  \
        0                                                                                                              \
    }
#define CASE                                                                                                           \
    {                                                                                                                  \
        .is_case_sensitive = true                                                                                      \
    }
#define SPACE                                                                                                          \
    {                                                                                                                  \
        .is_space_change_sensitive = true                                                                              \
    }
#define ABS(text)                                                                                                      \
    {                                                                                                                  \
        .float_absolute = (text)                                                                                       \
    }
#define REL(text)                                                                                                      \
    {                                                                                                                  \
        .float_relative = (text)                                                                                       \
    }
#define TOL                                                                                                            \
    {                                                                                                                  \
        .float_absolute = "1e-6", .float_relative = "1e-6"                                                             \
    }
#define TOL_0                                                                                                          \
    {                                                                                                                  \
        .float_absolute = "0", .float_relative = "0"                                                                   \
    }
#define TOL_CASE                                                                                                       \
    {                                                                                                                  \
        .is_case_sensitive = true, .float_absolute = "1e-6", .float_relative = "1e-6"                                  \
    }
#define TOL_SPACE                                                                                                      \
    {                                                                                                                  \
        .is_space_change_sensitive = true, .float_absolute = "1e-6", .float_relative = "1e-6"                          \
    }

#define FORTY_THREE_ZEROS "0000000000000000000000000000000000000000000"

static const Row study[] = {
    {"no final newline", T("1 2\n"), T("1 2"), PLAIN, TOKENS_EQUAL},
    {"extra trailing space", T("1 2\n"), T("1 2 \n\n"), PLAIN, TOKENS_EQUAL},
    {"extra leading space", T("1 2\n"), T(" \n1 2\n"), PLAIN, TOKENS_EQUAL},
    {"CRLF", T("1 2\n3\n"), T("1 2\r\n3\r\n"), PLAIN, TOKENS_EQUAL},
    {"space to newline", T("1 2\n"), T("1\n2\n"), PLAIN, TOKENS_EQUAL},
    {"FF, VT, TAB", T("1 2 3 4\n"), T("1\f2\v3\t4\n"), PLAIN, TOKENS_EQUAL},
    {"no final newline, strict", T("1 2\n"), T("1 2"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"trailing space, strict", T("1 2\n"), T("1 2 \n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"leading space, strict", T("1 2\n"), T(" 1 2\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"CRLF, strict", T("1 2\n"), T("1 2\r\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"space to newline, strict", T("1 2\n"), T("1\n2\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"FF, strict", T("1 2\n"), T("1\f2\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"VT, strict", T("1 2\n"), T("1\v2\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"TAB, strict", T("1 2\n"), T("1\t2\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"NBSP between tokens", T("1 2\n"),
     T("1\xC2\xA0"
       "2\n"),
     PLAIN, TOKENS_DIFFERENT},
    {"0x85 between tokens", T("1 2\n"),
     T("1\x85"
       "2\n"),
     PLAIN, TOKENS_DIFFERENT},
    {"0xA0 between tokens", T("1 2\n"),
     T("1\xA0"
       "2\n"),
     PLAIN, TOKENS_DIFFERENT},
    {"BOM", T("5\n"),
     T("\xEF\xBB\xBF"
       "5\n"),
     PLAIN, TOKENS_DIFFERENT},
    {"BOM, tolerance", T("5\n"),
     T("\xEF\xBB\xBF"
       "5\n"),
     TOL, TOKENS_DIFFERENT},
    {"trailing 0x1A", T("5\n"), T("5\n\x1A"), PLAIN, TOKENS_OUTPUT_LONG},
    {"0x1A on the token", T("5\n"), T("5\x1A"), PLAIN, TOKENS_DIFFERENT},
    {"NUL after the token", T("a"), T("a\0"), PLAIN, TOKENS_DIFFERENT},
    {"NUL and more", T("a"), T("a\0zzz"), PLAIN, TOKENS_DIFFERENT},
    {"NUL after the token, case", T("a"), T("a\0"), CASE, TOKENS_DIFFERENT},
    {"NUL and more, case", T("a"), T("a\0zzz"), CASE, TOKENS_DIFFERENT},
    {"NUL in a number", T("1.5"), T("1.5\0junk"), TOL, TOKENS_DIFFERENT},
    {"empty to white space", T(""), T(" \n\t "), PLAIN, TOKENS_EQUAL},
    {"white space to empty", T(" \n"), T(""), PLAIN, TOKENS_EQUAL},
    {"extra token", T("1 2\n"), T("1 2 3\n"), PLAIN, TOKENS_OUTPUT_LONG},
    {"missing token", T("1 2\n"), T("1\n"), PLAIN, TOKENS_OUTPUT_SHORT},
    {"case", T("Yes"), T("YES"), PLAIN, TOKENS_EQUAL},
    {"case, sensitive", T("Yes"), T("YES"), CASE, TOKENS_DIFFERENT},
    {"case beyond ASCII", T("\xC3\x84"), T("\xC3\xA4"), PLAIN, TOKENS_DIFFERENT},
    {"007", T("7"), T("007"), PLAIN, TOKENS_DIFFERENT},
    {"+7", T("7"), T("+7"), PLAIN, TOKENS_DIFFERENT},
    {"7.0", T("7"), T("7.0"), PLAIN, TOKENS_DIFFERENT},
    {"-0", T("0"), T("-0"), PLAIN, TOKENS_DIFFERENT},
    {"007, tolerance", T("7"), T("007"), TOL_0, TOKENS_EQUAL},
    {"+7, tolerance", T("7"), T("+7"), TOL_0, TOKENS_EQUAL},
    {"7.0, tolerance", T("7"), T("7.0"), TOL_0, TOKENS_EQUAL},
    {"-0, tolerance", T("0"), T("-0"), TOL_0, TOKENS_EQUAL},
    {".5", T("0.5"), T(".5"), TOL_0, TOKENS_EQUAL},
    {"5.", T("5"), T("5."), TOL_0, TOKENS_EQUAL},
    {"1e0", T("1"), T("1e0"), TOL_0, TOKENS_EQUAL},
    {"1E+0", T("1"), T("1E+0"), TOL_0, TOKENS_EQUAL},
    {"1e", T("1"), T("1e"), TOL, TOKENS_DIFFERENT},
    {"1e+", T("1"), T("1e+"), TOL, TOKENS_DIFFERENT},
    {"0x1", T("1"), T("0x1"), TOL, TOKENS_DIFFERENT},
    {"0x1p0", T("1"), T("0x1p0"), TOL, TOKENS_DIFFERENT},
    {"0x10 to 16", T("0x10"), T("16"), TOL, TOKENS_DIFFERENT},
    {"1.0abc", T("1.0"), T("1.0abc"), TOL, TOKENS_DIFFERENT},
    {"1,0", T("1.0"), T("1,0"), TOL, TOKENS_DIFFERENT},
    {"1_000", T("1000"), T("1_000"), TOL, TOKENS_DIFFERENT},
    {"IMPOSSIBLE", T("1.0"), T("IMPOSSIBLE"), TOL, TOKENS_DIFFERENT},
    {"1 to nan", T("1"), T("nan"), TOL, TOKENS_DIFFERENT},
    {"1 to inf", T("1"), T("inf"), TOL, TOKENS_DIFFERENT},
    {"1 to 1e999", T("1"), T("1e999"), TOL, TOKENS_NUMBER_OFF},
    {"nan to nan", T("nan"), T("nan"), TOL, TOKENS_EQUAL},
    {"nan to NaN", T("nan"), T("NaN"), TOL, TOKENS_EQUAL},
    {"inf to inf", T("inf"), T("inf"), TOL, TOKENS_EQUAL},
    {"nan to -nan", T("nan"), T("-nan"), TOL, TOKENS_DIFFERENT},
    {"inf to Infinity", T("inf"), T("Infinity"), TOL, TOKENS_DIFFERENT},
    {"Infinity to infinity, case", T("Infinity"), T("infinity"), TOL_CASE, TOKENS_DIFFERENT},
    {"1e400 to 10e399", T("1e400"), T("10e399"), TOL, TOKENS_EQUAL},
    {"0 to 1e-5000", T("0"), T("1e-5000"), TOL, TOKENS_EQUAL},
    {"0 to 1e-400, tolerance 0", T("0"), T("1e-400"), TOL_0, TOKENS_NUMBER_OFF},
    {"error equals 1e-6", T("1"), T("1.000001"), ABS("1e-6"), TOKENS_EQUAL},
    {"error equals 0.1", T("0.2"), T("0.3"), ABS("0.1"), TOKENS_EQUAL},
    {"error equals 0.01", T("1.00"), T("1.01"), ABS("0.01"), TOKENS_EQUAL},
    {"0 to 0.0, relative", T("0"), T("0.0"), REL("1e-6"), TOKENS_EQUAL},
    {"0 to -0, relative", T("0"), T("-0"), REL("1e-6"), TOKENS_EQUAL},
    {"0 to 1e-12, relative", T("0"), T("1e-12"), REL("1e-6"), TOKENS_NUMBER_OFF},
    {"-100 to -101, relative", T("-100"), T("-101"), REL("0.01"), TOKENS_EQUAL},
    {"2^53 + 1", T("9007199254740993"), T("9007199254740992"), TOL_0, TOKENS_NUMBER_OFF},
    {"30 digits, within sigma", T("123456789012345678901234567890"), T("123456789012345678901234567891"), TOL_0,
     TOKENS_EQUAL},
    {"43 zeros, within sigma", T("100"), T("100." FORTY_THREE_ZEROS "1"), TOL_0, TOKENS_EQUAL},
    {"integers are floats", T("1000000"), T("1000001"), TOL, TOKENS_EQUAL},
    {"-1.0000001", T("-1"), T("-1.0000001"), TOL, TOKENS_EQUAL},
    {"1E5 to 100000, case", T("1E5"), T("100000"), TOL_CASE, TOKENS_EQUAL},
    {"a date", T("2024-01-01"), T("2024-01-01"), TOL, TOKENS_EQUAL},
    {"another date", T("2024-01-01"), T("2024-01-02"), TOL, TOKENS_DIFFERENT},
};

static const Row ours[] = {
    {"empty and empty", T(""), T(""), PLAIN, TOKENS_EQUAL},
    {"empty and empty, strict", T(""), T(""), SPACE, TOKENS_EQUAL},
    {"empty to newline, strict", T(""), T("\n"), SPACE, TOKENS_SPACE_DIFFERENT},
    {"newline to empty, strict", T("\n"), T(""), SPACE, TOKENS_SPACE_DIFFERENT},
    {"empty to token", T(""), T("x"), PLAIN, TOKENS_OUTPUT_LONG},
    {"token to empty", T("x"), T(""), PLAIN, TOKENS_OUTPUT_SHORT},
    {"NUL is no space", T("a b"), T("a\0b"), PLAIN, TOKENS_DIFFERENT},
    {"NULs alike", T("a\0b c"), T("A\0B  c"), PLAIN, TOKENS_EQUAL},
    {"@ and ` do not fold", T("@[{"), T("`[{"), PLAIN, TOKENS_DIFFERENT},
    {"[ and { do not fold", T("["), T("{"), PLAIN, TOKENS_DIFFERENT},
    {"Z folds", T("aZ"), T("Az"), PLAIN, TOKENS_EQUAL},
    {"prefix of a token", T("abc"), T("ab"), PLAIN, TOKENS_DIFFERENT},
    {"token split", T("abc"), T("ab c"), PLAIN, TOKENS_DIFFERENT},
    {"wrong token and wrong space", T("1 3\n"), T("1  2\n"), SPACE, TOKENS_DIFFERENT},
    {"short and strict", T("1 2\n"), T("1\n"), SPACE, TOKENS_OUTPUT_SHORT},
    {"strict, equal numbers", T("1.0 2\n"), T("1 2.0\n"), TOL_SPACE, TOKENS_EQUAL},
    {"strict, equal numbers, other space", T("1.0 2\n"), T("1  2.0\n"), TOL_SPACE, TOKENS_SPACE_DIFFERENT},
    {"lone point", T("."), T("."), TOL, TOKENS_EQUAL},
    {"point is no number", T("0"), T("."), TOL, TOKENS_DIFFERENT},
    {"e5 is no number", T("100000"), T("e5"), TOL, TOKENS_DIFFERENT},
    {".e5 is no number", T("0"), T(".e5"), TOL, TOKENS_DIFFERENT},
    {"- is no number", T("0"), T("-"), TOL, TOKENS_DIFFERENT},
    {"+-1 is no number", T("-1"), T("+-1"), TOL, TOKENS_DIFFERENT},
    {"1e1.0 is no number", T("10"), T("1e1.0"), TOL, TOKENS_DIFFERENT},
    {"1..0 is no number", T("1"), T("1..0"), TOL, TOKENS_DIFFERENT},
    {"+.5e-3", T("0.0005"), T("+.5e-3"), TOL_0, TOKENS_EQUAL},
    {"exponent beyond 64 bits", T("1"), T("1e99999999999999999999999999"), TOL, TOKENS_NUMBER_OFF},
    {"tiny beyond 64 bits", T("0"), T("1e-99999999999999999999999999"), TOL, TOKENS_EQUAL},
    {"tiny beyond 64 bits, tolerance 0", T("0"), T("1e-99999999999999999999999999"), TOL_0, TOKENS_NUMBER_OFF},
    {"huge answer", T("1e99999999999999999999999999"), T("1"), ABS("1e-6"), TOKENS_NUMBER_OFF},
    {"tiny answer within absolute", T("1e-99999999999999999999999999"), T("5"), ABS("10"), TOKENS_EQUAL},
    {"tiny answer beyond absolute", T("1e-99999999999999999999999999"), T("5"), ABS("1"), TOKENS_NUMBER_OFF},
    {"equal huge", T("1e99999999999999999999999999"), T("10e99999999999999999999999998"), TOL_0, TOKENS_EQUAL},
    {"near huge", T("1e99999999999999999999999999"), T("1.1e99999999999999999999999999"), REL("0.1"), TOKENS_EQUAL},
    {"off huge", T("1e99999999999999999999999999"), T("1.2e99999999999999999999999999"), REL("0.1"), TOKENS_NUMBER_OFF},
    {"unlike huge", T("1e99999999999999999999999999"), T("1e99999999999999999999999998"), TOL, TOKENS_NUMBER_OFF},
    {"huge beside nearly huge", T("1e100000000000000000"), T("10e99999999999999999"), TOL_0, TOKENS_EQUAL},
    {"exponent with zeros", T("1"), T("1e000000000000000000000000000000"), TOL_0, TOKENS_EQUAL},
    {"zero times huge", T("0"), T("0e99999999999999999999999999"), TOL_0, TOKENS_EQUAL},
    {"opposite signs", T("1e-7"), T("-1e-7"), ABS("1e-6"), TOKENS_EQUAL},
    {"opposite signs, off", T("1"), T("-1"), TOL, TOKENS_NUMBER_OFF},
    {"relative 2 forgives the sign", T("1"), T("-1"), REL("2"), TOKENS_EQUAL},
    {"just beyond 1e-6", T("1"), T("1.0000010000000000002"), ABS("1e-6"), TOKENS_NUMBER_OFF},
    {"sigma of 1: 2^-63 rounded down", T("1"), T("1.000001000000000000108420217248550443"), ABS("1e-6"), TOKENS_EQUAL},
    {"sigma of 1: 2^-63 rounded up", T("1"), T("1.000001000000000000108420217248550444"), ABS("1e-6"),
     TOKENS_NUMBER_OFF},
    {"only absolute, one number", T("abc"), T("1"), ABS("1e9"), TOKENS_DIFFERENT},
    {"absolute and relative are separate",
     T("10"),
     T("10.5"),
     {.float_absolute = "0.3", .float_relative = "0.03"},
     TOKENS_NUMBER_OFF},
};

/* Copies of exact size, so that a sanitizer sees a read past either end. */
static TokensResult compare(Text output, Text answer, const ValidatorFlags *flags)
{
    char *output_copy = malloc(output.size + 1), *answer_copy = malloc(answer.size + 1);
    assert_true(output_copy && answer_copy);
    memcpy(output_copy + 1, output.data, output.size);
    memcpy(answer_copy + 1, answer.data, answer.size);
    TokensResult result = tokens_compare(output_copy + 1, output.size, answer_copy + 1, answer.size, flags);
    free(output_copy);
    free(answer_copy);
    return result;
}

static void check_rows(const Row *rows, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        TokensResult result = compare(rows[i].output, rows[i].answer, &rows[i].flags);
        if (result.outcome == rows[i].outcome)
            continue;
        print_error("%s: outcome %d, expected %d\n", rows[i].name, (int)result.outcome, (int)rows[i].outcome);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void rows_of_the_study(void **state)
{
    (void)state;
    check_rows(study, sizeof study / sizeof study[0]);
}

static void rows_of_ours(void **state)
{
    (void)state;
    check_rows(ours, sizeof ours / sizeof ours[0]);
}

/* The table's rows about flags: tolerance twice, negative, NaN, unknown flag, missing value are the package's errors.
 */
static void bad_flags_are_package_errors(void **state)
{
    (void)state;
    static const char *const bad[][5] = {
        {"float_tolerance", "1e-6", "float_tolerance", "1e-6"},
        {"float_tolerance", "1e-6", "float_absolute_tolerance", "1e-6"},
        {"float_tolerance", "-1e-6"},
        {"float_tolerance", "NaN"},
        {"flaot_tolerance", "1e-6"},
        {"float_tolerance"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        auto_error Error error = {0};
        ValidatorFlags flags;
        assert_false(validator_flags_parse(bad[i], &flags, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
    }
}

/* ---- where ----------------------------------------------------------------------------------------------------- */

typedef struct Place {
    const char *answer, *output;
    ValidatorFlags flags;
    TokensResult expected;
} Place;

static const Place places[] = {
    {"1 2\n3 4\n", "1 2\n3 5\n", PLAIN, {TOKENS_DIFFERENT, 4, 2, 3, 6, 1, 6, 1, 2}},
    {"1 2 3 4\n", "1 2\n3 57\n", PLAIN, {TOKENS_DIFFERENT, 4, 2, 3, 6, 2, 6, 1, 1}},
    {"1.5\n", "\n\n  1.6", TOL, {TOKENS_NUMBER_OFF, 1, 3, 3, 4, 3, 0, 3, 1}},
    {"abcdefgh1 x\n", "abcdefgh2 x\n", PLAIN, {TOKENS_DIFFERENT, 1, 1, 1, 0, 9, 0, 9, 1}},
    {"1\n2\n", "1\n", PLAIN, {TOKENS_OUTPUT_SHORT, 2, 2, 1, 2, 0, 2, 1, 2}},
    {"1\n", "1\n2 3\n", PLAIN, {TOKENS_OUTPUT_LONG, 2, 2, 1, 2, 1, 2, 0, 2}},
    {"1\n", "", PLAIN, {TOKENS_OUTPUT_SHORT, 1, 1, 1, 0, 0, 0, 1, 1}},
    {"1 2\n", "1 2", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 1, 4, 3, 0, 3, 1, 1}},
    {"1 2\n", "1 2\n\n", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 2, 1, 4, 1, 4, 0, 2}},
    {"1 2\n", "1  2\n", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 1, 3, 2, 1, 2, 1, 1}},
    {"1  2\n", "1 2\n", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 1, 3, 2, 1, 2, 1, 1}},
    {"1\n2\n", "1\r\n2\n", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 1, 2, 1, 2, 1, 1, 1}},
    {"1\n", " 1\n", SPACE, {TOKENS_SPACE_DIFFERENT, 0, 1, 1, 0, 1, 0, 1, 1}},
};

static void differences_have_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const Place *place = &places[i];
        TokensResult got = compare((Text){place->output, strlen(place->output)},
                                   (Text){place->answer, strlen(place->answer)}, &place->flags);
        print_message("# place %zu\n", i);
        assert_int_equal(got.outcome, place->expected.outcome);
        assert_int_equal(got.token_index, place->expected.token_index);
        assert_int_equal(got.line, place->expected.line);
        assert_int_equal(got.column, place->expected.column);
        assert_int_equal(got.output_offset, place->expected.output_offset);
        assert_int_equal(got.output_length, place->expected.output_length);
        assert_int_equal(got.answer_offset, place->expected.answer_offset);
        assert_int_equal(got.answer_length, place->expected.answer_length);
        assert_int_equal(got.answer_line, place->expected.answer_line);
    }
}

static void null_stands_for_an_empty_side(void **state)
{
    (void)state;
    const ValidatorFlags flags = PLAIN;
    assert_int_equal(tokens_compare(NULL, 0, NULL, 0, &flags).outcome, TOKENS_EQUAL);
    assert_int_equal(tokens_compare(NULL, 0, "1", 1, &flags).outcome, TOKENS_OUTPUT_SHORT);
    assert_int_equal(tokens_compare("1", 1, NULL, 0, &flags).outcome, TOKENS_OUTPUT_LONG);
}

static void outcomes_have_texts(void **state)
{
    (void)state;
    for (int outcome = TOKENS_EQUAL; outcome <= TOKENS_SPACE_DIFFERENT; outcome++)
        assert_true(strlen(tokens_outcome_text((TokensOutcome)outcome)) > 10);
}

/* ---- time: linear in the sizes, whatever the bytes. The bound leaves room for sanitizers on a slow machine. ------ */

enum { MUCH = 1000000, SECONDS_MAX = 10 };

static void fill(Buffer *buffer, const char *text, size_t bytes)
{
    while (buffer->size < bytes)
        buffer_string(buffer, text);
}

static void expect_soon(const Buffer *output, const Buffer *answer, const ValidatorFlags *flags, TokensOutcome outcome)
{
    clock_t started = clock();
    TokensResult result = tokens_compare(buffer_text(output), output->size, buffer_text(answer), answer->size, flags);
    assert_int_equal(result.outcome, outcome);
    assert_true((double)(clock() - started) / CLOCKS_PER_SEC < SECONDS_MAX);
}

static void a_token_of_100000_digits_is_compared_in_linear_time(void **state)
{
    (void)state;
    const ValidatorFlags flags = TOL;
    auto_buffer Buffer output = {0}, answer = {0};
    fill(&output, "7", 100000);
    fill(&answer, "5", 1);
    expect_soon(&output, &answer, &flags, TOKENS_NUMBER_OFF);
    /* Nearly equal ones must be read to their last digits: 0.777...7 against 0.777...8. */
    auto_buffer Buffer near_output = {0}, near_answer = {0};
    fill(&near_output, "0.", 2);
    fill(&near_output, "7", MUCH);
    fill(&near_answer, buffer_text(&near_output), MUCH);
    near_answer.data[near_answer.size - 1] = '8';
    expect_soon(&near_output, &near_answer, &flags, TOKENS_EQUAL);
}

static void exponents_of_100000_digits_are_compared(void **state)
{
    (void)state;
    const ValidatorFlags flags = TOL_0;
    auto_buffer Buffer output = {0}, answer = {0};
    fill(&output, "10e", 3);
    fill(&output, "9", 100000);
    fill(&answer, "1e1", 3);
    fill(&answer, "0", 100000);
    expect_soon(&output, &answer, &flags, TOKENS_EQUAL);
}

static void many_pairs_at_the_threshold_stay_linear(void **state)
{
    (void)state;
    const ValidatorFlags absolute = ABS("1e-6"), relative = REL("1e-6");
    auto_buffer Buffer output = {0}, answer = {0}, far = {0};
    while (output.size < MUCH) {
        buffer_string(&output, "1.00000100000000000000\n");
        buffer_string(&answer, "1\n");
        buffer_string(&far, "1e-999999999\n");
    }
    expect_soon(&output, &answer, &absolute, TOKENS_EQUAL);
    expect_soon(&output, &answer, &relative, TOKENS_EQUAL);
    expect_soon(&far, &answer, &(ValidatorFlags)ABS("1"), TOKENS_EQUAL);
}

static void megabytes_of_floats_and_spaces(void **state)
{
    (void)state;
    const ValidatorFlags tolerance = TOL, plain = PLAIN, space = SPACE;
    auto_buffer Buffer output = {0}, answer = {0}, spaces = {0}, empty = {0};
    fill(&output, "0.33333334 1e3\n", 7700000);
    fill(&answer, "0.33333333 1000\n", 8213333);
    expect_soon(&output, &answer, &tolerance, TOKENS_EQUAL);
    fill(&spaces, " ", 8000000);
    expect_soon(&spaces, &empty, &plain, TOKENS_EQUAL);
    expect_soon(&spaces, &empty, &space, TOKENS_SPACE_DIFFERENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_study),
        cmocka_unit_test(rows_of_ours),
        cmocka_unit_test(bad_flags_are_package_errors),
        cmocka_unit_test(differences_have_a_place),
        cmocka_unit_test(null_stands_for_an_empty_side),
        cmocka_unit_test(outcomes_have_texts),
        cmocka_unit_test(a_token_of_100000_digits_is_compared_in_linear_time),
        cmocka_unit_test(exponents_of_100000_digits_are_compared),
        cmocka_unit_test(many_pairs_at_the_threshold_stay_linear),
        cmocka_unit_test(megabytes_of_floats_and_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
