/* report: the verdict table, an empty report, notes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "gavel/report.h"

static void every_verdict_has_a_row_and_a_word_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        const VerdictRow *row = verdict_row((Verdict)i);
        Verdict found = VERDICT_NONE;
        assert_true(*row->word && *row->text && *row->text_zh && row->devices);
        assert_true(verdict_from_word(row->word, &found));
        assert_int_equal(found, i);
    }
}

static void rows_hold_what_the_table_says(void **state)
{
    (void)state;
    const VerdictRow *row = verdict_row(VERDICT_MEMORY_LIMIT);
    assert_string_equal(row->word, "MLE");
    assert_string_equal(row->text, "memory limit exceeded");
    assert_string_equal(row->text_zh, "超出内存限制");
    assert_int_equal(row->colour, COLOUR_RED);
    assert_int_equal(row->kattis, KATTIS_RTE);
    assert_int_equal(row->devices, DEVICE_CPU | DEVICE_PTX | DEVICE_GPU);
    assert_string_equal(row->twins, "RE");
    assert_int_equal(verdict_row(VERDICT_RACE)->devices, DEVICE_PTX | DEVICE_GPU);
}

/* A twin must be another verdict's word, and a rejecting one. */
static void twins_are_rejecting_verdicts(void **state)
{
    (void)state;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        char twins[64];
        assert_true(strlen(verdict_row((Verdict)i)->twins) < sizeof twins);
        strcpy(twins, verdict_row((Verdict)i)->twins);
        for (char *word = strtok(twins, " "); word; word = strtok(NULL, " ")) {
            Verdict twin;
            assert_true(verdict_from_word(word, &twin));
            assert_int_not_equal(twin, i);
            assert_int_not_equal(twin, VERDICT_ACCEPTED);
        }
    }
}

static void no_verdict_has_a_row_but_no_word(void **state)
{
    (void)state;
    Verdict verdict = VERDICT_SLOW;
    assert_string_equal(verdict_row(VERDICT_NONE)->word, "-");
    assert_string_equal(verdict_row(VERDICT_NONE)->text, "not run");
    assert_string_equal(verdict_row((Verdict)1000)->word, "-");
    assert_false(verdict_from_word("-", &verdict));
    assert_false(verdict_from_word("", &verdict));
    assert_false(verdict_from_word("ac", &verdict));
    assert_int_equal(verdict, VERDICT_SLOW);
}

static void a_new_report_says_that_nothing_is_known(void **state)
{
    (void)state;
    Report *report = report_new();
    assert_int_equal(report->verdict, VERDICT_NONE);
    assert_int_equal(report->slowest_index, -1);
    assert_int_equal(report->elapsed_ns, -1);
    assert_int_equal(report->provenance.time_limit_ns, -1);
    assert_string_equal(report->problem, "");
    assert_string_equal(report->compile.log, "");
    assert_true(report->score_max == 100);
    report_free(report);
    report_free(NULL);
}

static void notes_are_kept_in_order(void **state)
{
    (void)state;
    Report *report = report_new();
    for (int i = 0; i < 100; i++)
        report_add_note(report, "note %d of %s", i, "many");
    assert_int_equal(report->note_count, 100);
    assert_string_equal(report->notes[0], "note 0 of many");
    assert_string_equal(report->notes[99], "note 99 of many");
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_has_a_row_and_a_word_of_its_own),
        cmocka_unit_test(rows_hold_what_the_table_says),
        cmocka_unit_test(twins_are_rejecting_verdicts),
        cmocka_unit_test(no_verdict_has_a_row_but_no_word),
        cmocka_unit_test(a_new_report_says_that_nothing_is_known),
        cmocka_unit_test(notes_are_kept_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
