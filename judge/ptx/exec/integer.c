/* Integer arithmetic (PTX ISA 9.7.1, 9.7.2, 9.7.17): sums, products, quotients, carries, fields of bits, dot products.
 *
 * Handlers named ..._u32 also serve 16-bit types where only the low bits of the operands decide the low bits of the
 * result. A quotient or remainder by zero is all ones, as on an H200. */
#include "ptx/exec/arithmetic.h"

/* ---- sums, signs, extremes --------------------------------------------------------------------------------------- */

static inline V_s32 saturate(V_s32 sum, V_s32 overflow, V_s32 sign)
{
    const V_s32 limit = (sign >> 31) ^ INT32_MAX;
    return SELECT32(overflow >> 31, limit, sum);
}
static inline V_s32 add_saturated(V_s32 x, V_s32 y)
{
    const V_s32 sum = (V_s32)((V_u32)x + (V_u32)y);
    return saturate(sum, (x ^ sum) & (y ^ sum), x);
}
static inline V_s32 subtract_saturated(V_s32 x, V_s32 y)
{
    const V_s32 difference = (V_s32)((V_u32)x - (V_u32)y);
    return saturate(difference, (x ^ y) & (x ^ difference), x);
}

PTX_BINARY(32, add_u32, V_u32, V_u32, V_u32, x + y)
PTX_BINARY(64, add_u64, V_u64, V_u64, V_u64, x + y)
PTX_BINARY(32, add_u16x2, V_u16, V_u16, V_u16, x + y)
PTX_BINARY(32, sub_u32, V_u32, V_u32, V_u32, x - y)
PTX_BINARY(64, sub_u64, V_u64, V_u64, V_u64, x - y)
PTX_BINARY(32, add_sat_s32, V_s32, V_s32, V_s32, add_saturated(x, y))
PTX_BINARY(32, sub_sat_s32, V_s32, V_s32, V_s32, subtract_saturated(x, y))

PTX_UNARY(32, neg_u32, V_u32, V_u32, -x)
PTX_UNARY(64, neg_u64, V_u64, V_u64, -x)
PTX_UNARY(32, abs_s16, V_s32, V_u32, (sign_extend_16(x) ^ (sign_extend_16(x) >> 31)) - (sign_extend_16(x) >> 31))
PTX_UNARY(32, abs_s32, V_u32, V_s32, (V_u32)(x ^ (x >> 31)) - (V_u32)(x >> 31))
PTX_UNARY(64, abs_s64, V_u64, V_s64, (V_u64)(x ^ (x >> 63)) - (V_u64)(x >> 63))

#define SMALLER(W, x, y) SELECT##W((V_s##W)((x) < (y)), x, y)
#define GREATER(W, x, y) SELECT##W((V_s##W)((x) > (y)), x, y)
#define POSITIVE(W, x)   ((x) & ~(V_s##W)((x) < 0))

/* min, max: `choose` is SMALLER or GREATER. The 16-bit forms choose among extended values. */
#define EXTREMES(name, choose)                                                                                         \
    PTX_BINARY(32, name##_u32, V_u32, V_u32, V_u32, choose(32, x, y))                                                  \
    PTX_BINARY(32, name##_s32, V_s32, V_s32, V_s32, choose(32, x, y))                                                  \
    PTX_BINARY(64, name##_u64, V_u64, V_u64, V_u64, choose(64, x, y))                                                  \
    PTX_BINARY(64, name##_s64, V_s64, V_s64, V_s64, choose(64, x, y))                                                  \
    PTX_BINARY(32, name##_relu_s32, V_s32, V_s32, V_s32, POSITIVE(32, choose(32, x, y)))                               \
    PTX_BINARY(32, name##_u16, V_u32, V_u32, V_u32, choose(32, zero_extend_16(x), zero_extend_16(y)))                  \
    PTX_BINARY(32, name##_s16, V_s32, V_u32, V_u32, choose(32, sign_extend_16(x), sign_extend_16(y)))                  \
    PTX_BINARY(32, name##_u16x2, V_u16, V_u16, V_u16, choose(32, x, y))                                                \
    PTX_BINARY(32, name##_s16x2, V_s16, V_s16, V_s16, choose(32, x, y))                                                \
    PTX_BINARY(32, name##_relu_s16x2, V_s16, V_s16, V_s16, choose(32, x, y) & (V_s16)(choose(32, x, y) > 0))
EXTREMES(min, SMALLER)
EXTREMES(max, GREATER)

/* |x - y| + z */
#define DISTANCE(W, x, y) ((V_u##W)(GREATER(W, x, y)) - (V_u##W)(SMALLER(W, x, y)))
PTX_TERNARY(32, sad_u32, V_u32, V_u32, V_u32, V_u32, DISTANCE(32, x, y) + z)
PTX_TERNARY(32, sad_s32, V_u32, V_s32, V_s32, V_u32, DISTANCE(32, x, y) + z)
PTX_TERNARY(64, sad_u64, V_u64, V_u64, V_u64, V_u64, DISTANCE(64, x, y) + z)
PTX_TERNARY(64, sad_s64, V_u64, V_s64, V_s64, V_u64, DISTANCE(64, x, y) + z)
PTX_TERNARY(32, sad_u16, V_u32, V_u32, V_u32, V_u32, DISTANCE(32, zero_extend_16(x), zero_extend_16(y)) + z)
PTX_TERNARY(32, sad_s16, V_u32, V_u32, V_u32, V_u32, DISTANCE(32, sign_extend_16(x), sign_extend_16(y)) + z)

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* mul and mad of the same product; z is as wide as the product. */
#define PRODUCTS(W, suffix, TD, TS, product)                                                                           \
    PTX_BINARY(W, mul_##suffix, TD, TS, TS, product)                                                                   \
    PTX_TERNARY(W, mad_##suffix, TD, TS, TS, TD, (product) + z)

#define U16(x) zero_extend_16(x)
#define S16(x) ((V_u32)sign_extend_16(x))
#define U24(x) ((x)&0xffffff)
#define S24(x) ((V_s32)((x) << 8) >> 8)
/* Bits 47 to 16 of a product of 48 bits. */
#define MIDDLE(high, low) ((high) << 16 | (low) >> 16)

PRODUCTS(32, lo_u32, V_u32, V_u32, x *y)
PRODUCTS(64, lo_u64, V_u64, V_u64, x *y)
PRODUCTS(32, hi_u16, V_u32, V_u32, (U16(x) * U16(y)) >> 16)
PRODUCTS(32, hi_s16, V_u32, V_u32, (S16(x) * S16(y)) >> 16)
PRODUCTS(32, hi_u32, V_u32, V_u32, high_product_u32(x, y))
PRODUCTS(32, hi_s32, V_u32, V_u32, high_product_s32((V_s32)x, (V_s32)y))
PRODUCTS(64, hi_u64, V_u64, V_u64, high_product_u64(x, y))
PRODUCTS(64, hi_s64, V_u64, V_u64, high_product_s64((V_s64)x, (V_s64)y))
PRODUCTS(32, wide_u16, V_u32, V_u32, U16(x) * U16(y))
PRODUCTS(32, wide_s16, V_u32, V_u32, S16(x) * S16(y))
PRODUCTS(64, wide_u32, V_u64, H_u32, product_u32(widen_u32(x), widen_u32(y)))
PRODUCTS(64, wide_s32, V_u64, H_s32, (V_u64)product_s32(widen_s32(x), widen_s32(y)))
PRODUCTS(32, 24_lo_u32, V_u32, V_u32, U24(x) * U24(y))
PRODUCTS(32, 24_lo_s32, V_u32, V_u32, (V_u32)S24(x) * (V_u32)S24(y))
PRODUCTS(32, 24_hi_u32, V_u32, V_u32, MIDDLE(high_product_u32(U24(x), U24(y)), U24(x) * U24(y)))
PRODUCTS(32, 24_hi_s32, V_u32, V_u32, MIDDLE(high_product_s32(S24(x), S24(y)), (V_u32)S24(x) * (V_u32)S24(y)))

PTX_TERNARY(32, mad_hi_sat_s32, V_s32, V_s32, V_s32, V_s32, add_saturated((V_s32)high_product_s32(x, y), z))
PTX_TERNARY(32, mad24_hi_sat_s32, V_s32, V_u32, V_u32, V_s32,
            add_saturated((V_s32)MIDDLE(high_product_s32(S24(x), S24(y)), (V_u32)S24(x) * (V_u32)S24(y)), z))

/* ---- sums of products -------------------------------------------------------------------------------------------- */

static inline V_u32 byte_u32(V_u32 x, int index)
{
    return (x >> (8 * index)) & 0xff;
}
static inline V_u32 byte_s32(V_u32 x, int index)
{
    return (V_u32)((V_s32)(x << (24 - 8 * index)) >> 24);
}
static inline V_u32 half_u32(V_u32 x, int index)
{
    return (x >> (16 * index)) & 0xffff;
}
static inline V_u32 half_s32(V_u32 x, int index)
{
    return (V_u32)((V_s32)(x << (16 - 16 * index)) >> 16);
}

#define DOT4(t, u, x, y)                                                                                               \
    (byte_##t(x, 0) * byte_##u(y, 0) + byte_##t(x, 1) * byte_##u(y, 1) + byte_##t(x, 2) * byte_##u(y, 2) +             \
     byte_##t(x, 3) * byte_##u(y, 3))
#define DOT2(t, u, x, y, first) (half_##t(x, 0) * byte_##u(y, first) + half_##t(x, 1) * byte_##u(y, (first) + 1))
#define DOTS(t, u)                                                                                                     \
    PTX_TERNARY(32, dp4a_##t##_##u, V_u32, V_u32, V_u32, V_u32, DOT4(t, u, x, y) + z)                                  \
    PTX_TERNARY(32, dp2a_lo_##t##_##u, V_u32, V_u32, V_u32, V_u32, DOT2(t, u, x, y, 0) + z)                            \
    PTX_TERNARY(32, dp2a_hi_##t##_##u, V_u32, V_u32, V_u32, V_u32, DOT2(t, u, x, y, 2) + z)
DOTS(u32, u32)
DOTS(u32, s32)
DOTS(s32, u32)
DOTS(s32, s32)

/* ---- quotients --------------------------------------------------------------------------------------------------- */

static void find_zero_divisors(PtxWarp *warp, const PtxOp *op, uint32_t zeros)
{
    for (PTX_EACH_LANE(lane, zeros & warp->mask))
        ptx_finding(warp, op, lane, PTX_FINDING_DIVISION_BY_ZERO);
}

#if PTX_VECTOR_BYTES
/* x / y for 64-bit lanes below 2^32, y not 0. The double quotient of such integers is never rounded up to an integer
 * that the true one does not reach: it misses the next by 1/y at least, 2^-32 of itself, and doubles have 53 bits. An
 * integer below 2^52 is turned into a double and back by putting it into the mantissa of 2^52. */
static inline V_u64 small_quotient(V_u64 x, V_u64 y)
{
    const V_u64 exponent = (V_u64){0} + UINT64_C(0x4330000000000000);
    const V_f64 big = (V_f64)exponent;
    const V_f64 exact = ((V_f64)(x | exponent) - big) / ((V_f64)(y | exponent) - big);
    const V_f64 rounded = exact + big;
    const V_u64 was_rounded_up = (V_u64)(rounded - big > exact);
    return ((V_u64)rounded + was_rounded_up) & 0xffffffff;
}
#endif

/* All ones where y is 0. */
static inline V_u32 quotient_u32(V_u32 x, V_u32 y)
{
    const V_u32 is_zero = (V_u32)(y == 0), divisor = y - is_zero;
#if PTX_VECTOR_BYTES
    const V_u64 even = small_quotient((V_u64)x & 0xffffffff, (V_u64)divisor & 0xffffffff);
    const V_u64 odd = small_quotient((V_u64)x >> 32, (V_u64)divisor >> 32);
    return (V_u32)(even | odd << 32) | is_zero;
#else
    return (x / divisor) | is_zero;
#endif
}
static inline V_u32 quotient_s32(V_s32 x, V_s32 y)
{
    const V_s32 x_sign = x >> 31, y_sign = y >> 31, sign = x_sign ^ y_sign;
    const V_u32 size = quotient_u32((V_u32)(x ^ x_sign) - (V_u32)x_sign, (V_u32)(y ^ y_sign) - (V_u32)y_sign);
    return ((size ^ (V_u32)sign) - (V_u32)sign) | (V_u32)(y == 0);
}

#define DIVIDE_32(name, T, extension, result)                                                                          \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        PTX_SOURCE(V_u32, a);                                                                                          \
        PTX_SOURCE(V_u32, b);                                                                                          \
        V_u32 *ret = SLOT(V_u32, warp, op->d);                                                                         \
        const uint32_t written = warp->keep ? warp->mask : UINT32_MAX;                                                 \
        uint32_t zeros = 0;                                                                                            \
        for (int part = 0; part < PARTS32; part++) {                                                                   \
            const T x = (T)extension(from_a[part]), y = (T)extension(from_b[part]);                                    \
            zeros |= bits32((V_s32)(y == 0)) << (part * N32);                                                          \
            const V_u32 value = (result);                                                                              \
            ret[part] = BLEND32(written, part, value, ret[part]);                                                      \
        }                                                                                                              \
        if (zeros & warp->mask)                                                                                        \
            find_zero_divisors(warp, op, zeros);                                                                       \
        return op + 1;                                                                                                 \
    }
#define AS_IS(x) (x)
DIVIDE_32(div_u16, V_u32, zero_extend_16, quotient_u32(x, y))
DIVIDE_32(div_s16, V_s32, sign_extend_16, quotient_s32(x, y))
DIVIDE_32(div_u32, V_u32, AS_IS, quotient_u32(x, y))
DIVIDE_32(div_s32, V_s32, AS_IS, quotient_s32(x, y))
DIVIDE_32(rem_u16, V_u32, zero_extend_16, (x - quotient_u32(x, y) * y) | (V_u32)(y == 0))
DIVIDE_32(rem_s16, V_s32, sign_extend_16, ((V_u32)x - quotient_s32(x, y) * (V_u32)y) | (V_u32)(y == 0))
DIVIDE_32(rem_u32, V_u32, AS_IS, (x - quotient_u32(x, y) * y) | (V_u32)(y == 0))
DIVIDE_32(rem_s32, V_s32, AS_IS, ((V_u32)x - quotient_s32(x, y) * (V_u32)y) | (V_u32)(y == 0))

/* Of executing lanes only: the others' divisors may be anything. */
static inline uint64_t quotient_u64(uint64_t x, uint64_t y)
{
    if (y == 0)
        return UINT64_MAX;
    return (x | y) >> 32 ? x / y : (uint32_t)x / (uint32_t)y;
}
static inline uint64_t quotient_s64(int64_t x, int64_t y)
{
    if (y == 0 || y == -1) /* INT64_MIN / -1 wraps */
        return y ? -(uint64_t)x : UINT64_MAX;
    return (uint64_t)(x / y);
}

#define DIVIDE_64(name, T, result)                                                                                     \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        uint32_t zeros = 0;                                                                                            \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            const T x = SLOT(const T, warp, op->a)[lane], y = SLOT(const T, warp, op->b)[lane];                        \
            zeros |= (uint32_t)(y == 0) << lane;                                                                       \
            SLOT(uint64_t, warp, op->d)[lane] = (result);                                                              \
        }                                                                                                              \
        if (zeros)                                                                                                     \
            find_zero_divisors(warp, op, zeros);                                                                       \
        return op + 1;                                                                                                 \
    }
DIVIDE_64(div_u64, uint64_t, quotient_u64(x, y))
DIVIDE_64(div_s64, int64_t, quotient_s64(x, y))
DIVIDE_64(rem_u64, uint64_t, y ? x - quotient_u64(x, y) * y : UINT64_MAX)
DIVIDE_64(rem_s64, int64_t, y ? (uint64_t)x - quotient_s64(x, y) * (uint64_t)y : UINT64_MAX)

/* ---- carries ----------------------------------------------------------------------------------------------------- */

static inline void set_carry(PtxWarp *warp, const PtxOp *op, uint32_t carry)
{
    if (op->flags & PTX_FLAG_CC)
        warp->carry = (warp->carry & ~warp->mask) | (carry & warp->mask);
}

/* CC.CF is the carry out of a sum and the borrow of a difference. `first` and `second` are written with x, y, z;
 * `carry_in` is 0 or warp->carry. Two steps, each of which may carry, but not both. */
#define WITH_CARRY(W, name, sources, loads, first, operator, second, lost, carry_in)                                   \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        V_u##W *ret = SLOT(V_u##W, warp, op->d);                                                                       \
        const uint32_t written = warp->keep ? warp->mask : UINT32_MAX;                                                 \
        const uint32_t before = carry_in;                                                                              \
        uint32_t after = 0;                                                                                            \
        sources;                                                                                                       \
        for (int part = 0; part < PARTS##W; part++) {                                                                  \
            loads;                                                                                                     \
            const V_u##W one = (V_u##W)lanes##W(before, part) & 1;                                                     \
            const V_u##W from = (first), half = from operator(second), value = half operator one;                      \
            const V_s##W carry = (V_s##W)(half lost from) | (V_s##W)(value lost half);                                 \
            after |= bits##W(carry) << (part * N##W);                                                                  \
            ret[part] = BLEND##W(written, part, value, ret[part]);                                                     \
        }                                                                                                              \
        set_carry(warp, op, after);                                                                                    \
        return op + 1;                                                                                                 \
    }
#define TWO(W)                                                                                                         \
    PTX_SOURCE(V_u##W, a);                                                                                             \
    PTX_SOURCE(V_u##W, b)
#define THREE(W)                                                                                                       \
    TWO(W);                                                                                                            \
    PTX_SOURCE(V_u##W, c)
#define LOADS(W)                                                                                                       \
    const V_u##W x = from_a[part];                                                                                     \
    const V_u##W y = from_b[part]
#define CARRY_SUMS(W)                                                                                                  \
    WITH_CARRY(W, add_cc_u##W, TWO(W), LOADS(W), x, +, y, <, 0)                                                        \
    WITH_CARRY(W, addc_u##W, TWO(W), LOADS(W), x, +, y, <, warp->carry)                                                \
    WITH_CARRY(W, sub_cc_u##W, TWO(W), LOADS(W), x, -, y, >, 0)                                                        \
    WITH_CARRY(W, subc_u##W, TWO(W), LOADS(W), x, -, y, >, warp->carry)
#define CARRY_PRODUCT(W, suffix, product)                                                                              \
    WITH_CARRY(W, mad_cc_##suffix, THREE(W), LOADS(W), product, +, from_c[part], <, 0)                                 \
    WITH_CARRY(W, madc_##suffix, THREE(W), LOADS(W), product, +, from_c[part], <, warp->carry)
CARRY_SUMS(32)
CARRY_SUMS(64)
CARRY_PRODUCT(32, lo_u32, x *y)
CARRY_PRODUCT(32, hi_u32, high_product_u32(x, y))
CARRY_PRODUCT(32, hi_s32, high_product_s32((V_s32)x, (V_s32)y))
CARRY_PRODUCT(64, lo_u64, x *y)
CARRY_PRODUCT(64, hi_u64, high_product_u64(x, y))
CARRY_PRODUCT(64, hi_s64, high_product_s64((V_s64)x, (V_s64)y))

/* ---- counting and finding bits ----------------------------------------------------------------------------------- */

static inline V_u32 reverse_bits_32(V_u32 x)
{
    x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
    x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2);
    x = ((x >> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
    x = ((x >> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
    return x >> 16 | x << 16;
}
static inline V_u64 reverse_bits_64(V_u64 x)
{
    const uint64_t one = UINT64_C(0x5555555555555555), two = UINT64_C(0x3333333333333333);
    const uint64_t four = UINT64_C(0x0f0f0f0f0f0f0f0f), eight = UINT64_C(0x00ff00ff00ff00ff);
    const uint64_t sixteen = UINT64_C(0x0000ffff0000ffff);
    x = ((x >> 1) & one) | ((x & one) << 1);
    x = ((x >> 2) & two) | ((x & two) << 2);
    x = ((x >> 4) & four) | ((x & four) << 4);
    x = ((x >> 8) & eight) | ((x & eight) << 8);
    x = ((x >> 16) & sixteen) | ((x & sixteen) << 16);
    return x >> 32 | x << 32;
}
static inline uint32_t leading_zeros_u64(uint64_t x)
{
    return x ? (uint32_t)__builtin_clzll(x) : 64;
}
/* A negative number's highest bit that is not like its sign. */
#define WITHOUT_SIGN(x, width) ((x) ^ ((x) >> ((width)-1)))

PTX_UNARY(32, popc_b32, V_u32, V_u32, count_bits_32(x))
PTX_UNARY(32, clz_b32, V_u32, V_u32, leading_zeros_32(x))
PTX_UNARY(32, brev_b32, V_u32, V_u32, reverse_bits_32(x))
PTX_UNARY(64, brev_b64, V_u64, V_u64, reverse_bits_64(x))
PTX_LANEWISE(popc_b64, uint32_t, uint64_t, uint32_t, uint32_t, (uint32_t)__builtin_popcountll(x))
PTX_LANEWISE(clz_b64, uint32_t, uint64_t, uint32_t, uint32_t, leading_zeros_u64(x))

/* Not found: all ones, which is 31 - 32 and 63 - 64; .shiftamt's needs a word of its own. */
PTX_UNARY(32, bfind_u32, V_u32, V_u32, 31 - leading_zeros_32(x))
PTX_UNARY(32, bfind_s32, V_u32, V_s32, 31 - leading_zeros_32((V_u32)WITHOUT_SIGN(x, 32)))
PTX_UNARY(32, bfind_shiftamt_u32, V_u32, V_u32, leading_zeros_32(x) | (V_u32)(x == 0))
PTX_UNARY(32, bfind_shiftamt_s32, V_u32, V_s32,
          leading_zeros_32((V_u32)WITHOUT_SIGN(x, 32)) | (V_u32)(WITHOUT_SIGN(x, 32) == 0))
static inline uint32_t shift_amount_64(uint64_t x)
{
    return x ? leading_zeros_u64(x) : UINT32_MAX;
}
PTX_LANEWISE(bfind_u64, uint32_t, uint64_t, uint32_t, uint32_t, 63 - leading_zeros_u64(x))
PTX_LANEWISE(bfind_s64, uint32_t, int64_t, uint32_t, uint32_t, 63 - leading_zeros_u64((uint64_t)WITHOUT_SIGN(x, 64)))
PTX_LANEWISE(bfind_shiftamt_u64, uint32_t, uint64_t, uint32_t, uint32_t, shift_amount_64(x))
PTX_LANEWISE(bfind_shiftamt_s64, uint32_t, int64_t, uint32_t, uint32_t, shift_amount_64((uint64_t)WITHOUT_SIGN(x, 64)))

/* The offset-th set bit from `base` upwards (offset > 0) or downwards; base itself counts. */
static inline uint32_t find_nth_set(uint32_t bits, uint32_t base, int32_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return bits >> base & 1 ? base : UINT32_MAX;
    uint32_t left = offset > 0 ? bits >> base << base : bits << (31 - base) >> (31 - base);
    uint32_t count = offset > 0 ? (uint32_t)offset : -(uint32_t)offset;
    while (left && --count)
        left &= offset > 0 ? left - 1 : ~(UINT32_C(0x80000000) >> __builtin_clz(left));
    if (!left)
        return UINT32_MAX;
    return (uint32_t)(offset > 0 ? __builtin_ctz(left) : 31 - __builtin_clz(left));
}
PTX_LANEWISE(fns_b32, uint32_t, uint32_t, uint32_t, int32_t, find_nth_set(x, y, z))

/* ---- fields of bits ---------------------------------------------------------------------------------------------- */

/* A field that ends beyond the sign bit is filled with it, one without bits is 0. Of positions and lengths above 255,
 * which the ISA excludes, devices take the low 8 bits in 32-bit forms and the whole in 64-bit ones. */
#define FIELDS(W)                                                                                                      \
    static inline V_u##W field_u##W(V_u##W x, V_u##W position, V_u##W length)                                          \
    {                                                                                                                  \
        return shift_right_u##W(x, position) & low_bits_##W(length);                                                   \
    }                                                                                                                  \
    static inline V_u##W field_s##W(V_u##W x, V_u##W position, V_u##W length)                                          \
    {                                                                                                                  \
        const V_u##W end = position + length;                                                                          \
        const V_u##W above = ((W)-end) & (V_u##W)(end < (W));                                                          \
        const V_s##W left = (V_s##W)shift_left_##W(x, above);                                                          \
        return (V_u##W)shift_right_s##W(left, above + position) & (V_u##W)(length != 0);                               \
    }                                                                                                                  \
    static inline V_u##W insert_##W(V_u##W x, V_u##W into, V_u##W position, V_u##W length)                             \
    {                                                                                                                  \
        const V_u##W field = shift_left_##W(low_bits_##W(length), position);                                           \
        return (into & ~field) | (shift_left_##W(x, position) & field);                                                \
    }
FIELDS(32)
FIELDS(64)

PTX_TERNARY(32, bfe_u32, V_u32, V_u32, V_u32, V_u32, field_u32(x, y & 0xff, z & 0xff))
PTX_TERNARY(32, bfe_s32, V_u32, V_u32, V_u32, V_u32, field_s32(x, y & 0xff, z & 0xff))
PTX_TERNARY(64, bfe_u64, V_u64, V_u64, H_u32, H_u32, field_u64(x, widen_u32(y), widen_u32(z)))
PTX_TERNARY(64, bfe_s64, V_u64, V_u64, H_u32, H_u32, field_s64(x, widen_u32(y), widen_u32(z)))
#define LOW_BYTE(x) ((x)&0xff)
#define INSERTION(W, TS, loads)                                                                                        \
    PTX_ELEMENTWISE_FROM(W, bfi_b##W, V_u##W, PTX_SOURCE(V_u##W, a); PTX_SOURCE(V_u##W, b); PTX_SOURCE(TS, c);         \
                         PTX_SOURCE(TS, e), (void)0,                                                                   \
                         insert_##W(from_a[part], from_b[part], loads(from_c[part]), loads(from_e[part])))
INSERTION(32, V_u32, LOW_BYTE)
INSERTION(64, H_u32, widen_u32)

/* szext: the low bits, extended; bmsk: bits from a position on. .clamp takes amounts above 32 as 32. */
PTX_BINARY(32, szext_clamp_u32, V_u32, V_u32, V_u32, x &low_bits_32(y))
PTX_BINARY(32, szext_wrap_u32, V_u32, V_u32, V_u32, x &low_bits_32(y & 31))
PTX_BINARY(32, szext_clamp_s32, V_u32, V_u32, V_u32, field_s32(x, (V_u32){0}, SMALLER(32, y, (V_u32){0} + 32)))
PTX_BINARY(32, szext_wrap_s32, V_u32, V_u32, V_u32, field_s32(x, (V_u32){0}, y & 31))
PTX_BINARY(32, bmsk_clamp_b32, V_u32, V_u32, V_u32, shift_left_32(low_bits_32(y), x))
PTX_BINARY(32, bmsk_wrap_b32, V_u32, V_u32, V_u32, shift_left_32(low_bits_32(y & 31), x & 31))

/* ---- SIMD video instructions ------------------------------------------------------------------------------------- */

typedef enum Video { VIDEO_ADD, VIDEO_SUB, VIDEO_AVERAGE, VIDEO_DISTANCE, VIDEO_MIN, VIDEO_MAX, VIDEO_SET } Video;

static int32_t video_element(uint32_t word, unsigned at, unsigned width, bool is_signed)
{
    const uint32_t top = word << (32 - width - at);
    return is_signed ? (int32_t)top >> (32 - width) : (int32_t)(top >> (32 - width));
}

static bool video_compare(int32_t x, int32_t y, PtxCompare compare)
{
    switch (compare) {
    case PTX_COMPARE_EQ: return x == y;
    case PTX_COMPARE_NE: return x != y;
    case PTX_COMPARE_LT: return x < y;
    case PTX_COMPARE_LE: return x <= y;
    case PTX_COMPARE_GT: return x > y;
    default: return x >= y;
    }
}

static int32_t video_result(Video video, const PtxOp *op, int32_t x, int32_t y)
{
    const int32_t sum = x + y;
    switch (video) {
    case VIDEO_ADD: return sum;
    case VIDEO_SUB: return x - y;
    case VIDEO_AVERAGE: return (sum + (sum >= 0)) >> 1;
    case VIDEO_DISTANCE: return x > y ? x - y : y - x;
    case VIDEO_MIN: return x < y ? x : y;
    case VIDEO_MAX: return x > y ? x : y;
    default: return video_compare(x, y, (PtxCompare)op->compare);
    }
}

static int32_t video_clamp(int32_t value, unsigned width, bool is_signed)
{
    const int32_t top = (1 << (is_signed ? width - 1 : width)) - 1, bottom = is_signed ? -top - 1 : 0;
    return value < bottom ? bottom : value > top ? top : value;
}

/* The bytes or halves of a and b, pair by pair: their results side by side, or added up on c. */
static inline const PtxOp *video_simd(PtxWarp *warp, const PtxOp *op, Video video, unsigned width, bool is_sum)
{
    const PtxType result = video == VIDEO_SET ? PTX_TYPE_U32 : (PtxType)op->type;
    const PtxType a_type = (PtxType)(video == VIDEO_SET ? op->type : op->type2);
    const PtxType b_type = (PtxType)(video == VIDEO_SET ? op->type2 : op->type3);
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint32_t a = ptx_lane_u32(warp, op->a, lane), b = ptx_lane_u32(warp, op->b, lane);
        uint32_t value = is_sum ? ptx_lane_u32(warp, op->c, lane) : 0;
        for (unsigned at = 0; at < 32; at += width) {
            int32_t element = video_result(video, op, video_element(a, at, width, a_type == PTX_TYPE_S32),
                                           video_element(b, at, width, b_type == PTX_TYPE_S32));
            if (op->flags & PTX_FLAG_SAT)
                element = video_clamp(element, width, result == PTX_TYPE_S32);
            value += is_sum ? (uint32_t)element : ((uint32_t)element & ((1u << width) - 1)) << at;
        }
        ptx_set_u32(warp, op->d, lane, value);
    }
    return op + 1;
}

#define VIDEO_HANDLER(name, video, width, is_sum)                                                                      \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        return video_simd(warp, op, video, width, is_sum);                                                             \
    }
#define VIDEO_NAMES(X)                                                                                                 \
    X(vadd, VIDEO_ADD)                                                                                                 \
    X(vsub, VIDEO_SUB)                                                                                                 \
    X(vavrg, VIDEO_AVERAGE) X(vabsdiff, VIDEO_DISTANCE) X(vmin, VIDEO_MIN) X(vmax, VIDEO_MAX) X(vset, VIDEO_SET)
#define VIDEO_HANDLERS(name, video)                                                                                    \
    VIDEO_HANDLER(name##2, video, 16, false)                                                                           \
    VIDEO_HANDLER(name##2_add, video, 16, true)                                                                        \
    VIDEO_HANDLER(name##4, video, 8, false)                                                                            \
    VIDEO_HANDLER(name##4_add, video, 8, true)
VIDEO_NAMES(VIDEO_HANDLERS)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define PRODUCT_ROWS(suffix)  PTX_ROW(mul_##suffix), PTX_ROW(mad_##suffix)
#define CARRY_ROWS(suffix)    PTX_ROW(mad_cc_##suffix), PTX_ROW(madc_##suffix)
#define DOT_ROWS(t, u)        PTX_ROW(dp4a_##t##_##u), PTX_ROW(dp2a_lo_##t##_##u), PTX_ROW(dp2a_hi_##t##_##u)
#define VIDEO_ROWS(name, ...) PTX_ROW(name##2), PTX_ROW(name##2_add), PTX_ROW(name##4), PTX_ROW(name##4_add),
#define TYPE_ROWS(name)                                                                                                \
    PTX_ROW(name##_u16), PTX_ROW(name##_s16), PTX_ROW(name##_u32), PTX_ROW(name##_s32), PTX_ROW(name##_u64),           \
        PTX_ROW(name##_s64)
#define EXTREME_ROWS(name)                                                                                             \
    TYPE_ROWS(name), PTX_ROW(name##_relu_s32), PTX_ROW(name##_u16x2), PTX_ROW(name##_s16x2), PTX_ROW(name##_relu_s16x2)
#define FIND_ROWS(name) PTX_ROW(name##_u32), PTX_ROW(name##_s32), PTX_ROW(name##_u64), PTX_ROW(name##_s64)

extern const PtxHandlerRow PTX_NAME(integer_handlers)[];
const PtxHandlerRow PTX_NAME(integer_handlers)[] = {
    PTX_ROW(add_u32),          PTX_ROW(add_u64),         PTX_ROW(add_u16x2),      PTX_ROW(sub_u32),
    PTX_ROW(sub_u64),          PTX_ROW(add_sat_s32),     PTX_ROW(sub_sat_s32),    PTX_ROW(neg_u32),
    PTX_ROW(neg_u64),          PTX_ROW(abs_s16),         PTX_ROW(abs_s32),        PTX_ROW(abs_s64),
    EXTREME_ROWS(min),         EXTREME_ROWS(max),        TYPE_ROWS(sad),          PRODUCT_ROWS(lo_u32),
    PRODUCT_ROWS(lo_u64),      PRODUCT_ROWS(hi_u16),     PRODUCT_ROWS(hi_s16),    PRODUCT_ROWS(hi_u32),
    PRODUCT_ROWS(hi_s32),      PRODUCT_ROWS(hi_u64),     PRODUCT_ROWS(hi_s64),    PRODUCT_ROWS(wide_u16),
    PRODUCT_ROWS(wide_s16),    PRODUCT_ROWS(wide_u32),   PRODUCT_ROWS(wide_s32),  PRODUCT_ROWS(24_lo_u32),
    PRODUCT_ROWS(24_lo_s32),   PRODUCT_ROWS(24_hi_u32),  PRODUCT_ROWS(24_hi_s32), PTX_ROW(mad_hi_sat_s32),
    PTX_ROW(mad24_hi_sat_s32), DOT_ROWS(u32, u32),       DOT_ROWS(u32, s32),      DOT_ROWS(s32, u32),
    DOT_ROWS(s32, s32),        TYPE_ROWS(div),           TYPE_ROWS(rem),          PTX_ROW(add_cc_u32),
    PTX_ROW(addc_u32),         PTX_ROW(sub_cc_u32),      PTX_ROW(subc_u32),       PTX_ROW(add_cc_u64),
    PTX_ROW(addc_u64),         PTX_ROW(sub_cc_u64),      PTX_ROW(subc_u64),       CARRY_ROWS(lo_u32),
    CARRY_ROWS(hi_u32),        CARRY_ROWS(hi_s32),       CARRY_ROWS(lo_u64),      CARRY_ROWS(hi_u64),
    CARRY_ROWS(hi_s64),        PTX_ROW(popc_b32),        PTX_ROW(popc_b64),       PTX_ROW(clz_b32),
    PTX_ROW(clz_b64),          PTX_ROW(brev_b32),        PTX_ROW(brev_b64),       FIND_ROWS(bfind),
    FIND_ROWS(bfind_shiftamt), PTX_ROW(fns_b32),         FIND_ROWS(bfe),          PTX_ROW(bfi_b32),
    PTX_ROW(bfi_b64),          PTX_ROW(szext_clamp_u32), PTX_ROW(szext_wrap_u32), PTX_ROW(szext_clamp_s32),
    PTX_ROW(szext_wrap_s32),   PTX_ROW(bmsk_clamp_b32),  PTX_ROW(bmsk_wrap_b32),  VIDEO_NAMES(VIDEO_ROWS){NULL, NULL},
};
