/* Which build of the lane handlers runs: the widest that this CPU has, or one asked for. */
#ifndef GAVEL_PTX_EXECUTOR_H
#define GAVEL_PTX_EXECUTOR_H

#include "base/error.h"
#include "ptx/exec.h"

/* `name` NULL: the best. NULL with ERROR_INPUT: no such executor, or this CPU can't run it. */
const PtxExecutor *ptx_executor_find(const char *name, Error *error) MUST_CHECK;

/* Executors by preference, whether this CPU can run them or not: 0, 1, ... ; NULL after the last. */
const PtxExecutor *ptx_executor_at(size_t index, bool *ret_is_usable);

#endif
