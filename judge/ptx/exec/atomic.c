/* Atomic operations (PTX ISA 9.7.13.5, 9.7.13.6), lane by lane from the lowest: one worker gives the same bits every
 * time. With several workers each operation on device memory is one compare-and-swap loop of the host's. */
#include "ptx/exec/address.h"
#include "ptx/exec/formats.h"

/* Value in memory after the operation: of what is there, of b, and of c. */
typedef uint64_t Combine(uint64_t old, uint64_t b, uint64_t c, bool is_shared);

/* ---- integers and bits ------------------------------------------------------------------------------------------- */

#define COMBINE(name, type, expression)                                                                                \
    static inline uint64_t name(uint64_t old64, uint64_t b64, uint64_t c64, bool is_shared)                            \
    {                                                                                                                  \
        const type x = (type)old64, y = (type)b64, z = (type)c64;                                                      \
        (void)x, (void)y, (void)z, (void)is_shared;                                                                    \
        return (uint64_t)(expression);                                                                                 \
    }
COMBINE(add_u32, uint32_t, x + y)
COMBINE(add_u64, uint64_t, x + y)
COMBINE(and_b32, uint32_t, x &y)
COMBINE(and_b64, uint64_t, x &y)
COMBINE(or_b32, uint32_t, x | y)
COMBINE(or_b64, uint64_t, x | y)
COMBINE(xor_b32, uint32_t, x ^ y)
COMBINE(xor_b64, uint64_t, x ^ y)
COMBINE(exch_b32, uint32_t, y)
COMBINE(exch_b64, uint64_t, y)
COMBINE(cas_b16, uint16_t, x == y ? z : x)
COMBINE(cas_b32, uint32_t, x == y ? z : x)
COMBINE(cas_b64, uint64_t, x == y ? z : x)
COMBINE(min_u32, uint32_t, x < y ? x : y)
COMBINE(max_u32, uint32_t, x > y ? x : y)
COMBINE(min_s32, int32_t, (uint32_t)(x < y ? x : y))
COMBINE(max_s32, int32_t, (uint32_t)(x > y ? x : y))
COMBINE(min_u64, uint64_t, x < y ? x : y)
COMBINE(max_u64, uint64_t, x > y ? x : y)
COMBINE(min_s64, int64_t, x < y ? x : y)
COMBINE(max_s64, int64_t, x > y ? x : y)
COMBINE(inc_u32, uint32_t, x >= y ? 0 : x + 1)
COMBINE(dec_u32, uint32_t, x == 0 || x > y ? y : x - 1)

/* ---- floats ------------------------------------------------------------------------------------------------------ */

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? F32_NAN : bits;
}

static inline uint32_t flushed(uint32_t bits)
{
    return (bits & F32_INFINITY) == 0 ? bits & F32_SIGN : bits;
}

/* Sums on global memory flush subnormal inputs and results to zeros of their sign, sums on shared memory don't (PTX ISA
 * 9.7.13.5, "Floating-point operation .add"). */
static inline uint64_t add_f32(uint64_t old, uint64_t b, uint64_t c, bool is_shared)
{
    (void)c;
    if (is_shared)
        return bits_of(float_of((uint32_t)old) + float_of((uint32_t)b));
    return flushed(bits_of(float_of(flushed((uint32_t)old)) + float_of(flushed((uint32_t)b))));
}

static inline uint64_t add_f64(uint64_t old, uint64_t b, uint64_t c, bool is_shared)
{
    (void)c, (void)is_shared;
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    const double sum = x + y;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return sum != sum ? UINT64_C(0x7ff8000000000000) : bits;
}

/* The sum of two f16 or bf16 is exact in f32, or rounds there so far below a half unit that the second rounding is
 * right: f32 has more than twice their digits plus two. */
#define ADD_F16(x, y)  f32_to_f16_rn(f16_to_f32(all32(x)) + f16_to_f32(all32(y)))[0]
#define ADD_BF16(x, y) f32_to_bf16_rn(bf16_to_f32(all32(x)) + bf16_to_f32(all32(y)))[0]

/* Codes in the order of their values, -0 below +0. */
static inline int32_t half_order(uint32_t code)
{
    return code & 0x8000 ? -1 - (int32_t)(code & 0x7fff) : (int32_t)code;
}

/* NaN loses against a number; two NaNs give the canonical one. */
static inline uint32_t extreme_half(uint32_t x, uint32_t y, bool is_max, uint32_t infinity)
{
    if ((x & 0x7fff) > infinity)
        return (y & 0x7fff) > infinity ? 0x7fff : y;
    if ((y & 0x7fff) > infinity)
        return x;
    return (half_order(x) < half_order(y)) == is_max ? y : x;
}
#define MIN_F16(x, y)  extreme_half(x, y, false, 0x7c00)
#define MAX_F16(x, y)  extreme_half(x, y, true, 0x7c00)
#define MIN_BF16(x, y) extreme_half(x, y, false, 0x7f80)
#define MAX_BF16(x, y) extreme_half(x, y, true, 0x7f80)

#define COMBINE_HALVES(name, one)                                                                                      \
    static inline uint32_t name##_of(uint32_t x, uint32_t y)                                                           \
    {                                                                                                                  \
        return one(x, y);                                                                                              \
    }                                                                                                                  \
    COMBINE(name, uint32_t, name##_of(x & 0xffff, y & 0xffff))                                                         \
    COMBINE(name##x2, uint32_t, name##_of(x & 0xffff, y & 0xffff) | name##_of(x >> 16, y >> 16) << 16)
COMBINE_HALVES(add_f16, ADD_F16)
COMBINE_HALVES(add_bf16, ADD_BF16)
COMBINE_HALVES(min_f16, MIN_F16)
COMBINE_HALVES(max_f16, MAX_F16)
COMBINE_HALVES(min_bf16, MIN_BF16)
COMBINE_HALVES(max_bf16, MAX_BF16)

/* ---- where the lanes go ------------------------------------------------------------------------------------------ */

/* Some lanes of half a warp, lane i at host + offsets[i]. */
typedef struct Place {
    uint8_t *host;
    bool is_shared, is_contended; /* is_contended: another worker may be there */
    bool is_one;                  /* all at the same address */
    union {
        V_u64 vectors[HALF / N64];
        uint64_t offsets[HALF];
    };
} Place;

/* One lane, looked at closely. */
static uint32_t place_lane(PtxWarp *warp, const PtxOp *op, Group group, uint32_t bytes, Place *ret)
{
    const uint64_t address = ptx_address_a(warp, op, group.start + group.first);
    ret->host =
        ptx_access_aligned(warp, op, group.start + group.first, (PtxSpace)op->space, address, bytes, bytes, true);
    ret->is_shared = op->space == PTX_SPACE_SHARED ||
                     (op->space == PTX_SPACE_NONE && address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES);
    ret->is_contended = !ret->is_shared && warp->launch->worker_count > 1;
    ret->is_one = true;
    ret->offsets[group.first] = 0;
    return ret->host ? 1u << group.first : 0;
}

/* Finds where lanes of the group go: all of them if they stay in one allocation or in shared memory, else the first; 0
 * after a trap. They count as written. */
static __attribute__((noinline)) uint32_t place_lanes(PtxWarp *warp, const PtxOp *op, Group group, uint32_t bytes,
                                                      Place *ret)
{
    const uint64_t window = op->space == PTX_SPACE_NONE ? PTX_SHARED_WINDOW : 0, add = (uint64_t)op->imm;
    ret->is_shared =
        op->space == PTX_SPACE_SHARED || (window && first_register(warp, op, group) + add - window < PTX_WINDOW_BYTES);
    ret->host = ret->is_shared
                    ? accessible_lanes(warp, op, PTX_SPACE_SHARED, add - window, group, bytes, true, ret->vectors)
                    : accessible_lanes(warp, op, PTX_SPACE_GLOBAL, add, group, bytes, true, ret->vectors);
    if (!ret->host)
        return place_lane(warp, op, group, bytes, ret);
    ret->is_contended = !ret->is_shared && warp->launch->worker_count > 1;
    ret->is_one = ret->offsets[group.first] == ret->offsets[group.last] &&
                  lanes_match_64(ret->offsets, group, ret->offsets[group.first], 0);
    if (!ret->is_shared)
        mark_scattered(warp, ret->host, ret->offsets, ret->is_one ? 1u << group.first : group.mask, bytes);
    return group.mask;
}

/* ---- lanes of one place ------------------------------------------------------------------------------------------ */

/* Constants where handlers are made, and the slots of the half's lanes. */
typedef struct Atomic {
    Combine *combine;
    uint32_t bytes;
    bool has_result;
    uint8_t *d;
    const uint8_t *b, *c;
} Atomic;

ALWAYS_INLINE uint64_t lane_value(const uint8_t *slot, uint32_t bytes, unsigned lane)
{
    uint64_t wide;
    uint32_t narrow;
    if (bytes == 8)
        memcpy(&wide, slot + (size_t)lane * 8, sizeof wide);
    else
        memcpy(&narrow, slot + (size_t)lane * 4, sizeof narrow);
    return bytes == 8 ? wide : narrow;
}

ALWAYS_INLINE void set_result(Atomic atomic, unsigned lane, uint64_t old)
{
    const uint32_t narrow = (uint32_t)old;
    if (!atomic.has_result)
        return;
    if (atomic.bytes == 8)
        memcpy(atomic.d + (size_t)lane * 8, &old, sizeof old);
    else
        memcpy(atomic.d + (size_t)lane * 4, &narrow, sizeof narrow);
}

/* One lane after the other at the same address, which only this worker uses. */
ALWAYS_INLINE void update_alone(Atomic atomic, uint8_t *host, bool is_shared, uint32_t lanes)
{
    uint64_t value = 0;
    memcpy(&value, host, atomic.bytes);
    for (PTX_EACH_LANE(lane, lanes)) {
        const uint64_t old = value, b = lane_value(atomic.b, atomic.bytes, lane);
        value = atomic.combine(old, b, lane_value(atomic.c, atomic.bytes, lane), is_shared);
        set_result(atomic, lane, old);
    }
    memcpy(host, &value, atomic.bytes);
}

#define SWAP(type)                                                                                                     \
    do {                                                                                                               \
        type seen = __atomic_load_n((type *)(void *)host, __ATOMIC_RELAXED);                                           \
        while (!__atomic_compare_exchange_n((type *)(void *)host, &seen, (type)atomic.combine(seen, b, c, false),      \
                                            false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))                                \
            continue;                                                                                                  \
        set_result(atomic, lane, seen);                                                                                \
    } while (0)
ALWAYS_INLINE void update_contended(Atomic atomic, uint8_t *host, unsigned lane)
{
    const uint64_t b = lane_value(atomic.b, atomic.bytes, lane), c = lane_value(atomic.c, atomic.bytes, lane);
    if (atomic.bytes == 2)
        SWAP(uint16_t);
    else if (atomic.bytes == 4)
        SWAP(uint32_t);
    else
        SWAP(uint64_t);
}
#undef SWAP

ALWAYS_INLINE void update_lanes(Atomic atomic, const Place *place, uint32_t lanes)
{
    if (place->is_one && !place->is_contended) {
        update_alone(atomic, place->host + place->offsets[__builtin_ctz(lanes)], place->is_shared, lanes);
        return;
    }
    for (PTX_EACH_LANE(lane, lanes))
        if (place->is_contended)
            update_contended(atomic, place->host + place->offsets[lane], lane);
        else
            update_alone(atomic, place->host + place->offsets[lane], place->is_shared, 1u << lane);
}

ALWAYS_INLINE Atomic with_slots(Atomic atomic, const PtxWarp *warp, uint32_t d, uint32_t b, uint32_t c, unsigned start)
{
    const size_t skipped = start * (atomic.bytes == 8 ? sizeof(uint64_t) : sizeof(uint32_t));
    atomic.d = warp->frame + d + skipped;
    atomic.b = warp->frame + b + skipped;
    atomic.c = warp->frame + c + skipped;
    return atomic;
}

ALWAYS_INLINE const PtxOp *run_atomic(PtxWarp *warp, const PtxOp *op, Atomic atomic)
{
    Place place;
    for (unsigned start = 0; start < PTX_WARP_LANES; start += HALF) {
        const Atomic half = with_slots(atomic, warp, op->d, op->b, op->c, start);
        for (uint32_t left = warp->mask >> start & HALF_MASK, done; left; left &= ~done) {
            done = place_lanes(warp, op, half_of(start, left), atomic.bytes, &place);
            if (!done)
                return NULL;
            update_lanes(half, &place, done);
        }
    }
    return op + 1;
}

/* .v2 .v4 .v8: each element is an operation of its own. Destinations come first among the slots. */
ALWAYS_INLINE const PtxOp *run_vector(PtxWarp *warp, const PtxOp *op, Atomic atomic)
{
    const uint32_t count = atomic.has_result ? op->slot_count / 2 : op->slot_count;
    const uint32_t *sources = op->slots + (atomic.has_result ? count : 0);
    Place place;
    for (unsigned start = 0; start < PTX_WARP_LANES; start += HALF)
        for (uint32_t left = warp->mask >> start & HALF_MASK, done; left; left &= ~done) {
            done = place_lanes(warp, op, half_of(start, left), atomic.bytes * count, &place);
            if (!done)
                return NULL;
            for (uint32_t i = 0; i < count; i++, place.host += atomic.bytes)
                update_lanes(with_slots(atomic, warp, op->slots[i], sources[i], 0, start), &place, done);
        }
    return op + 1;
}

/* ---- 128 bits ---------------------------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 Wide;

static inline Wide combine_wide(Wide old, Wide b, Wide c, bool is_exchange)
{
    return is_exchange ? b : old == b ? c : old;
}

static bool update_wide(uint8_t *host, bool is_contended, bool is_exchange, Wide b, Wide c, Wide *ret_old)
{
    memcpy(ret_old, host, sizeof *ret_old);
    if (is_contended) {
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
        Wide expected;
        do {
            expected = *ret_old;
            *ret_old =
                __sync_val_compare_and_swap((Wide *)(void *)host, expected, combine_wide(expected, b, c, is_exchange));
        } while (*ret_old != expected);
        return true;
#else
        return false;
#endif
    }
    const Wide value = combine_wide(*ret_old, b, c, is_exchange);
    memcpy(host, &value, sizeof value);
    return true;
}

static const PtxOp *run_wide(PtxWarp *warp, const PtxOp *op, bool is_exchange)
{
    Place place;
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const unsigned start = lane / HALF * HALF;
        if (!place_lanes(warp, op, half_of(start, 1u << (lane - start)), sizeof(Wide), &place))
            return NULL;
        Wide b, c, old;
        memcpy(&b, warp->frame + op->b + lane * sizeof b, sizeof b);
        memcpy(&c, warp->frame + op->c + lane * sizeof c, sizeof c);
        if (!update_wide(place.host + place.offsets[lane - start], place.is_contended, is_exchange, b, c, &old))
            return ptx_trap(warp, op, lane, PTX_TRAP_UNKNOWN, 0, "128-bit atomics need one worker on this CPU");
        memcpy(warp->frame + op->d + lane * sizeof old, &old, sizeof old);
    }
    return op + 1;
}
static const PtxOp *atom_exch_b128(PtxWarp *warp, const PtxOp *op)
{
    return run_wide(warp, op, true);
}
static const PtxOp *atom_cas_b128(PtxWarp *warp, const PtxOp *op)
{
    return run_wide(warp, op, false);
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* Columns: name, bytes. */
#define EVERY_INTEGER(X)                                                                                               \
    X(add_u32, 4)                                                                                                      \
    X(add_u64, 8)                                                                                                      \
    X(and_b32, 4)                                                                                                      \
    X(and_b64, 8)                                                                                                      \
    X(or_b32, 4)                                                                                                       \
    X(or_b64, 8)                                                                                                       \
    X(xor_b32, 4)                                                                                                      \
    X(xor_b64, 8)                                                                                                      \
    X(exch_b32, 4)                                                                                                     \
    X(exch_b64, 8)                                                                                                     \
    X(cas_b16, 2)                                                                                                      \
    X(cas_b32, 4)                                                                                                      \
    X(cas_b64, 8)                                                                                                      \
    X(min_u32, 4)                                                                                                      \
    X(max_u32, 4)                                                                                                      \
    X(min_s32, 4)                                                                                                      \
    X(max_s32, 4)                                                                                                      \
    X(min_u64, 8)                                                                                                      \
    X(max_u64, 8)                                                                                                      \
    X(min_s64, 8)                                                                                                      \
    X(max_s64, 8)                                                                                                      \
    X(inc_u32, 4)                                                                                                      \
    X(dec_u32, 4)                                                                                                      \
    X(add_f64, 8)
/* Also as vectors. */
#define EVERY_FLOAT(X)                                                                                                 \
    X(add_f32, 4)                                                                                                      \
    X(add_f16, 2)                                                                                                      \
    X(add_f16x2, 4)                                                                                                    \
    X(add_bf16, 2)                                                                                                     \
    X(add_bf16x2, 4)                                                                                                   \
    X(min_f16, 2)                                                                                                      \
    X(min_f16x2, 4)                                                                                                    \
    X(max_f16, 2)                                                                                                      \
    X(max_f16x2, 4)                                                                                                    \
    X(min_bf16, 2)                                                                                                     \
    X(min_bf16x2, 4)                                                                                                   \
    X(max_bf16, 2)                                                                                                     \
    X(max_bf16x2, 4)

#define DEFINE_AS(prefix, run, name, size, result)                                                                     \
    static const PtxOp *prefix##_##name(PtxWarp *warp, const PtxOp *op)                                                \
    {                                                                                                                  \
        return run(warp, op, (Atomic){.combine = (name), .bytes = (size), .has_result = (result)});                    \
    }
#define DEFINE(name, size)                                                                                             \
    DEFINE_AS(atom, run_atomic, name, size, true)                                                                      \
    DEFINE_AS(red, run_atomic, name, size, false)
#define DEFINE_VECTOR(name, size)                                                                                      \
    DEFINE_AS(atomv, run_vector, name, size, true)                                                                     \
    DEFINE_AS(redv, run_vector, name, size, false)
EVERY_INTEGER(DEFINE)
EVERY_FLOAT(DEFINE)
EVERY_FLOAT(DEFINE_VECTOR)

#define ROWS(name, size)        PTX_ROW(atom_##name), PTX_ROW(red_##name),
#define VECTOR_ROWS(name, size) PTX_ROW(atomv_##name), PTX_ROW(redv_##name),

extern const PtxHandlerRow PTX_NAME(atomic_handlers)[];
const PtxHandlerRow PTX_NAME(atomic_handlers)[] = {
    EVERY_INTEGER(ROWS) EVERY_FLOAT(ROWS) EVERY_FLOAT(VECTOR_ROWS) PTX_ROW(atom_exch_b128),
    PTX_ROW(atom_cas_b128),
    {NULL, NULL},
};
