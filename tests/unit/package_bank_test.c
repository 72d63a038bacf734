/* The bank along a search path, and the two packages of tests/package as a whole. Runs in the repository's root. */
#include "package_fixture.h"

static void put_package(const Fixture *fixture, const char *name, const char *yaml)
{
    char path[256];
    (void)snprintf(path, sizeof path, "../%s/problem.yaml", name);
    fixture_write(fixture, path, yaml);
    (void)snprintf(path, sizeof path, "../%s/data/secret/1.in", name);
    fixture_write(fixture, path, "");
    (void)snprintf(path, sizeof path, "../%s/data/secret/1.ans", name);
    fixture_write(fixture, path, "");
}

static const char *two_banks(const Fixture *fixture, Arena *arena)
{
    put_package(fixture, "one/islands", "name: {en: Islands, zh: 岛屿}\nkeywords: [graph, grid]\n");
    put_package(fixture, "one/broken", "name: [\n");
    put_package(fixture, "two/islands", "name: Shadowed\n");
    put_package(fixture, "two/abc", "name: Abc\n");
    fixture_write(fixture, "../two/abc/gavel.yaml", "schema: 1\ndifficulty: easy\n");
    fixture_write(fixture, "../two/not-a-package/readme.txt", "");
    fixture_write(fixture, "../two/file", "");
    return arena_format(arena, "%s/one::/nonexistent/bank:%s/two:", fixture->root, fixture->root);
}

static void lists_by_name(void **state)
{
    Fixture *fixture = *state;
    auto_arena Arena *arena = arena_new();
    ProblemSummary *list;
    size_t count;
    assert_true(bank_list(two_banks(fixture, arena), arena, &list, &count, &fixture->error));
    assert_int_equal(count, 3);
    assert_string_equal(list[0].name, "abc");
    assert_string_equal(list[0].difficulty, "easy");
    assert_null(list[0].error);
    assert_string_equal(list[1].name, "broken");
    assert_string_equal(list[1].title, "broken");
    assert_string_equal(list[1].error,
                        arena_format(arena,
                                     "%s/one/broken/problem.yaml:2:1: while parsing a flow node: did not "
                                     "find expected node content",
                                     fixture->root));
    assert_int_equal(strings_count(list[1].keywords), 0);
    assert_string_equal(list[2].title, "Islands");
    assert_string_equal(list[2].title_zh, "岛屿");
    assert_strings(list[2].keywords, "graph grid");
    assert_string_equal(list[2].directory, arena_format(arena, "%s/one/islands", fixture->root));
}

static void lists_nothing(void **state)
{
    static const char *const paths[] = {"", ":", "/nonexistent/bank", NULL};
    Fixture *fixture = *state;
    auto_arena Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ProblemSummary *list;
        size_t count = 1;
        assert_true(bank_list(paths[i], arena, &list, &count, &fixture->error));
        assert_int_equal(count, 0);
    }
}

static void finds(void **state)
{
    Fixture *fixture = *state;
    auto_arena Arena *arena = arena_new();
    const char *path = two_banks(fixture, arena), *directory;
    assert_true(bank_find(path, "islands", arena, &directory, &fixture->error));
    assert_string_equal(directory, arena_format(arena, "%s/one/islands", fixture->root));
    assert_true(bank_find(path, "abc", arena, &directory, &fixture->error));
    assert_string_equal(directory, arena_format(arena, "%s/two/abc", fixture->root));
    assert_true(bank_find(path, "some/where", arena, &directory, &fixture->error));
    assert_string_equal(directory, "some/where");
    assert_true(bank_find("", "/absolute", arena, &directory, &fixture->error));
    assert_string_equal(directory, "/absolute");
}

static void does_not_find(void **state)
{
    Fixture *fixture = *state;
    auto_arena Arena *arena = arena_new();
    const char *path = two_banks(fixture, arena), *directory = NULL;
    const char *const cases[][2] = {
        {"iland", "no problem 'iland'; did you mean 'islands'?"},
        {"chess", arena_format(arena, "no problem 'chess' along the search path '%s'", path)},
        {"..", arena_format(arena, "no problem '..' along the search path '%s'", path)},
        {"", arena_format(arena, "no problem '' along the search path '%s'", path)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(bank_find(path, cases[i][0], arena, &directory, &fixture->error));
        assert_string_equal(error_text(&fixture->error), cases[i][1]);
        assert_int_equal(fixture->error.kind, ERROR_INPUT);
        assert_null(directory);
        error_clear(&fixture->error);
    }
}

static void load_committed(Fixture *fixture, const char *directory)
{
    (void)snprintf(fixture->directory, sizeof fixture->directory, "%s", directory);
    (void)fixture_load(fixture);
}

static void legacy_package(void **state)
{
    static const char *const order[] = {"sample/1", "secret/0-zero", "secret/1-small/a", "secret/1-small/b",
                                        "secret/2-large/a"};
    Fixture *fixture = *state;
    load_committed(fixture, "tests/package/legacy/");
    const Problem *problem = fixture->problem;
    assert_string_equal(problem->name, "legacy");
    assert_int_equal(*problem->directory, '/');
    assert_string_equal(problem->title, "Sum of Two");
    assert_int_equal(problem->test_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(problem->tests[i].name, order[i]);
    assert_int_equal(problem->limits.time_ns, 1500000000);
    assert_true(problem->limits.ac_to_time_limit == 4 && problem->limits.time_limit_to_tle == 3);
    assert_string_equal(problem->output_validator->name, "output_validators/check");
    assert_strings(problem->tests[4].validator_args, "float_tolerance 1e-6 strict 3");
    assert_string_equal(problem->tests[2].hint, "Mind the carry");
    assert_int_equal(problem->submission_count, 4);
    assert_int_equal(strings_count(problem->warnings), 1);
    assert_string_equal(problem->warnings[0], "tests/package/legacy/.timelimit:1: the time limit of 2.5 s is ignored, "
                                              "since 1.5 s is given elsewhere");
}

static void newer_package(void **state)
{
    Fixture *fixture = *state;
    load_committed(fixture, "tests/package/newer");
    const Problem *problem = fixture->problem;
    assert_string_equal(problem->title_zh, "加倍");
    assert_string_equal(problem->author, "Ada Author, Bob Builder");
    assert_int_equal(problem->feedback, FEEDBACK_DIFFERENCE);
    assert_int_equal(problem->limits.stack_bytes, 16 << 20);
    assert_int_equal(problem->test_count, 5);
    assert_int_equal(problem_missing_data(problem), 2);
    assert_string_equal(problem->tests[1].hint, "Read the input");
    assert_strings(problem->tests[1].program_args, "--fast 1");
    assert_string_equal(problem->tests[1].validator_flags.float_absolute, "0.5");
    assert_true(problem->tests[4].validator_flags.is_space_change_sensitive);
    assert_int_equal(find_submission(problem, "wrong_answer/triple.py")->exact_verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(find_submission(problem, "wrong_answer/triple.py")->expectations->message, "too large");
    assert_string_equal(problem->generated[1].input_sha256,
                        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        package_test(lists_by_name), package_test(lists_nothing),  package_test(finds),
        package_test(does_not_find), package_test(legacy_package), package_test(newer_package),
    };
    return cmocka_run_group_tests_name("package_bank", tests, NULL, NULL);
}
