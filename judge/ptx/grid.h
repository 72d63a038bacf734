/* A launch: blocks in the order of their index, each resident in a worker until its threads have exited. */
#ifndef GAVEL_PTX_GRID_H
#define GAVEL_PTX_GRID_H

#include "base/error.h"
#include "ptx/exec.h"
#include "ptx/finding.h"

typedef struct PtxGridPlan {
    PtxLaunch launch;
    uint64_t budget;           /* thread-instructions */
    uint64_t output_cap_bytes; /* of printf */
    FILE *output;
    Arena *arena; /* for texts of traps and findings */
} PtxGridPlan;

typedef struct PtxGridResult {
    PtxTrap trap;
    uint64_t thread_instructions, warp_instructions, output_bytes;
    uint64_t *block_executions, *block_lanes; /* in the plan's arena; NULL if not counted */
    PtxFindings findings;
} PtxGridResult;

/* Runs all blocks. False: out of the host's memory or threads. */
bool ptx_grid_run(const PtxGridPlan *plan, PtxGridResult *ret_result, Error *error) MUST_CHECK;

#endif
