/* Running a built program once. */
#ifndef GAVEL_CORE_RUN_H
#define GAVEL_CORE_RUN_H

#include "core/build.h"

/* Input of a test, read once and sealed; every run gets a description of its own. */
typedef struct RunInput {
    int memfd; /* -1: nothing loaded */
    int64_t bytes;
} RunInput;

static inline RunInput run_input_none(void)
{
    return (RunInput){.memfd = -1};
}
bool run_input_from_file(const char *path, RunInput *ret_input, Error *error) MUST_CHECK;
bool run_input_from_bytes(const void *data, size_t size, RunInput *ret_input, Error *error) MUST_CHECK;
/* The captured output of a run, as input of the next program. Borrows nothing: the descriptor is duplicated. */
bool run_input_from_fd(int memfd, RunInput *ret_input, Error *error) MUST_CHECK;
void run_input_done(RunInput *input);
#define auto_run_input __attribute__((cleanup(run_input_done)))

typedef struct RunRequest {
    const Program *program;
    SandboxProfile profile;
    const char *const *args;        /* NULL-terminated, after the program's own; NULL: none */
    const char *const *environment; /* NULL: the profile's */
    const RunInput *input;          /* NULL: /dev/null */
    SandboxLimits limits;
    const SandboxFile *files; /* beside the program's own */
    size_t file_count;
    const SandboxArtifact *artifacts;
    size_t artifact_count;
} RunRequest;

/* Captures standard output, drains standard error. What the program did is in the result. */
bool run_program(Judge *judge, const RunRequest *request, const CancelToken *cancel, SandboxResult *ret_result,
                 Error *error) MUST_CHECK;

/* Limits of a submission's run on a test. */
SandboxLimits run_limits(const Problem *problem, int64_t time_limit_ns);
int64_t run_wall_limit(int64_t time_limit_ns);

/* Limits of an author's program. */
SandboxLimits run_author_limits(const Problem *problem);

/* Is the CPU time so close to the limit, on either side, that the run has to be done again? */
bool run_is_near_limit(const SandboxResult *result, int64_t time_limit_ns);

/* A run's whole standard output as a private mapping; {NULL, 0} if there is none. */
typedef struct RunOutput {
    const char *data; /* not terminated; "" if empty */
    size_t size;
} RunOutput;
bool run_output_map(const SandboxResult *result, RunOutput *ret_output, Error *error) MUST_CHECK;
void run_output_done(RunOutput *output);
#define auto_run_output __attribute__((cleanup(run_output_done)))

#endif
