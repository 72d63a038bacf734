/* Special registers, one row of special.def each: what a kernel may ask about itself. */
#ifndef GAVEL_PTX_SPECIAL_H
#define GAVEL_PTX_SPECIAL_H

#include "ptx/exec.h"

typedef enum PtxSpecial {
    PTX_SPECIAL_ZERO,
    PTX_SPECIAL_ONE,
    PTX_SPECIAL_FALSE,
    PTX_SPECIAL_TID_X,
    PTX_SPECIAL_TID_Y,
    PTX_SPECIAL_TID_Z,
    PTX_SPECIAL_NTID_X,
    PTX_SPECIAL_NTID_Y,
    PTX_SPECIAL_NTID_Z,
    PTX_SPECIAL_CTAID_X,
    PTX_SPECIAL_CTAID_Y,
    PTX_SPECIAL_CTAID_Z,
    PTX_SPECIAL_NCTAID_X,
    PTX_SPECIAL_NCTAID_Y,
    PTX_SPECIAL_NCTAID_Z,
    PTX_SPECIAL_LANEID,
    PTX_SPECIAL_WARPID,
    PTX_SPECIAL_NWARPID,
    PTX_SPECIAL_SMID,
    PTX_SPECIAL_NSMID,
    PTX_SPECIAL_GRIDID,
    PTX_SPECIAL_LANEMASK_EQ,
    PTX_SPECIAL_LANEMASK_LE,
    PTX_SPECIAL_LANEMASK_LT,
    PTX_SPECIAL_LANEMASK_GE,
    PTX_SPECIAL_LANEMASK_GT,
    PTX_SPECIAL_CLOCK,
    PTX_SPECIAL_CLOCK_HI,
    PTX_SPECIAL_CLOCK64,
    PTX_SPECIAL_GLOBALTIMER,
    PTX_SPECIAL_GLOBALTIMER_LO,
    PTX_SPECIAL_GLOBALTIMER_HI,
    PTX_SPECIAL_GRID_WORKSPACE_LO,
    PTX_SPECIAL_GRID_WORKSPACE_HI,
    PTX_SPECIAL_DYNAMIC_SHARED_BYTES,
    PTX_SPECIAL_SHARED_BYTES,
    PTX_SPECIAL_DYNAMIC_SHARED_BEGIN,
    PTX_SPECIAL_COUNT
} PtxSpecial;

/* The register called `name` with that component; false: the machine has no such register. */
bool ptx_special_find(const char *name, uint32_t component, PtxSpecial *ret_special, PtxType *ret_type);

/* Value of a special register in one lane. */
uint64_t ptx_special_value(const PtxWarp *warp, PtxSpecial special, unsigned lane);

extern const PtxHandlerRow ptx_special_handlers[];

#endif
