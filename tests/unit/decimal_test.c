/* decimal: the grammar, what parsing yields, and exact closeness against 128-bit arithmetic on random numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "core/decimal.h"

static bool parse(const char *text, Decimal *ret_decimal)
{
    return decimal_parse(text, strlen(text), ret_decimal);
}

static void grammar_is_the_formats(void **state)
{
    (void)state;
    static const char *const good[] = {"0",  "7",      "+7",  "-7",   "007",    "5.",
                                       ".5", "-.5e-3", "1e5", "1E+5", "1.5e-0", "00."};
    static const char *const bad[] = {"",    "+",     "-",    ".",   "e5",  ".e5",   "1e",
                                      "1e+", "1e+-1", "1e1.", "0x1", "1_0", "1,0",   " 1",
                                      "1 ",  "--1",   "nan",  "inf", "1f",  "1.2.3", "\xEF\xBC\x91"};
    Decimal decimal;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(parse(good[i], &decimal));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(parse(bad[i], &decimal));
    assert_false(decimal_parse("1\0", 2, &decimal));
}

static void parsing_finds_digits_and_power(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_negative;
        size_t count;
        int64_t top;
        uint64_t mantissa;
        int64_t scale;
    } rows[] = {
        {"0", false, 0, -1, 0, 0},
        {"-0.00", false, 0, -3, 0, -2},
        {"120", false, 3, 2, 120, 0},
        {"-0012.50", true, 4, 1, 1250, -2},
        {"0.0034", false, 2, -3, 34, -4},
        {".5e3", false, 1, 2, 5, 2},
        {"12345678901234567890.5", false, 21, 19, 1234567890123456789, 1},
        {"9.99e-2", false, 3, -2, 999, -4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Decimal decimal;
        assert_true(parse(rows[i].text, &decimal));
        assert_int_equal(decimal.is_negative, rows[i].is_negative);
        assert_int_equal(decimal.count, rows[i].count);
        assert_int_equal(decimal.top, rows[i].top);
        assert_int_equal(decimal.mantissa, rows[i].mantissa);
        assert_int_equal(decimal.scale, rows[i].scale);
    }
}

static void huge_exponents_are_held_and_kept_as_text(void **state)
{
    (void)state;
    Decimal decimal;
    assert_true(parse("1e-000123456789012345678901", &decimal));
    assert_int_equal(decimal.exponent, -(INT64_C(1) << 60));
    assert_int_equal(decimal.huge.count, 21);
    assert_int_equal(strncmp(decimal.huge.digits, "123456789012345678901", 21), 0);
    assert_true(parse("1e00000000000000000000000000099999999999999999", &decimal));
    assert_int_equal(decimal.exponent, 99999999999999999);
    assert_null(decimal.huge.digits);
}

static bool is_close(const char *value, const char *reference, const char *absolute, const char *relative)
{
    Decimal s, a;
    DecimalTolerance tolerance;
    assert_true(parse(value, &s) && parse(reference, &a));
    decimal_tolerance_init(&tolerance, absolute, relative);
    return decimal_is_close(&s, &a, &tolerance);
}

static void tolerances_of_many_digits_count(void **state)
{
    (void)state;
    const char *relative = "0.1000000000000000000000000000000000000000000001"; /* beyond sigma only for large a */
    assert_true(is_close("11", "10", NULL, relative));
    assert_false(is_close("11.00000000000001", "10", NULL, relative));
    /* A relative tolerance of several chunks: 1.123456789123456789 * 1e20, sigma of 1e20 is 10.8. */
    assert_true(is_close("212345678912345678910", "100000000000000000000", NULL, "1.123456789123456789"));
    assert_false(is_close("212345678912345678911", "100000000000000000000", NULL, "1.123456789123456789"));
    assert_true(is_close("2e400", "1e400", "1e400", NULL));
    assert_false(is_close("3e400", "1e400", "1e400", NULL));
    assert_true(is_close("1e-5000", "3e-5000", "2e-5000", NULL));
    assert_false(is_close("1e-5000", "3e-5000", "1.9e-5000", NULL));
}

static void unusable_tolerances_are_absent(void **state)
{
    (void)state;
    DecimalTolerance tolerance;
    decimal_tolerance_init(&tolerance, "abc", "-1");
    assert_false(tolerance.has_absolute || tolerance.has_relative);
    assert_true(is_close("1.0", "1", NULL, NULL));
    assert_false(is_close("1.1", "1", NULL, NULL));
}

/* ---- against 128-bit arithmetic: numbers of up to 15 digits in units of 10^-6 --------------------------------- */

static uint64_t next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
    return *random >> 33;
}

static int64_t pick(uint64_t *random)
{
    static const int64_t spans[] = {2, 20, 3000, 40000000, 500000000000};
    int64_t span = spans[next_random(random) % 5];
    return (int64_t)((next_random(random) << 31 | next_random(random)) % (uint64_t)(2 * span)) - span;
}

/* Writes `units` millionths in one of several spellings. */
static void spell(int64_t units, uint64_t style, char ret_text[64])
{
    const char *sign = units < 0 ? "-" : style & 4 ? "+" : "";
    unsigned long long size = (unsigned long long)(units < 0 ? -units : units);
    switch (style & 3) {
    case 0: (void)snprintf(ret_text, 64, "%s%llu.%06llu", sign, size / 1000000, size % 1000000); break;
    case 1: (void)snprintf(ret_text, 64, "%s%llue-6", sign, size); break;
    case 2: (void)snprintf(ret_text, 64, "%s.%018lluE12", sign, size); break;
    default: (void)snprintf(ret_text, 64, "%s00%llu.%06llu000000000000000", sign, size / 1000000, size % 1000000);
    }
}

static __int128 size_of(__int128 value)
{
    return value < 0 ? -value : value;
}

static void random_numbers_agree_with_128_bits(void **state)
{
    (void)state;
    uint64_t random = 7;
    size_t close_count = 0;
    for (int i = 0; i < 200000; i++) {
        int64_t a = pick(&random), s = next_random(&random) % 2 ? a + pick(&random) : pick(&random);
        __int128 distance = size_of((__int128)s - a);
        int64_t absolute = (int64_t)distance + (int64_t)(next_random(&random) % 5) - 2;
        absolute = absolute < 0 ? 0 : absolute;
        __int128 scale = (__int128)1 << 63;
        bool expected = scale * distance <= scale * absolute + size_of(a);
        char s_text[64], a_text[64], absolute_text[64];
        spell(s, next_random(&random), s_text);
        spell(a, next_random(&random), a_text);
        spell(absolute, next_random(&random), absolute_text);
        if (is_close(s_text, a_text, absolute_text, NULL) != expected)
            fail_msg("s %s a %s absolute %s: expected %d", s_text, a_text, absolute_text, expected);
        close_count += expected;
    }
    assert_in_range(close_count, 20000, 180000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grammar_is_the_formats),
        cmocka_unit_test(parsing_finds_digits_and_power),
        cmocka_unit_test(huge_exponents_are_held_and_kept_as_text),
        cmocka_unit_test(tolerances_of_many_digits_count),
        cmocka_unit_test(unusable_tolerances_are_absent),
        cmocka_unit_test(random_numbers_agree_with_128_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
