/* One run in the sandbox as the judge sees it: cancellable, a fault retried once, errors of the base library's kind. */
#ifndef GAVEL_CORE_JAIL_H
#define GAVEL_CORE_JAIL_H

#include "gavel/judge.h"

/* False: the sandbox failed twice, or the token was set (errno ECANCELED in the error). Whatever the program itself
 * did is in the result. Standard input by descriptor is rewound for the second try. */
bool jail_run(Judge *judge, const SandboxPlan *plan, const CancelToken *cancel, SandboxResult *ret_result,
              Error *error) MUST_CHECK;

/* Fills the error with ECANCELED; returns false. */
bool jail_cancelled(Error *error);
static inline bool jail_is_cancelled(const CancelToken *cancel)
{
    return cancel && cancel->is_cancelled;
}
bool jail_error_is_cancel(const Error *error);

/* Environment of compilers and tools: plain messages in ASCII, temporary files inside the jail. */
const char *const *jail_tool_environment(void);

/* A SandboxError as an Error; returns false. */
bool jail_error(Error *error, const SandboxError *sandbox_error);

/* A result that is safe to clean up before anything was put into it. */
#define JAIL_RESULT_NONE ((SandboxResult){.output_fd = -1})
#define auto_jail_result __attribute__((cleanup(sandbox_result_done)))

#endif
