/* Loads and stores (PTX ISA 9.7.9), every byte of them checked.
 *
 * Half a warp at a time, three ways. Lanes that touch elements in a line (most of them do) or all the same one cost one
 * check and one copy. Lanes that go anywhere in one allocation cost one check by vectors and a copy each. Anything
 * else, and whatever is wrong, goes lane by lane through ptx_access. Of several lanes that store to one address, the
 * highest wins on every way. */
#include "ptx/exec/address.h"

/* What an instruction moves: constants where this is inlined. */
typedef struct Move {
    bool is_store, is_signed;
    uint32_t bytes, lane_bytes; /* of an element in memory; of a lane in its slot */
    uint32_t count;             /* elements a lane, 1 without .v2 .v4 .v8 */
} Move;

/* ---- a lane ------------------------------------------------------------------------------------------------------ */

ALWAYS_INLINE void move_element(Move move, uint8_t *host, uint8_t *slot, unsigned lane)
{
    uint8_t *at = slot + (size_t)lane * move.lane_bytes;
    if (move.is_store || move.bytes == move.lane_bytes) {
        memcpy(move.is_store ? host : at, move.is_store ? at : host, move.bytes);
        return;
    }
    uint32_t value = 0;
    memcpy(&value, host, move.bytes);
    if (move.is_signed)
        value = move.bytes == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
    memcpy(at, &value, sizeof value);
}

/* Where the elements' slots lie: taken once, as a store through a byte pointer could change what warp and op hold. */
typedef struct Slots {
    uint8_t *at[8];
} Slots;

ALWAYS_INLINE Slots slots_of(const PtxWarp *warp, const uint32_t *offsets, uint32_t count)
{
    Slots slots = {{NULL}};
    for (uint32_t i = 0; i < count; i++)
        slots.at[i] = warp->frame + offsets[i];
    return slots;
}

ALWAYS_INLINE void move_lane(Move move, const Slots *slots, uint8_t *host, unsigned lane)
{
    for (uint32_t i = 0; i < move.count; i++)
        move_element(move, host + (size_t)i * move.bytes, slots->at[i], lane);
}

/* ---- lanes in a line, or at one place ---------------------------------------------------------------------------- */

/* Small integers in memory, lanes of 32 bits in a slot: sixteen of them. */
#define WIDEN(type)                                                                                                    \
    typedef type type##_alias __attribute__((may_alias));                                                              \
    static __attribute__((noinline)) void widen_##type(const type##_alias *restrict host, uint32_t *restrict lanes)    \
    {                                                                                                                  \
        for (int i = 0; i < HALF; i++)                                                                                 \
            lanes[i] = (uint32_t)host[i];                                                                              \
    }
#define NARROW(type)                                                                                                   \
    static __attribute__((noinline)) void narrow_##type(type##_alias *restrict host, const uint32_t *restrict lanes)   \
    {                                                                                                                  \
        for (int i = 0; i < HALF; i++)                                                                                 \
            host[i] = (type)lanes[i];                                                                                  \
    }
WIDEN(int8_t)
WIDEN(uint8_t)
WIDEN(int16_t)
WIDEN(uint16_t)
NARROW(uint8_t)
NARROW(uint16_t)
#undef WIDEN
#undef NARROW

ALWAYS_INLINE void move_small_line(Move move, uint8_t *host, uint32_t *lanes)
{
    void *at = host;
    if (move.is_store && move.bytes == 1)
        narrow_uint8_t(at, lanes);
    else if (move.is_store)
        narrow_uint16_t(at, lanes);
    else if (move.bytes == 1 && move.is_signed)
        widen_int8_t(at, lanes);
    else if (move.bytes == 1)
        widen_uint8_t(at, lanes);
    else if (move.is_signed)
        widen_int16_t(at, lanes);
    else
        widen_uint16_t(at, lanes);
}

/* The executing lanes of a load of whole registers: reads all sixteen elements, which must be readable. */
ALWAYS_INLINE void load_some(const PtxWarp *warp, Move move, uint32_t slot, const uint8_t *lane_0, Group group)
{
    if (move.bytes == 8) {
        V_u64 *ret = SLOT(V_u64, warp, slot) + group.start / N64, value;
        for (int part = 0; part < (int)group.lanes / N64; part++) {
            memcpy(&value, lane_0 + (size_t)part * sizeof value, sizeof value);
            ret[part] = BLEND64(group.mask, part, value, ret[part]);
        }
    } else {
        V_u32 *ret = SLOT(V_u32, warp, slot) + group.start / N32, value;
        for (int part = 0; part < (int)group.lanes / N32; part++) {
            memcpy(&value, lane_0 + (size_t)part * sizeof value, sizeof value);
            ret[part] = BLEND32(group.mask, part, value, ret[part]);
        }
    }
}

/* `host` is the first executing lane's. */
ALWAYS_INLINE void move_line(const PtxWarp *warp, Move move, uint32_t slot, uint8_t *host, bool has_slack, Group group)
{
    uint8_t *at = warp->frame + slot + (size_t)group.start * move.lane_bytes;
    if (is_full(group) && move.bytes == move.lane_bytes)
        memcpy(move.is_store ? host : at, move.is_store ? at : host, (size_t)group.lanes * move.bytes);
    else if (is_full(group))
        for (unsigned lane = 0; lane < group.lanes; lane += HALF)
            move_small_line(move, host + (size_t)lane * move.bytes, (uint32_t *)(void *)at + lane);
    else if (!move.is_store && (move.bytes == 4 || move.bytes == 8) && has_slack)
        load_some(warp, move, slot, host - (size_t)group.first * move.bytes, group);
    else
        for (PTX_EACH_LANE(lane, group.mask))
            move_element(move, host + (size_t)(lane - group.first) * move.bytes, at, lane);
}

/* One element for all lanes. */
ALWAYS_INLINE void broadcast(const PtxWarp *warp, Move move, uint32_t slot, uint8_t *host, Group group)
{
    uint8_t *at = warp->frame + slot + (size_t)group.start * move.lane_bytes;
    if (move.lane_bytes == 16) {
        for (PTX_EACH_LANE(lane, group.mask))
            move_element(move, host, at, lane);
        return;
    }
    uint64_t value = 0;
    move_element(move, host, (uint8_t *)&value, 0);
    if (move.lane_bytes == 8) {
        V_u64 *ret = (V_u64 *)(void *)at;
        for (int part = 0; part < (int)group.lanes / N64; part++)
            ret[part] = is_full(group) ? (V_u64){0} + value : BLEND64(group.mask, part, (V_u64){0} + value, ret[part]);
    } else {
        V_u32 *ret = (V_u32 *)(void *)at;
        for (int part = 0; part < (int)group.lanes / N32; part++)
            ret[part] = is_full(group) ? (V_u32){0} + (uint32_t)value
                                       : BLEND32(group.mask, part, (V_u32){0} + (uint32_t)value, ret[part]);
    }
}

ALWAYS_INLINE bool is_run(Group group)
{
    const uint32_t lanes = group.mask >> group.first;
    return (lanes & (lanes + 1)) == 0;
}

static __attribute__((noinline)) void mark_each(const PtxWarp *warp, const uint8_t *host, Group group, uint32_t bytes)
{
    for (PTX_EACH_LANE(lane, group.mask))
        mark_stored(warp, host + (size_t)(lane - group.first) * bytes, bytes);
}

/* False: the lanes have no such order, or something about them is wrong, and nothing was done. */
ALWAYS_INLINE bool move_in_order(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Move move, uint32_t slot,
                                 Group group)
{
    uint64_t address;
    const Pattern pattern = pattern_of(warp, op, space, group, move.bytes, &address);
    const bool is_line = pattern == PATTERN_LINE;
    const uint32_t span = is_line ? (group.last - group.first + 1) * move.bytes : move.bytes;
    address += add;
    if (pattern == PATTERN_MIXED || address % move.bytes != 0)
        return false;
    uint8_t *host = accessible(warp, op, space, address, span, move.is_store);
    if (!host)
        return false;
    if (is_line)
        /* Device memory has room around allocations, shared memory only after its end. */
        move_line(warp, move, slot, host, space != PTX_SPACE_SHARED || address >= (uint64_t)group.first * move.bytes,
                  group);
    else if (move.is_store)
        move_element(move, host, warp->frame + slot, group.start + group.last);
    else
        broadcast(warp, move, slot, host, group);
    if (!move.is_store || space == PTX_SPACE_SHARED)
        return true;
    if (!is_line || is_run(group))
        mark_stored(warp, host, span);
    else
        mark_each(warp, host, group, move.bytes);
    return true;
}

/* ---- lanes anywhere, and vectors --------------------------------------------------------------------------------- */

typedef uint32_t Row32 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint64_t Row64 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint64_t Pair32 __attribute__((may_alias, aligned(4)));

/* Four lanes of .v4.b32, each 16 bytes in memory: a 4 x 4 matrix, transposed. */
ALWAYS_INLINE void move_quads(bool is_store, uint8_t *const slots[4], uint8_t *const hosts[4])
{
    uint8_t *const *from = is_store ? slots : hosts, *const *to = is_store ? hosts : slots;
    const Row32 a = *(const Row32 *)(void *)from[0], b = *(const Row32 *)(void *)from[1],
                c = *(const Row32 *)(void *)from[2], d = *(const Row32 *)(void *)from[3];
    const Row32 low_ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), high_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Row32 low_cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), high_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(Row32 *)(void *)to[0] = __builtin_shufflevector(low_ab, low_cd, 0, 1, 4, 5);
    *(Row32 *)(void *)to[1] = __builtin_shufflevector(low_ab, low_cd, 2, 3, 6, 7);
    *(Row32 *)(void *)to[2] = __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5);
    *(Row32 *)(void *)to[3] = __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7);
}

/* Four lanes of .v2.b32. */
ALWAYS_INLINE void move_pairs(bool is_store, uint8_t *const slots[4], uint8_t *const hosts[4])
{
    Pair32 *memory[4] = {(void *)hosts[0], (void *)hosts[1], (void *)hosts[2], (void *)hosts[3]};
    Row32 *x = (Row32 *)(void *)slots[0], *y = (Row32 *)(void *)slots[1];
    if (is_store) {
        const Row64 low = (Row64)__builtin_shufflevector(*x, *y, 0, 4, 1, 5);
        const Row64 high = (Row64)__builtin_shufflevector(*x, *y, 2, 6, 3, 7);
        *memory[0] = low[0];
        *memory[1] = low[1];
        *memory[2] = high[0];
        *memory[3] = high[1];
    } else {
        const Row32 low = (Row32)(Row64){*memory[0], *memory[1]}, high = (Row32)(Row64){*memory[2], *memory[3]};
        *x = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        *y = __builtin_shufflevector(low, high, 1, 3, 5, 7);
    }
}

/* Two lanes of .v2.b64: a 2 x 2 matrix. */
ALWAYS_INLINE void move_wide_pairs(bool is_store, uint8_t *const slots[2], uint8_t *const hosts[2])
{
    uint8_t *const *from = is_store ? slots : hosts, *const *to = is_store ? hosts : slots;
    const Row64 a = *(const Row64 *)(void *)from[0], b = *(const Row64 *)(void *)from[1];
    *(Row64 *)(void *)to[0] = __builtin_shufflevector(a, b, 0, 2);
    *(Row64 *)(void *)to[1] = __builtin_shufflevector(a, b, 1, 3);
}

/* All sixteen lanes, lane i at host + offsets[i]. */
ALWAYS_INLINE void move_all(Move move, const Slots *slots, uint8_t *host, const uint64_t *offsets, unsigned start)
{
    const bool is_quad = move.bytes == 4 && move.count == 4, is_pair = move.bytes == 4 && move.count == 2;
    if (is_quad || is_pair) {
        for (unsigned i = 0; i < HALF; i += 4) {
            uint8_t *hosts[4], *at[4] = {0};
            for (unsigned k = 0; k < 4; k++)
                hosts[k] = host + offsets[i + k];
            for (unsigned k = 0; k < move.count; k++)
                at[k] = slots->at[k] + (size_t)(start + i) * 4;
            if (is_quad)
                move_quads(move.is_store, at, hosts);
            else
                move_pairs(move.is_store, at, hosts);
        }
    } else if (move.bytes == 8 && move.count == 2) {
        for (unsigned i = 0; i < HALF; i += 2) {
            uint8_t *hosts[2] = {host + offsets[i], host + offsets[i + 1]}, *at[2];
            for (unsigned k = 0; k < 2; k++)
                at[k] = slots->at[k] + (size_t)(start + i) * 8;
            move_wide_pairs(move.is_store, at, hosts);
        }
    } else {
        for (unsigned i = 0; i < HALF; i++)
            move_lane(move, slots, host + offsets[i], start + i);
    }
}

ALWAYS_INLINE bool move_scattered(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Move move,
                                  const uint32_t *slot_offsets, Group group)
{
    const uint32_t bytes = move.bytes * move.count;
    V_u64 vectors[HALF / N64];
    const uint64_t *offsets = (const uint64_t *)(const void *)vectors;
    uint8_t *host = accessible_lanes(warp, op, space, add, group, bytes, move.is_store, vectors);
    if (!host)
        return false;
    const Slots slots = slots_of(warp, slot_offsets, move.count);
    if (is_full(group))
        move_all(move, &slots, host, offsets, group.start);
    else
        for (PTX_EACH_LANE(lane, group.mask))
            move_lane(move, &slots, host + offsets[lane], group.start + lane);
    if (!move.is_store || space == PTX_SPACE_SHARED)
        return true;
    if (move.count > 1 && is_full(group) && lanes_match_64(offsets, group, offsets[0], bytes))
        mark_stored(warp, host + offsets[0], HALF * bytes);
    else
        mark_scattered(warp, host, offsets, group.mask, bytes);
    return true;
}

/* Lanes in several allocations or spaces, and those that are wrong. */
static __attribute__((noinline)) bool move_slowly(PtxWarp *warp, const PtxOp *op, Move move,
                                                  const uint32_t *slot_offsets, uint32_t lanes)
{
    const uint32_t bytes = move.bytes * move.count;
    const Slots slots = slots_of(warp, slot_offsets, move.count);
    for (PTX_EACH_LANE(lane, lanes)) {
        const uint64_t address = ptx_address_a(warp, op, lane);
        uint8_t *host = ptx_access_aligned(warp, op, lane, (PtxSpace)op->space, address, bytes, bytes, move.is_store);
        if (!host)
            return false;
        move_lane(move, &slots, host, lane);
    }
    return true;
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

typedef bool MoveHalf(PtxWarp *warp, const PtxOp *op, uint64_t add, unsigned start, uint32_t mask);

/* `otherwise` is a function by itself, which keeps what is common short. */
ALWAYS_INLINE const PtxOp *move_warp(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Move move,
                                     uint32_t slot, MoveHalf *otherwise)
{
    const Group whole = {0, PTX_WARP_LANES, UINT32_MAX, 0, PTX_WARP_LANES - 1};
    if (warp->mask == UINT32_MAX && move_in_order(warp, op, space, add, move, slot, whole))
        return op + 1;
    for (unsigned start = 0; start < PTX_WARP_LANES; start += HALF) {
        const uint32_t mask = warp->mask >> start & HALF_MASK;
        const Group full = {start, HALF, HALF_MASK, 0, HALF - 1};
        if (!mask || (mask == HALF_MASK && move_in_order(warp, op, space, add, move, slot, full)) ||
            (mask != HALF_MASK && move_in_order(warp, op, space, add, move, slot, half_of(start, mask))))
            continue;
        if (!otherwise(warp, op, add, start, mask))
            return NULL;
    }
    return op + 1;
}

ALWAYS_INLINE const PtxOp *move_vector(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Move move)
{
    for (unsigned start = 0; start < PTX_WARP_LANES; start += HALF) {
        const uint32_t mask = warp->mask >> start & HALF_MASK;
        if (mask && !move_scattered(warp, op, space, add, move, op->slots, half_of(start, mask)) &&
            !move_slowly(warp, op, move, op->slots, mask << start))
            return NULL;
    }
    return op + 1;
}

static __attribute__((noinline)) const PtxOp *move_any_vector(PtxWarp *warp, const PtxOp *op, PtxSpace space,
                                                              uint64_t add, Move move)
{
    return move_vector(warp, op, space, add, move);
}

/* Lengths that occur often, as constants. */
ALWAYS_INLINE const PtxOp *move_vectors(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t add, Move move)
{
    move.count = 2;
    if (op->slot_count == 2 && (move.bytes == 4 || move.bytes == 8))
        return move_vector(warp, op, space, add, move);
    move.count = 4;
    if (op->slot_count == 4 && move.bytes == 4)
        return move_vector(warp, op, space, add, move);
    move.count = op->slot_count;
    return move_any_vector(warp, op, space, add, move);
}

/* ---- memory that each lane has for itself ------------------------------------------------------------------------ */

ALWAYS_INLINE void move_private_lanes(Move move, const Slots *slots, uint8_t *area, size_t stride,
                                      const uint64_t *offsets, Group group)
{
    area += group.start * stride;
    if (is_full(group))
        for (unsigned lane = 0; lane < HALF; lane++, area += stride)
            move_lane(move, slots, area + offsets[lane], group.start + lane);
    else
        for (PTX_EACH_LANE(lane, group.mask))
            move_lane(move, slots, area + lane * stride + offsets[lane], group.start + lane);
}

/* Local memory and .param areas: an offset in the lane's own bytes. */
static __attribute__((noinline)) const PtxOp *move_private(PtxWarp *warp, const PtxOp *op, Move move,
                                                           const uint32_t *slot_offsets)
{
    const bool is_local = op->space == PTX_SPACE_LOCAL;
    uint8_t *area = is_local ? warp->local : warp->parameters;
    const uint32_t stride = is_local ? warp->local_stride : warp->parameter_stride;
    const Slots slots = slots_of(warp, slot_offsets, move.count);
    for (unsigned start = 0; start < PTX_WARP_LANES; start += HALF) {
        const uint32_t mask = warp->mask >> start & HALF_MASK;
        if (!mask)
            continue;
        V_u64 vectors[HALF / N64];
        const uint64_t *offsets = (const uint64_t *)(const void *)vectors;
        lane_addresses(warp, op, start, (uint64_t)op->imm, vectors);
        if (!offsets_fit(vectors, mask, stride, (uint64_t)move.bytes * move.count)) {
            if (!move_slowly(warp, op, move, slot_offsets, mask << start))
                return NULL;
        } else if (move.bytes == 4 && move.count == 1) {
            const Move word = {.is_store = move.is_store, .bytes = 4, .lane_bytes = 4, .count = 1};
            move_private_lanes(word, &slots, area, stride, offsets, half_of(start, mask));
        } else {
            move_private_lanes(move, &slots, area, stride, offsets, half_of(start, mask));
        }
    }
    return op + 1;
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE bool is_shared_first(const PtxWarp *warp, const PtxOp *op)
{
    const unsigned first = (unsigned)__builtin_ctz(warp->mask);
    return ptx_address_a(warp, op, first) - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES;
}

#define IMM ((uint64_t)op->imm)
#define MOVES(class, bytes, lane_bytes)                                                                                \
    LOADS(class, bytes, lane_bytes, false)                                                                             \
    SCALAR_HANDLERS(st, class, ((Move){true, false, bytes, lane_bytes, 1}), op->b)                                     \
    VECTOR_HANDLERS(stv, class, ((Move){true, false, bytes, lane_bytes, op->slot_count}))
#define LOADS(class, bytes, lane_bytes, is_signed)                                                                     \
    SCALAR_HANDLERS(ld, class, ((Move){false, is_signed, bytes, lane_bytes, 1}), op->d)                                \
    VECTOR_HANDLERS(ldv, class, ((Move){false, is_signed, bytes, lane_bytes, op->slot_count}))
#define SCALAR_HANDLERS(kind, class, move, slot)                                                                       \
    SCALAR_SPACE(kind, global, PTX_SPACE_GLOBAL, class, move, slot)                                                    \
    SCALAR_SPACE(kind, shared, PTX_SPACE_SHARED, class, move, slot)                                                    \
    HANDLERS(kind, class, move_private(warp, op, move, &slot))
#define SCALAR_SPACE(kind, name, space, class, move, slot)                                                             \
    static __attribute__((noinline)) bool kind##_scattered_##name##_##class(                                           \
        PtxWarp * warp, const PtxOp *op, uint64_t add, unsigned start, uint32_t mask)                                  \
    {                                                                                                                  \
        return move_scattered(warp, op, space, add, move, &slot, half_of(start, mask)) ||                              \
               move_slowly(warp, op, move, &slot, mask << start);                                                      \
    }                                                                                                                  \
    static const PtxOp *kind##_##name##_at_##class(PtxWarp * warp, const PtxOp *op, uint64_t add)                      \
    {                                                                                                                  \
        return move_warp(warp, op, space, add, move, slot, kind##_scattered_##name##_##class);                         \
    }
#define VECTOR_HANDLERS(kind, class, move)                                                                             \
    VECTOR_SPACE(kind, global, PTX_SPACE_GLOBAL, class, move)                                                          \
    VECTOR_SPACE(kind, shared, PTX_SPACE_SHARED, class, move)                                                          \
    HANDLERS(kind, class, move_private(warp, op, move, op->slots))
#define VECTOR_SPACE(kind, name, space, class, move)                                                                   \
    static const PtxOp *kind##_##name##_at_##class(PtxWarp * warp, const PtxOp *op, uint64_t add)                      \
    {                                                                                                                  \
        return move_vectors(warp, op, space, add, move);                                                               \
    }
/* `add` is added to the registers: the offset, less the window where generic addresses point to shared memory. Of
 * those, all lanes usually point to the space that the first one does. */
#define HANDLERS(kind, class, private)                                                                                 \
    static const PtxOp *kind##_global_##class(PtxWarp * warp, const PtxOp *op)                                         \
    {                                                                                                                  \
        return kind##_global_at_##class(warp, op, IMM);                                                                \
    }                                                                                                                  \
    static const PtxOp *kind##_shared_##class(PtxWarp * warp, const PtxOp *op)                                         \
    {                                                                                                                  \
        return kind##_shared_at_##class(warp, op, IMM);                                                                \
    }                                                                                                                  \
    static const PtxOp *kind##_none_##class(PtxWarp * warp, const PtxOp *op)                                           \
    {                                                                                                                  \
        return is_shared_first(warp, op) ? kind##_shared_at_##class(warp, op, IMM - PTX_SHARED_WINDOW)                 \
                                         : kind##_global_at_##class(warp, op, IMM);                                    \
    }                                                                                                                  \
    static const PtxOp *kind##_private_##class(PtxWarp * warp, const PtxOp *op)                                        \
    {                                                                                                                  \
        return private;                                                                                                \
    }
MOVES(u8, 1, 4)
LOADS(s8, 1, 4, true)
MOVES(u16, 2, 4)
LOADS(s16, 2, 4, true)
MOVES(b32, 4, 4)
MOVES(b64, 8, 8)
MOVES(b128, 16, 16)

/* ---- an entry's own parameters ----------------------------------------------------------------------------------- */

/* The same for all lanes; op->imm is the offset in the launch's parameters. */
ALWAYS_INLINE const PtxOp *load_entry(PtxWarp *warp, const PtxOp *op, Move move)
{
    struct {
        uint64_t low, high;
    } value = {0};
    memcpy(&value, warp->launch->parameters + op->imm, move.bytes);
    const uint32_t lanes = warp->keep ? warp->mask : UINT32_MAX;
    const Group low = {.start = 0, .lanes = HALF, .mask = lanes & HALF_MASK};
    const Group high = {.start = HALF, .lanes = HALF, .mask = lanes >> HALF};
    broadcast(warp, move, op->d, (uint8_t *)&value, low);
    broadcast(warp, move, op->d, (uint8_t *)&value, high);
    return op + 1;
}
#define ENTRY(class, bytes, lane_bytes, is_signed)                                                                     \
    static const PtxOp *ld_entry_##class(PtxWarp * warp, const PtxOp *op)                                              \
    {                                                                                                                  \
        return load_entry(warp, op, (Move){false, is_signed, bytes, lane_bytes, 1});                                   \
    }
ENTRY(u8, 1, 4, false)
ENTRY(s8, 1, 4, true)
ENTRY(u16, 2, 4, false)
ENTRY(s16, 2, 4, true)
ENTRY(b32, 4, 4, false)
ENTRY(b64, 8, 8, false)
ENTRY(b128, 16, 16, false)

/* ---- addresses --------------------------------------------------------------------------------------------------- */

PTX_ELEMENTWISE_FROM(64, cvta, V_u64, PTX_SOURCE(V_u64, a);
                     const uint64_t window = ptx_window((PtxSpace)op->space), const V_u64 x = from_a[part], x + window)
PTX_ELEMENTWISE_FROM(64, cvta_to, V_u64, PTX_SOURCE(V_u64, a);
                     const uint64_t window = ptx_window((PtxSpace)op->space), const V_u64 x = from_a[part], x - window)

/* Constant variables are allocations of device memory that can't be stored to. Kernel parameters lie in the window of
 * global memory (PTX ISA 9.7.9.21). */
static bool is_in_space(const PtxWarp *warp, uint8_t space, uint64_t address)
{
    const uint64_t window = ptx_window((PtxSpace)space);
    if (window)
        return address - window < PTX_WINDOW_BYTES;
    const PtxMemory *memory = warp->launch->memory;
    const PtxAllocation *found = ptx_memory_find(memory, address, 1, NULL);
    const bool is_constant = found && found->is_read_only;
    if (space == PTX_SPACE_CONST)
        return is_constant;
    return (address - PTX_GLOBAL_BASE < memory->reserved_bytes && !is_constant) ||
           address - PTX_PARAM_WINDOW < PTX_WINDOW_BYTES;
}

static const PtxOp *isspacep(PtxWarp *warp, const PtxOp *op)
{
    uint32_t bits = 0;
    for (PTX_EACH_LANE(lane, warp->mask))
        bits |= (uint32_t)is_in_space(warp, op->space, ptx_lane_u64(warp, op->a, lane)) << lane;
    ptx_set_predicate(warp, op->d, bits);
    return op + 1;
}

/* ---- caches, of which there are none ----------------------------------------------------------------------------- */

static const PtxOp *hint(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    return op + 1;
}

static const PtxOp *policy(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask))
        ptx_set_u64(warp, op->d, lane, 0);
    return op + 1;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Names as rows make them: constants are global memory, local and .param areas are private. */
#define ROW_AS(kind, name, class, space, as)                                                                           \
    {                                                                                                                  \
#kind "_" #name "_" #class, kind##_##space##_##as                                                              \
    }
#define CLASS_ROWS(kind, name, space, as_s8, as_s16)                                                                   \
    ROW_AS(kind, name, u8, space, u8), ROW_AS(kind, name, s8, space, as_s8), ROW_AS(kind, name, u16, space, u16),      \
        ROW_AS(kind, name, s16, space, as_s16), ROW_AS(kind, name, b32, space, b32),                                   \
        ROW_AS(kind, name, b64, space, b64), ROW_AS(kind, name, b128, space, b128)
#define ROWS(name, space)                                                                                              \
    CLASS_ROWS(ld, name, space, s8, s16), CLASS_ROWS(st, name, space, u8, u16), CLASS_ROWS(ldv, name, space, s8, s16), \
        CLASS_ROWS(stv, name, space, u8, u16)

extern const PtxHandlerRow PTX_NAME(memory_handlers)[];
const PtxHandlerRow PTX_NAME(memory_handlers)[] = {
    ROWS(none, none),
    ROWS(global, global),
    ROWS(const, global),
    ROWS(shared, shared),
    ROWS(sharedcta, shared),
    ROWS(local, private),
    ROWS(param, private),
    ROWS(paramentry, private),
    ROWS(paramfunc, private),
    PTX_ROW(ld_entry_u8),
    PTX_ROW(ld_entry_s8),
    PTX_ROW(ld_entry_u16),
    PTX_ROW(ld_entry_s16),
    PTX_ROW(ld_entry_b32),
    PTX_ROW(ld_entry_b64),
    PTX_ROW(ld_entry_b128),
    PTX_ROW(cvta),
    PTX_ROW(cvta_to),
    PTX_ROW(isspacep),
    PTX_ROW(hint),
    PTX_ROW(policy),
    {NULL, NULL},
};
