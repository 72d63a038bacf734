/* One checked access to any address space, for operations that are not hot: tensor loads, asynchronous copies. The hot
 * loads and stores of exec/memory.c check inline. */
#ifndef GAVEL_PTX_ACCESS_H
#define GAVEL_PTX_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/exec.h"

/* Host address of `bytes` > 0 bytes at `address`, for one lane; NULL after a trap. `space` NONE: generic. Checked:
 * bounds, the alignment that an access of this size needs (its lowest set bit, at most 16), stores to constant memory,
 * and bytes of shared memory whose copy was not waited for. Stores are marked as a kernel's: the caller must write them
 * all. */
uint8_t *ptx_access(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace space, uint64_t address, uint32_t bytes,
                    bool is_store);

/* The same with an alignment of its own, a power of two. */
uint8_t *ptx_access_aligned(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace space, uint64_t address,
                            uint32_t bytes, uint32_t align, bool is_store);

/* The same for the destination of an asynchronous copy to shared memory: bytes that are pending don't matter.
 * `ret_offset` is where they lie in the block's shared memory. Addresses of the shared::cluster window are the block's
 * own. */
uint8_t *ptx_access_shared(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address, uint32_t bytes,
                           uint32_t *ret_offset);

/* What the base register of an address holds in a lane: slot and kind as in PtxOp. */
static inline uint64_t ptx_address_base(const PtxWarp *warp, uint32_t slot, uint8_t kind, unsigned lane)
{
    switch ((PtxAddress)kind) {
    case PTX_ADDRESS_32: return ptx_lane_u32(warp, slot, lane);
    case PTX_ADDRESS_64: return ptx_lane_u64(warp, slot, lane);
    default: return 0;
    }
}

/* Address operand A (op->a, op->imm) and B (op->b, op->imm2) of a lane. */
uint64_t ptx_address_a(const PtxWarp *warp, const PtxOp *op, unsigned lane);
uint64_t ptx_address_b(const PtxWarp *warp, const PtxOp *op, unsigned lane);

#endif
