/* Atomic operations (PTX ISA 9.7.13.5, 9.7.13.6), lane by lane from the lowest: one worker gives the same bits every
 * time. With several workers each operation on device memory is one compare-and-swap loop of the host's. */
#include "ptx/access.h"
#include "ptx/exec/formats.h"
#include "ptx/exec/lanes.h"

/* Value in memory after the operation: of what is there, of b, and of c. */
typedef uint64_t Combine(uint64_t old, uint64_t b, uint64_t c, bool is_shared);

/* ---- integers and bits ---------------------------------------------------------------------------------------- */

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

/* ---- floats ----------------------------------------------------------------------------------------------------- */

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
    return value != value ? 0x7fffffffu : bits;
}

static inline uint32_t flushed(uint32_t bits)
{
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

/* "atom.add.f32 on global memory flushes subnormal inputs and results to sign-preserving zero"; on shared memory it
 * does not. */
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

/* The sum of two f16 or bf16 is exact in f32 or rounds there so far below a half unit that the second rounding is
 * right: f32 has more than twice their digits plus two. */
static inline uint32_t add_half(uint32_t x, uint32_t y)
{
    return f16_from_f32(f16_value(x & 0xffff) + f16_value(y & 0xffff));
}
static inline uint32_t add_bhalf(uint32_t x, uint32_t y)
{
    return bf16_from_f32(bf16_value(x & 0xffff) + bf16_value(y & 0xffff));
}

/* NaN loses against a number, -0 lies below +0; two NaNs give the canonical one. */
static inline uint32_t extreme_half(uint32_t x, uint32_t y, bool is_max, bool is_bfloat)
{
    x &= 0xffff;
    y &= 0xffff;
    const float a = is_bfloat ? bf16_value(x) : f16_value(x), b = is_bfloat ? bf16_value(y) : f16_value(y);
    if (a != a)
        return b != b ? 0x7fff : y;
    if (b != b)
        return x;
    if (a == b)
        return is_max ? (x & y & 0x8000 ? x : x & 0x8000 ? y : x) : (x & 0x8000 ? x : y);
    return (a < b) == is_max ? y : x;
}

#define HALF_COMBINE(name, one)                                                                                        \
    static inline uint64_t name(uint64_t x, uint64_t y, uint64_t c, bool is_shared)                                    \
    {                                                                                                                  \
        (void)c, (void)is_shared;                                                                                      \
        const uint32_t a = (uint32_t)x, b = (uint32_t)y;                                                               \
        (void)a, (void)b;                                                                                              \
        return one(a, b);                                                                                              \
    }                                                                                                                  \
    static inline uint64_t name##x2(uint64_t x, uint64_t y, uint64_t c, bool is_shared)                                \
    {                                                                                                                  \
        (void)c, (void)is_shared;                                                                                      \
        const uint32_t a = (uint32_t)x, b = (uint32_t)y;                                                               \
        return one(a, b) | one(a >> 16, b >> 16) << 16;                                                                \
    }
#define MIN_F16(a, b)  extreme_half(a, b, false, false)
#define MAX_F16(a, b)  extreme_half(a, b, true, false)
#define MIN_BF16(a, b) extreme_half(a, b, false, true)
#define MAX_BF16(a, b) extreme_half(a, b, true, true)
HALF_COMBINE(add_f16, add_half)
HALF_COMBINE(add_bf16, add_bhalf)
HALF_COMBINE(min_f16, MIN_F16)
HALF_COMBINE(max_f16, MAX_F16)
HALF_COMBINE(min_bf16, MIN_BF16)
HALF_COMBINE(max_bf16, MAX_BF16)

/* ---- one lane -----------------------------------------------------------------------------------------------------
 */

/* Replaces the value at `host` and returns the old one. */
static inline uint64_t update(uint8_t *host, uint32_t bytes, bool is_contended, bool is_shared, Combine *combine,
                              uint64_t b, uint64_t c)
{
    uint64_t old = 0;
    memcpy(&old, host, bytes);
    if (!is_contended) {
        const uint64_t value = combine(old, b, c, is_shared);
        memcpy(host, &value, bytes);
        return old;
    }
#define SWAP(type)                                                                                                     \
    do {                                                                                                               \
        type seen = (type)old;                                                                                         \
        while (!__atomic_compare_exchange_n((type *)(void *)host, &seen, (type)combine(seen, b, c, is_shared), false,  \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                                       \
            continue;                                                                                                  \
        return seen;                                                                                                   \
    } while (0)
    switch (bytes) {
    case 2: SWAP(uint16_t);
    case 4: SWAP(uint32_t);
    default: SWAP(uint64_t);
    }
#undef SWAP
}

static inline bool is_shared_address(const PtxOp *op, uint64_t address)
{
    return op->space == PTX_SPACE_SHARED ||
           (op->space == PTX_SPACE_NONE && address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES);
}

static inline uint64_t lane_value(const PtxWarp *warp, uint32_t slot, uint32_t bytes, unsigned lane)
{
    return bytes == 8 ? ptx_lane_u64(warp, slot, lane) : ptx_lane_u32(warp, slot, lane);
}

static inline const PtxOp *atomic(PtxWarp *warp, const PtxOp *op, uint32_t bytes, Combine *combine, bool has_result)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint64_t address = ptx_address_a(warp, op, lane);
        uint8_t *host = ptx_access(warp, op, lane, (PtxSpace)op->space, address, bytes, true);
        if (!host)
            return NULL;
        const bool is_shared = is_shared_address(op, address);
        const uint64_t old = update(host, bytes, !is_shared && warp->launch->worker_count > 1, is_shared, combine,
                                    lane_value(warp, op->b, bytes, lane), lane_value(warp, op->c, bytes, lane));
        if (has_result && bytes == 8)
            ptx_set_u64(warp, op->d, lane, old);
        else if (has_result)
            ptx_set_u32(warp, op->d, lane, (uint32_t)old);
    }
    return op + 1;
}

/* red.v2.f32 and the like: each element is an operation of its own. Destinations come first among the slots. */
static inline const PtxOp *atomic_vector(PtxWarp *warp, const PtxOp *op, uint32_t bytes, Combine *combine,
                                         bool has_result)
{
    const uint32_t count = has_result ? op->slot_count / 2 : op->slot_count;
    const uint32_t *sources = op->slots + (has_result ? count : 0);
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *host =
            ptx_access(warp, op, lane, (PtxSpace)op->space, ptx_address_a(warp, op, lane), bytes * count, true);
        if (!host)
            return NULL;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t old = update(host + (size_t)i * bytes, bytes, warp->launch->worker_count > 1, false, combine,
                                        lane_value(warp, sources[i], bytes, lane), 0);
            if (has_result)
                ptx_set_u32(warp, op->slots[i], lane, (uint32_t)old);
        }
    }
    return op + 1;
}

/* ---- handlers -------------------------------------------------------------------------------------------------------
 */

/* Columns: name, bytes. */
#define EVERY_ATOMIC(X)                                                                                                \
    X(add_u32, 4)                                                                                                      \
    X(add_u64, 8)                                                                                                      \
    X(and_b32, 4) X(and_b64, 8) X(or_b32, 4) X(or_b64, 8) X(xor_b32, 4) X(xor_b64, 8) X(exch_b32, 4) X(exch_b64, 8)    \
        X(cas_b16, 2) X(cas_b32, 4) X(cas_b64, 8) X(min_u32, 4) X(max_u32, 4) X(min_s32, 4) X(max_s32, 4)              \
            X(min_u64, 8) X(max_u64, 8) X(min_s64, 8) X(max_s64, 8) X(inc_u32, 4) X(dec_u32, 4) X(add_f32, 4)          \
                X(add_f64, 8) X(add_f16, 2) X(add_f16x2, 4) X(add_bf16, 2) X(add_bf16x2, 4) X(min_f16, 2)              \
                    X(min_f16x2, 4) X(max_f16, 2) X(max_f16x2, 4) X(min_bf16, 2) X(min_bf16x2, 4) X(max_bf16, 2)       \
                        X(max_bf16x2, 4)
#define EVERY_VECTOR(X)                                                                                                \
    X(add_f32, 4)                                                                                                      \
    X(add_f16, 2)                                                                                                      \
    X(add_f16x2, 4) X(add_bf16, 2) X(add_bf16x2, 4) X(min_f16, 2) X(min_f16x2, 4) X(max_f16, 2) X(max_f16x2, 4)        \
        X(min_bf16, 2) X(min_bf16x2, 4) X(max_bf16, 2) X(max_bf16x2, 4)

#define DEFINE(name, bytes)                                                                                            \
    static const PtxOp *atom_##name(PtxWarp *warp, const PtxOp *op)                                                    \
    {                                                                                                                  \
        return atomic(warp, op, bytes, name, true);                                                                    \
    }                                                                                                                  \
    static const PtxOp *red_##name(PtxWarp *warp, const PtxOp *op)                                                     \
    {                                                                                                                  \
        return atomic(warp, op, bytes, name, false);                                                                   \
    }
EVERY_ATOMIC(DEFINE)

#define DEFINE_VECTOR(name, bytes)                                                                                     \
    static const PtxOp *atomv_##name(PtxWarp *warp, const PtxOp *op)                                                   \
    {                                                                                                                  \
        return atomic_vector(warp, op, bytes, name, true);                                                             \
    }                                                                                                                  \
    static const PtxOp *redv_##name(PtxWarp *warp, const PtxOp *op)                                                    \
    {                                                                                                                  \
        return atomic_vector(warp, op, bytes, name, false);                                                            \
    }
EVERY_VECTOR(DEFINE_VECTOR)

/* 128 bits: the host has no portable compare-and-swap for them. */
static const PtxOp *atomic_b128(PtxWarp *warp, const PtxOp *op, bool is_exchange)
{
    if (warp->launch->worker_count > 1)
        return ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_UNKNOWN, 0,
                        "128-bit atomics need one worker");
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *host = ptx_access(warp, op, lane, (PtxSpace)op->space, ptx_address_a(warp, op, lane), 16, true);
        if (!host)
            return NULL;
        uint8_t old[16];
        memcpy(old, host, sizeof old);
        const uint8_t *b = warp->frame + op->b + (size_t)lane * 16, *c = warp->frame + op->c + (size_t)lane * 16;
        if (is_exchange)
            memcpy(host, b, sizeof old);
        else if (memcmp(old, b, sizeof old) == 0)
            memcpy(host, c, sizeof old);
        memcpy(warp->frame + op->d + (size_t)lane * 16, old, sizeof old);
    }
    return op + 1;
}
static const PtxOp *atom_exch_b128(PtxWarp *warp, const PtxOp *op)
{
    return atomic_b128(warp, op, true);
}
static const PtxOp *atom_cas_b128(PtxWarp *warp, const PtxOp *op)
{
    return atomic_b128(warp, op, false);
}

#define ROWS(name, bytes)        PTX_ROW(atom_##name), PTX_ROW(red_##name),
#define VECTOR_ROWS(name, bytes) PTX_ROW(atomv_##name), PTX_ROW(redv_##name),

extern const PtxHandlerRow PTX_NAME(atomic_handlers)[];
const PtxHandlerRow PTX_NAME(atomic_handlers)[] = {
    EVERY_ATOMIC(ROWS) EVERY_VECTOR(VECTOR_ROWS) PTX_ROW(atom_exch_b128),
    PTX_ROW(atom_cas_b128),
    {NULL, NULL},
};
