/* submissions/: what each submission must get, by directory, submissions.yaml, annotation and gavel.yaml. */
#include "package_fixture.h"

#include "package/expectation.h"

typedef struct Contract {
    const char *directory;
    unsigned permitted, required;
    bool is_lower, is_upper;
} Contract;

static void check_contracts(Fixture *fixture, const char *yaml, const Contract *contracts, size_t count)
{
    char path[128];
    fixture_minimal(fixture, yaml);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "submissions/%s/x.py", contracts[i].directory);
        fixture_write(fixture, path, "");
    }
    const Problem *problem = fixture_load(fixture);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/x.py", contracts[i].directory);
        const ProblemSubmission *submission = find_submission(problem, path);
        assert_int_equal(submission->expectation_count, 1);
        assert_string_equal(submission->expectations->directory, contracts[i].directory);
        assert_int_equal(submission->expectations->permitted, contracts[i].permitted);
        assert_int_equal(submission->expectations->required, contracts[i].required);
        assert_int_equal(submission->counts_for_lower_bound, contracts[i].is_lower);
        assert_int_equal(submission->counts_for_upper_bound, contracts[i].is_upper);
        assert_int_equal(submission->exact_verdict, VERDICT_NONE);
    }
}

static void legacy_directories(void **state)
{
    static const Contract contracts[] = {
        {"accepted", BIT_AC, 0, true, false},
        {"partially_accepted", BIT_AC, 0, false, false},
        {"wrong_answer", BIT_AC | BIT_WA, BIT_WA, false, false},
        {"time_limit_exceeded", BIT_AC | BIT_TLE, BIT_TLE, false, true},
        {"run_time_error", BIT_AC | BIT_RTE, BIT_RTE, false, false},
    };
    check_contracts(*state, "", contracts, sizeof contracts / sizeof *contracts);
}

static void newer_directories(void **state)
{
    static const Contract contracts[] = {
        {"accepted", BIT_AC, 0, true, false},
        {"wrong_answer", BIT_AC | BIT_WA, BIT_WA, true, false},
        {"time_limit_exceeded", BIT_AC | BIT_TLE, BIT_TLE, false, true},
        {"run_time_error", BIT_AC | BIT_RTE, BIT_RTE, true, false},
        {"rejected", BIT_ANY, BIT_RTE | BIT_TLE | BIT_WA, false, false},
        {"brute_force", BIT_AC | BIT_RTE | BIT_TLE, BIT_RTE | BIT_TLE, false, false},
    };
    check_contracts(*state, "problem_format_version: 2025-09\n", contracts, sizeof contracts / sizeof *contracts);
}

static void files_and_directories(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "submissions/accepted/dir/main.c", "");
    fixture_write(fixture, "submissions/accepted/dir/part.h", "");
    fixture_write(fixture, "submissions/accepted/notes.md", "");
    fixture_write(fixture, "submissions/accepted/common.h", "");
    fixture_write(fixture, "submissions/accepted/__pycache__/x.pyc", "");
    fixture_write(fixture, "submissions/accepted/a.o", "");
    fixture_write(fixture, "submissions/accepted/my solution.c", "");
    fixture_write(fixture, "submissions/stray.c", "");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->submission_count, 2);
    assert_string_equal(problem->submissions[0].name, "accepted/a.c");
    assert_string_equal(problem->submissions[1].name, "accepted/dir");
    assert_int_equal(*problem->submissions[1].path, '/');
    fixture_warns(fixture, "submissions/stray.c: ignored: submissions are in directories");
    fixture_warns(fixture, "submissions/accepted/my solution.c: ignored: a name has only letters, digits and _.- and "
                           "does not start with -");
}

static void unknown_directory(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "submissions/wrong_anwser/x.py", "");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(find_submission(problem, "wrong_anwser/x.py")->expectation_count, 0);
    fixture_warns(fixture, "submissions/wrong_anwser: nothing says what 1 of its submissions must get; did you mean "
                           "'wrong_answer'?");
}

static void annotations(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "submissions/mixed/x.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER, run-error\n# CORRECT\n");
    fixture_write(fixture, "submissions/mixed/d/main.c", "/* @EXPECTED_RESULTS@: CORRECT,TIMELIMIT */\r\n");
    fixture_write(fixture, "submissions/accepted/a.c", "/* @EXPECTED_RESULTS@: WRONG-ANSWER */\n");
    const Problem *problem = fixture_load(fixture);
    const ProblemSubmission *mixed = find_submission(problem, "mixed/x.py");
    assert_int_equal(mixed->expectation_count, 1);
    assert_int_equal(mixed->expectations->permitted, BIT_AC | BIT_WA | BIT_RTE);
    assert_int_equal(mixed->expectations->required, BIT_WA | BIT_RTE);
    assert_int_equal(find_submission(problem, "mixed/d")->expectations->permitted, BIT_AC | BIT_TLE);
    assert_int_equal(find_submission(problem, "mixed/d")->expectations->required, 0);
    assert_int_equal(find_submission(problem, "accepted/a.c")->expectations->permitted, BIT_AC);
    assert_int_equal(find_submission(problem, "accepted/a.c")->expectation_count, 1);
}

#define NEWER "problem_format_version: 2025-09\nname: N\nuuid: U\n"

static void rules_add_and_replace(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, NEWER);
    fixture_write(fixture, "submissions/wrong_answer/a.py", "");
    fixture_write(fixture, "submissions/wrong_answer/b.c", "");
    fixture_write(fixture, "submissions/mixed/c.py", "");
    fixture_write(fixture, "submissions/submissions.yaml",
                  "wrong_answer:\n  permitted: [AC, WA, RTE]\n  required: [WA, RTE]\n"
                  "'*/*.py':\n  message: too small\n"
                  "mixed/{c,d}.py: {required: TLE, use_for_time_limit: upper}\n"
                  "accepted: {model_solution: yes, authors: me}\n"
                  "absent: {permitted: AC}\n");
    const Problem *problem = fixture_load(fixture);
    const ProblemSubmission *a = find_submission(problem, "wrong_answer/a.py");
    assert_int_equal(a->expectation_count, 2);
    assert_int_equal(a->expectations[0].permitted, BIT_AC | BIT_WA | BIT_RTE);
    assert_int_equal(a->expectations[0].required, BIT_WA | BIT_RTE);
    assert_string_equal(a->expectations[1].message, "too small");
    assert_int_equal(a->expectations[1].permitted, BIT_ANY);
    assert_int_equal(find_submission(problem, "wrong_answer/b.c")->expectation_count, 1);
    const ProblemSubmission *c = find_submission(problem, "mixed/c.py");
    assert_int_equal(c->expectation_count, 2);
    assert_int_equal(c->expectations[1].required, BIT_TLE);
    assert_true(c->counts_for_upper_bound && !c->counts_for_lower_bound);
    const ProblemSubmission *accepted = find_submission(problem, "accepted/a.c");
    assert_true(accepted->is_model && accepted->counts_for_lower_bound);
    assert_int_equal(accepted->expectation_count, 1);
    assert_int_equal(accepted->expectations->permitted, BIT_AC);
    assert_string_equal(problem->model_path, accepted->path);
    fixture_warns(fixture, "submissions/submissions.yaml:8: 'absent' matches no submission");
    assert_int_equal(strings_count(problem->warnings), 1);
}

static void time_limit_opt_out(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, NEWER);
    fixture_write(fixture, "submissions/submissions.yaml", "accepted: {use_for_time_limit: false}\n");
    assert_false(find_submission(fixture_load(fixture), "accepted/a.c")->counts_for_lower_bound);
}

static void rule_errors(void **state)
{
    static const char *const cases[][2] = {
        {"accepted: {permitted: [AC, OLE]}\n",
         "submissions/submissions.yaml:1:23: 'permitted' can't have 'OLE'; it is a list of AC, WA, TLE, RTE"},
        {"x:\n  permitted: AC\n  required: WA\n",
         "submissions/submissions.yaml:1:1: 'x' requires only verdicts that it does not permit"},
        {"'{a,b': {}\n",
         "submissions/submissions.yaml:1:1: '{a,b': the braces do not pair, or stand for too many names"},
        {"a: {permited: AC}\n", "submissions/submissions.yaml:1:5: unknown key 'permited'"},
        {"a: {use_for_time_limit: middle}\n",
         "submissions/submissions.yaml:1:25: 'use_for_time_limit' can't be 'middle'; it is one of: lower, upper"},
        {"[a]\n", "submissions/submissions.yaml:1:1: a mapping of globs to expectations is expected here"},
    };
    Fixture *fixture = *state;
    fixture_minimal(fixture, NEWER);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_write(fixture, "submissions/submissions.yaml", cases[i][0]);
        fixture_fails(fixture, cases[i][1]);
    }
}

static void single_test_rules_are_named(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, NEWER);
    fixture_write(fixture, "submissions/submissions.yaml", "accepted:\n  sample: {permitted: AC}\n");
    (void)fixture_load(fixture);
    fixture_warns(fixture, "submissions/submissions.yaml:2: 'sample': expectations for single test cases are not "
                           "supported, and ignored; those for the whole submission hold");
}

static void nobody_accepted(void **state)
{
    Fixture *fixture = *state;
    fixture_write(fixture, "problem.yaml", "");
    fixture_write(fixture, "data/secret/1.in", "");
    fixture_write(fixture, "data/secret/1.ans", "");
    assert_int_equal(fixture_load(fixture)->submission_count, 0);
    fixture_warns(fixture, "submissions/accepted: missing: a package has an accepted submission");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        package_test(legacy_directories), package_test(newer_directories), package_test(files_and_directories),
        package_test(unknown_directory),  package_test(annotations),       package_test(rules_add_and_replace),
        package_test(time_limit_opt_out), package_test(rule_errors),       package_test(single_test_rules_are_named),
        package_test(nobody_accepted),
    };
    return cmocka_run_group_tests_name("package_submissions", tests, NULL, NULL);
}
