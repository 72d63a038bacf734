/* gavel.yaml, generated tests, the lock file and the hashes. */
#include "package_fixture.h"

static void defaults_without_it(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->feedback, FEEDBACK_VERDICT);
    assert_null(problem->model_path);
    assert_null(problem->difficulty);
    assert_null(problem->generator);
    assert_int_equal(problem->generated_count, 0);
}

static void every_key(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "submissions/run_time_error/deep.c", "");
    fixture_write(fixture, "gavel.yaml",
                  "schema: 1\nfeedback: input\nmodel: accepted/a.c\nstack_bytes: 8 MiB\n"
                  "difficulty: hard\nverdicts: {run_time_error/deep.c: MLE}\n"
                  "probe: {size: n}\ncuda: {}\ninterview: []\n");
    const Problem *problem = fixture_load(fixture);
    assert_string_equal(feedback_policy_word(problem->feedback), "input");
    assert_string_equal(problem->model_path, find_submission(problem, "accepted/a.c")->path);
    assert_true(find_submission(problem, "accepted/a.c")->is_model);
    assert_int_equal(problem->limits.stack_bytes, 8 << 20);
    assert_int_equal(problem->limits.memory_bytes, 2048LL << 20);
    assert_string_equal(problem->difficulty, "hard");
    assert_int_equal(find_submission(problem, "run_time_error/deep.c")->exact_verdict, VERDICT_MEMORY_LIMIT);
    assert_int_equal(find_submission(problem, "accepted/a.c")->exact_verdict, VERDICT_NONE);
    fixture_write(fixture, "gavel.yaml", "schema: 1\nmodel: submissions/accepted/a.c\nstack_bytes: 1048576\n");
    assert_int_equal(fixture_load(fixture)->limits.stack_bytes, 1 << 20);
    assert_non_null(fixture->problem->model_path);
}

static void errors_with_positions(void **state)
{
    static const char *const cases[][2] = {
        {"feedback: verdict\n", "gavel.yaml:1:1: 'schema: 1' is missing"},
        {"schema: 2\nnew_key: 1\n", "gavel.yaml:1:9: schema 2 is not known; this version of gavel reads schema 1"},
        {"schema: one\n", "gavel.yaml:1:9: 'schema' must be a whole number"},
        {"schema: 1\nfeedbak: verdict\n", "gavel.yaml:2:1: unknown key 'feedbak'; did you mean 'feedback'?"},
        {"schema: 1\ndata:\n  generators: x\n", "gavel.yaml:3:3: unknown key 'generators'; did you mean 'generator'?"},
        {"schema: 1\nfeedback: all\n",
         "gavel.yaml:2:11: 'feedback' can't be 'all'; it is one of: verdict, difference, input"},
        {"schema: 1\ndifficulty: trivial\n",
         "gavel.yaml:2:13: 'difficulty' can't be 'trivial'; it is one of: easy, medium, hard"},
        {"schema: 1\nmodel: /etc/passwd\n",
         "gavel.yaml:2:8: 'model' must be a path inside the package, not '/etc/passwd'"},
        {"schema: 1\nmodel: ../other/a.c\n",
         "gavel.yaml:2:8: 'model' must be a path inside the package, not '../other/a.c'"},
        {"schema: 1\nmodel: accepted/b.c\n",
         "gavel.yaml:2:8: there is no submission 'accepted/b.c'; did you mean 'accepted/a.c'?"},
        {"schema: 1\nstack_bytes: big\n",
         "gavel.yaml:2:14: 'stack_bytes' must be a number of bytes, or one with a unit: 1024 MiB"},
        {"schema: 1\nstack_bytes: 4 MB\n",
         "gavel.yaml:2:14: 'stack_bytes' must be a number of bytes, or one with a unit: 1024 MiB"},
        {"schema: 1\nstack_bytes: 5\n",
         "gavel.yaml:2:14: 'stack_bytes' must be between 65536 and 10000000000000 bytes"},
        {"schema: 1\nverdicts: {accepted/a.c: OK}\n",
         "gavel.yaml:2:26: 'OK' is not a verdict; the verdicts are AC WA TLE WTL ITL MLE OLE RE SEC CE JE OOB RACE "
         "DEADLOCK MODIFIED_INPUT SUSPECT SLOW"},
        {"schema: 1\nverdicts:\n  accepted/gone.c: AC\n", "gavel.yaml:3:3: there is no submission 'accepted/gone.c'; "
                                                          "did you mean 'accepted/a.c'?"},
        {"schema: 1\nverdicts:\n  ../a.c: AC\n", "gavel.yaml:3:3: '../a.c' is not the name of a submission"},
        {"schema: 1\nprobe: yes\n", "gavel.yaml:2:8: 'probe' must be a mapping or a list"},
        {"schema: 1\ndata: {tests: {secret/1: []}}\n", "gavel.yaml:2:1: 'data' has tests but no 'generator'"},
        {"schema: 1\ndata: {generator: gen.c}\n", "gavel.yaml:2:19: there is no gen.c"},
        {"schema: 1\ndata: {generator: ../gen.c}\n",
         "gavel.yaml:2:19: 'generator' must be a path inside the package, not '../gen.c'"},
        {"schema: 1\ndata: {tests: {secret/../../x: []}}\n",
         "gavel.yaml:2:16: 'secret/../../x' is not a test name like secret/010-empty"},
        {"schema: 1\ndata: {tests: {other/x: []}}\n",
         "gavel.yaml:2:16: 'other/x' is not a test name like secret/010-empty"},
        {"schema: 1\ndata: {tests: {secret/x.in: []}}\n",
         "gavel.yaml:2:16: 'secret/x.in' is not a test name like secret/010-empty"},
        {"schema: 1\ndata: {tests: {secret/x: 5}}\n", "gavel.yaml:2:26: 'secret/x' must be a list of arguments"},
    };
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_write(fixture, "gavel.yaml", cases[i][0]);
        fixture_fails(fixture, cases[i][1]);
    }
}

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void generated_package(const Fixture *fixture)
{
    fixture_minimal(fixture, "");
    fixture_write(fixture, "generators/gen.c", "generator");
    fixture_write(fixture, "gavel.yaml",
                  "schema: 1\ndata:\n  generator: generators/gen.c\n  tests:\n"
                  "    secret/020-b: [b, '1']\n    secret/010-a: []\n    secret/new/deep/1: [x]\n");
    fixture_write(fixture, "data/gavel.lock",
                  HASH_A "  secret/010-a.in\n" HASH_B "  secret/010-a.ans\n" HASH_A "  secret/020-b.in\n" HASH_A
                         "  secret/old.in\n");
}

static void load_with_cache(Fixture *fixture)
{
    ProblemPaths paths = {.data_cache = fixture->root};
    problem_free(fixture->problem);
    fixture->problem = NULL;
    if (!problem_load(fixture->directory, &paths, &fixture->problem, &fixture->error))
        fail_msg("%s", error_text(&fixture->error));
}

static void generated_tests(void **state)
{
    Fixture *fixture = *state;
    generated_package(fixture);
    load_with_cache(fixture);
    const Problem *problem = fixture->problem;
    static const char *const names[] = {"secret/010-a", "secret/020-b", "secret/1", "secret/new/deep/1"};
    assert_int_equal(problem->test_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(problem->tests[i].name, names[i]);
    assert_string_equal(problem->groups[problem->tests[3].group_index].name, "secret/new/deep");
    assert_int_equal(problem_missing_data(problem), 3);
    assert_string_equal(problem->generator->name, "generators/gen.c");
    assert_int_equal(problem->generated_count, 3);
    assert_string_equal(problem->generated[0].input_sha256, HASH_A);
    assert_string_equal(problem->generated[0].answer_sha256, HASH_B);
    assert_strings(problem->generated[1].args, "b 1");
    assert_null(problem->generated[1].answer_sha256);
    assert_int_equal(strings_count(problem->generated[0].args), 0);
    fixture_warns(fixture, "data/gavel.lock:1: no hash of secret/020-b.ans");
    fixture_warns(fixture, "data/gavel.lock:1: no hash of secret/new/deep/1.in");
    fixture_warns(fixture, "data/gavel.lock:4: secret/old.in is not a generated test");
    assert_int_equal(strings_count(problem->warnings), 3);
}

static void data_goes_to_the_cache(void **state)
{
    Fixture *fixture = *state;
    char expected[256];
    generated_package(fixture);
    load_with_cache(fixture);
    const char *directory = problem_data_directory(fixture->problem);
    (void)snprintf(expected, sizeof expected, "%s/pkg-", fixture->root);
    assert_memory_equal(directory, expected, strlen(expected));
    assert_int_equal(strlen(directory), strlen(expected) + 16);
    (void)snprintf(expected, sizeof expected, "%.200s/secret/010-a.in", directory);
    assert_string_equal(fixture->problem->tests[0].input_path, expected);
    (void)snprintf(expected, sizeof expected, "%s/data/secret/1.in", fixture->problem->directory);
    assert_string_equal(fixture->problem->tests[2].input_path, expected);
}

static void data_in_the_package_goes_first(void **state)
{
    Fixture *fixture = *state;
    char expected[256];
    generated_package(fixture);
    fixture_write(fixture, "data/secret/010-a.in", "made");
    fixture_write(fixture, "data/secret/010-a.ans", "made");
    load_with_cache(fixture);
    (void)snprintf(expected, sizeof expected, "%s/data/secret/010-a.in", fixture->problem->directory);
    assert_int_equal(fixture->problem->test_count, 4);
    assert_string_equal(fixture->problem->tests[0].input_path, expected);
    assert_int_equal(problem_missing_data(fixture->problem), 2);
}

/* What the data is made from names its directory: a change of any part must name another. */
static void directory_follows_its_sources(void **state)
{
    static const char *const changes[][2] = {
        {"generators/gen.c", "other generator"},
        {"submissions/accepted/a.c", "other model"},
        {"data/gavel.lock", HASH_B "  secret/010-a.in\n"},
        {"gavel.yaml", "schema: 1\ndata:\n  generator: generators/gen.c\n  tests:\n    secret/010-a: [changed]\n"},
    };
    Fixture *fixture = *state;
    char before[256];
    generated_package(fixture);
    load_with_cache(fixture);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        (void)snprintf(before, sizeof before, "%s", problem_data_directory(fixture->problem));
        load_with_cache(fixture);
        assert_string_equal(problem_data_directory(fixture->problem), before);
        fixture_write(fixture, changes[i][0], changes[i][1]);
        load_with_cache(fixture);
        assert_string_not_equal(problem_data_directory(fixture->problem), before);
    }
    (void)snprintf(before, sizeof before, "%s", problem_data_directory(fixture->problem));
    fixture_write(fixture, "statement/problem.en.md", "no part of the data");
    load_with_cache(fixture);
    assert_string_equal(problem_data_directory(fixture->problem), before);
}

static void without_cache_or_lock(void **state)
{
    Fixture *fixture = *state;
    char expected[256];
    generated_package(fixture);
    (void)snprintf(expected, sizeof expected, "%s/data/gavel.lock", fixture->directory);
    assert_int_equal(unlink(expected), 0);
    const Problem *problem = fixture_load(fixture);
    (void)snprintf(expected, sizeof expected, "%s/data", problem->directory);
    assert_string_equal(problem_data_directory(problem), expected);
    fixture_warns(fixture, "gavel.yaml:4: there is no data/gavel.lock, so nothing tells whether generated data is what "
                           "it should be");
    fixture_write(fixture, "data/gavel.lock", "garbage\n");
    fixture_fails(fixture, "data/gavel.lock:1: expected '<64 hexadecimal digits>  <name>'");
}

static void hashes_follow_content(void **state)
{
    Fixture *fixture = *state;
    char whole[80], tests[80];
    generated_package(fixture);
    load_with_cache(fixture);
    assert_int_equal(strlen(fixture->problem->sha256), 64);
    (void)snprintf(whole, sizeof whole, "%s", fixture->problem->sha256);
    (void)snprintf(tests, sizeof tests, "%s", fixture->problem->tests_sha256);
    fixture_write(fixture, "data/secret/020-b.in", "generated, so covered by the lock");
    fixture_write(fixture, "data/secret/020-b.ans", "likewise");
    fixture_write(fixture, "submissions/accepted/__pycache__/a.pyc", "a build product");
    load_with_cache(fixture);
    assert_string_equal(fixture->problem->sha256, whole);
    fixture_write(fixture, "statement/problem.en.md", "text");
    load_with_cache(fixture);
    assert_string_not_equal(fixture->problem->sha256, whole);
    (void)snprintf(tests, sizeof tests, "%s", fixture->problem->tests_sha256);
    fixture_write(fixture, "submissions/accepted/b.c", "not a test");
    load_with_cache(fixture);
    assert_string_equal(fixture->problem->tests_sha256, tests);
    fixture_write(fixture, "data/secret/1.ans", "3\n");
    load_with_cache(fixture);
    assert_string_not_equal(fixture->problem->tests_sha256, tests);
    (void)snprintf(tests, sizeof tests, "%s", fixture->problem->tests_sha256);
    fixture_write(fixture, "problem.yaml", "validator_flags: case_sensitive\n");
    load_with_cache(fixture);
    assert_string_not_equal(fixture->problem->tests_sha256, tests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        package_test(defaults_without_it),           package_test(every_key),
        package_test(errors_with_positions),         package_test(generated_tests),
        package_test(data_goes_to_the_cache),        package_test(data_in_the_package_goes_first),
        package_test(directory_follows_its_sources), package_test(without_cache_or_lock),
        package_test(hashes_follow_content),
    };
    return cmocka_run_group_tests_name("package_extension", tests, NULL, NULL);
}
