/* One run of one program.
 *
 * A program is stopped a tenth above the time limit, not at it. A run that ends within a tenth of the limit is done
 * again (reference/sandbox.md 5.4), and a program killed exactly at the limit could not be told from one that would
 * have ended just behind it: every run over the limit would have to be done twice. The verdict still compares the
 * measured time with the limit itself. */
#include "core/run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/jail.h"

#define SECOND INT64_C(1000000000)

enum { NEAR_LIMIT_DIVISOR = 10, ERROR_TEXT_BYTES = 16 * 1024 };

/* ---- input ---------------------------------------------------------------------------------------------------- */

static bool input_take(int memfd, RunInput *ret_input, const SandboxError *sandbox_error, Error *error)
{
    if (memfd < 0)
        return jail_error(error, sandbox_error);
    *ret_input = (RunInput){.memfd = memfd, .bytes = lseek(memfd, 0, SEEK_END)};
    return true;
}

bool run_input_from_file(const char *path, RunInput *ret_input, Error *error)
{
    SandboxError sandbox_error = {0};
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return error_system(error, "cannot open %s", path);
    return input_take(sandbox_sealed_copy("input", fd, false, &sandbox_error), ret_input, &sandbox_error, error);
}

bool run_input_from_bytes(const void *data, size_t size, RunInput *ret_input, Error *error)
{
    SandboxError sandbox_error = {0};
    return input_take(sandbox_sealed_memfd("input", data, size, false, &sandbox_error), ret_input, &sandbox_error,
                      error);
}

bool run_input_from_fd(int memfd, RunInput *ret_input, Error *error)
{
    int copy = fcntl(memfd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
        return error_system(error, "duplicating a descriptor");
    *ret_input = (RunInput){.memfd = copy, .bytes = lseek(memfd, 0, SEEK_END)};
    return true;
}

void run_input_done(RunInput *input)
{
    if (input->memfd >= 0)
        (void)close(input->memfd); /* sealed memory: nothing is lost */
    input->memfd = -1;
}

/* ---- limits --------------------------------------------------------------------------------------------------- */

int64_t run_wall_limit(int64_t time_limit_ns)
{
    return 2 * time_limit_ns + SECOND;
}

SandboxLimits run_limits(const Problem *problem, int64_t time_limit_ns)
{
    return (SandboxLimits){
        .cpu_ns = time_limit_ns + time_limit_ns / NEAR_LIMIT_DIVISOR,
        .wall_ns = run_wall_limit(time_limit_ns),
        .memory_bytes = problem->limits.memory_bytes,
        .stack_bytes = problem->limits.stack_bytes,
        .output_bytes = problem->limits.output_bytes,
        .error_bytes = ERROR_TEXT_BYTES,
    };
}

SandboxLimits run_author_limits(const Problem *problem)
{
    return (SandboxLimits){
        .cpu_ns = problem->limits.validation_time_ns,
        .wall_ns = run_wall_limit(problem->limits.validation_time_ns),
        .memory_bytes = problem->limits.validation_memory_bytes,
        .output_bytes = problem->limits.validation_output_bytes,
        .error_bytes = ERROR_TEXT_BYTES,
    };
}

bool run_is_near_limit(const SandboxResult *result, int64_t time_limit_ns)
{
    int64_t margin = time_limit_ns / NEAR_LIMIT_DIVISOR;
    return result->cause == SANDBOX_CAUSE_EXIT && result->cpu_ns > time_limit_ns - margin &&
           result->cpu_ns < time_limit_ns + margin;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static const char *const *join_arguments(const char *const *first, const char *const *second, Arena *arena)
{
    size_t first_count = 0, second_count = 0;
    while (first[first_count])
        first_count++;
    while (second && second[second_count])
        second_count++;
    const char **joined = arena_new_array(arena, const char *, first_count + second_count + 1);
    memcpy(joined, first, first_count * sizeof *joined);
    if (second_count > 0)
        memcpy(joined + first_count, second, second_count * sizeof *joined);
    return joined;
}

static const SandboxFile *join_files(const RunRequest *request, Arena *arena)
{
    const Program *program = request->program;
    SandboxFile *joined = arena_new_array(arena, SandboxFile, program->file_count + request->file_count);
    if (program->file_count > 0)
        memcpy(joined, program->files, program->file_count * sizeof *joined);
    if (request->file_count > 0)
        memcpy(joined + program->file_count, request->files, request->file_count * sizeof *joined);
    return joined;
}

static bool open_input(const RunInput *input, int *ret_fd, Error *error)
{
    SandboxError sandbox_error = {0};
    if (!input)
        return true;
    *ret_fd = sandbox_reopen_read_only(input->memfd, &sandbox_error);
    return *ret_fd >= 0 || jail_error(error, &sandbox_error);
}

bool run_program(Judge *judge, const RunRequest *request, const CancelToken *cancel, SandboxResult *ret_result,
                 Error *error)
{
    auto_arena Arena *arena = arena_new();
    auto_close int input_fd = -1;
    if (!open_input(request->input, &input_fd, error))
        return false;
    SandboxPlan plan = sandbox_plan_init(request->profile);
    plan.argv = join_arguments(request->program->argv, request->args, arena);
    plan.environment = request->environment;
    plan.executable_fd = request->program->executable_fd;
    if (input_fd >= 0)
        plan.input = (SandboxStream){.kind = SANDBOX_STREAM_FD, .fd = input_fd};
    plan.output.kind = SANDBOX_STREAM_CAPTURE;
    plan.error.kind = SANDBOX_STREAM_DRAIN;
    plan.limits = request->limits;
    plan.files = join_files(request, arena);
    plan.file_count = request->program->file_count + request->file_count;
    plan.artifacts = request->artifacts;
    plan.artifact_count = request->artifact_count;
    return jail_run(judge, &plan, cancel, ret_result, error);
}

/* ---- output --------------------------------------------------------------------------------------------------- */

/* The writers are dead, so that nobody can shorten the file under the mapping. */
bool run_output_map(const SandboxResult *result, RunOutput *ret_output, Error *error)
{
    *ret_output = (RunOutput){.data = ""};
    if (result->output_fd < 0 || result->output_bytes <= 0)
        return true;
    off_t size = lseek(result->output_fd, 0, SEEK_END);
    if (size <= 0)
        return true;
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, result->output_fd, 0);
    if (data == MAP_FAILED)
        return error_system(error, "mapping the output");
    *ret_output = (RunOutput){.data = data, .size = (size_t)size};
    return true;
}

void run_output_done(RunOutput *output)
{
    if (output->size > 0)
        (void)munmap((void *)output->data, output->size); /* cannot fail on a mapping of ours */
    *output = (RunOutput){.data = ""};
}
