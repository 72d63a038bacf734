/* Names for people and reports: stages, causes, isolation levels, cgroup kinds; and the filling of errors. */
#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const stage_names[] = {
    [SANDBOX_STAGE_NONE] = "none",           [SANDBOX_STAGE_PLAN] = "plan",
    [SANDBOX_STAGE_STATE] = "state",         [SANDBOX_STAGE_CGROUP] = "cgroup",
    [SANDBOX_STAGE_FILTER] = "filter",       [SANDBOX_STAGE_CLONE] = "clone",
    [SANDBOX_STAGE_USER] = "user",           [SANDBOX_STAGE_ROOT] = "root",
    [SANDBOX_STAGE_BIND] = "bind",           [SANDBOX_STAGE_PROC] = "proc",
    [SANDBOX_STAGE_FILES] = "files",         [SANDBOX_STAGE_STREAMS] = "streams",
    [SANDBOX_STAGE_LIMITS] = "limits",       [SANDBOX_STAGE_PRIVILEGES] = "privileges",
    [SANDBOX_STAGE_EXEC] = "exec",           [SANDBOX_STAGE_WAIT] = "wait",
    [SANDBOX_STAGE_ARTIFACTS] = "artifacts",
};
_Static_assert(sizeof stage_names / sizeof *stage_names == SANDBOX_STAGE_COUNT, "a stage has no name");

static const char *const cause_names[] = {
    [SANDBOX_CAUSE_EXIT] = "exit",     [SANDBOX_CAUSE_CPU] = "cpu",       [SANDBOX_CAUSE_WALL] = "wall",
    [SANDBOX_CAUSE_IDLE] = "idle",     [SANDBOX_CAUSE_MEMORY] = "memory", [SANDBOX_CAUSE_OUTPUT] = "output",
    [SANDBOX_CAUSE_POLICY] = "policy", [SANDBOX_CAUSE_EXEC] = "exec",     [SANDBOX_CAUSE_CANCELLED] = "cancelled",
};
_Static_assert(sizeof cause_names / sizeof *cause_names == SANDBOX_CAUSE_COUNT, "a cause has no name");

static const char *const isolation_names[] = {
    [SANDBOX_ISOLATION_DEGRADED] = "degraded",
    [SANDBOX_ISOLATION_FRESH] = "fresh",
    [SANDBOX_ISOLATION_SLOT] = "slot",
};
_Static_assert(sizeof isolation_names / sizeof *isolation_names == SANDBOX_ISOLATION_COUNT, "a level has no name");

static const char *const cgroup_names[] = {
    [SANDBOX_CGROUP_AUTO] = "auto",     [SANDBOX_CGROUP_V2] = "v2",     [SANDBOX_CGROUP_V1] = "v1",
    [SANDBOX_CGROUP_HYBRID] = "hybrid", [SANDBOX_CGROUP_NONE] = "none",
};
_Static_assert(sizeof cgroup_names / sizeof *cgroup_names == SANDBOX_CGROUP_COUNT, "a cgroup kind has no name");

const char *sandbox_stage_name(SandboxStage stage)
{
    return stage < SANDBOX_STAGE_COUNT ? stage_names[stage] : "unknown";
}

const char *sandbox_cause_name(SandboxCause cause)
{
    return cause < SANDBOX_CAUSE_COUNT ? cause_names[cause] : "unknown";
}

const char *sandbox_isolation_name(SandboxIsolation isolation)
{
    return isolation < SANDBOX_ISOLATION_COUNT ? isolation_names[isolation] : "unknown";
}

const char *sandbox_cgroup_name(SandboxCgroupKind kind)
{
    return kind < SANDBOX_CGROUP_COUNT ? cgroup_names[kind] : "unknown";
}

bool sandbox_fail(SandboxError *error, SandboxStage stage, int system_errno, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    *error = (SandboxError){.stage = stage, .system_errno = system_errno};
    int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    /* A text for people may be cut: stage and errno carry the meaning. */
    if (system_errno && length >= 0 && (size_t)length < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - (size_t)length, ": %s", strerror(system_errno));
    return false;
}
