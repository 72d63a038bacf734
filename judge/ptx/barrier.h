/* Block-wide barriers: bar and barrier (PTX ISA 9.7.13.1). Threads are counted one by one, as devices since Volta do;
 * threads that have exited are not awaited. */
#ifndef GAVEL_PTX_BARRIER_H
#define GAVEL_PTX_BARRIER_H

#include "ptx/warp.h"

typedef struct PtxBarrier {
    uint32_t arrived;             /* threads, bar.arrive included */
    uint32_t expected;            /* 0: all live threads of the block */
    uint32_t true_count, counted; /* bar.red: threads whose predicate holds, and that brought one */
} PtxBarrier;

/* After threads have exited: barriers that now have all they wait for let go. */
void ptx_barrier_recheck(PtxBlock *block);

#endif
