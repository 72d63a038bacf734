/* Building and running what the problem's author wrote. It may be buggy; it must not take the judge down. */
#include "core/author.h"

#include <ctype.h>
#include <string.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/jail.h"
#include "core/verdict.h"

enum { MESSAGE_MAX_BYTES = 2000 };

static BuildLimits build_limits(const Problem *problem)
{
    return (BuildLimits){.time_ns = problem->limits.compilation_time_ns,
                         .memory_bytes = problem->limits.compilation_memory_bytes};
}

bool author_build(Judge *judge, const Problem *problem, const char *path, const char *what, const CancelToken *cancel,
                  Arena *arena, Program *ret_program, Error *error)
{
    SourceSet sources;
    if (!source_from_path(path, arena, &sources, error) ||
        !build_program(judge, &sources, BUILD_AUTHOR, build_limits(problem), cancel, arena, ret_program, error))
        return error_wrap(error, "%s", what);
    if (ret_program->compile.has_succeeded)
        return true;
    const CompileReport *compile = &ret_program->compile;
    return error_input(error, "%s %s does not compile: %s", what, path,
                       compile->reason
                           ? compile->reason
                           : report_printable(arena, compile->log, strlen(compile->log), MESSAGE_MAX_BYTES, true));
}

const char *author_what(const SandboxResult *result, Arena *arena)
{
    const SandboxLimits *limits = &result->limits;
    switch (result->cause) {
    case SANDBOX_CAUSE_CPU: return arena_format(arena, "time limit of %.3g s exceeded", (double)limits->cpu_ns / 1e9);
    case SANDBOX_CAUSE_WALL:
        return arena_format(arena, "wall-clock limit of %.3g s exceeded", (double)limits->wall_ns / 1e9);
    case SANDBOX_CAUSE_IDLE: return "idle for too long";
    case SANDBOX_CAUSE_MEMORY:
        return arena_format(arena, "memory limit of %.4g MiB exceeded", (double)limits->memory_bytes / (1 << 20));
    case SANDBOX_CAUSE_OUTPUT:
        return arena_format(arena, "output limit of %.4g MiB exceeded", (double)limits->output_bytes / (1 << 20));
    case SANDBOX_CAUSE_POLICY: return "a forbidden system call";
    case SANDBOX_CAUSE_EXEC:
        return arena_format(arena, "the program cannot be executed (%s)", strerror(result->exec_errno));
    default: break;
    }
    if (result->signal)
        return arena_format(arena, "signal %d (%s)", result->signal, signal_text(result->signal));
    return arena_format(arena, "exit code %d", result->exit_code);
}

const char *author_message(const SandboxResult *result, Arena *arena)
{
    const char *text = result->error_data ? result->error_data : "";
    size_t size = result->error_data ? result->error_size : 0;
    while (size > 0 && isspace((unsigned char)text[size - 1]))
        size--;
    return report_printable(arena, text, size, MESSAGE_MAX_BYTES, true);
}

const char *author_model_path(const Problem *problem)
{
    const char *first = NULL;
    for (size_t i = 0; i < problem->submission_count && !problem->model_path; i++) {
        const ProblemSubmission *submission = &problem->submissions[i];
        if (submission->is_model)
            return submission->path;
        if (!first && strncmp(submission->name, "accepted/", strlen("accepted/")) == 0)
            first = submission->path;
    }
    return problem->model_path ? problem->model_path : first;
}

static bool fill_run(const SandboxResult *result, Arena *arena, AuthorRun *ret_run, Error *error)
{
    auto_run_output RunOutput output = {0};
    if (!run_output_map(result, &output, error))
        return false;
    *ret_run = (AuthorRun){
        .has_exited = result->cause == SANDBOX_CAUSE_EXIT && result->signal == 0,
        .exit_code = result->exit_code,
        .what = author_what(result, arena),
        .output = arena_bytes(arena, output.data, output.size),
        .output_size = output.size,
        .message = author_message(result, arena),
        .cpu_ns = result->cpu_ns,
    };
    return true;
}

bool judge_author_run(Judge *judge, const Problem *problem, const AuthorProgram *program, const char *const *args,
                      const void *input, size_t input_size, Arena *arena, AuthorRun *ret_run, Error *error)
{
    auto_program Program built = program_none();
    auto_run_input RunInput run_input = run_input_none();
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!author_build(judge, problem, program->path, program->name, NULL, arena, &built, error))
        return false;
    if (input && !run_input_from_bytes(input, input_size, &run_input, error))
        return error_wrap(error, "%s", program->name);
    const RunRequest request = {
        .program = &built,
        .profile = SANDBOX_PROFILE_AUTHOR,
        .args = args,
        .input = input ? &run_input : NULL,
        .limits = run_author_limits(problem),
    };
    if (!run_program(judge, &request, NULL, &result, error))
        return error_wrap(error, "running %s", program->name);
    return fill_run(&result, arena, ret_run, error);
}
