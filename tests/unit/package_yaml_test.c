/* The YAML reader: the tree, positions, what is refused; and decimal text, suggestions, globs, the lock file. */
#include "package/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "package/decimal_text.h"
#include "package/glob.h"
#include "package/lock.h"
#include "package/suggest.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static const YamlNode *parse(Arena *arena, const char *text)
{
    const YamlNode *root = NULL;
    auto_error Error error = {0};
    if (!yaml_parse(arena, "f.yaml", text, strlen(text), &root, &error))
        fail_msg("%s", error_text(&error));
    return root;
}

static void assert_refused(Arena *arena, const char *text, size_t size, const char *message)
{
    const YamlNode *root = NULL;
    auto_error Error error = {0};
    assert_false(yaml_parse(arena, "f.yaml", text, size, &root, &error));
    assert_null(root);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error_text(&error), message);
}

static void tree_and_positions(void **state)
{
    const YamlNode *root = parse(*state, "a: 1\nlist:\n  - x\n  - 'no'\nmap: {k: v}\n");
    assert_int_equal(root->kind, YAML_KIND_MAPPING);
    assert_int_equal(root->child_count, 3);
    const YamlNode *list = yaml_get(root, "list");
    assert_int_equal(list->kind, YAML_KIND_SEQUENCE);
    assert_int_equal(list->key_line, 2);
    assert_int_equal(list->children->line, 3);
    assert_int_equal(list->children->column, 5);
    assert_string_equal(list->children->next->text, "no");
    assert_true(list->children->next->is_quoted);
    assert_string_equal(yaml_get(yaml_get(root, "map"), "k")->text, "v");
    assert_null(yaml_get(root, "absent"));
}

static void nothing_is_null(void **state)
{
    assert_true(yaml_is_null(parse(*state, "")));
    assert_true(yaml_is_null(parse(*state, "# only a comment\n")));
    assert_true(yaml_is_null(yaml_get(parse(*state, "a:\n"), "a")));
    assert_true(yaml_is_null(yaml_get(parse(*state, "a: ~\n"), "a")));
    assert_false(yaml_is_null(yaml_get(parse(*state, "a: ''\n"), "a")));
}

static void refusals(void **state)
{
    static const char *const cases[][2] = {
        {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' is given twice (first in line 1)"},
        {"a: &x 1\n", "f.yaml:1:4: anchors and aliases are not allowed here"},
        {"a: [1, *x]\n", "f.yaml:1:8: anchors and aliases are not allowed here"},
        {"? [a]\n: b\n", "f.yaml:1:3: a key must be a string"},
        {"a: \"\\e[31m\"\n", "f.yaml:1:4: a control character in a string"},
        {"a: \"\\0\"\n", "f.yaml:1:4: a control character in a string"},
        {"a: 1\n---\nb: 2\n", "f.yaml:2:1: only one document is allowed"},
        {"a: b: c\n", "f.yaml:1:5: mapping values are not allowed in this context"},
        {"a: [1, 2\nb: 3\n", "f.yaml:2:2: while parsing a flow sequence: did not find expected ',' or ']'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(*state, cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

static void limits(void **state)
{
    char deep[200];
    memset(deep, '[', sizeof deep);
    assert_refused(*state, deep, sizeof deep, "f.yaml:1:34: nested more than 32 levels deep");
    size_t size = 1024 * 1024 + 1;
    char *large = calloc(1, size);
    memset(large, '#', size);
    assert_refused(*state, large, size, "f.yaml:1:1: larger than 1048576 bytes");
    for (size_t i = 0; i + 2 <= 200002; i += 2)
        memcpy(large + i, i ? "1," : "[ ", 2);
    assert_refused(*state, large, 200002, "f.yaml:1:100001: more than 50000 values");
    free(large);
}

static void booleans(void **state)
{
    static const char *const yes[] = {"yes", "Y", "true", "True", "on", "ON"}, *const no[] = {"no", "N", "false",
                                                                                              "off"};
    bool value;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(yaml_boolean(parse(*state, yes[i]), &value) && value);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_true(yaml_boolean(parse(*state, no[i]), &value) && !value);
    assert_false(yaml_boolean(parse(*state, "'yes'"), &value));
    assert_false(yaml_boolean(parse(*state, "1"), &value));
}

static void numbers(void **state)
{
    int64_t whole;
    double real;
    assert_true(yaml_integer(parse(*state, "-42"), &whole) && whole == -42);
    assert_false(yaml_integer(parse(*state, "99999999999999999999"), &whole));
    assert_false(yaml_integer(parse(*state, "0x10"), &whole));
    assert_false(yaml_integer(parse(*state, "4 2"), &whole));
    assert_true(yaml_decimal(parse(*state, "1.5e1"), &real) && real == 15);
    assert_false(yaml_decimal(parse(*state, ".inf"), &real));
    assert_false(yaml_decimal(parse(*state, "1e999"), &real));
}

static void decimal_grammar(void **state)
{
    static const char *const good[] = {"0", "12", ".5", "5.", "+1", "-1.25", "1e0", "1E+0", "007", "1.e-3"};
    static const char *const bad[] = {"",    ".",   "+",  "e1", "1e",  "1e+", "0x1",
                                      "inf", "nan", "1 ", " 1", "1,0", "1_0", "--1"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(decimal_text_matches(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(decimal_text_matches(bad[i]));
}

static void suggestions(void **state)
{
    static const char *const words[] = {"islands", "two-sum", "lru-cache", "word-ladder", NULL};
    assert_string_equal(suggest(*state, "iland", words), "; did you mean 'islands'?");
    assert_string_equal(suggest(*state, "twosum", words), "; did you mean 'two-sum'?");
    assert_string_equal(suggest(*state, "chess", words), "");
    static const char *const near[] = {"ab", "ac", "ad", "ae", NULL};
    assert_string_equal(suggest(*state, "a", near), "; did you mean 'ab', 'ac' or 'ad'?");
}

static void globs_match(void **state)
{
    (void)state;
    assert_true(glob_matches("*.py", "a.py"));
    assert_true(glob_matches("a*b*c", "aXbXbYc"));
    assert_true(glob_matches("*/a.c", "mixed/a.c"));
    assert_true(glob_matches("mixed/*", "mixed/a.c"));
    assert_false(glob_matches("*.py", "mixed/a.py"));
    assert_false(glob_matches("*", "mixed/a.py"));
    assert_false(glob_matches("a?c", "abc"));
    assert_false(glob_matches("[ab]", "a"));
    assert_true(glob_matches_below(*state, "wrong_answer", "wrong_answer/a.c"));
    assert_true(glob_matches_below(*state, "w*", "wrong_answer/a.c"));
    assert_false(glob_matches_below(*state, "wrong", "wrong_answer/a.c"));
}

static void globs_expand(void **state)
{
    List globs = list_of(*state, const char *);
    assert_true(glob_expand(*state, "{a,b{1,2}}/{x,}*", &globs));
    const char **all = list_strings(&globs);
    static const char *const expected[] = {"a/x*", "a/*", "b1/x*", "b1/*", "b2/x*", "b2/*"};
    assert_int_equal(globs.count, 6);
    for (size_t i = 0; i < 6; i++) {
        bool is_there = false;
        for (size_t j = 0; j < globs.count; j++)
            is_there |= strcmp(all[j], expected[i]) == 0;
        assert_true(is_there);
    }
    assert_false(glob_expand(*state, "{a,b", &globs));
    assert_false(glob_expand(*state, "a}b", &globs));
    assert_false(glob_expand(*state, "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", &globs));
}

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void lock_files(void **state)
{
    static const char good[] = HEX "  secret/b.in\n\n" HEX " *secret/a.ans\n";
    Lock lock;
    auto_error Error error = {0};
    assert_true(lock_parse(*state, "l", good, sizeof good - 1, &lock, &error));
    assert_int_equal(lock.entries.count, 2);
    assert_string_equal(lock_find(&lock, "secret/b.in"), HEX);
    assert_string_equal(lock_find(&lock, "secret/a.ans"), HEX);
    assert_null(lock_find(&lock, "secret/c.in"));
    static const char *const bad[][2] = {
        {"abc  secret/a.in\n", "l:1: expected '<64 hexadecimal digits>  <name>'"},
        {HEX "  secret/a.in\n" HEX "  ../a.in\n", "l:2: expected '<64 hexadecimal digits>  <name>'"},
        {HEX "  /etc/passwd\n", "l:1: expected '<64 hexadecimal digits>  <name>'"},
        {HEX "  a.in\n" HEX "  a.in\n", "l:2: a.in is listed twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lock_parse(*state, "l", bad[i][0], strlen(bad[i][0]), &lock, &error));
        assert_string_equal(error_text(&error), bad[i][1]);
    }
}

#define with_arena(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_arena(tree_and_positions), with_arena(nothing_is_null),
        with_arena(refusals),           with_arena(limits),
        with_arena(booleans),           with_arena(numbers),
        with_arena(decimal_grammar),    with_arena(suggestions),
        with_arena(globs_match),        with_arena(globs_expand),
        with_arena(lock_files),
    };
    return cmocka_run_group_tests_name("package_yaml", tests, NULL, NULL);
}
