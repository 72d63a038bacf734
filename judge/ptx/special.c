#include "ptx/special.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t component;
    PtxSpecial special;
    PtxType type;
} rows[] = {
#define PTX_SPECIAL(name, component, special, type) {name, component, PTX_SPECIAL_##special, PTX_TYPE_##type},
#include "ptx/special.def"
#undef PTX_SPECIAL
};

bool ptx_special_find(const char *name, uint32_t component, PtxSpecial *ret_special, PtxType *ret_type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].component == component && strcmp(rows[i].name, name) == 0) {
            *ret_special = rows[i].special;
            *ret_type = rows[i].type;
            return true;
        }
    }
    return false;
}

/* The device's clock is virtual: it advances with what this worker has executed, one cycle for 32 thread-instructions.
 */
static uint64_t clock_cycles(const PtxWarp *warp)
{
    return warp->worker->thread_instructions / PTX_WARP_LANES;
}

static uint32_t lane_mask(PtxSpecial special, unsigned lane)
{
    const uint32_t self = 1u << lane;
    switch (special) {
    case PTX_SPECIAL_LANEMASK_LE: return self | (self - 1);
    case PTX_SPECIAL_LANEMASK_LT: return self - 1;
    case PTX_SPECIAL_LANEMASK_GE: return ~(self - 1);
    case PTX_SPECIAL_LANEMASK_GT: return ~(self | (self - 1));
    default: return self;
    }
}

uint64_t ptx_special_value(const PtxWarp *warp, PtxSpecial special, unsigned lane)
{
    const PtxLaunch *launch = warp->launch;
    switch (special) {
    case PTX_SPECIAL_TID_X:
    case PTX_SPECIAL_TID_Y:
    case PTX_SPECIAL_TID_Z: return warp->thread_index[special - PTX_SPECIAL_TID_X][lane];
    case PTX_SPECIAL_NTID_X:
    case PTX_SPECIAL_NTID_Y:
    case PTX_SPECIAL_NTID_Z: return launch->block[special - PTX_SPECIAL_NTID_X];
    case PTX_SPECIAL_CTAID_X:
    case PTX_SPECIAL_CTAID_Y:
    case PTX_SPECIAL_CTAID_Z: return warp->block->index[special - PTX_SPECIAL_CTAID_X];
    case PTX_SPECIAL_NCTAID_X:
    case PTX_SPECIAL_NCTAID_Y:
    case PTX_SPECIAL_NCTAID_Z: return launch->grid[special - PTX_SPECIAL_NCTAID_X];
    case PTX_SPECIAL_LANEID: return lane;
    case PTX_SPECIAL_WARPID: return warp->index;
    case PTX_SPECIAL_NWARPID: return 64;
    case PTX_SPECIAL_ONE:
    case PTX_SPECIAL_GRIDID: return 1;
    case PTX_SPECIAL_SMID: return warp->block->linear_index % PTX_SM_COUNT;
    case PTX_SPECIAL_NSMID: return PTX_SM_COUNT;
    case PTX_SPECIAL_LANEMASK_EQ:
    case PTX_SPECIAL_LANEMASK_LE:
    case PTX_SPECIAL_LANEMASK_LT:
    case PTX_SPECIAL_LANEMASK_GE:
    case PTX_SPECIAL_LANEMASK_GT: return lane_mask(special, lane);
    case PTX_SPECIAL_CLOCK: return (uint32_t)clock_cycles(warp);
    case PTX_SPECIAL_CLOCK_HI: return clock_cycles(warp) >> 32;
    case PTX_SPECIAL_CLOCK64:
    case PTX_SPECIAL_GLOBALTIMER: /* a nanosecond is a cycle: the virtual device runs at 1 GHz */
        return clock_cycles(warp);
    case PTX_SPECIAL_GLOBALTIMER_LO: return (uint32_t)clock_cycles(warp);
    case PTX_SPECIAL_GLOBALTIMER_HI: return clock_cycles(warp) >> 32;
    case PTX_SPECIAL_GRID_WORKSPACE_LO: return (uint32_t)launch->grid_workspace;
    case PTX_SPECIAL_GRID_WORKSPACE_HI: return launch->grid_workspace >> 32;
    case PTX_SPECIAL_DYNAMIC_SHARED_BYTES: return launch->dynamic_shared_bytes;
    case PTX_SPECIAL_SHARED_BYTES: return warp->block->shared_bytes;
    case PTX_SPECIAL_DYNAMIC_SHARED_BEGIN: return launch->dynamic_shared_begin;
    default: return 0;
    }
}

static const PtxOp *special_u32(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask))
        ptx_set_u32(warp, op->d, lane, (uint32_t)ptx_special_value(warp, (PtxSpecial)op->imm, lane));
    return op + 1;
}

static const PtxOp *special_u64(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask))
        ptx_set_u64(warp, op->d, lane, ptx_special_value(warp, (PtxSpecial)op->imm, lane));
    return op + 1;
}

static const PtxOp *special_pred(PtxWarp *warp, const PtxOp *op)
{
    ptx_set_predicate(warp, op->d, 0); /* only %is_explicit_cluster is a predicate */
    return op + 1;
}

/* tid is asked by every kernel: a table made at the start of the warp's life instead of a division a lane. */
static const PtxOp *special_tid(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t *table = warp->thread_index[op->imm - PTX_SPECIAL_TID_X];
    uint32_t *ret = ptx_slot(warp, op->d);
    if (warp->keep == 0) {
        memcpy(ret, table, PTX_WARP_LANES * sizeof *table);
        return op + 1;
    }
    for (PTX_EACH_LANE(lane, warp->mask))
        ret[lane] = table[lane];
    return op + 1;
}

/* The same in every lane of a warp. */
static const PtxOp *special_uniform(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t value = (uint32_t)ptx_special_value(warp, (PtxSpecial)op->imm, 0);
    uint32_t *ret = ptx_slot(warp, op->d);
    if (warp->keep == 0) {
        for (int lane = 0; lane < PTX_WARP_LANES; lane++)
            ret[lane] = value;
        return op + 1;
    }
    for (PTX_EACH_LANE(lane, warp->mask))
        ret[lane] = value;
    return op + 1;
}

const PtxHandlerRow ptx_special_handlers[] = {
    {"special_u32", special_u32}, {"special_u64", special_u64},         {"special_pred", special_pred},
    {"special_tid", special_tid}, {"special_uniform", special_uniform}, {NULL, NULL},
};
