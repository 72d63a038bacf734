/* Errors of the sandbox: the stages' names, and the one function that fills a SandboxError. */
#ifndef SANDBOX_STAGE_H
#define SANDBOX_STAGE_H

#include "gavel/sandbox.h"

/* Fills *error ("<what>: <text of the errno>") and returns false, so that callers can write `return sandbox_fail(...)`.
 * `error` may be NULL for callers that only want to know that it failed. */
bool sandbox_fail(SandboxError *error, SandboxStage stage, int system_errno, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
