/* The control flow of a function: basic blocks, and the order in which they are laid out.
 *
 * The order decides what "lowest first" means when lanes have diverged, so a block that all paths of a region lead to
 * must follow the region, and a loop must be contiguous. It is the weak topological order of F. Bourdoncle, "Efficient
 * chaotic iteration strategies with widenings" (1993): strongly connected components stay together, their head first,
 * and what is reached later comes later; ties keep the order of the text. */
#ifndef GAVEL_PTX_FLOW_H
#define GAVEL_PTX_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ptx/syntax.h"

typedef enum PtxFlowKind {
    PTX_FLOW_PLAIN,
    PTX_FLOW_BRANCH, /* bra */
    PTX_FLOW_TABLE,  /* brx.idx */
    PTX_FLOW_LEAVE,  /* ret, exit: no successor */
    PTX_FLOW_CALL,   /* ends its block, so that lanes meet again after it */
    PTX_FLOW_WAIT,   /* may make lanes wait: when guarded it becomes a block that other lanes branch around */
} PtxFlowKind;

typedef struct PtxFlowBlock {
    uint32_t first, count; /* instructions */
    bool is_skipped;       /* its only instruction is guarded and the other lanes branch around it */
} PtxFlowBlock;

typedef struct PtxFlow {
    PtxFlowBlock *blocks; /* in order of the text */
    uint32_t block_count;
    uint32_t *order;    /* blocks as they are laid out; unreachable ones last */
    uint32_t *position; /* inverse of order */
    uint8_t *kinds;     /* PtxFlowKind of each instruction */
    uint32_t *block_of; /* instruction -> block; [instruction_count] is block_count */
} PtxFlow;

/* The flow of a function that has a body; all of it in the arena. */
PtxFlow *ptx_flow_new(Arena *arena, const PtxFunction *function);

#endif
