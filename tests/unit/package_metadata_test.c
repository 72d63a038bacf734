/* problem.yaml of all versions, and the side channels of the time limit. */
#include "package_fixture.h"

static void minimal_is_legacy(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    const Problem *problem = fixture_load(fixture);
    assert_int_equal(problem->format, PROBLEM_FORMAT_LEGACY);
    assert_int_equal(problem->traits, 0);
    assert_string_equal(problem->title, "pkg");
    assert_null(problem->title_zh);
    assert_int_equal(problem->limits.time_ns, 0);
    assert_true(problem->limits.ac_to_time_limit == 5 && problem->limits.time_limit_to_tle == 2);
    assert_int_equal(problem->limits.memory_bytes, 2048LL << 20);
    assert_int_equal(problem->limits.stack_bytes, 2048LL << 20);
    assert_int_equal(problem->limits.output_bytes, 8 << 20);
    assert_int_equal(problem->limits.code_bytes, 128 << 10);
    assert_int_equal(problem->limits.compilation_time_ns, 60000000000);
    assert_int_equal(problem->limits.validation_output_bytes, 8 << 20);
}

static void units_of_limits(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "limits:\n  time_limit: 0.25\n  memory: 3\n  output: 5\n  code: 7\n  compilation_time: 9\n"
                             "  compilation_memory: 11\n  validation_time: 13\n  validation_memory: 15\n"
                             "  validation_output: 17\n  validation_passes: 3\n");
    const ProblemLimits *limits = &fixture_load(fixture)->limits;
    assert_int_equal(limits->time_ns, 250000000);
    assert_int_equal(limits->memory_bytes, 3 << 20);
    assert_int_equal(limits->output_bytes, 5 << 20);
    assert_int_equal(limits->code_bytes, 7 << 10);
    assert_int_equal(limits->compilation_time_ns, 9000000000);
    assert_int_equal(limits->compilation_memory_bytes, 11 << 20);
    assert_int_equal(limits->validation_time_ns, 13000000000);
    assert_int_equal(limits->validation_memory_bytes, 15 << 20);
    assert_int_equal(limits->validation_output_bytes, 17 << 20);
}

typedef struct TraitCase {
    const char *yaml;
    unsigned traits;
} TraitCase;

static void types(void **state)
{
    static const TraitCase cases[] = {
        {"type: pass-fail\n", 0},
        {"type: scoring\n", PROBLEM_SCORING},
        {"problem_format_version: 2023-07-draft\ntype: [scoring, interactive]\n",
         PROBLEM_SCORING | PROBLEM_INTERACTIVE},
        {"problem_format_version: 2025-09\ntype: [pass-fail, multi-pass, interactive]\n",
         PROBLEM_MULTI_PASS | PROBLEM_INTERACTIVE},
        {"problem_format_version: 2025-09\ntype: submit-answer\n", PROBLEM_SUBMIT_ANSWER},
        {"validation: custom interactive\n", PROBLEM_INTERACTIVE},
        {"validation: custom score interactive\n", PROBLEM_INTERACTIVE},
        {"validation: custom multi-pass\n", PROBLEM_MULTI_PASS},
        {"validation: default\n", 0},
    };
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "output_validators/v.py", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_write(fixture, "problem.yaml", cases[i].yaml);
        assert_int_equal(fixture_load(fixture)->traits, cases[i].traits);
    }
}

static void names_and_people(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "name: {zh-Hans: 加, en: Add}\nauthor: Ada <a@b.c>\nkeywords: one two\nlicense: cc0\n"
                             "uuid: abc\nrights_owner: me\nsource: s\nsource_url: u\n");
    const Problem *problem = fixture_load(fixture);
    assert_string_equal(problem->title, "Add");
    assert_string_equal(problem->title_zh, "加");
    assert_string_equal(problem->author, "Ada");
    assert_string_equal(problem->license, "cc0");
    assert_string_equal(problem->uuid, "abc");
    assert_strings(problem->keywords, "one two");
    assert_int_equal(strings_count(problem->warnings), 0);
    fixture_write(fixture, "problem.yaml", "name: {sv: Addera}\nkeywords: [a b, c]\n");
    problem = fixture_load(fixture);
    assert_string_equal(problem->title, "Addera");
    assert_int_equal(strings_count(problem->keywords), 2);
}

static void errors_with_positions(void **state)
{
    static const char *const cases[][2] = {
        {"name: [a\n", "problem.yaml:2:1: while parsing a flow sequence: did not find expected ',' or ']'"},
        {"- a\n", "problem.yaml:1:1: a mapping of keys to values is expected here"},
        {"problem_format_version: 2031-01\n",
         "problem.yaml:1:25: 'problem_format_version' can't be '2031-01'; it is one of: legacy, 2023-07, 2025-09, "
         "legacy-icpc, 2023-07-draft, 2025-09-draft"},
        {"type: pass_fail\n", "problem.yaml:1:7: 'type' can't be 'pass_fail'; it is one of: pass-fail, scoring, "
                              "interactive, multi-pass, submit-answer"},
        {"type: [pass-fail, scoring]\n", "problem.yaml:1:7: 'pass-fail' and 'scoring' exclude each other"},
        {"type: [submit-answer, multi-pass]\n",
         "problem.yaml:1:7: 'submit-answer' and 'multi-pass' exclude each other"},
        {"type: {a: b}\n", "problem.yaml:1:7: 'type' must be a list or a string"},
        {"validation: interactive\n", "problem.yaml:1:13: 'validation' must be 'default' or start with 'custom'"},
        {"validation: default custom\n", "problem.yaml:1:13: 'default' and 'custom' exclude each other"},
        {"\nvalidation: custom\n",
         "problem.yaml:2:13: 'validation' is custom, but there is no program in output_validators"},
        {"problem_format_version: legacy-icpc\ntype: scoring\n",
         "problem.yaml:2:7: format legacy-icpc has no scoring problems"},
        {"limits:\n  memory: lots\n", "problem.yaml:2:11: 'memory' must be a whole number"},
        {"limits:\n  memory: 0\n", "problem.yaml:2:11: 'memory' must be between 1 and 16777216"},
        {"limits:\n  memory: 99999999\n", "problem.yaml:2:11: 'memory' must be between 1 and 16777216"},
        {"limits:\n  time_limit: .nan\n", "problem.yaml:2:15: 'time_limit' must be a number"},
        {"limits:\n  time_limit: -1\n", "problem.yaml:2:15: 'time_limit' must be between 0.001 and 1e+06"},
        {"limits: 5\n", "problem.yaml:1:9: 'limits' must be a mapping"},
        {"problem_format_version: 2025-09\nlimits:\n  time_limit: 1.5\n",
         "problem.yaml:3:15: 'time_limit' must be a multiple of 'time_resolution' (1 s)"},
        {"limits:\n  time_multiplier: 3\n  time_multipliers:\n    ac_to_time_limit: 2\n",
         "problem.yaml:2:3: 'time_multiplier' and 'time_multipliers: ac_to_time_limit' are the same limit"},
        {"validator_flags: float_tolerance -1\n", "problem.yaml:1:18: float_tolerance: the tolerance -1 is negative"},
        {"name: {en: [x]}\n", "problem.yaml:1:12: 'en' must be a string"},
        {"author: {email: x}\n", "problem.yaml:1:9: a person needs a 'name'"},
    };
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_write(fixture, "problem.yaml", cases[i][0]);
        fixture_fails(fixture, cases[i][1]);
    }
}

static void tolerated_with_warnings(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "problem_format_version: 2025-09\nname: N\nvalidation: default\nkeyword: x\nlicense: mit\n"
                             "languages: [python3]\nlimits: {time_multiplier: 4, memroy: 5}\n");
    const Problem *problem = fixture_load(fixture);
    assert_true(problem->limits.ac_to_time_limit == 4);
    fixture_warns(fixture, "problem.yaml:3: 'validation' is not a key of format 2025-09; it is read as other versions "
                           "mean it");
    fixture_warns(fixture, "problem.yaml:4: unknown key 'keyword' is ignored; did you mean 'keywords'?");
    fixture_warns(fixture, "problem.yaml:5: 'mit' is not a licence that the format knows");
    fixture_warns(fixture, "problem.yaml:6: 'languages' has no effect here");
    fixture_warns(fixture, "problem.yaml:7: 'time_multiplier' is not a key of format 2025-09; it is read as other "
                           "versions mean it");
    fixture_warns(fixture, "problem.yaml:7: unknown key 'memroy' is ignored; did you mean 'memory'?");
    fixture_warns(fixture, "problem.yaml:1: format 2025-09 requires 'uuid'");
    assert_int_equal(strings_count(problem->warnings), 7);
}

static void side_channels(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, ".timelimit", "3\n");
    assert_int_equal(fixture_load(fixture)->limits.time_ns, 3000000000);
    assert_int_equal(strings_count(fixture->problem->warnings), 0);
    fixture_write(fixture, "domjudge-problem.ini", "name = x\ntimelimit='2.5'\n");
    assert_int_equal(fixture_load(fixture)->limits.time_ns, 2500000000);
    fixture_warns(fixture, ".timelimit:1: the time limit of 3 s is ignored, since 2.5 s is given elsewhere");
    fixture_write(fixture, "problem.yaml", "limits: {time_limit: 2}\n");
    assert_int_equal(fixture_load(fixture)->limits.time_ns, 2000000000);
    fixture_warns(fixture, "domjudge-problem.ini:2: the time limit of 2.5 s is ignored, since 2 s is given elsewhere");
    fixture_write(fixture, ".timelimit", "nan\n");
    fixture_fails(fixture, ".timelimit:1: 'nan' is not a time limit in seconds");
    fixture_write(fixture, "domjudge-problem.ini", "\ntimelimit = 0x4\n");
    fixture_fails(fixture, "domjudge-problem.ini:2: '0x4' is not a time limit in seconds");
}

static void statements(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "name: {en: A, zh: B, sv: C}\nproblem_format_version: 2025-09\nuuid: u\n");
    fixture_write(fixture, "statement/problem.zh.md", "");
    fixture_write(fixture, "statement/problem.en.tex", "");
    fixture_write(fixture, "statement/problem.en.md", "");
    fixture_write(fixture, "statement/notes.md", "");
    const Problem *problem = fixture_load(fixture);
    assert_string_equal(strrchr(problem->statement_path, '/'), "/problem.en.md");
    assert_string_equal(strrchr(problem->statement_zh_path, '/'), "/problem.zh.md");
    assert_null(problem->starter_directory);
    fixture_warns(fixture, "problem.yaml:1: there is a name in 'sv', but no statement");
    assert_int_equal(strings_count(problem->warnings), 1);
}

static void no_language_and_templates(void **state)
{
    Fixture *fixture = *state;
    fixture_minimal(fixture, "");
    fixture_write(fixture, "problem_statement/problem.sv.tex", "");
    fixture_write(fixture, "problem_statement/problem.md", "");
    fixture_write(fixture, "attachments/templates/c/solution.c", "");
    const Problem *problem = fixture_load(fixture);
    assert_string_equal(strrchr(problem->statement_path, '/'), "/problem.md");
    assert_null(problem->statement_zh_path);
    assert_string_equal(strrchr(problem->starter_directory, '/'), "/templates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        package_test(minimal_is_legacy),
        package_test(units_of_limits),
        package_test(types),
        package_test(names_and_people),
        package_test(errors_with_positions),
        package_test(tolerated_with_warnings),
        package_test(side_channels),
        package_test(statements),
        package_test(no_language_and_templates),
    };
    return cmocka_run_group_tests_name("package_metadata", tests, NULL, NULL);
}
