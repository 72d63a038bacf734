/* Tests, groups, settings and the author's programs: the package's layout. */
#include "package_fixture.h"

static void put_test(const Fixture *fixture, const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "data/%s.in", name);
    fixture_write(fixture, path, name);
    (void)snprintf(path, sizeof path, "data/%s.ans", name);
    fixture_write(fixture, path, name);
}

static void judging_order(void **state)
{
    static const char *const names[] = {"secret/b",     "secret/a/2", "secret/a/1", "secret/a-b",
                                        "secret/a/x/1", "secret/a",   "secret/1",   "secret/10",
                                        "secret/1-a",   "sample/2",   "sample/1",   "secret/Z"};
    static const char *const order[] = {"sample/1",   "sample/2",     "secret/1",   "secret/1-a",
                                        "secret/10",  "secret/Z",     "secret/a",   "secret/a/1",
                                        "secret/a/2", "secret/a/x/1", "secret/a-b", "secret/b"};
    Fixture *fixture = *state;
    fixture_write(fixture, "problem.yaml", "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put_test(fixture, names[i]);
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->test_count, sizeof order / sizeof *order);
    for (size_t i = 0; i < problem->test_count; i++) {
        assert_string_equal(problem->tests[i].name, order[i]);
        assert_int_equal(problem->tests[i].is_sample, strncmp(order[i], "sample", 6) == 0);
        assert_int_equal(access(problem->tests[i].input_path, R_OK), 0);
        assert_int_equal(*problem->tests[i].answer_path, '/');
    }
    assert_int_equal(problem_missing_data(problem), 0);
}

static void groups_form_a_tree(void **state)
{
    Fixture *fixture = *state;
    fixture_write(fixture, "problem.yaml", "");
    put_test(fixture, "secret/g/h/1");
    put_test(fixture, "sample/1");
    fixture_write(fixture, "data/secret/g/testdata.yaml", "on_reject: continue\n");
    const Problem *problem = fixture_load(fixture);
    static const char *const names[] = {"", "sample", "secret", "secret/g", "secret/g/h"};
    static const size_t parents[] = {0, 0, 0, 2, 3};
    static const bool breaks[] = {true, true, true, false, false};
    assert_int_equal(problem->group_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(problem->groups[i].name, names[i]);
        assert_int_equal(problem->groups[i].parent_index, parents[i]);
        assert_int_equal(problem->groups[i].is_break_on_reject, breaks[i]);
    }
    assert_int_equal(find_test(problem, "secret/g/h/1")->group_index, 4);
    assert_int_equal(find_test(problem, "sample/1")->group_index, 1);
}

static void legacy_flags_are_inherited(void **state)
{
    Fixture *fixture = *state;
    fixture_write(fixture, "problem.yaml", "validator_flags: case_sensitive\n");
    put_test(fixture, "secret/a/1");
    put_test(fixture, "secret/b/1");
    fixture_write(fixture, "data/testdata.yaml", "output_validator_flags: float_tolerance 1e-4\n");
    fixture_write(fixture, "data/secret/b/testdata.yaml", "output_validator_flags:\n  check: space_change_sensitive\n");
    const Problem *problem = fixture_load(fixture);
    const TestCase *a = find_test(problem, "secret/a/1"), *b = find_test(problem, "secret/b/1");
    assert_strings(a->validator_args, "case_sensitive float_tolerance 1e-4");
    assert_string_equal(a->validator_flags.float_absolute, "1e-4");
    assert_true(a->validator_flags.is_case_sensitive);
    assert_strings(b->validator_args, "case_sensitive space_change_sensitive");
    assert_null(b->validator_flags.float_absolute);
    assert_true(b->validator_flags.is_space_change_sensitive);
}

static void newer_settings(void **state)
{
    Fixture *fixture = *state;
    fixture_write(fixture, "problem.yaml", "problem_format_version: 2025-09\nname: N\nuuid: U\n");
    put_test(fixture, "secret/1");
    put_test(fixture, "secret/2");
    fixture_write(fixture, "data/secret/test_group.yaml", "args: [a]\noutput_validator_args: [case_sensitive]\n");
    fixture_write(fixture, "data/secret/2.yaml",
                  "args: ['b c', d]\nhint: H\ndescription: D\n"
                  "output_validator_args: [float_relative_tolerance, '0']\n");
    const Problem *problem = fixture_load(fixture);
    const TestCase *one = find_test(problem, "secret/1"), *two = find_test(problem, "secret/2");
    assert_strings(one->program_args, "a");
    assert_true(one->validator_flags.is_case_sensitive);
    assert_null(one->hint);
    assert_int_equal(strings_count(two->program_args), 2);
    assert_string_equal(two->program_args[0], "b c");
    assert_string_equal(two->hint, "H");
    assert_string_equal(two->description, "D");
    assert_false(two->validator_flags.is_case_sensitive);
    assert_string_equal(two->validator_flags.float_relative, "0");
}

static void settings_errors(void **state)
{
    static const char *const cases[][3] = {
        {"data/secret/testdata.yaml", "on_reject: stop\n",
         "data/secret/testdata.yaml:1:12: 'on_reject' can't be 'stop'; it is one of: break, continue"},
        {"data/secret/testdata.yaml", "\noutput_validator_flags: float_tolerance\n",
         "data/secret/testdata.yaml:2:25: float_tolerance needs a number after it"},
        {"data/secret/testdata.yaml", "output_validator_flags: float_tolerance 1\n",
         "data/secret/testdata.yaml:1:25: float_tolerance: this tolerance is given twice"},
        {"data/secret/testdata.yaml", "max_score: 5\n",
         "data/secret/testdata.yaml:1:1: 'max_score' is for scoring problems only"},
        {"data/secret/1.yaml", "output_validator_args: [nonsense]\n",
         "data/secret/1.yaml:1:24: 'nonsense' is not a flag of the default output validator"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = *state;
        fixture_minimal(fixture, "validator_flags: float_absolute_tolerance 1\n");
        fixture_write(fixture, cases[i][0], cases[i][1]);
        fixture_fails(fixture, cases[i][2]);
        fixture_write(fixture, cases[i][0], "");
    }
    Fixture *fixture = *state;
    fixture_write(fixture, "data/secret/test_group.yaml", "");
    fixture_fails(fixture, "data/secret/test_group.yaml:1: there is a testdata.yaml beside it");
}

static void custom_validators_flags_are_free(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "validation: custom\nvalidator_flags: any thing\n");
    fixture_write(fixture, "output_validators/b.py", "");
    fixture_write(fixture, "output_validators/a/main.c", "");
    fixture_write(fixture, "output_validators/a.h", "");
    const Problem *problem = fixture_load(fixture);
    assert_strings(find_test(problem, "secret/1")->validator_args, "any thing");
    assert_string_equal(problem->output_validator->name, "output_validators/a");
    fixture_warns(fixture, "output_validators: only the first of 2 validators is used: output_validators/a");
    fixture_write(fixture, "output_validator/main.c", "");
    fixture_fails(fixture, "output_validators: there is an output_validator beside it");
}

static void validators_by_version(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "output_validators/v.py", "");
    fixture_write(fixture, "input_validators/a.py", "");
    fixture_write(fixture, "input_validators/README.md", "");
    fixture_write(fixture, "input_validators/sub/b.c", "");
    fixture_write(fixture, "input_format_validators/c.ctd", "");
    const Problem *problem = fixture_load(fixture);
    assert_null(problem->output_validator);
    fixture_warns(fixture, "problem.yaml:1: output_validators/v.py is not used, since 'validation' is not custom");
    assert_int_equal(problem->input_validator_count, 3);
    assert_string_equal(problem->input_validators[0].name, "input_validators/a.py");
    assert_string_equal(problem->input_validators[1].name, "input_validators/sub");
    assert_string_equal(problem->input_validators[2].name, "input_format_validators/c.ctd");
    fixture_write(fixture, "problem.yaml", "problem_format_version: 2023-07\n");
    problem = fixture_load(fixture);
    assert_string_equal(problem->output_validator->name, "output_validators/v.py");
    fixture_warns(fixture, "output_validators/v.py: format 2023-07 has output_validator/ instead");
}

static void notes_beside_tests(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "data/secret/1.desc", "Two\nlines\n\n");
    fixture_write(fixture, "data/secret/1.hint", "Hint");
    const Problem *problem = fixture_load(fixture);
    assert_string_equal(problem->tests[0].description, "Two\nlines");
    assert_string_equal(problem->tests[0].hint, "Hint");
}

static void slips_are_noticed(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "data/secret/a b.in", "");
    fixture_write(fixture, "data/secret/-x.ans", "");
    fixture_write(fixture, "data/secret/.hidden.in", "");
    fixture_write(fixture, "data/secret/lonely.ans", "");
    fixture_write(fixture, "data/secert/2.in", "");
    fixture_write(fixture, "data/3.in", "");
    fixture_write(fixture, "data/invalid_input/4.in", "");
    fixture_write(fixture, "data/secret/1.files/x", "");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->test_count, 1);
    fixture_warns(fixture, "data/secret/a b.in: ignored: a name has only letters, digits and _.- and does not start "
                           "with -");
    fixture_warns(fixture, "data/secret/-x.ans: ignored: a name has only letters, digits and _.- and does not start "
                           "with -");
    fixture_warns(fixture, "data/secret/lonely.ans: ignored: there is no input file data/secret/lonely.in");
    fixture_warns(fixture, "data/secert: ignored: tests are in data/sample and data/secret; did you mean 'secret'?");
    fixture_warns(fixture, "data/3.in: ignored: tests are in data/sample and data/secret");
    fixture_warns(fixture, "data/secret/1.files: ignored: files beside a test's input are not supported");
    assert_int_equal(strings_count(problem->warnings), 6);
}

static void missing_parts(void **state)
{
    Fixture *fixture = *state;
    fixture_fails(fixture, "problem.yaml: missing, so this is not a problem package");
    fixture_write(fixture, "problem.yaml", "");
    fixture_fails(fixture, "data: there is no test: no .in file in sample or secret, and no generated one");
    fixture_write(fixture, "data/secret/1.in", "");
    fixture_fails(fixture, "data/secret/1.in: there is no answer file data/secret/1.ans");
    auto_error Error error = {0};
    Problem *problem;
    assert_false(problem_load("/nonexistent/package", NULL, &problem, &error));
    assert_string_equal(error_text(&error), "cannot open the package /nonexistent/package: No such file or directory");
    assert_int_equal(error.kind, ERROR_INPUT);
}

static void links_stay_inside(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "../outside.in", "secret of another package");
    fixture_link(fixture, "data/secret/2.in", "1.in");
    fixture_link(fixture, "data/secret/2.ans", "../../data/secret/1.ans");
    fixture_link(fixture, "data/sample", "secret");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->test_count, 4);
    fixture_link(fixture, "data/secret/3.in", "../../../outside.in");
    fixture_fails(fixture, "data/sample/3.in: a symbolic link that leads out of the package");
}

static void links_that_fail(void **state)
{
    static const char *const cases[][3] = {
        {"include", "/etc", "include: a symbolic link that leads out of the package"},
        {"submissions/x", "../../pkg2", "submissions/x: a symbolic link that leads out of the package"},
        {"data/secret/x.in", "gone.in", "data/secret/x.in: a symbolic link that leads nowhere"},
        {"data/secret/loop", "..", "data/secret/loop: a symbolic link that leads into itself"},
        {"data/secret/me", "me", "data/secret/me: a symbolic link that leads nowhere"},
        {"data/secret/top", "../..", "data/secret/top: a symbolic link that leads into itself"},
    };
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "../pkg2/a.c", ""); /* its path starts like the package's */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", fixture->directory, cases[i][0]);
        fixture_link(fixture, cases[i][0], cases[i][1]);
        fixture_fails(fixture, cases[i][2]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(fixture_load(fixture)->test_count, 1);
}

static void special_files(void **state)
{
    Fixture *fixture = *state;
    char path[256];
    fixture_minimal(fixture, "");
    (void)snprintf(path, sizeof path, "%s/data/secret/pipe.in", fixture->directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    fixture_fails(fixture, "data/secret/pipe.in: neither a file nor a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        package_test(judging_order),
        package_test(groups_form_a_tree),
        package_test(legacy_flags_are_inherited),
        package_test(newer_settings),
        package_test(settings_errors),
        package_test(custom_validators_flags_are_free),
        package_test(validators_by_version),
        package_test(notes_beside_tests),
        package_test(slips_are_noticed),
        package_test(missing_parts),
        package_test(links_stay_inside),
        package_test(links_that_fail),
        package_test(special_files),
    };
    return cmocka_run_group_tests_name("package_data", tests, NULL, NULL);
}
