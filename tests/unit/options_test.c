/* Options: every type, every way to write one, every error as the one line the user sees, help from the same rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fd.h"
#include "base/options.h"

typedef struct Wishes {
    bool is_json, is_help, is_quiet;
    const char *out, *lang, *problem, *file;
    OptionNumber seed, jobs;
} Wishes;

static const Option own_rows[] = {
    {.name = "json", .type = OPTION_FLAG, .offset = offsetof(Wishes, is_json), .help = "print JSON"},
    {.name = "out",
     .letter = 'o',
     .type = OPTION_TEXT,
     .offset = offsetof(Wishes, out),
     .value_name = "DIR",
     .environment = "OPTIONS_TEST_OUT",
     .help = "where to"},
    {.name = "lang",
     .type = OPTION_CHOICE,
     .offset = offsetof(Wishes, lang),
     .choices = "en|zh",
     .default_text = "en",
     .help = "language"},
    {.name = "seed", .type = OPTION_NUMBER, .offset = offsetof(Wishes, seed), .value_name = "N", .help = "seed"},
    {.name = "jobs",
     .type = OPTION_NUMBER,
     .offset = offsetof(Wishes, jobs),
     .value_name = "N",
     .minimum = 1,
     .maximum = 64,
     .help = "jobs"},
    {0},
};
static const Option shared_rows[] = {
    {.name = "quiet", .letter = 'q', .type = OPTION_FLAG, .offset = offsetof(Wishes, is_quiet), .help = "hush"},
    {.name = "help", .letter = 'h', .type = OPTION_HELP, .offset = offsetof(Wishes, is_help), .help = "this"},
    {0},
};
static const OptionArgument arguments[] = {
    {.name = "PROBLEM", .offset = offsetof(Wishes, problem), .help = "which"},
    {.name = "FILE", .offset = offsetof(Wishes, file), .is_optional = true, .help = "what"},
    {0},
};
static const OptionSyntax syntax = {
    .program = "prog verb", .summary = "does things", .tables = {own_rows, shared_rows}, .arguments = arguments};

enum { MAX_WORDS = 16 };

/* Splits at spaces, parses, and gives the error's text ("" if there is none); the caller frees the line, to which
 * values point. */
static bool parse(char *line, Wishes *ret_wishes, Error *error)
{
    char *words[MAX_WORDS + 1] = {0}, *state = NULL;
    size_t count = 0;
    for (char *word = strtok_r(line, " ", &state); word && count < MAX_WORDS; word = strtok_r(NULL, " ", &state))
        words[count++] = word;
    *ret_wishes = (Wishes){0};
    return options_parse(&syntax, words, ret_wishes, error);
}

static Wishes parsed(char *line)
{
    Wishes wishes;
    auto_error Error error = {0};
    if (!parse(line, &wishes, &error))
        fail_msg("%s", error_text(&error));
    return wishes;
}

static void test_values(void **state)
{
    (void)state;
    char line[] = "islands --json --out dir --lang=zh a.c -q --seed 18446744073709551615";
    Wishes wishes = parsed(line);
    assert_true(wishes.is_json && wishes.is_quiet && !wishes.is_help);
    assert_string_equal(wishes.problem, "islands");
    assert_string_equal(wishes.file, "a.c");
    assert_string_equal(wishes.out, "dir");
    assert_string_equal(wishes.lang, "zh");
    assert_true(wishes.seed.is_set);
    assert_true(wishes.seed.value == UINT64_MAX);
    assert_false(wishes.jobs.is_set);
}

static void test_defaults(void **state)
{
    (void)state;
    char line[] = "islands";
    Wishes wishes = parsed(line);
    assert_string_equal(wishes.lang, "en");
    assert_null(wishes.out);
    assert_null(wishes.file);
}

static void test_environment(void **state)
{
    (void)state;
    char silent[] = "islands", spoken[] = "islands --out there", empty[] = "islands";
    setenv("OPTIONS_TEST_OUT", "here", 1);
    assert_string_equal(parsed(silent).out, "here");
    assert_string_equal(parsed(spoken).out, "there");
    setenv("OPTIONS_TEST_OUT", "", 1);
    assert_null(parsed(empty).out);
    unsetenv("OPTIONS_TEST_OUT");
}

static void test_forms(void **state)
{
    (void)state;
    char attached[] = "islands -odir", apart[] = "islands -o dir", dash[] = "islands -", after[] = "islands -- --json",
         last[] = "islands --out a --out b", hex[] = "islands --seed 0xff", equals[] = "islands --out=a=b";
    assert_string_equal(parsed(attached).out, "dir");
    assert_string_equal(parsed(apart).out, "dir");
    assert_string_equal(parsed(dash).file, "-");
    assert_string_equal(parsed(after).file, "--json");
    assert_string_equal(parsed(last).out, "b");
    assert_true(parsed(hex).seed.value == 255);
    assert_string_equal(parsed(equals).out, "a=b");
}

static void test_help_excuses_everything_after_it(void **state)
{
    (void)state;
    char alone[] = "--help", wrong_after[] = "-h --nonsense", wrong_before[] = "--nonsense --help";
    Wishes wishes;
    auto_error Error error = {0};
    assert_true(parsed(alone).is_help);
    assert_true(parsed(wrong_after).is_help);
    assert_false(parse(wrong_before, &wishes, &error));
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *line, *text;
    } rows[] = {
        {"islands --foo", "unknown option --foo"},
        {"islands --jsno", "unknown option --jsno, did you mean --json?"},
        {"islands --foo=1", "unknown option --foo"},
        {"islands -x", "unknown option -x"},
        {"islands -qq", "unknown option -qq"},
        {"islands --json=1", "option --json takes no value"},
        {"islands --out", "option --out needs a value (DIR)"},
        {"islands --out=", "--out needs a value"},
        {"islands --lang", "option --lang needs a value (en|zh)"},
        {"islands --lang fr", "--lang must be one of en|zh, not 'fr'"},
        {"islands --lang en|zh", "--lang must be one of en|zh, not 'en|zh'"},
        {"islands --lang=", "--lang must be one of en|zh, not ''"},
        {"islands --jobs 0", "--jobs needs a whole number from 1 to 64, not '0'"},
        {"islands --jobs 65", "--jobs needs a whole number from 1 to 64, not '65'"},
        {"islands --jobs 3x", "--jobs needs a whole number from 1 to 64, not '3x'"},
        {"islands --seed -1", "--seed needs a whole number from 0 to 18446744073709551615, not '-1'"},
        {"islands --seed 0x", "--seed needs a whole number from 0 to 18446744073709551615, not '0x'"},
        {"islands --seed 18446744073709551616",
         "--seed needs a whole number from 0 to 18446744073709551615, not '18446744073709551616'"},
        {"", "missing argument PROBLEM"},
        {"a b c", "unexpected argument 'c'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        auto_free char *line = strdup(rows[i].line), *expected = NULL;
        Wishes wishes;
        auto_error Error error = {0};
        assert_false(parse(line, &wishes, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_true(asprintf(&expected, "prog verb: %s (see prog verb --help)", rows[i].text) > 0);
        assert_string_equal(error_text(&error), expected);
    }
}

static void test_leading(void **state)
{
    (void)state;
    static const OptionSyntax leading = {.program = "prog", .tables = {shared_rows}};
    char quiet[] = "-q", verb[] = "judge", later[] = "--json";
    char *words[] = {quiet, verb, later, NULL};
    Wishes wishes = {0};
    size_t count;
    auto_error Error error = {0};
    assert_true(options_parse_leading(&leading, words, &wishes, &count, &error));
    assert_int_equal(count, 1);
    assert_true(wishes.is_quiet);
}

static void test_help_names_every_row(void **state)
{
    (void)state;
    auto_free char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    options_print_help(&syntax, stream);
    fclose(stream);
    static const char *const parts[] = {"usage: prog verb [options] PROBLEM [FILE]",
                                        "--json",
                                        "-o, --out DIR",
                                        "--lang en|zh",
                                        "(default: en)",
                                        "[OPTIONS_TEST_OUT]",
                                        "-q, --quiet",
                                        "-h, --help"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("help does not hold '%s':\n%s", parts[i], text);
}

static void test_closest(void **state)
{
    (void)state;
    static const char *const verbs[] = {"judge", "test", "verify", "show", "start", NULL};
    assert_string_equal(options_closest("jugde", verbs), "judge"); /* a swap is one step */
    assert_string_equal(options_closest("tset", verbs), "test");
    assert_string_equal(options_closest("verfy", verbs), "verify");
    assert_null(options_closest("bananas", verbs));
    assert_null(options_closest("a-word-that-is-much-longer-than-any-verb-could-ever-be", verbs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_help_excuses_everything_after_it),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_leading),
        cmocka_unit_test(test_help_names_every_row),
        cmocka_unit_test(test_closest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
