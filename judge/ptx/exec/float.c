/* f32 and f64 arithmetic: PTX ISA 9.7.3. A NaN result is the canonical one in f32 (0x7fffffff); f64 results of invalid
 * operations are 0x7ff8000000000000 with hardware's sign bit clear.
 *
 * f32 in the directed roundings goes through f64: a product of two f32 is exact there, a sum is rounded to odd, and one
 * rounding to f32 in the wanted direction follows. f64 in directed roundings, and quotients and roots, use the host's
 * rounding mode. */
#include <fenv.h>
#include <math.h>

#include "ptx/exec/formats.h"
#include "ptx/exec/lanes.h"
#include "ptx/exec/rounding.h"

#define F64_SIGN UINT64_C(0x8000000000000000)

/* ---- canonical results ---------------------------------------------------------------------------------------- */

static inline V_f64 canonical_f64(V_f64 x)
{
    return SELECT64((V_s64)(x == x), x, (V_f64)((V_u64){0} + UINT64_C(0x7ff8000000000000)));
}

static inline V_f32 flush_f32(V_f32 x)
{
    return (V_f32)flush_bits_f32((V_u32)x);
}

/* [+0, 1]; NaN becomes +0 */
static inline V_f32 saturate_f32(V_f32 x)
{
    const V_f32 one = 1.0f + (V_f32){0};
    const V_f32 low = SELECT32((V_s32)(x > 0.0f), x, (V_f32){0});
    return SELECT32((V_s32)(low > one), one, low);
}

static inline V_f32 finish_f32(const PtxOp *op, V_f32 x)
{
    if (op->flags & PTX_FLAG_FTZ)
        x = flush_f32(x);
    return op->flags & PTX_FLAG_SAT ? saturate_f32(x) : canonical_f32(x);
}

static inline V_f32 source_f32(const PtxOp *op, V_f32 x)
{
    return op->flags & PTX_FLAG_FTZ ? flush_f32(x) : x;
}

/* ---- plain forms ---------------------------------------------------------------------------------------------- */

PTX_BINARY(32, add_f32, V_f32, V_f32, V_f32, canonical_f32(x + y))
PTX_BINARY(32, sub_f32, V_f32, V_f32, V_f32, canonical_f32(x - y))
PTX_BINARY(32, mul_f32, V_f32, V_f32, V_f32, canonical_f32(x *y))
PTX_BINARY(32, div_f32, V_f32, V_f32, V_f32, canonical_f32(x / y))
PTX_BINARY(64, add_f64, V_f64, V_f64, V_f64, canonical_f64(x + y))
PTX_BINARY(64, sub_f64, V_f64, V_f64, V_f64, canonical_f64(x - y))
PTX_BINARY(64, mul_f64, V_f64, V_f64, V_f64, canonical_f64(x *y))
PTX_BINARY(64, div_f64, V_f64, V_f64, V_f64, canonical_f64(x / y))
PTX_UNARY(32, rcp_f32, V_f32, V_f32, canonical_f32(1.0f / x))
PTX_UNARY(64, rcp_f64, V_f64, V_f64, canonical_f64(1.0 / x))

static inline H_f32 half_vector(V_f32 x, int which)
{
    H_f32 part;
    memcpy(&part, (const char *)&x + (size_t)which * sizeof part, sizeof part);
    return part;
}

/* x * y + z in f64, to odd, then to f32 in one step: exact products, one rounding in all. An exact cancellation is +0,
 * and -0 when rounding down (IEEE 754-2019, 6.3). */
static inline H_f32 fused_halves(H_f32 x, H_f32 y, H_f32 z, int mode)
{
    const V_f64 product = __builtin_convertvector(x, V_f64) * __builtin_convertvector(y, V_f64);
    const V_f64 addend = __builtin_convertvector(z, V_f64);
    V_f64 sum = sum_f64(product, addend, ROUND_TO_ODD);
    if (mode == PTX_ROUND_DOWN) {
        const V_s64 cancels = (V_s64)(product == -addend) & (V_s64)(((V_s64)product ^ (V_s64)addend) < 0) &
                              (V_s64)(product - product == 0.0); /* infinities leave a NaN */
        sum = SELECT64(cancels, (V_f64)((V_u64){0} + F64_SIGN), sum);
    }
    return narrow_f64(sum, mode);
}

/* By two halves, as a vector of f32 has twice the lanes of one of f64; in the scalar build it is one step. */
static inline V_f32 fused_by_f64(V_f32 x, V_f32 y, V_f32 z, int mode)
{
    V_f32 result;
    for (int which = 0; which < N32 / N64; which++) {
        const H_f32 part = fused_halves(half_vector(x, which), half_vector(y, which), half_vector(z, which), mode);
        memcpy((char *)&result + (size_t)which * sizeof part, &part, sizeof part);
    }
    return result;
}

static inline V_f32 fused_f32(V_f32 x, V_f32 y, V_f32 z)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_f32)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
#elif PTX_VECTOR_BYTES == 32 && defined(__FMA__)
    return (V_f32)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
#else
    return fused_by_f64(x, y, z, PTX_ROUND_NEAREST_EVEN);
#endif
}

static inline V_f64 fused_f64(V_f64 x, V_f64 y, V_f64 z)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_f64)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#elif PTX_VECTOR_BYTES == 32 && defined(__FMA__)
    return (V_f64)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
#else
    V_f64 result;
    for (int i = 0; i < N64; i++)
        result[i] = fma(x[i], y[i], z[i]);
    return result;
#endif
}

PTX_TERNARY(32, fma_f32, V_f32, V_f32, V_f32, V_f32, canonical_f32(fused_f32(x, y, z)))
PTX_TERNARY(64, fma_f64, V_f64, V_f64, V_f64, V_f64, canonical_f64(fused_f64(x, y, z)))

static inline V_f32 root_f32(V_f32 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_f32)_mm512_sqrt_ps((__m512)x);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_f32)_mm256_sqrt_ps((__m256)x);
#else
    for (int i = 0; i < N32; i++)
        x[i] = sqrtf(x[i]);
    return x;
#endif
}

static inline V_f64 root_f64(V_f64 x)
{
    for (int i = 0; i < N64; i++)
        x[i] = sqrt(x[i]);
    return x;
}

PTX_UNARY(32, sqrt_f32, V_f32, V_f32, canonical_f32(root_f32(x)))
PTX_UNARY(64, sqrt_f64, V_f64, V_f64, canonical_f64(root_f64(x)))

/* ---- f32 with modifiers --------------------------------------------------------------------------------------- */

static inline int mode_of(const PtxOp *op)
{
    return op->rounding == PTX_ROUND_DEFAULT ? PTX_ROUND_NEAREST_EVEN : op->rounding;
}

static inline V_f32 sum_mode_f32(V_f32 x, V_f32 y, int mode)
{
    if (mode == PTX_ROUND_NEAREST_EVEN)
        return x + y;
    return fused_by_f64(x, 1.0f + (V_f32){0}, y, mode);
}

static inline V_f32 product_mode_f32(V_f32 x, V_f32 y, int mode)
{
    if (mode == PTX_ROUND_NEAREST_EVEN)
        return x * y;
    V_f32 result;
    for (int which = 0; which < N32 / N64; which++) {
        const V_f64 product = __builtin_convertvector(half_vector(x, which), V_f64) *
                              __builtin_convertvector(half_vector(y, which), V_f64);
        const H_f32 part = narrow_f64(product, mode);
        memcpy((char *)&result + (size_t)which * sizeof part, &part, sizeof part);
    }
    return result;
}

static inline V_f32 fused_mode_f32(V_f32 x, V_f32 y, V_f32 z, int mode)
{
    return mode == PTX_ROUND_NEAREST_EVEN ? fused_f32(x, y, z) : fused_by_f64(x, y, z, mode);
}

#define GENERAL_2(name, expression)                                                                                    \
    PTX_ELEMENTWISE(32, name, V_f32, const V_f32 x = source_f32(op, SLOT(V_f32, warp, op->a)[part]);                   \
                    const V_f32 y = source_f32(op, SLOT(V_f32, warp, op->b)[part]), finish_f32(op, expression))
GENERAL_2(addx_f32, sum_mode_f32(x, y, mode_of(op)))
GENERAL_2(subx_f32, sum_mode_f32(x, -y, mode_of(op)))
GENERAL_2(mulx_f32, product_mode_f32(x, y, mode_of(op)))
PTX_ELEMENTWISE(32, fmax_f32_general, V_f32, const V_f32 x = source_f32(op, SLOT(V_f32, warp, op->a)[part]);
                const V_f32 y = source_f32(op, SLOT(V_f32, warp, op->b)[part]);
                const V_f32 z = source_f32(op, SLOT(V_f32, warp, op->c)[part]),
                finish_f32(op, fused_mode_f32(x, y, z, mode_of(op))))
/* exp() of every kernel has this one. */
PTX_TERNARY(32, fma_rm_f32, V_f32, V_f32, V_f32, V_f32, canonical_f32(fused_mode_f32(x, y, z, PTX_ROUND_DOWN)))

/* ---- what the host's rounding mode does, lane by lane --------------------------------------------------------- */

static int host_mode(int mode)
{
    switch (mode) {
    case PTX_ROUND_ZERO: return FE_TOWARDZERO;
    case PTX_ROUND_DOWN: return FE_DOWNWARD;
    case PTX_ROUND_UP: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

/* volatile: the compiler must not move the arithmetic across the change of mode, nor do it at compile time. */
#define BY_LANES(name, bits, type, expression)                                                                         \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        const bool is_flushed = op->flags & PTX_FLAG_FTZ;                                                              \
        (void)fesetround(host_mode(op->rounding));                                                                     \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            volatile type x = SLOT(type, warp, op->a)[lane], y = SLOT(type, warp, op->b)[lane];                        \
            volatile type z = SLOT(type, warp, op->c)[lane];                                                           \
            if (is_flushed)                                                                                            \
                x = flush_lane_##bits(x), y = flush_lane_##bits(y), z = flush_lane_##bits(z);                          \
            volatile type result = (expression);                                                                       \
            if (is_flushed)                                                                                            \
                result = flush_lane_##bits(result);                                                                    \
            SLOT(type, warp, op->d)[lane] = result == result ? result : canonical_lane_##bits();                       \
        }                                                                                                              \
        (void)fesetround(FE_TONEAREST);                                                                                \
        return op + 1;                                                                                                 \
    }

static inline float flush_lane_32(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}
static inline double flush_lane_64(double x)
{
    return x; /* there is no .ftz for f64 */
}
static inline float canonical_lane_32(void)
{
    const uint32_t bits = F32_NAN;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double canonical_lane_64(void)
{
    const uint64_t bits = UINT64_C(0x7ff8000000000000);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

BY_LANES(divx_f32, 32, float, x / y)
BY_LANES(rcpx_f32, 32, float, 1.0f / x)
BY_LANES(sqrtx_f32, 32, float, sqrtf(x))
BY_LANES(addx_f64, 64, double, x + y)
BY_LANES(subx_f64, 64, double, x - y)
BY_LANES(mulx_f64, 64, double, x *y)
BY_LANES(fmax_f64_general, 64, double, fma(x, y, z))
BY_LANES(divx_f64, 64, double, x / y)
BY_LANES(rcpx_f64, 64, double, 1.0 / x)
BY_LANES(sqrtx_f64, 64, double, sqrt(x))

/* ---- signs, extremes ------------------------------------------------------------------------------------------ */

PTX_UNARY(32, neg_f32, V_u32, V_u32, x ^ F32_SIGN)
PTX_UNARY(32, abs_f32, V_u32, V_u32, x & ~F32_SIGN)
PTX_UNARY(64, neg_f64, V_u64, V_u64, x ^ F64_SIGN)
PTX_UNARY(64, abs_f64, V_u64, V_u64, x & ~F64_SIGN)
PTX_UNARY(32, neg_ftz_f32, V_u32, V_u32, flush_bits_f32(x) ^ F32_SIGN)
PTX_UNARY(32, abs_ftz_f32, V_u32, V_u32, flush_bits_f32(x) & ~F32_SIGN)
/* copysign d, a, b: the sign of a, the magnitude of b. */
PTX_BINARY(32, copysign_f32, V_u32, V_u32, V_u32, (x & F32_SIGN) | (y & ~F32_SIGN))
PTX_BINARY(64, copysign_f64, V_u64, V_u64, V_u64, (x & F64_SIGN) | (y & ~F64_SIGN))

/* The lesser one; -0 lies below +0; a number wins over a NaN. x == y holds for zeros of both signs, where the bits
 * joined by "or" have the lower sign and those joined by "and" the higher one. */
#define EXTREMES(W, canonical)                                                                                         \
    static inline V_f##W min_of_##W(V_f##W x, V_f##W y)                                                                \
    {                                                                                                                  \
        const V_f##W lesser = SELECT##W((V_s##W)(x < y), x, y);                                                        \
        const V_f##W equal = (V_f##W)((V_s##W)x | (V_s##W)y);                                                          \
        const V_f##W ordered = SELECT##W((V_s##W)(x == y), equal, lesser);                                             \
        const V_f##W without_y = SELECT##W((V_s##W)(y == y), ordered, x);                                              \
        return canonical(SELECT##W((V_s##W)(x == x), without_y, y));                                                   \
    }                                                                                                                  \
    static inline V_f##W max_of_##W(V_f##W x, V_f##W y)                                                                \
    {                                                                                                                  \
        const V_f##W greater = SELECT##W((V_s##W)(x > y), x, y);                                                       \
        const V_f##W equal = (V_f##W)((V_s##W)x & (V_s##W)y);                                                          \
        const V_f##W ordered = SELECT##W((V_s##W)(x == y), equal, greater);                                            \
        const V_f##W without_y = SELECT##W((V_s##W)(y == y), ordered, x);                                              \
        return canonical(SELECT##W((V_s##W)(x == x), without_y, y));                                                   \
    }
EXTREMES(32, canonical_f32)
EXTREMES(64, canonical_f64)
PTX_BINARY(32, min_f32, V_f32, V_f32, V_f32, min_of_32(x, y))
PTX_BINARY(32, max_f32, V_f32, V_f32, V_f32, max_of_32(x, y))
PTX_BINARY(64, min_f64, V_f64, V_f64, V_f64, min_of_64(x, y))
PTX_BINARY(64, max_f64, V_f64, V_f64, V_f64, max_of_64(x, y))

/* .ftz, .NaN (a NaN wins), .xorsign.abs (magnitudes compared, the sign is the xor of both) */
static inline V_f32 extreme_general(const PtxOp *op, V_f32 x, V_f32 y, bool is_max)
{
    const V_u32 sign = ((V_u32)x ^ (V_u32)y) & F32_SIGN;
    const V_s32 has_nan = (V_s32)(x != x) | (V_s32)(y != y);
    if (op->flags & PTX_FLAG_XORSIGN) {
        x = (V_f32)((V_u32)x & ~F32_SIGN);
        y = (V_f32)((V_u32)y & ~F32_SIGN);
    }
    V_f32 result = is_max ? max_of_32(x, y) : min_of_32(x, y);
    const V_s32 is_number = (V_s32)(result == result);
    if (op->flags & PTX_FLAG_XORSIGN)
        result = SELECT32(is_number, (V_f32)((V_u32)result | sign), result);
    if (op->flags & PTX_FLAG_NAN)
        result = SELECT32(has_nan, (V_f32)all32(F32_NAN), result);
    return result;
}
GENERAL_2(minx_f32, extreme_general(op, x, y, false))
GENERAL_2(maxx_f32, extreme_general(op, x, y, true))

static inline V_f32 everywhere_f32(float value)
{
    V_f32 result;
    for (int i = 0; i < N32; i++)
        result[i] = value; /* adding it to zeros would lose the sign of -0 */
    return result;
}

/* ---- two f32 in 64 bits ---------------------------------------------------------------------------------------- */

#define PAIRS(name, expression)                                                                                        \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            for (unsigned i = 2 * lane; i < 2 * lane + 2; i++) {                                                       \
                const V_f32 x = source_f32(op, everywhere_f32(SLOT(float, warp, op->a)[i]));                           \
                const V_f32 y = source_f32(op, everywhere_f32(SLOT(float, warp, op->b)[i]));                           \
                const V_f32 z = source_f32(op, everywhere_f32(SLOT(float, warp, op->c)[i]));                           \
                (void)z;                                                                                               \
                SLOT(float, warp, op->d)[i] = finish_f32(op, expression)[0];                                           \
            }                                                                                                          \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
PAIRS(add_f32x2, sum_mode_f32(x, y, mode_of(op)))
PAIRS(sub_f32x2, sum_mode_f32(x, -y, mode_of(op)))
PAIRS(mul_f32x2, product_mode_f32(x, y, mode_of(op)))
PAIRS(fma_f32x2, fused_mode_f32(x, y, z, mode_of(op)))

extern const PtxHandlerRow PTX_NAME(float_handlers)[];
const PtxHandlerRow PTX_NAME(float_handlers)[] = {
    PTX_ROW(add_f32),      PTX_ROW(sub_f32),
    PTX_ROW(mul_f32),      PTX_ROW(div_f32),
    PTX_ROW(add_f64),      PTX_ROW(sub_f64),
    PTX_ROW(mul_f64),      PTX_ROW(div_f64),
    PTX_ROW(rcp_f32),      PTX_ROW(rcp_f64),
    PTX_ROW(fma_f32),      PTX_ROW(fma_f64),
    PTX_ROW(sqrt_f32),     PTX_ROW(sqrt_f64),
    PTX_ROW(addx_f32),     PTX_ROW(subx_f32),
    PTX_ROW(mulx_f32),     {"fmax_f32", fmax_f32_general},
    PTX_ROW(fma_rm_f32),   PTX_ROW(divx_f32),
    PTX_ROW(rcpx_f32),     PTX_ROW(sqrtx_f32),
    PTX_ROW(addx_f64),     PTX_ROW(subx_f64),
    PTX_ROW(mulx_f64),     {"fmax_f64", fmax_f64_general},
    PTX_ROW(divx_f64),     PTX_ROW(rcpx_f64),
    PTX_ROW(sqrtx_f64),    PTX_ROW(neg_f32),
    PTX_ROW(abs_f32),      PTX_ROW(neg_f64),
    PTX_ROW(abs_f64),      PTX_ROW(neg_ftz_f32),
    PTX_ROW(abs_ftz_f32),  PTX_ROW(copysign_f32),
    PTX_ROW(copysign_f64), PTX_ROW(min_f32),
    PTX_ROW(max_f32),      PTX_ROW(min_f64),
    PTX_ROW(max_f64),      PTX_ROW(minx_f32),
    PTX_ROW(maxx_f32),     PTX_ROW(add_f32x2),
    PTX_ROW(sub_f32x2),    PTX_ROW(mul_f32x2),
    PTX_ROW(fma_f32x2),    {NULL, NULL},
};
