/* The steps of judge_submission. */
#include "core/journey.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/event.h"
#include "core/jail.h"
#include "core/sanitize.h"
#include "core/verdict.h"

#define SECOND                INT64_C(1000000000)
#define DEFAULT_TIME_LIMIT_NS (10 * SECOND)

enum { ATTEMPT_MAX = 2, SOURCE_NAME_SHOWN_BYTES = 200, ANSWER_MAX_BYTES = 1 << 30 };

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail on Linux */
    return now.tv_sec * SECOND + now.tv_nsec;
}

/* ---- beginning ------------------------------------------------------------------------------------------------ */

typedef struct TraitText {
    unsigned trait;
    const char *text;
} TraitText;

static const TraitText unsupported_traits[] = {
    {PROBLEM_SCORING, "scoring problems"},
    {PROBLEM_INTERACTIVE, "interactive problems"},
    {PROBLEM_MULTI_PASS, "multi-pass problems"},
    {PROBLEM_SUBMIT_ANSWER, "submit-answer problems"},
};

static bool check_traits(const Problem *problem, Error *error)
{
    for (size_t i = 0; i < sizeof unsupported_traits / sizeof *unsupported_traits; i++)
        if (problem->traits & unsupported_traits[i].trait)
            return error_input(error, "%s: %s are not supported by this version of gavel", problem->name,
                               unsupported_traits[i].text);
    return true;
}

static bool find_language(const JudgeJob *job, const Language **ret_language, Error *error)
{
    const Language *language = job->language ? job->language : language_by_file_name(job->source_name);
    auto_buffer Buffer known = {0};
    if (!language) {
        for (size_t i = 0; (language = language_at(i)); i++)
            buffer_format(&known, "%s%s (%s)", i ? ", " : "", language_title(language), language_extension(language));
        return error_input(error, "%s: unknown language; supported are %s",
                           job->source_name ? job->source_name : "the submission", buffer_text(&known));
    }
    *ret_language = language;
    return true;
}

static bool is_wanted(const JudgeJob *job, const TestCase *test)
{
    return job->tests == JUDGE_ALL_TESTS || test->is_sample;
}

static bool check_tests(const JudgeJob *job, size_t *ret_count, Error *error)
{
    *ret_count = 0;
    for (size_t i = 0; i < job->problem->test_count; i++)
        *ret_count += is_wanted(job, &job->problem->tests[i]);
    return *ret_count > 0 ||
           error_input(error, "%s has no %stests", job->problem->name, job->tests == JUDGE_SAMPLES ? "sample " : "");
}

static void describe_tests(Journey *journey)
{
    const Problem *problem = journey->problem;
    Report *report = journey->report;
    report->tests = arena_new_array(journey->arena, TestReport, problem->test_count);
    report->test_count = problem->test_count;
    report->slowest_index = -1;
    for (size_t i = 0; i < problem->test_count; i++)
        report->tests[i] = (TestReport){.name = arena_string(journey->arena, problem->tests[i].name),
                                        .is_sample = problem->tests[i].is_sample,
                                        .verdict = VERDICT_NONE};
}

static void describe_job(Journey *journey)
{
    Report *report = journey->report;
    assert(journey->language); /* refused before */
    const char *name = journey->job->source_name ? journey->job->source_name : journey->language->source_name;
    report->problem = arena_string(journey->arena, journey->problem->name);
    report->problem_title = arena_string(journey->arena, journey->problem->title);
    report->problem_title_zh = arena_string(journey->arena, journey->problem->title_zh);
    report->source_name = report_printable(journey->arena, name, strlen(name), SOURCE_NAME_SHOWN_BYTES, false);
    report->language = journey->language->id;
    report->verdict = VERDICT_NONE;
    report->compile.log = "";
}

static void choose_time_limit(Journey *journey)
{
    int64_t asked = journey->job->time_limit_ns, given = journey->problem->limits.time_ns;
    journey->time_limit_ns = asked > 0 ? asked : given > 0 ? given : DEFAULT_TIME_LIMIT_NS;
    if (asked <= 0 && given <= 0)
        report_add_note(journey->report, "the package gives no time limit: %lld s are used",
                        (long long)(DEFAULT_TIME_LIMIT_NS / SECOND));
}

bool journey_begin(Judge *judge, const JudgeJob *job, EventSink events, const CancelToken *cancel, Journey *ret_journey,
                   Error *error)
{
    Journey journey = {.judge = judge,
                       .job = job,
                       .problem = job->problem,
                       .events = events,
                       .cancel = cancel,
                       .program = program_none(),
                       .validator = validator_none(),
                       .started_ns = now_ns()};
    if (!check_traits(job->problem, error) || !find_language(job, &journey.language, error) ||
        !check_tests(job, &journey.wanted_count, error))
        return false;
    journey.report = report_new();
    journey.arena = journey.report->arena;
    describe_job(&journey);
    choose_time_limit(&journey);
    provenance_begin(&journey);
    *ret_journey = journey;
    event_send(events, &(Event){.kind = EVENT_QUEUED, .count = journey.wanted_count});
    describe_tests(ret_journey);
    return true;
}

void journey_done(Journey *journey)
{
    program_done(&journey->program);
    validator_done(&journey->validator);
}

/* ---- building ------------------------------------------------------------------------------------------------- */

static const char *refusal(const Journey *journey)
{
    int64_t limit = journey->problem->limits.code_bytes;
    if (limit <= 0 || (int64_t)journey->job->source_size <= limit)
        return NULL;
    return arena_format(journey->arena, "the source has %zu bytes; the limit is %lld", journey->job->source_size,
                        (long long)limit);
}

static bool build(Journey *journey, Error *error)
{
    const JudgeJob *job = journey->job;
    const char *name = job->source_name ? job->source_name : journey->language->source_name;
    BuildLimits limits = {.time_ns = journey->problem->limits.compilation_time_ns,
                          .memory_bytes = journey->problem->limits.compilation_memory_bytes};
    return source_from_submission(journey->problem, journey->language, name, job->source, job->source_size,
                                  journey->arena, &journey->sources, error) &&
           build_program(journey->judge, &journey->sources, BUILD_NORMAL, limits, journey->cancel, journey->arena,
                         &journey->program, error);
}

bool journey_build(Journey *journey, Error *error)
{
    const char *reason = refusal(journey);
    event_send(journey->events, &(Event){.kind = EVENT_COMPILING});
    if (reason)
        build_refuse(&journey->program, reason);
    else if (!build(journey, error))
        return error_wrap(error, "building the submission");
    const CompileReport *compile = &journey->program.compile;
    journey->report->compile = *compile;
    provenance_build(journey);
    event_send(journey->events, &(Event){.kind = EVENT_COMPILED,
                                         .verdict = compile->has_succeeded ? VERDICT_ACCEPTED : VERDICT_COMPILE_ERROR,
                                         .is_cached = compile->is_cached,
                                         .cpu_ns = compile->cpu_ns,
                                         .wall_ns = compile->wall_ns,
                                         .memory_bytes = compile->memory_peak_bytes});
    return true;
}

/* ---- one test ------------------------------------------------------------------------------------------------- */

static void record_attempt(TestReport *report, const SandboxResult *result, Verdict verdict)
{
    report->attempts[report->attempt_count++] = (Attempt){
        .verdict = verdict,
        .cpu_ns = result->cpu_ns,
        .wall_ns = result->wall_ns,
        .memory_peak_bytes = result->memory_peak_bytes,
        .output_bytes = result->output_bytes,
        .exit_code = result->exit_code,
        .signal = result->signal,
        .cause = sandbox_cause_name(result->cause),
    };
    report->verdict = verdict;
}

/* An outcome that says nothing about the program: execve failed for a reason of ours. */
static bool check_fault(const SandboxResult *result, Verdict verdict, Error *error)
{
    return verdict != VERDICT_JUDGE_ERROR ||
           error_fault(error, "the program could not be started: %s", strerror(result->exec_errno));
}

static bool run_once(Journey *journey, const TestCase *test, const TestData *data, TestReport *report,
                     SandboxResult *ret_result, Error *error)
{
    const RunRequest request = {
        .program = &journey->program,
        .profile = journey->language->run_profile,
        .args = test->program_args,
        .input = &data->input,
        .limits = run_limits(journey->problem, journey->time_limit_ns),
    };
    if (!run_program(journey->judge, &request, journey->cancel, ret_result, error))
        return false;
    Verdict verdict = verdict_decide(ret_result, journey->time_limit_ns);
    record_attempt(report, ret_result, verdict);
    if (journey->report->provenance.idle_limit_ns < 0)
        journey->report->provenance.idle_limit_ns = ret_result->limits.idle_ns;
    return check_fault(ret_result, verdict, error);
}

/* A run near the time limit is done again, and the second one decides: ret_result is the last. */
static bool run_attempts(Journey *journey, const TestCase *test, const TestData *data, TestReport *report,
                         SandboxResult *ret_result, Error *error)
{
    report->attempts = arena_new_array(journey->arena, Attempt, ATTEMPT_MAX);
    if (!run_once(journey, test, data, report, ret_result, error))
        return false;
    if (!run_is_near_limit(ret_result, journey->time_limit_ns))
        return true;
    sandbox_result_done(ret_result);
    *ret_result = JAIL_RESULT_NONE;
    event_send(journey->events, &(Event){.kind = EVENT_RERUN,
                                         .index = journey->done_count + 1,
                                         .count = journey->wanted_count,
                                         .name = report->name});
    return run_once(journey, test, data, report, ret_result, error);
}

static void set_verdict(TestReport *report, Verdict verdict)
{
    report->verdict = report->attempts[report->attempt_count - 1].verdict = verdict;
}

/* Of a run that ended well. Without an answer there is nothing to compare with, and no verdict. */
static bool validate(Journey *journey, const TestCase *test, const TestData *data, const SandboxResult *result,
                     const RunOutput *output, TestReport *report, Validation *ret_validation, Error *error)
{
    if (!data->has_answer) {
        set_verdict(report, VERDICT_NONE);
        return true;
    }
    const ValidationCase validated = {
        .flags = &test->validator_flags,
        .args = test->validator_args,
        .input = &data->input,
        .answer = buffer_text(&data->answer),
        .answer_size = data->answer.size,
        .run = result,
        .output = output,
    };
    if (!validate_output(journey->judge, &journey->validator, &validated, journey->cancel, journey->arena,
                         ret_validation, error))
        return false;
    set_verdict(report, ret_validation->is_accepted ? VERDICT_ACCEPTED : VERDICT_WRONG_ANSWER);
    return true;
}

static bool show_input(Journey *journey, const TestData *data, FailureReport *failure, Error *error)
{
    char head[2048]; /* more than explain_input shows */
    ssize_t size = pread(data->input.memfd, head, sizeof head, 0);
    if (size < 0)
        return error_system(error, "reading the input");
    failure->input = explain_input(head, (size_t)size, journey->arena);
    return true;
}

/* Only the first failure is explained; everything beyond the verdict passes the visibility. */
static bool explain(Journey *journey, size_t index, const TestData *data, const RunOutput *output,
                    const Validation *validation, const Visibility *visibility, Error *error)
{
    FailureReport *failure = &journey->report->failure;
    if (failure->is_present || journey->report->tests[index].verdict == VERDICT_ACCEPTED ||
        journey->report->tests[index].verdict == VERDICT_NONE)
        return true;
    failure->is_present = true;
    failure->test_index = index;
    failure->policy = visibility->policy;
    failure->message = validation->team_message;
    if (visibility->has_judge_message)
        failure->judge_message = validation->judge_message;
    if (visibility->has_difference && validation->has_tokens && !validation->is_accepted)
        failure->difference = explain_difference(&validation->tokens, output->data, output->size,
                                                 buffer_text(&data->answer), data->answer.size, journey->arena);
    return !visibility->has_input || show_input(journey, data, failure, error);
}

static void announce(Journey *journey, const TestReport *report)
{
    const Attempt *last = &report->attempts[report->attempt_count - 1];
    journey->done_count++;
    event_send(journey->events, &(Event){.kind = EVENT_TEST,
                                         .index = journey->done_count,
                                         .count = journey->wanted_count,
                                         .name = report->name,
                                         .verdict = report->verdict,
                                         .cpu_ns = last->cpu_ns,
                                         .wall_ns = last->wall_ns,
                                         .memory_bytes = last->memory_peak_bytes});
}

bool journey_test(Journey *journey, const TestCase *test, const TestData *data, const Visibility *visibility,
                  size_t index, RunOutput *ret_output, Error *error)
{
    TestReport *report = &journey->report->tests[index];
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    auto_run_output RunOutput output = {.data = ""};
    Validation validation = {0};
    if (!run_attempts(journey, test, data, report, &result, error) || !run_output_map(&result, &output, error))
        return false;
    report->detail = verdict_detail(report->verdict, &result, journey->arena);
    report->hint = verdict_hint(report->verdict, &result);
    bool has_ended_well = report->verdict == VERDICT_ACCEPTED;
    if (has_ended_well && !validate(journey, test, data, &result, &output, report, &validation, error))
        return false;
    if (!explain(journey, index, data, &output, &validation, visibility, error))
        return false;
    explain_redact(report, visibility);
    announce(journey, report);
    if (ret_output) {
        *ret_output = output;
        output = (RunOutput){.data = ""};
    }
    return true;
}

/* ---- all tests ------------------------------------------------------------------------------------------------ */

void test_data_done(TestData *data)
{
    run_input_done(&data->input);
    buffer_done(&data->answer);
}

static bool load_test(const TestCase *test, TestData *ret_data, Error *error)
{
    ret_data->has_answer = true;
    return run_input_from_file(test->input_path, &ret_data->input, error) &&
           fd_read_file(test->answer_path, ANSWER_MAX_BYTES, &ret_data->answer, error);
}

static bool judge_test(Journey *journey, size_t index, Error *error)
{
    const TestCase *test = &journey->problem->tests[index];
    Visibility visibility = visibility_of(journey->problem->feedback, test->is_sample, journey->job->is_author);
    __attribute__((cleanup(test_data_done))) TestData data = {.input = run_input_none()};
    if (load_test(test, &data, error) && journey_test(journey, test, &data, &visibility, index, NULL, error))
        return true;
    TestReport *report = &journey->report->tests[index];
    report->verdict = VERDICT_JUDGE_ERROR;
    if (report->attempt_count > 0)
        set_verdict(report, VERDICT_JUDGE_ERROR); /* the run may be well, but nobody said that its output is */
    return error_wrap(error, "test %s", test->name);
}

/* Hidden data that is missing is made now; a job on samples alone never touches it. */
static bool prepare_data(Journey *journey, Error *error)
{
    if (journey->job->tests == JUDGE_SAMPLES || problem_missing_data(journey->problem) == 0)
        return true;
    return judge_generate_data(journey->judge, journey->problem, NULL, journey->events, journey->cancel, error) ||
           error_wrap(error, "making the test data");
}

static bool open_validator(Journey *journey, Error *error)
{
    if (!validator_open(journey->judge, journey->problem, journey->cancel, journey->arena, &journey->validator, error))
        return error_wrap(error, "building the output validator");
    journey->report->provenance.checker_sha256 = journey->validator.sha256;
    return true;
}

bool journey_tests(Journey *journey, Error *error)
{
    if (!journey->program.compile.has_succeeded)
        return true;
    if (!prepare_data(journey, error) || !open_validator(journey, error))
        return false;
    for (size_t i = 0; i < journey->problem->test_count; i++) {
        if (!is_wanted(journey->job, &journey->problem->tests[i]))
            continue;
        if (!judge_test(journey, i, error))
            return false;
        if (journey->report->tests[i].verdict != VERDICT_ACCEPTED && !journey->job->is_exhaustive)
            return true;
    }
    return true;
}

/* ---- the sanitizer -------------------------------------------------------------------------------------------- */

static bool has_crashed(const Journey *journey)
{
    const FailureReport *failure = &journey->report->failure;
    if (!failure->is_present)
        return false;
    const TestReport *test = &journey->report->tests[failure->test_index];
    return test->verdict == VERDICT_RUNTIME_ERROR && test->attempts[test->attempt_count - 1].signal != 0;
}

/* Never changes a verdict; if the sanitizer's machinery fails, the report only says that there is no finding. */
static bool sanitize(Journey *journey, const TestCase *test, const TestData *data, Error *error)
{
    FailureReport *failure = &journey->report->failure;
    const char *note = NULL;
    auto_error Error fault = {0};
    event_send(journey->events, &(Event){.kind = EVENT_SANITIZING, .name = test->name});
    if (sanitize_run(journey->judge, journey->problem, &journey->sources, &data->input, test->program_args,
                     journey->time_limit_ns, journey->cancel, journey->arena, &failure->sanitizer, &note, &fault)) {
        if (note)
            report_add_note(journey->report, "%s", note);
        return true;
    }
    if (jail_error_is_cancel(&fault))
        return jail_cancelled(error);
    report_add_note(journey->report, "no sanitizer run: %s", error_text(&fault));
    return true;
}

bool journey_sanitize(Journey *journey, const TestCase *test, const TestData *data, Error *error)
{
    if (journey->job->has_no_sanitizer || !journey->language->sanitize || !has_crashed(journey))
        return true;
    if (data)
        return sanitize(journey, test, data, error);
    __attribute__((cleanup(test_data_done))) TestData loaded = {.input = run_input_none()};
    const TestCase *failing = &journey->problem->tests[journey->report->failure.test_index];
    return load_test(failing, &loaded, error) && sanitize(journey, failing, &loaded, error);
}

/* ---- the end -------------------------------------------------------------------------------------------------- */

bool journey_finish(Journey *journey, bool is_complete, Error *fault, Report **ret_report, Error *error)
{
    Report *report = journey->report;
    auto_error Error taken = *fault;
    *fault = (Error){0};
    if (!is_complete && jail_error_is_cancel(&taken)) {
        report_free(report);
        return jail_cancelled(error);
    }
    if (!is_complete)
        report->judge_error = arena_string(journey->arena, error_text(&taken));
    journey_aggregate(journey);
    report->elapsed_ns = now_ns() - journey->started_ns;
    event_send(journey->events, &(Event){.kind = EVENT_FINISHED,
                                         .verdict = report->verdict,
                                         .score = report->score,
                                         .wall_ns = report->elapsed_ns});
    *ret_report = report;
    return true;
}
