/* One resident block: its memory is made once and used for one block of the grid after another. */
#ifndef GAVEL_PTX_BLOCK_H
#define GAVEL_PTX_BLOCK_H

#include "base/error.h"
#include "ptx/warp.h"

typedef enum PtxBlockOutcome {
    PTX_BLOCK_DONE,
    PTX_BLOCK_TURN,     /* every warp that could go on has had its turn */
    PTX_BLOCK_DEADLOCK, /* threads are left and none can go on */
    PTX_BLOCK_TRAPPED,
} PtxBlockOutcome;

/* %tid of all warps of a launch: [warp][axis][lane]. */
typedef uint32_t PtxThreadIndex[3][PTX_WARP_LANES];

PtxBlock *ptx_block_new(const PtxLaunch *launch, PtxWorker *worker, const PtxThreadIndex *threads,
                        Error *error) MUST_CHECK;
void ptx_block_free(PtxBlock *block);

/* Makes it block `linear_index` of the grid, at its start. */
void ptx_block_start(PtxBlock *block, const PtxLaunch *launch, uint64_t linear_index);

/* Gives each warp that can go on one turn. */
PtxBlockOutcome ptx_block_run(PtxBlock *block);

/* Bytes that a resident block takes. */
uint64_t ptx_block_bytes(const PtxLaunch *launch);

#endif
