/* Asynchronous copies that a block has not waited for (cp.async, PTX ISA 9.7.9.25).
 *
 * The copy itself is done at issue. Its destination bytes count as pending until the thread that issued it waits, so
 * that touching them too early traps instead of working by luck. A copy that is tracked by an mbarrier is pending until
 * its thread arrives there. block->async is NULL until the block's first copy. */
#ifndef GAVEL_PTX_ASYNC_H
#define GAVEL_PTX_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/exec.h"

typedef struct PtxAsync {
    uint32_t pending_count; /* bytes whose bit is set */
    uint32_t shared_bytes, thread_count;
    uint64_t *pending_bits;             /* bit i: byte i of shared memory */
    struct PtxCopyQueue *queues;        /* by thread of the block */
    struct PtxCopy *copies;             /* of all threads; copies[0] is not used */
    uint32_t copy_count, copy_capacity; /* used so far, of how many */
    uint32_t free_copy;                 /* list of those given back */
} PtxAsync;

/* The slow part of ptx_async_is_pending. */
bool ptx_async_bits_are_set(const PtxAsync *async, uint32_t offset, uint32_t bytes);

/* Whether any of these bytes of shared memory, which are in bounds, waits for a copy. `async` may be NULL. */
static inline bool ptx_async_is_pending(const PtxAsync *async, uint32_t offset, uint32_t bytes)
{
    return async && __builtin_expect(async->pending_count != 0, 0) && ptx_async_bits_are_set(async, offset, bytes);
}

/* For whoever ends a block: frees block->async, which may be NULL, and sets it to NULL. */
void ptx_async_end_block(PtxBlock *block);

/* Handlers of cp.async, cp.async.bulk and mbarrier, the same for all instruction sets; ended by a NULL name. */
extern const PtxHandlerRow ptx_async_handlers[];

#endif
