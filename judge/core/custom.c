/* One run on the contestant's own input, and the model solution's answer beside it. */
#include <string.h>

#include "base/fd.h"
#include "core/author.h"
#include "core/context.h"
#include "core/event.h"
#include "core/jail.h"
#include "core/journey.h"
#include "core/verdict.h"

#define SECOND INT64_C(1000000000)

enum { MODEL_TIME_FACTOR = 5, INPUT_VALID = 42 };

/* ---- the input ------------------------------------------------------------------------------------------------ */

static bool check_with(Journey *journey, const AuthorProgram *program, const RunInput *input, const char **ret_invalid,
                       Error *error)
{
    auto_program Program built = program_none();
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!author_build(journey->judge, journey->problem, program->path, "input validator", journey->cancel,
                      journey->arena, &built, error))
        return false;
    const RunRequest request = {.program = &built,
                                .profile = SANDBOX_PROFILE_AUTHOR,
                                .input = input,
                                .limits = run_author_limits(journey->problem)};
    if (!run_program(journey->judge, &request, journey->cancel, &result, error))
        return false;
    if (result.cause == SANDBOX_CAUSE_EXIT && result.signal == 0 && result.exit_code == INPUT_VALID)
        return true;
    const char *message = author_message(&result, journey->arena);
    *ret_invalid = arena_format(journey->arena, "the input is not valid: %s", *message ? message : program->name);
    return true;
}

/* *ret_invalid is set to the first objection. */
static bool check_input(Journey *journey, const RunInput *input, const char **ret_invalid, Error *error)
{
    for (size_t i = 0; i < journey->problem->input_validator_count && !*ret_invalid; i++)
        if (!check_with(journey, &journey->problem->input_validators[i], input, ret_invalid, error))
            return false;
    return true;
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

static bool run_model(Journey *journey, const char *path, const RunInput *input, TestData *data,
                      const char **ret_failure, Error *error)
{
    auto_program Program model = program_none();
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    auto_run_output RunOutput output = {.data = ""};
    if (!author_build(journey->judge, journey->problem, path, "model solution", journey->cancel, journey->arena, &model,
                      error))
        return false;
    int64_t time_limit_ns = MODEL_TIME_FACTOR * journey->time_limit_ns + SECOND;
    const RunRequest request = {.program = &model,
                                .profile = model.language->run_profile,
                                .input = input,
                                .limits = run_limits(journey->problem, time_limit_ns)};
    if (!run_program(journey->judge, &request, journey->cancel, &result, error) ||
        !run_output_map(&result, &output, error))
        return false;
    if (verdict_decide(&result, time_limit_ns) != VERDICT_ACCEPTED) {
        *ret_failure = arena_format(journey->arena, "the model solution failed on this input: %s",
                                    author_what(&result, journey->arena));
        return true;
    }
    buffer_append(&data->answer, output.data, output.size);
    data->has_answer = !data->answer.has_failed;
    return true;
}

/* A problem whose model cannot answer costs the answer, not the run; only cancelling ends the job. */
static bool find_answer(Journey *journey, TestData *data, const char **ret_why_not, Error *error)
{
    const char *path = author_model_path(journey->problem);
    auto_error Error fault = {0};
    bool is_well = check_input(journey, &data->input, ret_why_not, &fault);
    if (is_well && !*ret_why_not && !path)
        *ret_why_not = "the problem has no model solution";
    if (is_well && !*ret_why_not)
        is_well = run_model(journey, path, &data->input, data, ret_why_not, &fault);
    if (is_well)
        return true;
    if (jail_error_is_cancel(&fault))
        return jail_cancelled(error);
    *ret_why_not = arena_string(journey->arena, error_text(&fault));
    return true;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

static void describe_custom_test(Journey *journey)
{
    journey->report->tests = arena_new_array(journey->arena, TestReport, 1);
    journey->report->tests[0] = (TestReport){.name = "custom", .is_sample = true, .verdict = VERDICT_NONE};
    journey->report->test_count = 1;
    journey->wanted_count = 1;
}

/* Flags of the first test: a custom input belongs to no group. */
static TestCase custom_test(const Problem *problem)
{
    TestCase test = problem->test_count > 0 ? problem->tests[0] : (TestCase){0};
    test.name = "custom";
    test.is_sample = true;
    test.program_args = NULL;
    return test;
}

static bool run_custom(Journey *journey, const TestCase *test, TestData *data, RunOutput *output, CustomRun *run,
                       Error *error)
{
    Visibility visibility = visibility_of(journey->problem->feedback, true, false);
    if (!find_answer(journey, data, &run->answer_error, error))
        return false;
    if (!validator_open(journey->judge, journey->problem, journey->cancel, journey->arena, &journey->validator, error))
        return error_wrap(error, "building the output validator");
    journey->report->provenance.checker_sha256 = journey->validator.sha256;
    if (!journey_test(journey, test, data, &visibility, 0, output, error))
        return error_wrap(error, "custom input");
    return journey_sanitize(journey, test, data, error);
}

/* Owned by the CustomRun. */
static bool copy_text(const char *data, size_t size, char **ret_text, size_t *ret_size, Error *error)
{
    char *text = malloc(size + 1);
    if (!text)
        return error_fault(error, "out of memory");
    memcpy(text, data, size);
    text[size] = '\0';
    *ret_text = text;
    *ret_size = size;
    return true;
}

bool judge_custom_input(Judge *judge, const JudgeJob *job, const void *input, size_t input_size, EventSink events,
                        const CancelToken *cancel, CustomRun *ret_run, Error *error)
{
    __attribute__((cleanup(journey_done))) Journey journey = {.program = program_none(), .validator = validator_none()};
    __attribute__((cleanup(test_data_done))) TestData data = {.input = run_input_none()};
    auto_run_output RunOutput output = {.data = ""};
    auto_error Error fault = {0};
    CustomRun run = {0};
    if (!journey_begin(judge, job, events, cancel, &journey, error))
        return false;
    describe_custom_test(&journey);
    const TestCase test = custom_test(job->problem);
    bool is_complete =
        journey_build(&journey, &fault) &&
        (!journey.program.compile.has_succeeded || (run_input_from_bytes(input, input_size, &data.input, &fault) &&
                                                    run_custom(&journey, &test, &data, &output, &run, &fault)));
    is_complete = is_complete && copy_text(output.data, output.size, &run.output, &run.output_size, &fault);
    if (is_complete && data.has_answer)
        is_complete = copy_text(buffer_text(&data.answer), data.answer.size, &run.answer, &run.answer_size, &fault);
    if (!journey_finish(&journey, is_complete, &fault, &run.report, error)) {
        custom_run_done(&run);
        return false;
    }
    *ret_run = run;
    return true;
}

void custom_run_done(CustomRun *run)
{
    report_free(run->report);
    free(run->output);
    free(run->answer);
    *run = (CustomRun){0};
}
