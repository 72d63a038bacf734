/* Output validation.
 *
 * A custom validator follows the format's protocol: `validator input answer feedback/ flags < output`, 42 accepts, 43
 * rejects, and everything else is the judge's error, whatever the submission printed. Its feedback directory is the
 * jail's working directory, the one place that it may write to. */
#include "core/validate.h"

#include <errno.h>
#include <string.h>

#include "base/fd.h"
#include "core/author.h"
#include "core/context.h"
#include "core/jail.h"

enum {
    EXIT_ACCEPTED = 42,
    EXIT_REJECTED = 43,
    FEEDBACK_MAX_BYTES = 8 << 20,
    FEEDBACK_SHOWN_BYTES = 4000,
    ARGS_MAX = 64
};

#define INPUT_NAME         "case.in"
#define ANSWER_NAME        "case.ans"
#define FEEDBACK_DIRECTORY "/w/"

/* Changes when the default validator judges anything differently. */
static const char default_validator_identity[] = "gavel default output validator 1";

bool validator_open(Judge *judge, const Problem *problem, const CancelToken *cancel, Arena *arena,
                    Validator *ret_validator, Error *error)
{
    Validator validator = validator_none();
    char hash[HASH_TEXT_SIZE];
    validator.problem = problem;
    validator.is_custom = problem->output_validator != NULL;
    if (validator.is_custom && !author_build(judge, problem, problem->output_validator->path, "output validator",
                                             cancel, arena, &validator.program, error))
        return false;
    hash_bytes_text(default_validator_identity, sizeof default_validator_identity - 1, hash);
    validator.sha256 = arena_string(arena, validator.is_custom ? validator.program.sha256 : hash);
    *ret_validator = validator;
    return true;
}

void validator_done(Validator *validator)
{
    program_done(&validator->program);
}

/* ---- custom validators ---------------------------------------------------------------------------------------- */

static bool read_feedback(const SandboxArtifactResult *artifact, Arena *arena, const char **ret_text, Error *error)
{
    auto_buffer Buffer text = {0};
    *ret_text = NULL;
    if (artifact->open_errno)
        return true; /* not written, or nothing that could be shown */
    if (!fd_read_all(artifact->fd, FEEDBACK_MAX_BYTES, &text, error))
        return error_wrap(error, "feedback of the output validator");
    if (text.size > 0)
        *ret_text = report_printable(arena, text.data, text.size, FEEDBACK_SHOWN_BYTES, true);
    return true;
}

static bool has_protocol_exit(const SandboxResult *result)
{
    return result->cause == SANDBOX_CAUSE_EXIT && result->signal == 0 && result->oom_kills <= 0 &&
           (result->exit_code == EXIT_ACCEPTED || result->exit_code == EXIT_REJECTED);
}

static bool read_custom(const SandboxResult *result, Arena *arena, Validation *ret_validation, Error *error)
{
    const char *message = author_message(result, arena);
    if (!has_protocol_exit(result))
        return error_fault(error, "the output validator neither accepted (42) nor rejected (43): %s%s%s",
                           author_what(result, arena), *message ? ": " : "", message);
    Validation validation = {.is_accepted = result->exit_code == EXIT_ACCEPTED};
    if (!read_feedback(&result->artifacts[0], arena, &validation.judge_message, error) ||
        !read_feedback(&result->artifacts[1], arena, &validation.team_message, error))
        return false;
    *ret_validation = validation;
    return true;
}

static bool join_validator_args(const char *const *flags, const char **args, Error *error)
{
    size_t count = 0;
    args[count++] = FEEDBACK_DIRECTORY INPUT_NAME;
    args[count++] = FEEDBACK_DIRECTORY ANSWER_NAME;
    args[count++] = FEEDBACK_DIRECTORY;
    for (; flags && *flags; flags++) {
        if (count == ARGS_MAX)
            return error_input(error, "more than %d output validator flags", ARGS_MAX - 3);
        args[count++] = *flags;
    }
    args[count] = NULL;
    return true;
}

static bool run_custom(Judge *judge, const Validator *validator, const ValidationCase *validated,
                       const CancelToken *cancel, Arena *arena, Validation *ret_validation, Error *error)
{
    const char *args[ARGS_MAX + 1];
    auto_run_input RunInput output = run_input_none();
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!join_validator_args(validated->args, args, error))
        return false;
    bool has_output = validated->run->output_fd >= 0 ? run_input_from_fd(validated->run->output_fd, &output, error)
                                                     : run_input_from_bytes("", 0, &output, error);
    if (!has_output)
        return false;
    const SandboxFile files[] = {
        {.name = INPUT_NAME, .fd = validated->input->memfd, .mode = 0444},
        {.name = ANSWER_NAME, .data = validated->answer, .size = validated->answer_size, .fd = -1, .mode = 0444},
    };
    static const SandboxArtifact feedback[] = {
        {.name = "judgemessage.txt", .max_bytes = FEEDBACK_MAX_BYTES},
        {.name = "teammessage.txt", .max_bytes = FEEDBACK_MAX_BYTES},
    };
    const RunRequest request = {
        .program = &validator->program,
        .profile = SANDBOX_PROFILE_AUTHOR,
        .args = args,
        .input = &output,
        .limits = run_author_limits(validator->problem),
        .files = files,
        .file_count = sizeof files / sizeof *files,
        .artifacts = feedback,
        .artifact_count = sizeof feedback / sizeof *feedback,
    };
    return run_program(judge, &request, cancel, &result, error) && read_custom(&result, arena, ret_validation, error);
}

bool validate_output(Judge *judge, const Validator *validator, const ValidationCase *validated,
                     const CancelToken *cancel, Arena *arena, Validation *ret_validation, Error *error)
{
    if (validator->is_custom)
        return run_custom(judge, validator, validated, cancel, arena, ret_validation, error);
    Validation validation = {.has_tokens = true};
    validation.tokens = tokens_compare(validated->output->data, validated->output->size, validated->answer,
                                       validated->answer_size, validated->flags);
    validation.is_accepted = validation.tokens.outcome == TOKENS_EQUAL;
    *ret_validation = validation;
    return true;
}
