/* Loads and stores (PTX ISA 9.7.9), every byte of them checked.
 *
 * Half a warp at a time, three ways. Lanes that touch consecutive elements (most of them do) or all the same one cost
 * one check and one copy. Lanes whose lowest and highest byte lie in one allocation cost one check and a copy each.
 * Anything else, and whatever is wrong, goes lane by lane through ptx_access, which knows how to explain a trap. */
#include "ptx/access.h"
#include "ptx/async.h"
#include "ptx/exec/lanes.h"

enum { HALF = 16 };

/* ---- where the lanes point ---------------------------------------------------------------------------------- */

/* Device addresses, or offsets in shared memory, of all lanes: base register + offset. */
static inline void lane_addresses(const PtxWarp *warp, uint32_t base, int64_t offset, uint8_t kind,
                                  uint64_t ret[PTX_WARP_LANES])
{
    V_u64 *to = (V_u64 *)(void *)ret;
    const V_u64 add = (uint64_t)offset + (V_u64){0};
    if (kind == PTX_ADDRESS_64) {
        const V_u64 *from = SLOT(V_u64, warp, base);
        for (int part = 0; part < PARTS64; part++)
            to[part] = from[part] + add;
    } else if (kind == PTX_ADDRESS_32) {
        const H_u32 *from = SLOT(H_u32, warp, base);
        for (int part = 0; part < PARTS64; part++)
            to[part] = __builtin_convertvector(from[part], V_u64) + add;
    } else {
        for (int part = 0; part < PARTS64; part++)
            to[part] = add;
    }
}

typedef enum Pattern { PATTERN_MIXED, PATTERN_CONSECUTIVE, PATTERN_SAME } Pattern;

/* How the 16 addresses at `address` relate in the lanes of `mask`, not 0: consecutive with that stride, or all the
 * same. */
static inline Pattern pattern_of(const uint64_t *address, uint32_t mask, unsigned first, uint64_t stride)
{
    const V_u64 *from = (const V_u64 *)(const void *)address;
    V_u64 step;
    for (int i = 0; i < N64; i++)
        step[i] = (uint64_t)i * stride;
    uint32_t in_line = 0, same = 0;
    const uint64_t start = address[first] - first * stride;
    for (int part = 0; part < HALF / N64; part++) {
        const V_u64 expected = (start + (uint64_t)(part * N64) * stride) + step;
        in_line |= bits64((V_s64)(from[part] == expected)) << (part * N64);
    }
    if ((in_line & mask) == mask)
        return PATTERN_CONSECUTIVE;
    const V_u64 one = address[first] + (V_u64){0};
    for (int part = 0; part < HALF / N64; part++)
        same |= bits64((V_s64)(from[part] == one)) << (part * N64);
    return (same & mask) == mask ? PATTERN_SAME : PATTERN_MIXED;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Host address of a range that is wholly accessible, or NULL: then the lanes are looked at one by one. */
static inline uint8_t *global_range(PtxWarp *warp, const PtxOp *op, uint64_t address, uint64_t bytes, bool is_store)
{
    const PtxMemory *memory = warp->launch->memory;
    const PtxAllocation *found = ptx_memory_find(memory, address, bytes, &warp->worker->hints[op->hint]);
    return found && !(is_store && found->is_read_only) ? memory->host + (address - PTX_GLOBAL_BASE) : NULL;
}

static inline uint8_t *shared_range(const PtxWarp *warp, uint64_t offset, uint64_t bytes)
{
    const PtxBlock *block = warp->block;
    if (bytes > block->shared_bytes || offset > block->shared_bytes - bytes)
        return NULL;
    return ptx_async_is_pending(block->async, (uint32_t)offset, (uint32_t)bytes) ? NULL : block->shared + offset;
}

static inline uint8_t *range(PtxWarp *warp, const PtxOp *op, PtxSpace space, uint64_t address, uint64_t bytes,
                             bool is_store)
{
    return space == PTX_SPACE_SHARED ? shared_range(warp, address, bytes)
                                     : global_range(warp, op, address, bytes, is_store);
}

/* Marks bytes of device memory as a kernel's. */
static inline void mark_stored(const PtxWarp *warp, const uint8_t *host, uint32_t bytes)
{
    const PtxMemory *memory = warp->launch->memory;
    uint64_t at = (uint64_t)(host - memory->host), left = bytes;
    while (left > 0) {
        const uint64_t bit = at % 64, here = 64 - bit < left ? 64 - bit : left;
        const uint64_t mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << bit;
        if (warp->launch->worker_count > 1)
            (void)__atomic_fetch_or(&memory->kernel_bits[at / 64], mask, __ATOMIC_RELAXED);
        else
            memory->kernel_bits[at / 64] |= mask;
        at += here;
        left -= here;
    }
}

/* ---- elements and slots ------------------------------------------------------------------------------------- */

/* Bytes in memory, bytes of a lane, whether the sign is extended: constants where these are inlined. */
typedef struct Element {
    uint32_t bytes, lane_bytes;
    bool is_signed;
} Element;

static inline void load_element(Element element, const uint8_t *from, uint8_t *slot, unsigned lane)
{
    uint8_t *to = slot + (size_t)lane * element.lane_bytes;
    if (element.bytes == element.lane_bytes) {
        memcpy(to, from, element.bytes);
        return;
    }
    uint32_t value = 0;
    memcpy(&value, from, element.bytes);
    if (element.is_signed)
        value = element.bytes == 1 ? (uint32_t)(int32_t)(int8_t)value : (uint32_t)(int32_t)(int16_t)value;
    memcpy(to, &value, sizeof value);
}

static inline void store_element(Element element, uint8_t *to, const uint8_t *slot, unsigned lane)
{
    memcpy(to, slot + (size_t)lane * element.lane_bytes, element.bytes);
}

typedef struct Operand {
    const uint32_t *slots; /* one slot an element of the vector */
    uint32_t count;
} Operand;

static inline void move_lane(PtxWarp *warp, Element element, Operand operand, uint8_t *host, unsigned lane,
                             bool is_store)
{
    for (uint32_t i = 0; i < operand.count; i++) {
        uint8_t *slot = warp->frame + operand.slots[i];
        if (is_store)
            store_element(element, host + i * element.bytes, slot, lane);
        else
            load_element(element, host + i * element.bytes, slot, lane);
    }
}

/* ---- half a warp -------------------------------------------------------------------------------------------- */

/* Lanes first .. first + count - 1 of the half at lane `start`, whose elements lie one after another at `host`. */
static inline void move_run(PtxWarp *warp, Element element, Operand operand, uint8_t *host, unsigned start,
                            unsigned count, bool is_store)
{
    if (operand.count == 1 && element.bytes == element.lane_bytes) {
        uint8_t *slot = warp->frame + operand.slots[0] + (size_t)start * element.lane_bytes;
        if (count == HALF)
            memcpy(is_store ? host : slot, is_store ? slot : host, (size_t)HALF * element.bytes);
        else
            memcpy(is_store ? host : slot, is_store ? slot : host, (size_t)count * element.bytes);
        return;
    }
    const uint32_t stride = element.bytes * operand.count;
    if (count == HALF) { /* a constant count lets the compiler unroll */
        for (unsigned i = 0; i < HALF; i++)
            move_lane(warp, element, operand, host + (size_t)i * stride, start + i, is_store);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        move_lane(warp, element, operand, host + (size_t)i * stride, start + i, is_store);
}

static inline void broadcast(PtxWarp *warp, Element element, Operand operand, const uint8_t *host, uint32_t lanes)
{
    for (uint32_t i = 0; i < operand.count; i++) {
        uint8_t *slot = warp->frame + operand.slots[i];
        const uint8_t *from = host + i * element.bytes;
        if (element.bytes == 4 && ((lanes & 0xffff) == 0xffff || lanes >> 16 == 0xffff)) {
            uint32_t value;
            memcpy(&value, from, sizeof value);
            uint32_t *to = (uint32_t *)(void *)slot + __builtin_ctz(lanes);
            for (int lane = 0; lane < HALF; lane++)
                to[lane] = value;
            continue;
        }
        for (PTX_EACH_LANE(lane, lanes))
            load_element(element, from, slot, lane);
    }
}

static inline bool is_run(uint32_t mask, unsigned first)
{
    const uint32_t shifted = mask >> first;
    return (shifted & (shifted + 1)) == 0;
}

/* One check for all lanes of `lanes`: lowest to highest byte. NULL: they need a look each. */
static inline uint8_t *whole_range(PtxWarp *warp, const PtxOp *op, PtxSpace space, const uint64_t *address,
                                   uint32_t lanes, uint32_t bytes, bool is_store, uint64_t *ret_low)
{
    uint64_t low = UINT64_MAX, high = 0, all = 0;
    for (PTX_EACH_LANE(lane, lanes)) {
        low = address[lane] < low ? address[lane] : low;
        high = address[lane] > high ? address[lane] : high;
        all |= address[lane];
    }
    *ret_low = low;
    if (all % bytes != 0 || high + bytes < high)
        return NULL;
    return range(warp, op, space, low, high + bytes - low, is_store);
}

static bool move_slowly(PtxWarp *warp, const PtxOp *op, PtxSpace space, const uint64_t *address, uint32_t lanes,
                        Element element, Operand operand, bool is_store)
{
    for (PTX_EACH_LANE(lane, lanes)) {
        uint8_t *host = ptx_access(warp, op, lane, space, address[lane], element.bytes * operand.count, is_store);
        if (!host)
            return false;
        move_lane(warp, element, operand, host, lane, is_store);
    }
    return true;
}

static inline bool move_mixed(PtxWarp *warp, const PtxOp *op, PtxSpace space, const uint64_t *address, uint32_t lanes,
                              Element element, Operand operand, bool is_store)
{
    const uint32_t bytes = element.bytes * operand.count;
    uint64_t low;
    uint8_t *host = whole_range(warp, op, space, address, lanes, bytes, is_store, &low);
    if (!host)
        return move_slowly(warp, op, space, address, lanes, element, operand, is_store);
    for (PTX_EACH_LANE(lane, lanes)) {
        uint8_t *at = host + (address[lane] - low);
        move_lane(warp, element, operand, at, lane, is_store);
        if (is_store && space != PTX_SPACE_SHARED)
            mark_stored(warp, at, bytes);
    }
    return true;
}

/* The lanes of one half: `start` is 0 or 16, `mask` its 16 bits, not 0. */
static inline bool move_half(PtxWarp *warp, const PtxOp *op, PtxSpace space, const uint64_t *address, unsigned start,
                             uint32_t mask, Element element, Operand operand, bool is_store)
{
    const uint32_t bytes = element.bytes * operand.count;
    const unsigned first = (unsigned)__builtin_ctz(mask);
    const uint64_t *half = address + start;
    const Pattern pattern = pattern_of(half, mask, first, bytes);
    if (half[first] % bytes == 0) {
        if (pattern == PATTERN_CONSECUTIVE && is_run(mask, first)) {
            const unsigned count = (unsigned)__builtin_popcount(mask);
            uint8_t *host = range(warp, op, space, half[first], (uint64_t)bytes * count, is_store);
            if (host) {
                move_run(warp, element, operand, host, start + first, count, is_store);
                if (is_store && space != PTX_SPACE_SHARED)
                    mark_stored(warp, host, bytes * count);
                return true;
            }
        } else if (pattern == PATTERN_SAME && !is_store) {
            const uint8_t *host = range(warp, op, space, half[first], bytes, false);
            if (host) {
                broadcast(warp, element, operand, host, mask << start);
                return true;
            }
        }
    }
    return move_mixed(warp, op, space, address, mask << start, element, operand, is_store);
}

static inline const PtxOp *move_warp(PtxWarp *warp, const PtxOp *op, PtxSpace space, Element element, Operand operand,
                                     bool is_store)
{
    uint64_t address[PTX_WARP_LANES] __attribute__((aligned(64)));
    lane_addresses(warp, op->a, op->imm, op->address, address);
    const uint32_t low = warp->mask & 0xffff, high = warp->mask >> 16;
    if (low && !move_half(warp, op, space, address, 0, low, element, operand, is_store))
        return NULL;
    if (high && !move_half(warp, op, space, address, HALF, high, element, operand, is_store))
        return NULL;
    return op + 1;
}

/* ---- other spaces ------------------------------------------------------------------------------------------- */

/* Local memory and .param areas: each lane has its own bytes, so one offset is checked against one size. */
static inline const PtxOp *move_private(PtxWarp *warp, const PtxOp *op, PtxSpace space, Element element,
                                        Operand operand, bool is_store)
{
    uint64_t offset[PTX_WARP_LANES] __attribute__((aligned(64)));
    lane_addresses(warp, op->a, op->imm, op->address, offset);
    const uint32_t bytes = element.bytes * operand.count;
    uint8_t *area = space == PTX_SPACE_LOCAL ? warp->local : warp->parameters;
    const uint32_t stride = space == PTX_SPACE_LOCAL ? warp->local_stride : warp->parameter_stride;
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *host = area + (size_t)lane * stride + offset[lane];
        if (bytes > stride || offset[lane] > stride - bytes || offset[lane] % bytes != 0)
            host = ptx_access(warp, op, lane, space, offset[lane], bytes, is_store);
        if (!host)
            return NULL;
        move_lane(warp, element, operand, host, lane, is_store);
    }
    return op + 1;
}

/* Generic addresses: nearly always global, else lane by lane. */
static inline const PtxOp *move_generic(PtxWarp *warp, const PtxOp *op, Element element, Operand operand, bool is_store)
{
    uint64_t address[PTX_WARP_LANES] __attribute__((aligned(64)));
    lane_addresses(warp, op->a, op->imm, op->address, address);
    bool is_global = true;
    for (PTX_EACH_LANE(lane, warp->mask))
        is_global &= address[lane] >= PTX_GLOBAL_BASE;
    if (is_global)
        return move_warp(warp, op, PTX_SPACE_GLOBAL, element, operand, is_store);
    return move_slowly(warp, op, PTX_SPACE_NONE, address, warp->mask, element, operand, is_store) ? op + 1 : NULL;
}

static inline const PtxOp *move(PtxWarp *warp, const PtxOp *op, PtxSpace space, Element element, Operand operand,
                                bool is_store)
{
    if (space == PTX_SPACE_NONE)
        return move_generic(warp, op, element, operand, is_store);
    if (space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM)
        return move_private(warp, op, space, element, operand, is_store);
    return move_warp(warp, op, space, element, operand, is_store);
}

/* ---- handlers ----------------------------------------------------------------------------------------------- */

#define MOVES(class, space, bytes, lane_bytes, is_signed)                                                              \
    static const PtxOp *ld_##space##_##class(PtxWarp * warp, const PtxOp *op)                                          \
    {                                                                                                                  \
        return move(warp, op, SPACE_##space, (Element){bytes, lane_bytes, is_signed}, (Operand){&op->d, 1}, false);    \
    }                                                                                                                  \
    static const PtxOp *st_##space##_##class(PtxWarp * warp, const PtxOp *op)                                          \
    {                                                                                                                  \
        return move(warp, op, SPACE_##space, (Element){bytes, lane_bytes, is_signed}, (Operand){&op->b, 1}, true);     \
    }                                                                                                                  \
    static const PtxOp *ldv_##space##_##class(PtxWarp * warp, const PtxOp *op)                                         \
    {                                                                                                                  \
        return move_vector(warp, op, SPACE_##space, (Element){bytes, lane_bytes, is_signed}, false);                   \
    }                                                                                                                  \
    static const PtxOp *stv_##space##_##class(PtxWarp * warp, const PtxOp *op)                                         \
    {                                                                                                                  \
        return move_vector(warp, op, SPACE_##space, (Element){bytes, lane_bytes, is_signed}, true);                    \
    }

/* The lengths that there are, as constants. */
static inline const PtxOp *move_vector(PtxWarp *warp, const PtxOp *op, PtxSpace space, Element element, bool is_store)
{
    switch (op->slot_count) {
    case 2: return move(warp, op, space, element, (Operand){op->slots, 2}, is_store);
    case 4: return move(warp, op, space, element, (Operand){op->slots, 4}, is_store);
    default: return move(warp, op, space, element, (Operand){op->slots, op->slot_count}, is_store);
    }
}

#define SPACE_none   PTX_SPACE_NONE
#define SPACE_global PTX_SPACE_GLOBAL
#define SPACE_shared PTX_SPACE_SHARED
#define SPACE_local  PTX_SPACE_LOCAL
#define SPACE_param  PTX_SPACE_PARAM

#define CLASSES(space)                                                                                                 \
    MOVES(u8, space, 1, 4, false)                                                                                      \
    MOVES(s8, space, 1, 4, true)                                                                                       \
    MOVES(u16, space, 2, 4, false)                                                                                     \
    MOVES(s16, space, 2, 4, true)                                                                                      \
    MOVES(b32, space, 4, 4, false)                                                                                     \
    MOVES(b64, space, 8, 8, false)                                                                                     \
    MOVES(b128, space, 16, 16, false)
CLASSES(none)
CLASSES(global)
CLASSES(shared)
CLASSES(local)
CLASSES(param)

/* ---- an entry's own parameters ------------------------------------------------------------------------------ */

static inline const PtxOp *load_entry(PtxWarp *warp, const PtxOp *op, Element element)
{
    const uint8_t *from = warp->launch->parameters + op->imm;
    uint8_t *slot = warp->frame + op->d;
    const uint32_t lanes = warp->keep ? warp->mask : UINT32_MAX;
    for (PTX_EACH_LANE(lane, lanes))
        load_element(element, from, slot, lane);
    return op + 1;
}

static const PtxOp *ld_entry_u8(PtxWarp *warp, const PtxOp *op)
{
    return load_entry(warp, op, (Element){1, 4, false});
}
static const PtxOp *ld_entry_s8(PtxWarp *warp, const PtxOp *op)
{
    return load_entry(warp, op, (Element){1, 4, true});
}
static const PtxOp *ld_entry_u16(PtxWarp *warp, const PtxOp *op)
{
    return load_entry(warp, op, (Element){2, 4, false});
}
static const PtxOp *ld_entry_s16(PtxWarp *warp, const PtxOp *op)
{
    return load_entry(warp, op, (Element){2, 4, true});
}
static const PtxOp *ld_entry_b128(PtxWarp *warp, const PtxOp *op)
{
    return load_entry(warp, op, (Element){16, 16, false});
}

/* Every kernel begins with these two. */
static const PtxOp *ld_entry_b32(PtxWarp *warp, const PtxOp *op)
{
    uint32_t value;
    if (warp->keep)
        return load_entry(warp, op, (Element){4, 4, false});
    memcpy(&value, warp->launch->parameters + op->imm, sizeof value);
    for (int part = 0; part < PARTS32; part++)
        SLOT(V_u32, warp, op->d)[part] = value + (V_u32){0};
    return op + 1;
}
static const PtxOp *ld_entry_b64(PtxWarp *warp, const PtxOp *op)
{
    uint64_t value;
    if (warp->keep)
        return load_entry(warp, op, (Element){8, 8, false});
    memcpy(&value, warp->launch->parameters + op->imm, sizeof value);
    for (int part = 0; part < PARTS64; part++)
        SLOT(V_u64, warp, op->d)[part] = value + (V_u64){0};
    return op + 1;
}

/* ---- addresses ---------------------------------------------------------------------------------------------- */

static uint64_t window_of(uint8_t space)
{
    return space == PTX_SPACE_SHARED  ? PTX_SHARED_WINDOW
           : space == PTX_SPACE_LOCAL ? PTX_LOCAL_WINDOW
           : space == PTX_SPACE_PARAM ? PTX_PARAM_WINDOW
                                      : 0;
}

static const PtxOp *shift_addresses(PtxWarp *warp, const PtxOp *op, uint64_t by)
{
    const V_u64 *a = SLOT(V_u64, warp, op->a);
    V_u64 *d = SLOT(V_u64, warp, op->d);
    for (int part = 0; part < PARTS64; part++) {
        const V_u64 value = a[part] + by;
        d[part] = warp->keep ? SELECT64(lanes64(warp->mask, part), value, d[part]) : value;
    }
    return op + 1;
}

static const PtxOp *cvta(PtxWarp *warp, const PtxOp *op)
{
    return shift_addresses(warp, op, window_of(op->space));
}
static const PtxOp *cvta_to(PtxWarp *warp, const PtxOp *op)
{
    return shift_addresses(warp, op, -window_of(op->space));
}

static const PtxOp *isspacep(PtxWarp *warp, const PtxOp *op)
{
    uint32_t bits = 0;
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint64_t address = ptx_lane_u64(warp, op->a, lane), window = window_of(op->space);
        const bool is_inside =
            window ? address - window < PTX_WINDOW_BYTES
                   : address >= PTX_GLOBAL_BASE &&
                         (op->space != PTX_SPACE_CONST || global_range(warp, op, address, 1, true) == NULL);
        bits |= (uint32_t)is_inside << lane;
    }
    ptx_set_predicate(warp, op->d, bits);
    return op + 1;
}

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

/* Names as rows make them: ".const" is global memory, "::" of qualified spaces is dropped. */
#define ROWS_AS(kind, name, space)                                                                                     \
    {#kind "_" #name "_u8", kind##_##space##_u8}, {#kind "_" #name "_s8", kind##_##space##_s8},                        \
        {#kind "_" #name "_u16", kind##_##space##_u16}, {#kind "_" #name "_s16", kind##_##space##_s16},                \
        {#kind "_" #name "_b32", kind##_##space##_b32}, {#kind "_" #name "_b64", kind##_##space##_b64},                \
    {                                                                                                                  \
#kind "_" #name "_b128", kind##_##space##_b128                                                                 \
    }
#define ROWS(name, space)                                                                                              \
    ROWS_AS(ld, name, space), ROWS_AS(st, name, space), ROWS_AS(ldv, name, space), ROWS_AS(stv, name, space)

extern const PtxHandlerRow PTX_NAME(memory_handlers)[];
const PtxHandlerRow PTX_NAME(memory_handlers)[] = {
    ROWS(none, none),        ROWS(global, global),  ROWS(const, global),   ROWS(shared, shared),
    ROWS(sharedcta, shared), ROWS(local, local),    ROWS(param, param),    ROWS(paramentry, param),
    ROWS(paramfunc, param),  PTX_ROW(ld_entry_u8),  PTX_ROW(ld_entry_s8),  PTX_ROW(ld_entry_u16),
    PTX_ROW(ld_entry_s16),   PTX_ROW(ld_entry_b32), PTX_ROW(ld_entry_b64), PTX_ROW(ld_entry_b128),
    PTX_ROW(cvta),           PTX_ROW(cvta_to),      PTX_ROW(isspacep),     PTX_ROW(hint),
    PTX_ROW(policy),         {NULL, NULL},
};
