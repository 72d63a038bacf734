/* What the judge reads and writes for people: languages, compiler messages, sanitizer messages, differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/diagnostics.h"
#include "core/explain.h"
#include "core/language.h"
#include "core/sanitize.h"

/* ---- languages ------------------------------------------------------------------------------------------------ */

static void languages_are_found(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"a.c", "c"}, {"a.cpp", "cpp"}, {"x/y.cc", "cpp"}, {"b.cxx", "cpp"}, {"B.C", "cpp"}, {"my.v2.py", "python3"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(language_id(language_by_file_name(names[i][0])), names[i][1]);
    static const char *const unknown[] = {"a", "a.", "c", ".c/x", "a.c~", "a.h", "py", "a.java", ""};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(language_by_file_name(unknown[i]));
    assert_null(language_by_file_name(NULL));
    assert_null(language_by_id("C"));
    assert_null(language_by_id(NULL));
    for (size_t i = 0; language_at(i); i++) {
        assert_ptr_equal(language_by_id(language_id(language_at(i))), language_at(i));
        assert_true(language_has_file(language_at(i), language_at(i)->source_name));
    }
}

/* ---- diagnostics ---------------------------------------------------------------------------------------------- */

static void gcc_messages_are_read(void **state)
{
    (void)state;
    static const char log[] = "my:odd name.c: In function 'main':\n"
                              "my:odd name.c:3:12: error: 'x' undeclared (first use in this function)\n"
                              "    3 |     return x;\n"
                              "my:odd name.c:1:1: warning: careful: note: this is text\n"
                              "helper.h:7: note: declared here\n"
                              "main.c:9:2: fatal error: nothing.h: No such file or directory\n"
                              "/usr/bin/ld: /tmp/prog.o: in function `main':\n"
                              "a.c:(.text.startup+0x5): undefined reference to `f'\n"
                              "collect2: error: ld returned 1 exit status\n"
                              "x.c:99999999999999999999:1: error: far away\n"
                              ":1:1: error: no name\n:::::\n";
    auto_arena Arena *arena = arena_new();
    Diagnostic *found;
    size_t count;
    diagnostics_parse(log, "mine.c", arena, &found, &count);
    assert_int_equal(count, 7);
    assert_string_equal(found[0].file, "my:odd name.c");
    assert_int_equal(found[0].line, 3);
    assert_int_equal(found[0].column, 12);
    assert_int_equal(found[0].level, DIAGNOSTIC_ERROR);
    assert_string_equal(found[0].text, "'x' undeclared (first use in this function)");
    assert_int_equal(found[1].level, DIAGNOSTIC_WARNING);
    assert_string_equal(found[1].text, "careful: note: this is text");
    assert_int_equal(found[2].column, 0);
    assert_int_equal(found[2].level, DIAGNOSTIC_NOTE);
    assert_string_equal(found[3].text, "nothing.h: No such file or directory");
    assert_string_equal(found[4].file, "mine.c");
    assert_string_equal(found[4].text, "undefined reference to `f'");
    assert_string_equal(found[5].file, "collect2");
    assert_int_equal(found[6].line, INT32_MAX);
}

static void too_many_messages_are_cut(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    Buffer log = {0};
    Diagnostic *found;
    size_t count;
    for (int i = 0; i < 10 * DIAGNOSTIC_MAX; i++)
        buffer_format(&log, "a.c:%d:1: error: x\n", i + 1);
    diagnostics_parse(buffer_text(&log), "a.c", arena, &found, &count);
    assert_int_equal(count, DIAGNOSTIC_MAX);
    diagnostics_parse("", "a.c", arena, &found, &count);
    assert_int_equal(count, 0);
    buffer_done(&log);
}

static void names_are_restored(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    static const char log[] =
        "main.c:1:2: error\nIn file included from main.c:5,\n'main.c' domain.c:3 main.cpp:1 x/main.c:2\n"
        "/usr/bin/ld: /tmp/ccAb12Cd.o: in /tmp/cc.o";
    assert_string_equal(diagnostics_restore_names(log, "main.c", "a b.c", arena),
                        "a b.c:1:2: error\nIn file included from a b.c:5,\n'a b.c' domain.c:3 main.cpp:1 x/main.c:2\n"
                        "/usr/bin/ld: /tmp/prog.o: in /tmp/cc.o");
}

/* ---- sanitizers ----------------------------------------------------------------------------------------------- */

static const char address_text[] =
    "=================================================================\n"
    "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x604000000038 at pc 0x55cc bp 0x7ffe sp 0x7ffe\n"
    "WRITE of size 4 at 0x604000000038 thread T0\n"
    "    #0 0x7f1c2b4a1234  (/lib/x86_64-linux-gnu/libasan.so.8+0x3c7ab)  (BuildId: 1234)\n"
    "    #1 0x55cc8d9f91d2  (/memfd:program (deleted)+0x11d2)  (BuildId: abcd)\n"
    "    #2 0x55cc8d9f9250  (/memfd:program (deleted)+0x1250)  (BuildId: abcd)\n"
    "\n"
    "0x604000000038 is located 0 bytes to the right of 40-byte region\n"
    "allocated by thread T0 here:\n"
    "    #0 0x7f1c2b4b1234  (/lib/x86_64-linux-gnu/libasan.so.8+0x4c7ab)\n"
    "    #1 0x55cc8d9f9230  (/memfd:program (deleted)+0x9999)\n";

static void address_findings_are_read(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    SanitizerFinding finding = sanitizer_parse(address_text, arena);
    assert_string_equal(finding.kind, "heap-buffer-overflow");
    assert_int_equal(finding.frame_count, 2);
    assert_int_equal(finding.frames[0], 0x11d2);
    assert_int_equal(finding.frames[1], 0x1250);
    assert_null(finding.file);
}

static void kinds_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"SEGV on unknown address 0x000000000000 (pc 0x5)", "null pointer access"},
        {"SEGV on unknown address 0x000000000018 (pc 0x5)", "null pointer access"},
        {"SEGV on unknown address 0x7f0000000000 (pc 0x5)", "invalid memory access"},
        {"SEGV on unknown address (pc 0x5)", "invalid memory access"},
        {"stack-overflow on address 0x7ffc (pc 0x5)", "stack-overflow"},
        {"attempting double-free on 0x602000000010 in thread T0:", "double-free"},
        {"negative-size-param: (size=-1)", "negative-size-param"},
        {"heap-use-after-free on address 0x6", "heap-use-after-free"},
        {"FPE on unknown address 0x5", "arithmetic exception, such as a division by zero"},
        {"\x1b[31mred", "\\x1B[31mred"},
        {"", ""},
    };
    auto_arena Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = arena_format(arena, "==1==ERROR: AddressSanitizer: %s\n", cases[i][0]);
        assert_string_equal(sanitizer_parse(text, arena).kind, cases[i][1]);
    }
}

static void undefined_findings_are_read(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    SanitizerFinding finding = sanitizer_parse("hello\nmain.c:12:7: runtime error: signed integer overflow: 2147483647 "
                                               "+ 1 cannot be represented in type 'int'\n"
                                               "    #0 0x5 (/memfd:program (deleted)+0x42)\n",
                                               arena);
    assert_string_equal(finding.kind, "signed integer overflow");
    assert_string_equal(finding.file, "main.c");
    assert_int_equal(finding.line, 12);
    assert_int_equal(finding.frame_count, 1);
    finding = sanitizer_parse("main.c:1:1: runtime error: index 7 out of bounds for type 'int [5]'", arena);
    assert_string_equal(finding.kind, "array index out of bounds");
    finding = sanitizer_parse("a.c:1:2: runtime error: something new", arena);
    assert_string_equal(finding.kind, "undefined behaviour");
    assert_null(sanitizer_parse("", arena).kind);
    assert_null(sanitizer_parse("Segmentation fault\n#0 0x1 (x+0x2)\n", arena).kind);
    finding = sanitizer_parse(": runtime error: ", arena);
    assert_null(finding.file);
}

static void frames_in_the_submission_are_found(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    SourceFile files[] = {{.name = "main.c"}, {.name = "lib/x.h"}};
    SourceSet sources = {.files = files, .count = 2, .jail_name = "main.c", .shown_name = "my.c"};
    SanitizerReport report = {0};
    assert_true(sanitizer_parse_frames("memcpy\n??:0\nfill\n/w/main.c:6 (discriminator 3)\nmain\n/w/main.c:11\n",
                                       &sources, arena, &report));
    assert_string_equal(report.file, "my.c");
    assert_string_equal(report.function, "fill");
    assert_int_equal(report.line, 6);
    assert_true(sanitizer_parse_frames("??\n/w/lib/x.h:?\n", &sources, arena, &report));
    assert_string_equal(report.file, "lib/x.h");
    assert_null(report.function);
    assert_int_equal(report.line, 0);
    assert_false(sanitizer_parse_frames("f\n/usr/include/xmain.c:5\n", &sources, arena, &report));
    assert_false(sanitizer_parse_frames("", &sources, arena, &report));
    assert_false(sanitizer_parse_frames("f", &sources, arena, &report));
}

/* ---- differences ---------------------------------------------------------------------------------------------- */

static Difference compare(const char *output, const char *answer, Arena *arena)
{
    ValidatorFlags flags = {0};
    TokensResult tokens = tokens_compare(output, strlen(output), answer, strlen(answer), &flags);
    return explain_difference(&tokens, output, strlen(output), answer, strlen(answer), arena);
}

static void differences_are_cut(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    Difference small = compare("1\n2 3\n", "1\n2 4\n", arena);
    assert_string_equal(small.got, "2 3");
    assert_string_equal(small.expected, "2 4");
    assert_int_equal(small.line, 2);
    assert_int_equal(small.column, 3);
    assert_int_equal(small.token_index, 3);
    char long_output[5001], long_answer[5001];
    memset(long_output, 'a', 5000);
    memset(long_answer, 'a', 5000);
    long_output[5000] = long_answer[5000] = '\0';
    long_output[2500] = 'X';
    Difference middle = compare(long_output, long_answer, arena);
    assert_non_null(strchr(middle.got, 'X'));
    assert_true(strlen(middle.got) < 120);
    assert_memory_equal(middle.got, "...", 3);
    Difference shorter = compare("1\n", "1 2\n", arena);
    assert_non_null(shorter.what);
    assert_string_equal(shorter.expected, "1 2");
    Difference longer = compare("1 2\n", "1\n", arena);
    assert_string_equal(longer.got, "1 2");
    Difference raw = compare("\x1b[31m\x01\xff", "7", arena);
    assert_string_equal(raw.got, "\\x1B[31m\\x01\\xFF");
    Difference none = compare("", "7", arena);
    assert_string_equal(none.got, "");
}

static void policies_decide_what_is_seen(void **state)
{
    (void)state;
    Visibility sample = visibility_of(FEEDBACK_VERDICT, true, false),
               author = visibility_of(FEEDBACK_VERDICT, false, true);
    assert_true(sample.has_difference && sample.has_input && sample.has_judge_message && sample.has_exit_code);
    assert_true(author.has_difference && author.has_input && author.has_judge_message);
    Visibility verdict = visibility_of(FEEDBACK_VERDICT, false, false);
    assert_false(verdict.has_difference || verdict.has_input || verdict.has_judge_message || verdict.has_exit_code);
    Visibility difference = visibility_of(FEEDBACK_DIFFERENCE, false, false);
    assert_true(difference.has_difference && !difference.has_input && !difference.has_judge_message);
    Visibility input = visibility_of(FEEDBACK_INPUT, false, false);
    assert_true(input.has_difference && input.has_input && !input.has_judge_message);
    assert_string_equal(input.policy, feedback_policy_word(FEEDBACK_INPUT));
    assert_string_equal(verdict.policy, feedback_policy_word(FEEDBACK_VERDICT));
}

static void inputs_are_cut(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    char input[3000];
    memset(input, 'z', sizeof input);
    assert_string_equal(explain_input("1\n2\n", 4, arena), "1\n2\n");
    assert_int_equal(strlen(explain_input(input, sizeof input, arena)), 1024 + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages_are_found),
        cmocka_unit_test(gcc_messages_are_read),
        cmocka_unit_test(too_many_messages_are_cut),
        cmocka_unit_test(names_are_restored),
        cmocka_unit_test(address_findings_are_read),
        cmocka_unit_test(kinds_are_named),
        cmocka_unit_test(undefined_findings_are_read),
        cmocka_unit_test(frames_in_the_submission_are_found),
        cmocka_unit_test(differences_are_cut),
        cmocka_unit_test(policies_decide_what_is_seen),
        cmocka_unit_test(inputs_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
