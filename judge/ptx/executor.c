#include "ptx/executor.h"

#include <string.h>

#ifdef __x86_64__
extern const PtxExecutor ptx_avx512_executor, ptx_avx2_executor;
#endif
extern const PtxExecutor ptx_portable_executor, ptx_scalar_executor __attribute__((weak));

#ifdef __x86_64__
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
#endif

static bool has_baseline(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("sse4.2");
#else
    return true;
#endif
}

/* By preference. `scalar` is there only in programs that link it: it is the baseline of benchmarks. */
static const struct {
    const PtxExecutor *executor;
    bool (*is_usable)(void);
} rows[] = {
#ifdef __x86_64__
    {&ptx_avx512_executor, has_avx512},
    {&ptx_avx2_executor, has_avx2},
#endif
    {&ptx_portable_executor, has_baseline},
    {&ptx_scalar_executor, has_baseline},
};

const PtxExecutor *ptx_executor_at(size_t index, bool *ret_is_usable)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].executor || index-- > 0)
            continue;
        *ret_is_usable = rows[i].is_usable();
        return rows[i].executor;
    }
    return NULL;
}

const PtxExecutor *ptx_executor_find(const char *name, Error *error)
{
    bool is_usable = false;
    const PtxExecutor *executor;
    for (size_t i = 0; (executor = ptx_executor_at(i, &is_usable)); i++) {
        if (name ? strcmp(name, executor->name) != 0 : !is_usable)
            continue;
        if (is_usable)
            return executor;
        error_input(error, "this CPU can't run the executor '%s'", name);
        return NULL;
    }
    if (name)
        error_input(error, "there is no executor '%s'", name);
    else
        error_input(error, "this CPU is older than the machine needs (SSE4.2)");
    return NULL;
}
