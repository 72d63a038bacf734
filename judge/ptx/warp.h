/* A warp: up to 32 lanes, in groups that each have a place of their own in the program.
 *
 * Lanes that branch apart form groups. The group whose place comes first runs (deeper calls before shallower ones), so
 * that lanes meet again where their paths join (flow.h makes that so). A group that has taken QUANTUM back-edges while
 * others of its warp are ready steps back, and the one that has waited longest gets as many: a lane that spins on what
 * another lane must do can't starve it. */
#ifndef GAVEL_PTX_WARP_H
#define GAVEL_PTX_WARP_H

#include "ptx/exec.h"

enum {
    PTX_GROUP_QUANTUM = 64,  /* back-edges, while other groups of the warp are ready */
    PTX_WARP_QUANTUM = 4096, /* back-edges, before other warps of the block get their turn */
    PTX_CALL_DEPTH_MAX = 512,
    PTX_STACK_BYTES_MAX = 64 << 20, /* frames of one warp */
};

/* One activation of a function, shared by the lanes that called together. */
typedef struct PtxFrame {
    uint8_t *registers; /* function->frame_bytes, aligned to 64 */
    uint8_t *local, *parameters;
    const PtxProgramFunction *function;
    struct PtxFrame *caller; /* NULL: the entry */
    const PtxOp *return_to;
    const PtxCall *call;
    uint32_t owners; /* lanes that are in this activation or in one that it called */
    uint32_t depth;
    struct PtxFrame *next_free;
} PtxFrame;

typedef enum PtxGroupState {
    PTX_GROUP_READY,
    PTX_GROUP_AT_BARRIER, /* a block-wide barrier */
    PTX_GROUP_AT_LANES,   /* a warp-wide operation whose other members have not come */
} PtxGroupState;

typedef struct PtxGroup {
    const PtxOp *pc;
    PtxFrame *frame;
    uint32_t mask;
    PtxGroupState state;
    uint32_t barrier; /* AT_BARRIER: which */
    uint32_t members; /* AT_LANES: the member mask */
    uint64_t since;   /* when it last stopped running, in turns of the warp */
} PtxGroup;

typedef struct PtxGroups {
    PtxGroup items[PTX_WARP_LANES];
    uint32_t count, current;
    uint32_t back_edges, limit; /* taken since this turn began; when the turn ends */
    bool is_boosted;            /* the current group runs although it isn't the first */
    bool wants_switch;          /* the warp's turn is over */
    uint64_t turns, turns_seen; /* turns_seen: at the end of the block's last round, to see that nothing moves */
    PtxFrame entry;             /* the entry's frame */
    PtxFrame *free_frames;      /* of functions, for reuse */
    uint64_t stack_bytes;
} PtxGroups;

typedef enum PtxWarpOutcome {
    PTX_WARP_DONE,    /* all lanes have exited */
    PTX_WARP_BLOCKED, /* no group can go on */
    PTX_WARP_TURN,    /* its turn is over, it could go on */
    PTX_WARP_TRAPPED,
} PtxWarpOutcome;

/* Runs the warp until one of the outcomes. */
PtxWarpOutcome ptx_warp_run(PtxWarp *warp);

/* The executing group. */
static inline PtxGroup *ptx_warp_group(const PtxWarp *warp)
{
    return &warp->groups->items[warp->groups->current];
}

/* Makes warp->frame, mask, keep ... those of the current group. */
void ptx_warp_load_group(PtxWarp *warp);

/* Lanes `mask` of the current group become a group of their own at `pc`, ready. Returns it. */
PtxGroup *ptx_warp_split(PtxWarp *warp, uint32_t mask, const PtxOp *pc);

/* Ends the current group: its lanes have exited or joined another group. */
void ptx_warp_drop_group(PtxWarp *warp);

/* Ready groups that are where group `into` is become part of it; the current one is left alone, since it runs and its
 * place is not kept up to date, unless it is `into` itself. */
void ptx_groups_join(PtxGroups *groups, uint32_t into);

/* The lanes of `mask`, all in the current group, have exited; their frames lose them, and whoever waits for them is
 * looked at again. */
void ptx_warp_exit_lanes(PtxWarp *warp, uint32_t mask);

/* At the head of a block while there are several groups: joins those that are here, or hands over to one that comes
 * first. Returns the record to go on with, or NULL. */
const PtxOp *ptx_warp_meet(PtxWarp *warp, const PtxOp *op);

/* The turn's back-edges are used up: whoever waits gets a turn. Returns `target`, or NULL. */
const PtxOp *ptx_warp_turn_over(PtxWarp *warp, const PtxOp *target);

static inline const PtxOp *ptx_warp_back_edge(PtxWarp *warp, const PtxOp *target)
{
    PtxGroups *groups = warp->groups;
    return ++groups->back_edges < groups->limit ? target : ptx_warp_turn_over(warp, target);
}

/* What the executing lanes wait for has not happened: the next back-edge ends their turn. */
static inline void ptx_warp_hurry(PtxWarp *warp)
{
    warp->groups->back_edges = warp->groups->limit;
}

void ptx_frames_free(PtxGroups *groups);

/* ---- handlers of the files that are the same for all instruction sets -------------------------------------- */

extern const PtxHandlerRow ptx_control_handlers[];
extern const PtxHandlerRow ptx_call_handlers[];
extern const PtxHandlerRow ptx_collective_handlers[];
extern const PtxHandlerRow ptx_barrier_handlers[];

#endif
