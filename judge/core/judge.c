/* The judge: opening it, and the journey of a submission as a table of contents. */
#include "gavel/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/jail.h"
#include "core/journey.h"

#define CACHE_DEFAULT_MAX_BYTES (INT64_C(2) << 30)

/* ---- context -------------------------------------------------------------------------------------------------- */

static const char *from_environment(Arena *arena, const char *name, const char *suffix)
{
    const char *value = getenv(name);
    return value && *value ? arena_format(arena, "%s%s", value, suffix) : NULL;
}

const char *judge_default_cache(Arena *arena)
{
    const char *path = from_environment(arena, "GAVEL_CACHE", "");
    if (!path)
        path = from_environment(arena, "XDG_CACHE_HOME", "/gavel");
    if (!path)
        path = from_environment(arena, "HOME", "/.cache/gavel");
    return path ? path : "/var/cache/gavel";
}

/* Absolute, since nobody may depend on the working directory later. */
static bool resolve_cache_directory(Judge *judge, const JudgeConfig *config, Error *error)
{
    const char *path = config->cache_directory ? config->cache_directory : judge_default_cache(judge->arena);
    unsigned mode = geteuid() == 0 ? 0755 : 0700;
    if (!fd_make_directories(path, mode, error))
        return error_wrap(error, "cache");
    auto_free char *absolute = realpath(path, NULL);
    if (!absolute)
        return error_system(error, "cache %s", path);
    judge->cache_directory = arena_string(judge->arena, absolute);
    judge->data_cache = arena_format(judge->arena, "%s/data", absolute);
    if (!fd_make_directories(judge->data_cache, mode, error))
        return error_wrap(error, "cache");
    cache_sweep(judge->data_cache, DATA_TEMPORARY_PREFIX);
    return true;
}

static bool open_parts(Judge *judge, const JudgeConfig *config, Error *error)
{
    SandboxError sandbox_error = {0};
    int64_t max_bytes = config->cache_max_bytes > 0 ? config->cache_max_bytes : CACHE_DEFAULT_MAX_BYTES;
    if (!resolve_cache_directory(judge, config, error))
        return false;
    if (!config->is_cache_off && !cache_open(judge->cache_directory, max_bytes, &judge->cache, error))
        return error_wrap(error, "cache");
    return sandbox_open(&config->sandbox, &judge->sandbox, &sandbox_error) || jail_error(error, &sandbox_error);
}

bool judge_open(const JudgeConfig *config, Judge **ret_judge, Error *error)
{
    static const JudgeConfig defaults = {0};
    Judge *judge = calloc(1, sizeof *judge);
    if (!judge)
        return error_fault(error, "out of memory");
    judge->arena = arena_new();
    if (!open_parts(judge, config ? config : &defaults, error)) {
        judge_close(judge);
        return false;
    }
    *ret_judge = judge;
    return true;
}

void judge_close(Judge *judge)
{
    if (!judge)
        return;
    for (size_t i = 0; i < BUILD_MEMO_MAX; i++)
        build_memo_done(&judge->memos[i]);
    sandbox_close(judge->sandbox);
    cache_close(judge->cache);
    arena_free(judge->arena);
    free(judge);
}

Sandbox *judge_sandbox(Judge *judge)
{
    return judge->sandbox;
}
const char *judge_data_cache(const Judge *judge)
{
    return judge->data_cache;
}

/* ---- the journey ---------------------------------------------------------------------------------------------- */

bool judge_submission(Judge *judge, const JudgeJob *job, EventSink events, const CancelToken *cancel,
                      Report **ret_report, Error *error)
{
    __attribute__((cleanup(journey_done))) Journey journey = {.program = program_none(), .validator = validator_none()};
    auto_error Error fault = {0};
    if (!journey_begin(judge, job, events, cancel, &journey, error))
        return false;
    bool is_complete = journey_build(&journey, &fault) && journey_tests(&journey, &fault) &&
                       journey_sanitize(&journey, NULL, NULL, &fault);
    return journey_finish(&journey, is_complete, &fault, ret_report, error);
}
