/* The report as JSON: one table of fields for each part of the model, one writer that walks them. The shape is fixed by
 * docs/report.schema.json; what is unknown is null, never -1, and keys keep the order of the tables. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gavel/report.h"
#include "report/utf8.h"

/* Out of memory anywhere makes the whole writing fail, asked once at the end. */
typedef struct Writer {
    bool has_failed;
} Writer;

static void put(Writer *writer, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        writer->has_failed = true;
}

static void add(Writer *writer, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        writer->has_failed = true;
}

/* ---- single values ------------------------------------------------------------------------------------------- */

/* Text should have been made printable where it entered the report. A name that was not (file names are bytes) must not
 * cost the report: its invalid bytes become \xNN here. */
static json_t *text_value(const char *text)
{
    if (!text)
        return json_null();
    if (utf8_is_valid(text))
        return json_string_nocheck(text);
    auto_arena Arena *arena = arena_new();
    return json_string_nocheck(report_printable(arena, text, strlen(text), SIZE_MAX, true));
}

static json_t *size_value(int64_t value)
{
    return value < 0 ? json_null() : json_integer(value);
}

static json_t *verdict_value(Verdict verdict)
{
    return verdict == VERDICT_NONE ? json_null() : json_string_nocheck(verdict_row(verdict)->word);
}

static json_t *seed_value(uint64_t seed)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed); /* at most 20 digits */
    return json_string_nocheck(digits);
}

static json_t *level_value(DiagnosticLevel level)
{
    static const char *const words[] = {"error", "warning", "note"};
    return json_string_nocheck(words[level <= DIAGNOSTIC_NOTE ? level : DIAGNOSTIC_NOTE]);
}

/* ---- tables of fields ---------------------------------------------------------------------------------------- */

typedef enum FieldKind {
    FIELD_TEXT,     /* const char *; NULL is null */
    FIELD_SIZE,     /* int64_t; negative is null */
    FIELD_INT,      /* int; negative is null */
    FIELD_POSITION, /* int; 0 is null */
    FIELD_COUNT,    /* size_t */
    FIELD_BOOL,
    FIELD_REAL, /* double; not a finite number is null */
    FIELD_VERDICT,
    FIELD_LEVEL, /* DiagnosticLevel */
    FIELD_SEED,  /* uint64_t as decimal text, since JavaScript keeps 53 bits only */
} FieldKind;

typedef struct Field {
    const char *key;
    FieldKind kind;
    size_t offset;
} Field;

static json_t *field_value(FieldKind kind, const void *at)
{
    switch (kind) {
    case FIELD_TEXT: return text_value(*(const char *const *)at);
    case FIELD_SIZE: return size_value(*(const int64_t *)at);
    case FIELD_INT: return size_value(*(const int *)at);
    case FIELD_POSITION: return *(const int *)at > 0 ? json_integer(*(const int *)at) : json_null();
    case FIELD_COUNT: return json_integer((json_int_t)(*(const size_t *)at));
    case FIELD_BOOL: return json_boolean(*(const bool *)at);
    case FIELD_REAL: return isfinite(*(const double *)at) ? json_real(*(const double *)at) : json_null();
    case FIELD_VERDICT: return verdict_value(*(const Verdict *)at);
    case FIELD_LEVEL: return level_value(*(const DiagnosticLevel *)at);
    case FIELD_SEED: return seed_value(*(const uint64_t *)at);
    }
    return json_null();
}

static void put_fields(Writer *writer, json_t *object, const void *part, const Field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(writer, object, fields[i].key, field_value(fields[i].kind, (const char *)part + fields[i].offset));
}
#define PUT_FIELDS(writer, object, part, fields)                                                                       \
    put_fields((writer), (object), (part), (fields), sizeof(fields) / sizeof(fields)[0])

static const Field head_fields[] = {
    {"problem", FIELD_TEXT, offsetof(Report, problem)},
    {"problem_title", FIELD_TEXT, offsetof(Report, problem_title)},
    {"problem_title_zh", FIELD_TEXT, offsetof(Report, problem_title_zh)},
    {"source_name", FIELD_TEXT, offsetof(Report, source_name)},
    {"language", FIELD_TEXT, offsetof(Report, language)},
    {"verdict", FIELD_VERDICT, offsetof(Report, verdict)},
    {"score", FIELD_REAL, offsetof(Report, score)},
    {"score_max", FIELD_REAL, offsetof(Report, score_max)},
    {"judge_error", FIELD_TEXT, offsetof(Report, judge_error)},
    {"elapsed_ns", FIELD_SIZE, offsetof(Report, elapsed_ns)},
};

static const Field count_fields[] = {
    {"tests", FIELD_COUNT, offsetof(Report, test_count)},
    {"run", FIELD_COUNT, offsetof(Report, run_count)},
    {"passed", FIELD_COUNT, offsetof(Report, passed_count)},
};

static const Field compile_fields[] = {
    {"needed", FIELD_BOOL, offsetof(CompileReport, is_needed)},
    {"succeeded", FIELD_BOOL, offsetof(CompileReport, has_succeeded)},
    {"cached", FIELD_BOOL, offsetof(CompileReport, is_cached)},
    {"reason", FIELD_TEXT, offsetof(CompileReport, reason)},
    {"cpu_ns", FIELD_SIZE, offsetof(CompileReport, cpu_ns)},
    {"wall_ns", FIELD_SIZE, offsetof(CompileReport, wall_ns)},
    {"memory_peak_bytes", FIELD_SIZE, offsetof(CompileReport, memory_peak_bytes)},
    {"log", FIELD_TEXT, offsetof(CompileReport, log)},
    {"log_cut", FIELD_BOOL, offsetof(CompileReport, is_log_cut)},
};

static const Field diagnostic_fields[] = {
    {"level", FIELD_LEVEL, offsetof(Diagnostic, level)},  {"file", FIELD_TEXT, offsetof(Diagnostic, file)},
    {"line", FIELD_POSITION, offsetof(Diagnostic, line)}, {"column", FIELD_POSITION, offsetof(Diagnostic, column)},
    {"text", FIELD_TEXT, offsetof(Diagnostic, text)},
};

static const Field test_fields[] = {
    {"name", FIELD_TEXT, offsetof(TestReport, name)},          {"sample", FIELD_BOOL, offsetof(TestReport, is_sample)},
    {"verdict", FIELD_VERDICT, offsetof(TestReport, verdict)}, {"detail", FIELD_TEXT, offsetof(TestReport, detail)},
    {"hint", FIELD_TEXT, offsetof(TestReport, hint)},
};

/* The deciding attempt's cost stands in the test itself too, so that most readers need not look into `attempts`. */
static const Field cost_fields[] = {
    {"cpu_ns", FIELD_SIZE, offsetof(Attempt, cpu_ns)},
    {"wall_ns", FIELD_SIZE, offsetof(Attempt, wall_ns)},
    {"memory_peak_bytes", FIELD_SIZE, offsetof(Attempt, memory_peak_bytes)},
};

static const Field attempt_fields[] = {
    {"verdict", FIELD_VERDICT, offsetof(Attempt, verdict)},
    {"output_bytes", FIELD_SIZE, offsetof(Attempt, output_bytes)},
    {"exit_code", FIELD_INT, offsetof(Attempt, exit_code)},
    {"signal", FIELD_POSITION, offsetof(Attempt, signal)},
    {"cause", FIELD_TEXT, offsetof(Attempt, cause)},
};

static const Field failure_fields[] = {
    {"policy", FIELD_TEXT, offsetof(FailureReport, policy)},
    {"message", FIELD_TEXT, offsetof(FailureReport, message)},
    {"judge_message", FIELD_TEXT, offsetof(FailureReport, judge_message)},
    {"input", FIELD_TEXT, offsetof(FailureReport, input)},
};

static const Field difference_fields[] = {
    {"what", FIELD_TEXT, offsetof(Difference, what)},
    {"line", FIELD_SIZE, offsetof(Difference, line)},
    {"column", FIELD_SIZE, offsetof(Difference, column)},
    {"token_index", FIELD_SIZE, offsetof(Difference, token_index)},
    {"output_offset", FIELD_SIZE, offsetof(Difference, output_offset)},
    {"expected", FIELD_TEXT, offsetof(Difference, expected)},
    {"got", FIELD_TEXT, offsetof(Difference, got)},
};

static const Field sanitizer_fields[] = {
    {"kind", FIELD_TEXT, offsetof(SanitizerReport, kind)},
    {"file", FIELD_TEXT, offsetof(SanitizerReport, file)},
    {"line", FIELD_POSITION, offsetof(SanitizerReport, line)},
    {"function", FIELD_TEXT, offsetof(SanitizerReport, function)},
};

static const Field provenance_fields[] = {
    {"problem_sha256", FIELD_TEXT, offsetof(Provenance, problem_sha256)},
    {"tests_sha256", FIELD_TEXT, offsetof(Provenance, tests_sha256)},
    {"checker_sha256", FIELD_TEXT, offsetof(Provenance, checker_sha256)},
    {"source_sha256", FIELD_TEXT, offsetof(Provenance, source_sha256)},
    {"artifact_sha256", FIELD_TEXT, offsetof(Provenance, artifact_sha256)},
    {"compiler", FIELD_TEXT, offsetof(Provenance, compiler)},
    {"compiler_sha256", FIELD_TEXT, offsetof(Provenance, compiler_sha256)},
    {"command", FIELD_TEXT, offsetof(Provenance, command)},
    {"gavel_version", FIELD_TEXT, offsetof(Provenance, gavel_version)},
    {"gavel_build", FIELD_TEXT, offsetof(Provenance, gavel_build)},
    {"isolation", FIELD_TEXT, offsetof(Provenance, isolation)},
    {"cgroup", FIELD_TEXT, offsetof(Provenance, cgroup)},
    {"degraded_reason", FIELD_TEXT, offsetof(Provenance, degraded_reason)},
    {"device", FIELD_TEXT, offsetof(Provenance, device)},
    {"kernel", FIELD_TEXT, offsetof(Provenance, kernel)},
    {"processor", FIELD_TEXT, offsetof(Provenance, processor)},
    {"seed", FIELD_SEED, offsetof(Provenance, seed)},
    {"started_at", FIELD_TEXT, offsetof(Provenance, started_at)},
};

static const Field limit_fields[] = {
    {"time_ns", FIELD_SIZE, offsetof(Provenance, time_limit_ns)},
    {"wall_ns", FIELD_SIZE, offsetof(Provenance, wall_limit_ns)},
    {"idle_ns", FIELD_SIZE, offsetof(Provenance, idle_limit_ns)},
    {"memory_bytes", FIELD_SIZE, offsetof(Provenance, memory_limit_bytes)},
    {"stack_bytes", FIELD_SIZE, offsetof(Provenance, stack_limit_bytes)},
    {"output_bytes", FIELD_SIZE, offsetof(Provenance, output_limit_bytes)},
};

/* ---- parts --------------------------------------------------------------------------------------------------- */

static json_t *compile_value(Writer *writer, const CompileReport *compile)
{
    json_t *object = json_object(), *diagnostics = json_array();
    PUT_FIELDS(writer, object, compile, compile_fields);
    for (size_t i = 0; i < compile->diagnostic_count; i++) {
        json_t *diagnostic = json_object();
        PUT_FIELDS(writer, diagnostic, &compile->diagnostics[i], diagnostic_fields);
        add(writer, diagnostics, diagnostic);
    }
    put(writer, object, "diagnostics", diagnostics);
    return object;
}

static json_t *test_value(Writer *writer, const TestReport *test)
{
    static const Attempt unknown = {.cpu_ns = -1, .wall_ns = -1, .memory_peak_bytes = -1};
    json_t *object = json_object(), *attempts = json_array();
    PUT_FIELDS(writer, object, test, test_fields);
    PUT_FIELDS(writer, object, test->attempt_count ? &test->attempts[test->attempt_count - 1] : &unknown, cost_fields);
    for (size_t i = 0; i < test->attempt_count; i++) {
        json_t *attempt = json_object();
        PUT_FIELDS(writer, attempt, &test->attempts[i], attempt_fields);
        PUT_FIELDS(writer, attempt, &test->attempts[i], cost_fields);
        add(writer, attempts, attempt);
    }
    put(writer, object, "attempts", attempts);
    return object;
}

static json_t *tests_value(Writer *writer, const Report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->test_count; i++)
        add(writer, array, test_value(writer, &report->tests[i]));
    return array;
}

static json_t *difference_value(Writer *writer, const Difference *difference)
{
    if (!difference->is_present)
        return json_null();
    json_t *object = json_object();
    PUT_FIELDS(writer, object, difference, difference_fields);
    return object;
}

static json_t *sanitizer_value(Writer *writer, const SanitizerReport *sanitizer)
{
    if (!sanitizer->is_present)
        return json_null();
    json_t *object = json_object();
    PUT_FIELDS(writer, object, sanitizer, sanitizer_fields);
    return object;
}

static json_t *test_name_value(const Report *report, size_t index)
{
    return index < report->test_count ? text_value(report->tests[index].name) : json_null();
}

static json_t *failure_value(Writer *writer, const Report *report)
{
    const FailureReport *failure = &report->failure;
    if (!failure->is_present)
        return json_null();
    json_t *object = json_object();
    put(writer, object, "test", test_name_value(report, failure->test_index));
    put(writer, object, "test_index", json_integer((json_int_t)failure->test_index));
    PUT_FIELDS(writer, object, failure, failure_fields);
    put(writer, object, "difference", difference_value(writer, &failure->difference));
    put(writer, object, "sanitizer", sanitizer_value(writer, &failure->sanitizer));
    return object;
}

static json_t *slowest_value(Writer *writer, const Report *report)
{
    if (report->slowest_index < 0 || (size_t)report->slowest_index >= report->test_count)
        return json_null();
    json_t *object = json_object();
    put(writer, object, "test", test_name_value(report, (size_t)report->slowest_index));
    put(writer, object, "test_index", json_integer(report->slowest_index));
    return object;
}

static json_t *counts_value(Writer *writer, const Report *report)
{
    json_t *object = json_object();
    PUT_FIELDS(writer, object, report, count_fields);
    return object;
}

static json_t *notes_value(Writer *writer, const Report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->note_count; i++)
        add(writer, array, text_value(report->notes[i]));
    return array;
}

static json_t *provenance_value(Writer *writer, const Provenance *provenance)
{
    json_t *object = json_object(), *limits = json_object();
    PUT_FIELDS(writer, object, provenance, provenance_fields);
    PUT_FIELDS(writer, limits, provenance, limit_fields);
    put(writer, object, "limits", limits);
    return object;
}

static json_t *report_value(Writer *writer, const Report *report)
{
    json_t *object = json_object();
    put(writer, object, "schema", json_integer(REPORT_SCHEMA_VERSION));
    PUT_FIELDS(writer, object, report, head_fields);
    put(writer, object, "counts", counts_value(writer, report));
    put(writer, object, "slowest", slowest_value(writer, report));
    put(writer, object, "compile", compile_value(writer, &report->compile));
    put(writer, object, "tests", tests_value(writer, report));
    put(writer, object, "failure", failure_value(writer, report));
    put(writer, object, "notes", notes_value(writer, report));
    put(writer, object, "provenance", provenance_value(writer, &report->provenance));
    return object;
}

static int append_dump(const char *text, size_t size, void *context)
{
    Buffer *out = context;
    buffer_append(out, text, size);
    return out->has_failed ? -1 : 0;
}

bool report_write_json(const Report *report, Buffer *out, Error *error)
{
    /* 15 digits: a score of 33.3 is written as 33.3. */
    const size_t format = JSON_INDENT(2) | JSON_REAL_PRECISION(15);
    Writer writer = {0};
    json_t *root = report_value(&writer, report);
    bool has_written = root && !writer.has_failed && json_dump_callback(root, append_dump, out, format) == 0;
    json_decref(root);
    buffer_char(out, '\n');
    if (!has_written || out->has_failed)
        return error_fault(error, "out of memory while writing the report as JSON");
    return true;
}
