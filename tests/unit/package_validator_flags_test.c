/* Flags of the default output validator: what each means, and every way to get them wrong. */
#include "package/validator_flags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void each_flag(void **state)
{
    static const char *const args[] = {"case_sensitive",
                                       "float_relative_tolerance",
                                       "1e-6",
                                       "space_change_sensitive",
                                       "float_absolute_tolerance",
                                       ".5",
                                       NULL};
    ValidatorFlags flags;
    auto_error Error error = {0};
    (void)state;
    assert_true(validator_flags_parse(args, &flags, &error));
    assert_true(flags.is_case_sensitive);
    assert_true(flags.is_space_change_sensitive);
    assert_ptr_equal(flags.float_relative, args[2]);
    assert_ptr_equal(flags.float_absolute, args[5]);
}

static void both_and_none(void **state)
{
    static const char *const both[] = {"float_tolerance", "-0.0", NULL}, *const none[] = {NULL};
    ValidatorFlags flags;
    auto_error Error error = {0};
    (void)state;
    assert_true(validator_flags_parse(both, &flags, &error));
    assert_ptr_equal(flags.float_absolute, both[1]);
    assert_ptr_equal(flags.float_relative, both[1]);
    assert_false(flags.is_case_sensitive);
    assert_true(validator_flags_parse(none, &flags, &error));
    assert_null(flags.float_absolute);
    assert_null(flags.float_relative);
}

typedef struct BadFlags {
    const char *args[5];
    const char *message;
} BadFlags;

static const BadFlags bad_flags[] = {
    {{"case_insensitive"}, "'case_insensitive' is not a flag of the default output validator"},
    {{"1e-6"}, "'1e-6' is not a flag of the default output validator"},
    {{"float_tolerance"}, "float_tolerance needs a number after it"},
    {{"float_tolerance", "case_sensitive"}, "float_tolerance: 'case_sensitive' is not a decimal number"},
    {{"float_tolerance", "nan"}, "float_tolerance: 'nan' is not a decimal number"},
    {{"float_tolerance", "inf"}, "float_tolerance: 'inf' is not a decimal number"},
    {{"float_tolerance", "0x1p-3"}, "float_tolerance: '0x1p-3' is not a decimal number"},
    {{"float_tolerance", "1e"}, "float_tolerance: '1e' is not a decimal number"},
    {{"float_tolerance", ""}, "float_tolerance: '' is not a decimal number"},
    {{"float_absolute_tolerance", "-1e-6"}, "float_absolute_tolerance: the tolerance -1e-6 is negative"},
    {{"float_absolute_tolerance", "-1e-999"}, "float_absolute_tolerance: the tolerance -1e-999 is negative"},
    {{"float_tolerance", "1e999"}, "float_tolerance: the tolerance 1e999 is too large"},
    {{"float_tolerance", "1", "float_absolute_tolerance", "1"},
     "float_absolute_tolerance: this tolerance is given twice"},
    {{"float_relative_tolerance", "1", "float_relative_tolerance", "1"},
     "float_relative_tolerance: this tolerance is given twice"},
};

static void every_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_flags / sizeof *bad_flags; i++) {
        ValidatorFlags flags = {.float_absolute = "untouched"};
        auto_error Error error = {0};
        assert_false(validator_flags_parse(bad_flags[i].args, &flags, &error));
        assert_string_equal(error_text(&error), bad_flags[i].message);
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_string_equal(flags.float_absolute, "untouched");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_flag), cmocka_unit_test(both_and_none),
                                       cmocka_unit_test(every_error)};
    return cmocka_run_group_tests_name("package_validator_flags", tests, NULL, NULL);
}
