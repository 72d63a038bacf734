/* mov: registers and constants as bits, and vectors of parts (PTX ISA 9.7.9.3, 9.7.9.4). */
#include "ptx/exec/arithmetic.h"

/* ---- whole values ------------------------------------------------------------------------------------------------ */

typedef struct Wide {
    uint64_t low, high;
} Wide;

PTX_UNARY(32, mov_b32, V_u32, V_u32, x)
PTX_UNARY(64, mov_b64, V_u64, V_u64, x)
PTX_LANEWISE(mov_b128, Wide, Wide, uint32_t, uint32_t, x)

static const PtxOp *mov_pred(PtxWarp *warp, const PtxOp *op)
{
    ptx_set_predicate(warp, op->d, predicate_source(warp, op, op->a, PTX_FLAG_NEGATE_A));
    return op + 1;
}

/* ---- pack and unpack --------------------------------------------------------------------------------------------- */

#define PART(T, index) SLOT(T, warp, op->slots[index])

/* The two that kernels use, as vectors. */
PTX_ELEMENTWISE_FROM(64, pack_b64_b32, V_u64, const H_u32 *low = PART(const H_u32, 0);
                     const H_u32 *high = PART(const H_u32, 1), (void)0,
                     widen_u32(low[part]) | widen_u32(high[part]) << 32)
PTX_ELEMENTWISE_FROM(32, pack_b32_b16, V_u32, const V_u32 *low = PART(const V_u32, 0);
                     const V_u32 *high = PART(const V_u32, 1), (void)0, (low[part] & 0xffff) | high[part] << 16)

static const PtxOp *unpack_b64_b32(PtxWarp *warp, const PtxOp *op)
{
    PTX_SOURCE(V_u64, a);
    H_u32 *low = PART(H_u32, 0), *high = PART(H_u32, 1);
    if (warp->keep == 0) {
        for (int part = 0; part < PARTS64; part++) {
            const V_u64 value = from_a[part];
            low[part] = narrow_u64(value);
            high[part] = narrow_u64(value >> 32);
        }
        return op + 1;
    }
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint64_t value = ptx_lane_u64(warp, op->a, lane);
        ptx_set_u32(warp, op->slots[0], lane, (uint32_t)value);
        ptx_set_u32(warp, op->slots[1], lane, (uint32_t)(value >> 32));
    }
    return op + 1;
}
static const PtxOp *unpack_b32_b16(PtxWarp *warp, const PtxOp *op)
{
    const V_u32 *from = SLOT(const V_u32, warp, op->a);
    V_u32 *low = PART(V_u32, 0), *high = PART(V_u32, 1);
    for (int part = 0; part < PARTS32; part++) {
        const V_u32 value = from[part];
        low[part] = BLEND32(warp->mask, part, value & 0xffff, low[part]);
        high[part] = BLEND32(warp->mask, part, value >> 16, high[part]);
    }
    return op + 1;
}

/* Any other: `count` parts of `bytes` each, in lanes of 4 or 8 bytes, side by side in a lane of all. */
#define LANE_BYTES(bytes) ((bytes) <= 4 ? 4 : (bytes) <= 8 ? 8 : 16)
#define PACKING(name, bytes, count)                                                                                    \
    static const PtxOp *pack_##name(PtxWarp *warp, const PtxOp *op)                                                    \
    {                                                                                                                  \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            uint8_t value[LANE_BYTES((bytes) * (count))] = {0};                                                        \
            for (size_t i = 0; i < (count); i++)                                                                       \
                memcpy(value + i * (bytes), PART(const uint8_t, i) + (size_t)lane * LANE_BYTES(bytes), bytes);         \
            memcpy(SLOT(uint8_t, warp, op->d) + lane * sizeof value, value, sizeof value);                             \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }                                                                                                                  \
    static const PtxOp *unpack_##name(PtxWarp *warp, const PtxOp *op)                                                  \
    {                                                                                                                  \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            uint8_t value[LANE_BYTES((bytes) * (count))];                                                              \
            memcpy(value, SLOT(const uint8_t, warp, op->a) + lane * sizeof value, sizeof value);                       \
            for (size_t i = 0; i < (count); i++)                                                                       \
                memcpy(PART(uint8_t, i) + (size_t)lane * LANE_BYTES(bytes), value + i * (bytes), bytes);               \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
PACKING(b16_b8, 1, 2)
PACKING(b32_b8, 1, 4)
PACKING(b64_b16, 2, 4)
PACKING(b128_b32, 4, 4)
PACKING(b128_b64, 8, 2)

/* All parts are read before the first is written: {a, b} = {b, a}. */
#define MOVE_VECTOR(name, T)                                                                                           \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        const size_t count = op->slot_count / 2 < PARTS_MAX ? op->slot_count / 2 : PARTS_MAX;                          \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            T values[PARTS_MAX];                                                                                       \
            for (size_t i = 0; i < count; i++)                                                                         \
                values[i] = PART(const T, count + i)[lane];                                                            \
            for (size_t i = 0; i < count; i++)                                                                         \
                PART(T, i)[lane] = values[i];                                                                          \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
enum { PARTS_MAX = 4 };
MOVE_VECTOR(mov_vector_b32, uint32_t)
MOVE_VECTOR(mov_vector_b64, uint64_t)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define PACKING_ROWS(name) PTX_ROW(pack_##name), PTX_ROW(unpack_##name)

extern const PtxHandlerRow PTX_NAME(move_handlers)[];
const PtxHandlerRow PTX_NAME(move_handlers)[] = {
    PTX_ROW(mov_b32),        PTX_ROW(mov_b64),       PTX_ROW(mov_b128),      PTX_ROW(mov_pred),
    PACKING_ROWS(b64_b32),   PACKING_ROWS(b32_b16),  PACKING_ROWS(b16_b8),   PACKING_ROWS(b32_b8),
    PACKING_ROWS(b64_b16),   PACKING_ROWS(b128_b32), PACKING_ROWS(b128_b64), PTX_ROW(mov_vector_b32),
    PTX_ROW(mov_vector_b64), {NULL, NULL},
};
