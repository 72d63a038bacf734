/* The JSON view: keys and their order, values, and that nothing is written which docs/report.schema.json does not
 * declare and nothing left out which it requires. (tests/e2e/check_schema.py checks types with a real validator.)
 * With --write DIRECTORY it writes the sample reports there, for that check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "report_sample.h"

static json_t *written(const Report *report)
{
    auto_buffer Buffer text = {0};
    auto_error Error error = {0};
    json_error_t json_error;
    assert_true(report_write_json(report, &text, &error));
    assert_int_equal(text.data[text.size - 1], '\n');
    json_t *json = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, &json_error);
    if (!json)
        fail_msg("%s", json_error.text);
    return json;
}

/* The value at a path like "tests.0.attempts.1.cpu_ns". */
static const json_t *at(const json_t *json, const char *path)
{
    char copy[128];
    assert_true(strlen(path) < sizeof copy);
    strcpy(copy, path);
    for (char *step = strtok(copy, "."); step && json; step = strtok(NULL, "."))
        json = json_is_array(json) ? json_array_get(json, strtoul(step, NULL, 10)) : json_object_get(json, step);
    return json;
}

static void assert_text(const json_t *json, const char *path, const char *text)
{
    assert_non_null(json_string_value(at(json, path)));
    assert_string_equal(json_string_value(at(json, path)), text);
}

static void assert_integer(const json_t *json, const char *path, int64_t value)
{
    assert_true(json_is_integer(at(json, path)));
    assert_int_equal(json_integer_value(at(json, path)), value);
}

static void assert_null_at(const json_t *json, const char *path)
{
    assert_non_null(at(json, path));
    assert_true(json_is_null(at(json, path)));
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static void top_level_keys_have_a_fixed_order(void **state)
{
    (void)state;
    static const char *const keys[] = {"schema",     "problem", "problem_title", "problem_title_zh", "source_name",
                                       "language",   "verdict", "score",         "score_max",        "judge_error",
                                       "elapsed_ns", "counts",  "slowest",       "compile",          "tests",
                                       "failure",    "notes",   "provenance"};
    Report *report = sample_crash(5);
    json_t *json = written(report);
    size_t index = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        assert_true(index < sizeof keys / sizeof keys[0]);
        assert_string_equal(key, keys[index++]);
    }
    assert_int_equal(index, sizeof keys / sizeof keys[0]);
    json_decref(json);
    report_free(report);
}

static void values_are_those_of_the_model(void **state)
{
    (void)state;
    Report *report = sample_crash(5);
    report->score = 33.3;
    json_t *json = written(report);
    assert_integer(json, "schema", 1);
    assert_text(json, "problem", "islands");
    assert_text(json, "problem_title_zh", "岛屿数量");
    assert_text(json, "verdict", "RE");
    assert_true(json_real_value(at(json, "score")) == 33.3);
    assert_integer(json, "counts.tests", 5);
    assert_integer(json, "counts.run", 3);
    assert_integer(json, "counts.passed", 2);
    assert_text(json, "slowest.test", "secret/002");
    assert_text(json, "compile.diagnostics.0.level", "warning");
    assert_integer(json, "compile.diagnostics.0.column", 9);
    assert_true(json_is_true(at(json, "tests.0.sample")));
    assert_int_equal(json_array_size(at(json, "tests.0.attempts")), 2);
    assert_integer(json, "tests.2.cpu_ns", 1234567 * 201);
    assert_integer(json, "tests.2.attempts.0.signal", 11);
    assert_text(json, "failure.sanitizer.kind", "stack-overflow");
    assert_integer(json, "failure.sanitizer.line", 14);
    assert_text(json, "notes.0", "the stack limit is 64 MiB");
    assert_text(json, "provenance.seed", "18446744073709551615");
    assert_integer(json, "provenance.limits.memory_bytes", 256 << 20);
    json_decref(json);
    report_free(report);
}

static void the_unknown_is_null(void **state)
{
    (void)state;
    Report *report = sample_crash(5);
    report->score = NAN;
    report->elapsed_ns = -1;
    report->slowest_index = 99;
    json_t *json = written(report);
    static const char *const paths[] = {"score",
                                        "elapsed_ns",
                                        "slowest",
                                        "judge_error",
                                        "compile.reason",
                                        "tests.0.detail",
                                        "tests.0.attempts.0.signal",
                                        "tests.2.attempts.0.exit_code",
                                        "tests.4.verdict",
                                        "tests.4.cpu_ns",
                                        "failure.difference",
                                        "failure.input",
                                        "provenance.kernel",
                                        "provenance.limits.idle_ns"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_null_at(json, paths[i]);
    assert_integer(json, "tests.0.attempts.0.exit_code", 0);
    json_decref(json);
    report_free(report);

    report = report_new();
    json = written(report);
    assert_null_at(json, "verdict");
    assert_null_at(json, "failure");
    assert_null_at(json, "slowest");
    assert_int_equal(json_array_size(at(json, "tests")), 0);
    json_decref(json);
    report_free(report);
}

static void invalid_bytes_do_not_cost_the_report(void **state)
{
    (void)state;
    Report *report = sample_wrong_answer("1", "\xFF\xFE");
    report->source_name = "caf\xE9.c";
    report->tests[1].name = "secret/\xC3";
    report_add_note(report, "%s", "\xED\xA0\x80");
    json_t *json = written(report);
    assert_text(json, "source_name", "caf\\xE9.c");
    assert_text(json, "tests.1.name", "secret/\\xC3");
    assert_text(json, "failure.difference.got", "\\xFF\\xFE");
    assert_text(json, "notes.1", "\\xED\\xA0\\x80");
    json_decref(json);
    report_free(report);
}

static void a_buffer_that_is_full_is_an_error(void **state)
{
    (void)state;
    Report *report = sample_crash(5);
    auto_buffer Buffer text = {.limit = 100};
    auto_error Error error = {0};
    assert_false(report_write_json(report, &text, &error));
    assert_int_equal(error.kind, ERROR_FAULT);
    report_free(report);
}

/* ---- schema ---------------------------------------------------------------------------------------------------- */

/* The part of an anyOf that describes an object, or the schema itself. */
static const json_t *object_schema(const json_t *schema)
{
    const json_t *options = json_object_get(schema, "anyOf");
    for (size_t i = 0; i < json_array_size(options); i++)
        if (json_object_get(json_array_get(options, i), "properties"))
            return json_array_get(options, i);
    return schema;
}

static void check_value(const json_t *schema, const json_t *value, const char *name);

static void check_object(const json_t *schema, json_t *object, const char *name)
{
    const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!json_object_get(properties, key))
            fail_msg("%s.%s is not declared in the schema", name, key);
        check_value(json_object_get(properties, key), value, key);
    }
    assert_int_equal(json_array_size(required), json_object_size(properties));
    for (size_t i = 0; i < json_array_size(required); i++)
        if (!json_object_get(object, json_string_value(json_array_get(required, i))))
            fail_msg("%s lacks %s", name, json_string_value(json_array_get(required, i)));
}

static void check_value(const json_t *schema, const json_t *value, const char *name)
{
    if (json_is_object(value))
        check_object(object_schema(schema), (json_t *)value, name);
    for (size_t i = 0; i < json_array_size(value); i++)
        check_value(json_object_get(schema, "items"), json_array_get(value, i), name);
}

static void reports_match_the_schemas_keys(void **state)
{
    (void)state;
    json_error_t json_error;
    json_t *schema = json_load_file("docs/report.schema.json", 0, &json_error);
    if (!schema)
        fail_msg("docs/report.schema.json: %s (run from the repository's root)", json_error.text);
    Report *reports[] = {report_new(), sample_crash(40), sample_wrong_answer("1", "2"), sample_compile_error()};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        json_t *json = written(reports[i]);
        check_value(schema, json, "report");
        json_decref(json);
        report_free(reports[i]);
    }
    json_decref(schema);
}

static void the_schema_knows_every_verdict(void **state)
{
    (void)state;
    json_t *schema = json_load_file("docs/report.schema.json", 0, NULL);
    assert_non_null(schema);
    const json_t *words = at(schema, "$defs.verdict.enum");
    assert_int_equal(json_array_size(words), VERDICT_COUNT + 1);
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        assert_string_equal(json_string_value(json_array_get(words, i)), verdict_row((Verdict)i)->word);
    json_decref(schema);
}

/* ---- for tests/e2e ---------------------------------------------------------------------------------------------- */

static int write_samples(const char *directory)
{
    Report *reports[] = {report_new(), sample_crash(40), sample_wrong_answer("1", "\xFF"), sample_compile_error()};
    int status = 0;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        auto_buffer Buffer text = {0};
        auto_error Error error = {0};
        const char *path = arena_format(reports[i]->arena, "%s/report%zu.json", directory, i);
        if (!report_write_json(reports[i], &text, &error) ||
            !fd_replace_file(path, text.data, text.size, 0644, &error)) {
            (void)fprintf(stderr, "%s\n", error_text(&error));
            status = 1;
        }
        report_free(reports[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_samples(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_level_keys_have_a_fixed_order),
        cmocka_unit_test(values_are_those_of_the_model),
        cmocka_unit_test(the_unknown_is_null),
        cmocka_unit_test(invalid_bytes_do_not_cost_the_report),
        cmocka_unit_test(a_buffer_that_is_full_is_an_error),
        cmocka_unit_test(reports_match_the_schemas_keys),
        cmocka_unit_test(the_schema_knows_every_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
