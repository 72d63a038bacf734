/* Where the lanes of a memory instruction point, and whether they may: half a warp at a time, since sixteen lanes are a
 * row of the usual 16 x 16 block. Anything that these functions refuse is looked at lane by lane through ptx_access,
 * which explains what is wrong. */
#ifndef GAVEL_PTX_EXEC_ADDRESS_H
#define GAVEL_PTX_EXEC_ADDRESS_H

#include "ptx/access.h"
#include "ptx/async.h"
#include "ptx/exec/arithmetic.h"

/* Compilers judge by size before they know the constants that make these small. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { HALF = PTX_WARP_LANES / 2, HALF_MASK = (1 << HALF) - 1 };

/* The executing lanes of a whole warp or of half of one. */
typedef struct Group {
    unsigned start, lanes; /* first lane there is; 32 or 16 */
    uint32_t mask;         /* from bit 0, not empty */
    unsigned first, last;  /* lowest and highest that executes, from 0 */
} Group;

ALWAYS_INLINE Group half_of(unsigned start, uint32_t mask)
{
    return (Group){start, HALF, mask, (unsigned)__builtin_ctz(mask), 31 - (unsigned)__builtin_clz(mask)};
}
ALWAYS_INLINE bool is_full(Group group)
{
    return group.lanes == PTX_WARP_LANES || group.mask == HALF_MASK; /* only full warps are taken whole */
}

/* ---- how addresses relate ---------------------------------------------------------------------------------------- */

/* Sixteen addresses: each `stride` above the one of the lane before, or all the same. */
typedef enum Pattern { PATTERN_MIXED, PATTERN_LINE, PATTERN_SAME } Pattern;

ALWAYS_INLINE bool is_any_64(V_u64 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return !_mm_testz_si128((__m128i)x, (__m128i)x);
#else
    uint64_t any = 0;
    for (int i = 0; i < N64; i++)
        any |= x[i];
    return any != 0;
#endif
}
ALWAYS_INLINE bool is_any_32(V_u32 x)
{
#if PTX_VECTOR_BYTES
    return is_any_64((V_u64)x);
#else
    return x[0] != 0;
#endif
}

/* lanes_match: whether lane i holds start + i * stride, for the executing lanes. pattern: of the registers at `lane_0`;
 * what the last lane holds tells which of the two is possible. A line must not wrap, since a 32-bit register is
 * extended before the offset is added. */
#define PATTERNS(W)                                                                                                    \
    ALWAYS_INLINE bool lanes_match_##W(const uint##W##_t *lane_0, Group group, uint##W##_t start, uint##W##_t stride)  \
    {                                                                                                                  \
        const V_u##W *from = (const V_u##W *)(const void *)lane_0;                                                     \
        const int parts = (int)group.lanes / N##W;                                                                     \
        V_u##W expected, wrong = {0};                                                                                  \
        for (int i = 0; i < N##W; i++)                                                                                 \
            expected[i] = (uint##W##_t)i * stride;                                                                     \
        expected += start;                                                                                             \
        if (is_full(group))                                                                                            \
            for (int part = 0; part < parts; part++, expected += N##W * stride)                                        \
                wrong |= from[part] ^ expected;                                                                        \
        else                                                                                                           \
            for (int part = 0; part < parts; part++, expected += N##W * stride)                                        \
                wrong |= (from[part] ^ expected) & (V_u##W)lanes##W(group.mask, part);                                 \
        return !is_any_##W(wrong);                                                                                     \
    }                                                                                                                  \
    ALWAYS_INLINE Pattern pattern_##W(const uint##W##_t *lane_0, Group group, uint32_t stride)                         \
    {                                                                                                                  \
        const uint##W##_t first = lane_0[group.first], last = lane_0[group.last];                                      \
        if (last - first == (uint##W##_t)(group.last - group.first) * stride && last >= first)                         \
            return lanes_match_##W(lane_0, group, first - (uint##W##_t)group.first * stride, stride) ? PATTERN_LINE    \
                                                                                                     : PATTERN_MIXED;  \
        return first == last && lanes_match_##W(lane_0, group, first, 0) ? PATTERN_SAME : PATTERN_MIXED;               \
    }
PATTERNS(32)
PATTERNS(64)
#undef PATTERNS

ALWAYS_INLINE uint64_t first_register(const PtxWarp *warp, const PtxOp *op, Group group)
{
    return ptx_address_base(warp, op->a, op->address, group.start + group.first);
}

/* Of address A; `ret_first` is what the register of the first lane holds, without the offset. */
ALWAYS_INLINE Pattern pattern_of(const PtxWarp *warp, const PtxOp *op, PtxSpace space, Group group, uint32_t stride,
                                 uint64_t *ret_first)
{
    if (op->address == PTX_ADDRESS_64) {
        const uint64_t *lane_0 = SLOT(const uint64_t, warp, op->a) + group.start;
        *ret_first = lane_0[group.first];
        return pattern_64(lane_0, group, stride);
    }
    if (op->address == PTX_ADDRESS_32 && space == PTX_SPACE_SHARED) {
        const uint32_t *lane_0 = SLOT(const uint32_t, warp, op->a) + group.start;
        *ret_first = lane_0[group.first];
        return pattern_32(lane_0, group, stride);
    }
    *ret_first = 0;
    return op->address == PTX_ADDRESS_NONE ? PATTERN_SAME : PATTERN_MIXED; /* device addresses of 32 bits are rare */
}

/* ---- checks: global and shared memory ---------------------------------------------------------------------------- */

/* The live allocation that holds the range, or NULL: also for a store to constant memory. */
ALWAYS_INLINE const PtxAllocation *find_allocation(PtxWarp *warp, const PtxOp *op, uint64_t address, uint64_t bytes,
                                                   bool is_store)
{
    const PtxMemory *memory = warp->launch->memory;
    PtxMemoryHint *hint = &warp->worker->hints[op->hint];
    const PtxAllocation *found = NULL;
    if (__builtin_expect(*hint < memory->allocation_count, 1)) {
        const PtxAllocation *last = &memory->allocations[*hint];
        const uint64_t offset = address - last->base; /* wraps if below */
        if (__builtin_expect(offset < last->size && bytes <= last->size - offset, 1))
            found = last;
    }
    if (!found)
        found = ptx_memory_find(memory, address, bytes, hint);
    return found && is_store && found->is_read_only ? NULL : found;
}

ALWAYS_INLINE bool has_pending(const PtxBlock *block)
{
    return block->async && block->async->pending_count;
}

/* Host address of a range, if all of it may be accessed; else NULL. `space` is GLOBAL or SHARED. */
ALWAYS_INLINE uint8_t *accessible(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t address, uint64_t bytes,
                                  bool is_store)
{
    const PtxBlock *block = warp->block;
    if (space != PTX_SPACE_SHARED)
        return find_allocation(warp, op, address, bytes, is_store)
                   ? warp->launch->memory->host + (address - PTX_GLOBAL_BASE)
                   : NULL;
    if (bytes > block->shared_bytes || address > block->shared_bytes - bytes ||
        ptx_async_is_pending(block->async, (uint32_t)address, (uint32_t)bytes))
        return NULL;
    return block->shared + address;
}

/* register + add of each lane of the group. */
ALWAYS_INLINE void lane_addresses(const PtxWarp *warp, const PtxOp *op, unsigned start, uint64_t add,
                                  V_u64 ret[HALF / N64])
{
    if (op->address == PTX_ADDRESS_64) {
        const V_u64 *from = SLOT(const V_u64, warp, op->a) + start / N64;
        for (int part = 0; part < HALF / N64; part++)
            ret[part] = from[part] + add;
    } else if (op->address == PTX_ADDRESS_32) {
        const H_u32 *from = SLOT(const H_u32, warp, op->a) + start / N64;
        for (int part = 0; part < HALF / N64; part++)
            ret[part] = widen_u32(from[part]) + add;
    } else {
        for (int part = 0; part < HALF / N64; part++)
            ret[part] = (V_u64){0} + add;
    }
}

/* Whether the executing lanes' offsets are multiples of `bytes`, a power of two, and leave room for as many bytes in an
 * area of `size`. The sign bit of limit - offset tells which are too large, as the limit is a multiple as well. */
ALWAYS_INLINE bool offsets_fit(const V_u64 offsets[HALF / N64], uint32_t mask, uint64_t size, uint64_t bytes)
{
    if (size < bytes)
        return false;
    const uint64_t limit = (size - bytes) & -bytes;
    V_u64 wrong = {0};
    if (mask == HALF_MASK)
        for (int part = 0; part < HALF / N64; part++)
            wrong |= offsets[part] | (limit - offsets[part]);
    else
        for (int part = 0; part < HALF / N64; part++)
            wrong |= (offsets[part] | (limit - offsets[part])) & (V_u64)lanes64(mask, part);
    return !is_any_64(wrong & (UINT64_C(1) << 63 | (bytes - 1)));
}

/* For lanes that go anywhere in one allocation, or in shared memory: its host address, and each lane's offset in it.
 * NULL if a lane is misaligned or elsewhere. `add` is added to the lanes' registers. */
ALWAYS_INLINE uint8_t *accessible_lanes(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Group group,
                                        uint32_t bytes, bool is_store, V_u64 ret_offsets[HALF / N64])
{
    uint64_t base = 0, size = warp->block->shared_bytes;
    uint8_t *host = warp->block->shared;
    if (space != PTX_SPACE_SHARED) {
        const PtxAllocation *found = find_allocation(warp, op, first_register(warp, op, group) + add, bytes, is_store);
        if (!found)
            return NULL;
        base = found->base;
        size = found->size;
        host = warp->launch->memory->host + (base - PTX_GLOBAL_BASE);
    } else if (has_pending(warp->block)) {
        return NULL;
    }
    lane_addresses(warp, op, group.start, add - base, ret_offsets);
    return offsets_fit(ret_offsets, group.mask, size, bytes) ? host : NULL;
}

/* ---- who wrote --------------------------------------------------------------------------------------------------- */

/* Marks bytes of device memory as a kernel's. */
ALWAYS_INLINE void mark_stored(const PtxWarp *warp, const uint8_t *host, uint32_t bytes)
{
    const PtxMemory *memory = warp->launch->memory;
    ptx_memory_mark(memory, (uint64_t)(host - memory->host), bytes, warp->launch->worker_count > 1);
}

/* The same for one aligned access of 1, 2, 4 ... 32 bytes per lane: its bits lie in one word. */
ALWAYS_INLINE void mark_scattered(const PtxWarp *warp, const uint8_t *host, const uint64_t *offsets, uint32_t lanes,
                                  uint32_t bytes)
{
    const PtxMemory *memory = warp->launch->memory;
    const bool is_contended = warp->launch->worker_count > 1;
    const uint64_t base = (uint64_t)(host - memory->host), ones = bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX;
    for (PTX_EACH_LANE(lane, lanes)) {
        const uint64_t at = base + offsets[lane];
        ptx_memory_mark_word(&memory->kernel_bits[at / 64], ones << at % 64, is_contended);
    }
}

#endif
