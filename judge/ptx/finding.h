/* What kernels do that is doubtful, collected during a launch: one row a kind and instruction, with a count. */
#ifndef GAVEL_PTX_FINDING_H
#define GAVEL_PTX_FINDING_H

#include "ptx/exec.h"

typedef struct PtxFindings {
    PtxFinding *rows;
    const PtxOp **ops; /* by row */
    size_t count, capacity;
} PtxFindings;

/* Where an op stands; `function` is the one that it belongs to. */
PtxWhere ptx_where(const PtxSyntax *syntax, const PtxFunction *function, uint32_t instruction, Arena *arena);

/* Adds the rows of `from` to `into`, joining those of the same place and kind. */
void ptx_findings_merge(PtxFindings *into, const PtxFindings *from);
void ptx_findings_clear(PtxFindings *findings);

/* Fills `trap->waiting` (and nothing else) with one line for each group of the block's warps. */
void ptx_describe_waiting(const PtxBlock *block, const PtxSyntax *syntax, char *ret_text, size_t size);

#endif
