/* Driving one sandboxed run to its end. */
#include "core/jail.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "core/context.h"

/* How long a set cancel token may go unnoticed; ends of runs wake the poll at once. */
enum { CANCEL_POLL_MS = 50, TRIES = 2 };

bool jail_cancelled(Error *error)
{
    errno = ECANCELED;
    return error_system(error, "judging");
}

bool jail_error_is_cancel(const Error *error)
{
    return error && error->kind == ERROR_FAULT && error->system_errno == ECANCELED;
}

bool jail_error(Error *error, const SandboxError *sandbox_error)
{
    return error_fault(error, "sandbox, step %s: %s", sandbox_stage_name(sandbox_error->stage), sandbox_error->text);
}

const char *const *jail_tool_environment(void)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/w", "TMPDIR=/tmp", NULL};
    return environment;
}

/* Without a token there is nothing to look at between events, and the poll may sleep as long as the run lasts. */
static void wait_for_end(SandboxRun *run, const CancelToken *cancel)
{
    bool is_told = false;
    while (sandbox_step(run) != SANDBOX_STATE_ENDED) {
        if (!is_told && jail_is_cancelled(cancel)) {
            sandbox_cancel(run);
            is_told = true;
            continue;
        }
        struct pollfd waited = {.fd = sandbox_poll_fd(run), .events = POLLIN};
        (void)poll(&waited, 1, cancel ? CANCEL_POLL_MS : -1); /* EINTR: a signal handler may have set the token */
    }
}

static bool run_once(Judge *judge, const SandboxPlan *plan, const CancelToken *cancel, SandboxResult *ret_result,
                     SandboxError *sandbox_error)
{
    SandboxRun *run = NULL;
    if (!sandbox_start(judge->sandbox, plan, &run, sandbox_error))
        return false;
    wait_for_end(run, cancel);
    return sandbox_collect(run, ret_result, sandbox_error);
}

bool jail_run(Judge *judge, const SandboxPlan *plan, const CancelToken *cancel, SandboxResult *ret_result, Error *error)
{
    SandboxError sandbox_error = {0};
    for (int try = 0; try < TRIES; try++) {
        if (jail_is_cancelled(cancel))
            return jail_cancelled(error);
        bool has_run = run_once(judge, plan, cancel, ret_result, &sandbox_error);
        if (has_run && ret_result->cause != SANDBOX_CAUSE_CANCELLED)
            return true;
        if (has_run)
            sandbox_result_done(ret_result);
        if (sandbox_error.stage == SANDBOX_STAGE_PLAN)
            break; /* the same plan fails the same way */
        if (plan->input.kind == SANDBOX_STREAM_FD)
            (void)lseek(plan->input.fd, 0, SEEK_SET); /* a pipe cannot be rewound, and the judge gives none */
    }
    return jail_is_cancelled(cancel) ? jail_cancelled(error) : jail_error(error, &sandbox_error);
}
