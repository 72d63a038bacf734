/* report_printable and the UTF-8 behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "gavel/report.h"
#include "report/utf8.h"

static const struct {
    const char *bytes;
    size_t size;
    bool keeps_newlines;
    const char *printable;
} rows[] = {
#define ROW(bytes, keeps_newlines, printable)                                                                          \
    {                                                                                                                  \
        bytes, sizeof(bytes) - 1, keeps_newlines, printable                                                            \
    }
    ROW("", false, ""),
    ROW("plain ~ text", false, "plain ~ text"),
    ROW("caf\xC3\xA9 岛屿 \xF0\x9F\x99\x82", false, "caf\xC3\xA9 岛屿 \xF0\x9F\x99\x82"),
    ROW("a\nb", false, "a\\nb"),
    ROW("a\nb", true, "a\nb"),
    ROW("a\tb", false, "a\\tb"),
    ROW("a\tb", true, "a\tb"),
    ROW("a\rb\0c", false, "a\\x0Db\\x00c"),
    ROW("a\rb\0c", true, "a\\x0Db\\x00c"),
    ROW("\033[31mred\033[0m", true, "\\x1B[31mred\\x1B[0m"),
    ROW("\x7F\x9B", false, "\\x7F\\x9B"),
    ROW("\xC2\x9B"
        "31m",
        false, "\\xC2\\x9B31m"),                                       /* CSI as one C1 character */
    ROW("\xC0\xAF \xE0\x80\x80", false, "\\xC0\\xAF \\xE0\\x80\\x80"), /* overlong */
    ROW("\xED\xA0\x80", false, "\\xED\\xA0\\x80"),                     /* surrogate */
    ROW("\xF4\x90\x80\x80 \xFF", false, "\\xF4\\x90\\x80\\x80 \\xFF"), /* beyond Unicode */
    ROW("x\xE5\xB2", false, "x\\xE5\\xB2"),                            /* ends within a character */
    ROW("\xEF\xBB\xBF"
        "5",
        false, "\\xEF\\xBB\\xBF5"), /* byte order mark */
    ROW("1\xC2\xA0"
        "2",
        false, "1\\xC2\\xA02"), /* no-break space */
    ROW("\xE2\x80\xAE"
        "cba",
        false,
        "\\xE2\\x80\\xAE"
        "cba"),                                    /* right-to-left override */
    ROW("\xE2\x80\x8B", false, "\\xE2\\x80\\x8B"), /* zero width */
#undef ROW
};

static void untrusted_bytes_become_visible(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *exact = malloc(rows[i].size + 1); /* from its second byte: a sanitizer sees a read past the end */
        assert_non_null(exact);
        memcpy(exact + 1, rows[i].bytes, rows[i].size);
        const char *printable = report_printable(arena, exact + 1, rows[i].size, SIZE_MAX, rows[i].keeps_newlines);
        assert_string_equal(printable, rows[i].printable);
        free(exact);
    }
}

static void printable_text_stays_as_it_is(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    const char *once = report_printable(arena, all, sizeof all, SIZE_MAX, false);
    assert_string_equal(report_printable(arena, once, strlen(once), SIZE_MAX, false), once);
    assert_true(utf8_is_valid(once));
}

static void cutting_never_halves_a_character(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    const char *text = "a岛b";
    static const char *const expected[] = {"", "a", "a", "a", "a岛", "a岛b", "a岛b"};
    for (size_t max_bytes = 0; max_bytes <= 6; max_bytes++)
        assert_string_equal(report_printable(arena, text, strlen(text), max_bytes, false), expected[max_bytes]);
    assert_string_equal(report_printable(arena, "\x80\x80\x80\x80\x80\x80", 6, 5, false), "\\x80\\x80\\x80\\x80\\x80");
    assert_string_equal(report_printable(arena, NULL, 0, 10, false), "");
}

static void columns_count_what_a_terminal_shows(void **state)
{
    (void)state;
    assert_int_equal(utf8_text_columns(""), 0);
    assert_int_equal(utf8_text_columns("abc"), 3);
    assert_int_equal(utf8_text_columns("caf\xC3\xA9"), 4);
    assert_int_equal(utf8_text_columns("岛屿，"), 6);
    assert_int_equal(utf8_text_columns("ｗｉｄｅ"), 8);
    assert_int_equal(utf8_text_columns("한글"), 4);
    assert_int_equal(utf8_text_columns("e\xCC\x81"), 1); /* combining accent */
    assert_int_equal(utf8_text_columns("\xF0\x9F\x99\x82"), 2);
    assert_int_equal(utf8_text_columns("\xFF\xFF"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untrusted_bytes_become_visible),
        cmocka_unit_test(printable_text_stays_as_it_is),
        cmocka_unit_test(cutting_never_halves_a_character),
        cmocka_unit_test(columns_count_what_a_terminal_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
