/* The terminal view: what stands where, aligned in both languages, never wider than the terminal where it is a table,
 * and never a byte that moves the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/phrases.h"
#include "report/units.h"
#include "report/utf8.h"
#include "report_sample.h"

/* The view as text; the caller frees it. */
static char *printed(const Report *report, TerminalStyle style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    report_print_terminal(report, &style, stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("\"%s\" is in:\n%s", part, text);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void assert_fits(const char *text, int width)
{
    char *copy = strdup(text), *rest = copy;
    assert_non_null(copy);
    for (char *line; (line = strsep(&rest, "\n"));)
        if (utf8_text_columns(line) > width)
            fail_msg("wider than %d: %s", width, line);
    free(copy);
}

static void a_crash_is_told_in_order(void **state)
{
    (void)state;
    Report *report = sample_crash(32);
    char *text = printed(report, (TerminalStyle){0});
    const char *expected = "RE  run-time error   0/100   islands  dfs.c (C)\n"
                           "dfs.c:3:9: warning: unused variable 'x'\n"
                           "\n"
                           "  test        verdict     cpu    wall   memory\n"
                           "  sample/1    AC       1.2 ms  2.3 ms  1.4 MiB  last of 2 runs\n"
                           "  secret/001  AC       125 ms  237 ms  144 MiB\n"
                           "  secret/002  RE       248 ms  471 ms  288 MiB  slowest\n"
                           "  29 tests were not run\n"
                           "\n"
                           "first failure: secret/002 (test 3 of 32)\n"
                           "  signal 11 (segmentation fault)\n"
                           "  sanitizer: stack-overflow at dfs.c:14 in visit\n"
                           "  hint: peak memory is at the limit: likely out of memory\n"
                           "  this test is hidden: only its verdict is shown\n"
                           "\n"
                           "note: the stack limit is 64 MiB\n"
                           "\n"
                           "isolation full, cgroup v2, device cpu, seed 18446744073709551615\n"
                           "compiled in 101 ms, judged in 1234 ms\n"
                           "limits: time 1 s, wall 2.5 s, memory 256 MiB, stack 64 MiB, output 8 MiB\n";
    assert_string_equal(text, expected);
    free(text);
    report_free(report);
}

static void a_wrong_answer_has_a_caret(void **state)
{
    (void)state;
    Report *report = sample_wrong_answer("...7 8 12", "...7 8 13");
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "  line 3, column 7, token 5: the output has a different token\n"
                     "    expected  ...7 8 12\n"
                     "    got       ...7 8 13\n"
                     "                      ^\n");
    assert_has(text, "  message:\n    | close, but no\n");
    assert_has(text, "    | expected 4 islands\n    | got 5\n");
    assert_has(text, "  input:\n    | 2 3\n    | 110\n    | \\t011\n");
    assert_has(text, "this test is open");
    free(text);
    report_free(report);
}

static void carets_stand_under_wide_characters_and_in_cut_lines(void **state)
{
    (void)state;
    Report *report = sample_wrong_answer("岛屿 是", "岛屿 否");
    char *text = printed(report, (TerminalStyle){.is_chinese = true});
    assert_has(text, "    期望  岛屿 是\n    实际  岛屿 否\n               ^\n");
    free(text);
    report_free(report);

    char expected[600], got[600];
    memset(expected, 'x', sizeof expected);
    memcpy(got, expected, sizeof got);
    expected[sizeof expected - 1] = got[sizeof got - 1] = '\0';
    got[300] = 'y';
    report = sample_wrong_answer(expected, got);
    text = printed(report, (TerminalStyle){.width = 80});
    assert_has(text, "got       ...");
    assert_fits(text, 80);
    const char *different = strchr(strstr(text, "got  "), 'y'), *caret = strchr(different, '^');
    assert_non_null(caret);
    assert_int_equal(caret - strchr(different, '\n'), different - strstr(text, "    got  ") + 1);
    free(text);
    report_free(report);
}

static void an_output_that_ends_early_has_words_instead_of_a_caret(void **state)
{
    (void)state;
    Report *report = sample_wrong_answer("4", "");
    report->failure.difference.token_index = 0;
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "  line 3, column 7: the output has");
    assert_has(text, "    expected  4\n    got       (nothing)\n");
    assert_lacks(text, "^");
    free(text);
    report_free(report);
}

static void a_compile_error_shows_the_compiler_and_no_tests(void **state)
{
    (void)state;
    Report *report = sample_compile_error();
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "CE  compile error   0/100   islands  dfs.c (C)\n"
                     "dfs.c:5:1: error: expected ';' before '}' token\n"
                     "compile time limit of 30 s exceeded\n");
    assert_lacks(text, "verdict ");
    assert_lacks(text, "not run");
    assert_lacks(text, "compiled in");
    free(text);

    report->compile.diagnostic_count = 0;
    report->compile.log = "ld: undefined reference to `main'\n";
    report->compile.is_log_cut = true;
    text = printed(report, (TerminalStyle){0});
    assert_has(text, "the compiler's output:\n  | ld: undefined reference to `main'\n(cut here)\n");
    free(text);
    report_free(report);
}

static void a_judge_error_does_not_blame_the_submission(void **state)
{
    (void)state;
    Report *report = sample_crash(3);
    report->verdict = VERDICT_JUDGE_ERROR;
    report->judge_error = "mounting /proc: EPERM";
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "JE  judge error   ");
    assert_has(text, "the judge failed, which says nothing about the submission: mounting /proc: EPERM\n");
    free(text);
    report_free(report);
}

static void quiet_is_one_line(void **state)
{
    (void)state;
    Report *report = sample_crash(32);
    char *text = printed(report, (TerminalStyle){.is_quiet = true});
    assert_string_equal(text, "RE  run-time error   0/100   islands  dfs.c (C)\n");
    free(text);
    report_free(report);
}

static void colours_only_where_asked_for(void **state)
{
    (void)state;
    Report *report = sample_crash(32);
    char *plain = printed(report, (TerminalStyle){0}), *coloured = printed(report, (TerminalStyle){.has_colour = true});
    assert_lacks(plain, "\033");
    assert_has(coloured, "\033[1;31mRE\033[0m  \033[1mrun-time error\033[0m");
    assert_has(coloured, "\033[1;32mAC\033[0m");
    /* Without its escapes the coloured text is the plain one. */
    char *to = coloured;
    for (const char *from = coloured; *from;) {
        if (*from == '\033')
            from = strchr(from, 'm') + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
    assert_string_equal(coloured, plain);
    free(plain);
    free(coloured);
    report_free(report);
}

static void chinese_columns_line_up(void **state)
{
    (void)state;
    Report *report = sample_crash(32);
    char *text = printed(report, (TerminalStyle){.is_chinese = true});
    assert_has(text, "RE  运行时错误   0/100   islands  dfs.c (C)\n");
    assert_has(text, "  测试        结果     CPU    墙钟     内存\n"
                     "  sample/1    AC    1.2 ms  2.3 ms  1.4 MiB  共运行 2 次，以最后一次为准\n");
    assert_has(text, "  29 个测试未运行\n");
    assert_lacks(text, "tests were");
    free(text);
    report_free(report);
}

static void long_names_are_cut_and_widths_hold(void **state)
{
    (void)state;
    Report *report = sample_crash(4);
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    report->tests[0].name = report->tests[1].name = name;
    report->source_name = report->problem = name;
    report->tests[1].detail = name;
    report->compile.diagnostic_count = 0;
    for (int width = 60; width <= 200; width += 20)
        for (int chinese = 0; chinese < 2; chinese++) {
            char *text = printed(report, (TerminalStyle){.width = width, .is_chinese = chinese});
            assert_fits(text, width);
            assert_has(text, "... ");
            free(text);
        }
    report_free(report);
}

static void hostile_text_does_not_reach_the_terminal(void **state)
{
    (void)state;
    const char *hostile = "\033]0;x\007\xE2\x80\xAE\n\x9B";
    Report *report = sample_wrong_answer(hostile, hostile);
    report->problem = report->source_name = report->judge_error = hostile;
    report->language = hostile;
    report->tests[1].name = report->tests[1].detail = report->tests[2].name = report->tests[2].detail = hostile;
    report->tests[2].hint = report->failure.message = report->failure.judge_message = report->failure.input = hostile;
    report->failure.difference.what = hostile;
    report->failure.sanitizer = (SanitizerReport){true, hostile, hostile, 3, hostile};
    report->compile.diagnostics[0].file = report->compile.diagnostics[0].text = hostile;
    report->provenance.isolation = report->provenance.degraded_reason = hostile;
    report_add_note(report, "%s", hostile);
    char *text = printed(report, (TerminalStyle){0});
    assert_true(utf8_is_valid(text));
    assert_lacks(text, "\033");
    assert_lacks(text, "\007");
    assert_lacks(text, "\xE2\x80\xAE");
    free(text);
    report_free(report);
}

static Report *sample_accepted(size_t count)
{
    Report *report = sample_crash(count);
    report->verdict = VERDICT_ACCEPTED;
    report->score = 100;
    report->failure.is_present = false;
    report->run_count = report->passed_count = count;
    for (size_t i = 0; i < count; i++) {
        report->tests[i].verdict = VERDICT_ACCEPTED;
        report->tests[i].detail = report->tests[i].hint = NULL;
        report->tests[i].attempts = report->tests[1].attempts;
        report->tests[i].attempt_count = 1;
    }
    report->slowest_index = 70;
    return report;
}

static void many_accepted_tests_are_summed_up(void **state)
{
    (void)state;
    Report *report = sample_accepted(100);
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "AC  accepted   100/100   islands");
    assert_has(text, "  87 more tests were accepted, each within 125 ms and 144 MiB\n");
    assert_int_equal(count_of(text, "slowest"), 1);
    assert_has(text, "secret/070");
    assert_lacks(text, "not run");
    free(text);
    report_free(report);

    report = sample_accepted(40);
    report->slowest_index = 5;
    text = printed(report, (TerminalStyle){0});
    assert_int_equal(count_of(text, "  AC  "), 40);
    assert_lacks(text, "more tests");
    free(text);
    report_free(report);
}

static void an_empty_report_prints(void **state)
{
    (void)state;
    Report *report = report_new();
    char *text = printed(report, (TerminalStyle){0});
    assert_has(text, "-  not run   0/100");
    free(text);
    report_free(report);
}

static void units_have_three_digits(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    assert_string_equal(units_time(arena, -1), "-");
    assert_string_equal(units_time(arena, 0), "0.0 ms");
    assert_string_equal(units_time(arena, 840000), "0.8 ms");
    assert_string_equal(units_time(arena, 9949999), "9.9 ms");
    assert_string_equal(units_time(arena, 9960000), "10 ms");
    assert_string_equal(units_time(arena, 1234000000), "1234 ms");
    assert_string_equal(units_time(arena, 9999600000), "10.0 s");
    assert_string_equal(units_memory(arena, 1500000), "1.4 MiB");
    assert_string_equal(units_memory(arena, INT64_C(2048) << 20), "2048 MiB");
    assert_string_equal(units_time_limit(arena, 1500000000), "1.5 s");
    assert_string_equal(units_time_limit(arena, 250000000), "250 ms");
    assert_string_equal(units_memory_limit(arena, 131072), "128 KiB");
    assert_string_equal(units_memory_limit(arena, INT64_C(2) << 30), "2048 MiB");
}

static void phrases_fill_in_the_same_arguments(void **state)
{
    (void)state;
    for (int phrase = 0; phrase < PHRASE_COUNT; phrase++)
        for (char digit = '1'; digit <= '9'; digit++) {
            const char place[] = {'{', digit, '}', '\0'};
            assert_int_equal(count_of(phrase_text((Phrase)phrase, false), place),
                             count_of(phrase_text((Phrase)phrase, true), place));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_is_told_in_order),
        cmocka_unit_test(a_wrong_answer_has_a_caret),
        cmocka_unit_test(carets_stand_under_wide_characters_and_in_cut_lines),
        cmocka_unit_test(an_output_that_ends_early_has_words_instead_of_a_caret),
        cmocka_unit_test(a_compile_error_shows_the_compiler_and_no_tests),
        cmocka_unit_test(a_judge_error_does_not_blame_the_submission),
        cmocka_unit_test(quiet_is_one_line),
        cmocka_unit_test(colours_only_where_asked_for),
        cmocka_unit_test(chinese_columns_line_up),
        cmocka_unit_test(long_names_are_cut_and_widths_hold),
        cmocka_unit_test(hostile_text_does_not_reach_the_terminal),
        cmocka_unit_test(many_accepted_tests_are_summed_up),
        cmocka_unit_test(an_empty_report_prints),
        cmocka_unit_test(units_have_three_digits),
        cmocka_unit_test(phrases_fill_in_the_same_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
