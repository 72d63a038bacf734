/* Arithmetic of lanes that C's vectors leave undefined or that compilers lower badly: shifts by any amount, products of
 * 32-bit lanes, counts of bits. Intrinsics stand beside a general form that gives the same bits. */
#ifndef GAVEL_PTX_EXEC_ARITHMETIC_H
#define GAVEL_PTX_EXEC_ARITHMETIC_H

#include "ptx/exec/lanes.h"

/* Two 16-bit values a lane of 32 bits. */
PTX_VECTOR(uint16_t, V_u16, N32 * 2);
PTX_VECTOR(int16_t, V_s16, N32 * 2);

/* ---- 16-bit values in 32-bit lanes ------------------------------------------------------------------------------- */

static inline V_u32 zero_extend_16(V_u32 x)
{
    return x & 0xffff;
}
static inline V_s32 sign_extend_16(V_u32 x)
{
    return (V_s32)(x << 16) >> 16;
}

/* ---- widening ---------------------------------------------------------------------------------------------------- */

static inline V_u64 widen_u32(H_u32 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u64)_mm512_cvtepu32_epi64((__m256i)x);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u64)_mm256_cvtepu32_epi64((__m128i)x);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return (V_u64)_mm_cvtepu32_epi64(_mm_cvtsi64_si128((long long)x));
#else
    return __builtin_convertvector(x, V_u64);
#endif
}
static inline V_s64 widen_s32(H_s32 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_s64)_mm512_cvtepi32_epi64((__m256i)x);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_s64)_mm256_cvtepi32_epi64((__m128i)x);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return (V_s64)_mm_cvtepi32_epi64(_mm_cvtsi64_si128((long long)x));
#else
    return __builtin_convertvector(x, V_s64);
#endif
}

static inline H_u32 narrow_u64(V_u64 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (H_u32)_mm512_cvtepi64_epi32((__m512i)x);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    const __m256i even = _mm256_permutevar8x32_epi32((__m256i)x, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    return (H_u32)_mm256_castsi256_si128(even);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return (H_u32)_mm_cvtsi128_si64(_mm_shuffle_epi32((__m128i)x, 8)); /* words 0 and 2 */
#else
    return __builtin_convertvector(x, H_u32);
#endif
}

/* ---- shifts: amounts of the width and more move everything out --------------------------------------------------- */

static inline V_u32 shift_left_32(V_u32 x, V_u32 amount)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u32)_mm512_sllv_epi32((__m512i)x, (__m512i)amount);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u32)_mm256_sllv_epi32((__m256i)x, (__m256i)amount);
#else
    return (x << (amount & 31)) & (V_u32)(amount < 32);
#endif
}
static inline V_u32 shift_right_u32(V_u32 x, V_u32 amount)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u32)_mm512_srlv_epi32((__m512i)x, (__m512i)amount);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u32)_mm256_srlv_epi32((__m256i)x, (__m256i)amount);
#else
    return (x >> (amount & 31)) & (V_u32)(amount < 32);
#endif
}
static inline V_s32 shift_right_s32(V_s32 x, V_u32 amount)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_s32)_mm512_srav_epi32((__m512i)x, (__m512i)amount);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_s32)_mm256_srav_epi32((__m256i)x, (__m256i)amount);
#else
    const V_u32 all = (V_u32)(amount > 31);
    return x >> (V_s32)((amount | all) & 31);
#endif
}
static inline V_u64 shift_left_64(V_u64 x, V_u64 amount)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u64)_mm512_sllv_epi64((__m512i)x, (__m512i)amount);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u64)_mm256_sllv_epi64((__m256i)x, (__m256i)amount);
#else
    return (x << (amount & 63)) & (V_u64)(amount < 64);
#endif
}
static inline V_u64 shift_right_u64(V_u64 x, V_u64 amount)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u64)_mm512_srlv_epi64((__m512i)x, (__m512i)amount);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u64)_mm256_srlv_epi64((__m256i)x, (__m256i)amount);
#else
    return (x >> (amount & 63)) & (V_u64)(amount < 64);
#endif
}
/* AVX2 has no arithmetic shift of 64 bits: the sign bit is shifted along and then extended by hand. */
static inline V_s64 shift_right_s64(V_s64 x, V_u64 amount)
{
    const V_u64 clamped = (amount | (V_u64)(amount > 63)) & 63;
    const V_u64 sign = shift_right_u64(((V_u64){0} + 1) << 63, clamped);
    return (V_s64)((shift_right_u64((V_u64)x, clamped) ^ sign) - sign);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* Whole products of the low halves of 64-bit lanes. */
static inline V_u64 product_u32(V_u64 x, V_u64 y)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_u64)_mm512_mul_epu32((__m512i)x, (__m512i)y);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u64)_mm256_mul_epu32((__m256i)x, (__m256i)y);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE2__)
    return (V_u64)_mm_mul_epu32((__m128i)x, (__m128i)y);
#else
    return (x & 0xffffffff) * (y & 0xffffffff);
#endif
}
static inline V_s64 product_s32(V_s64 x, V_s64 y)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_s64)_mm512_mul_epi32((__m512i)x, (__m512i)y);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_s64)_mm256_mul_epi32((__m256i)x, (__m256i)y);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
    return (V_s64)_mm_mul_epi32((__m128i)x, (__m128i)y);
#else
    return ((V_s64)((V_u64)x << 32) >> 32) * ((V_s64)((V_u64)y << 32) >> 32);
#endif
}

/* Upper halves of 32-bit products: those of even and of odd lanes apart, as 64-bit lanes. */
static inline V_u32 high_product_u32(V_u32 x, V_u32 y)
{
#if PTX_VECTOR_BYTES
    const V_u64 even = product_u32((V_u64)x, (V_u64)y);
    const V_u64 odd = product_u32((V_u64)x >> 32, (V_u64)y >> 32);
    return (V_u32)(even >> 32 | (odd & ~UINT64_C(0xffffffff)));
#else
    return (V_u32){0} + (uint32_t)((uint64_t)x[0] * y[0] >> 32);
#endif
}
static inline V_u32 high_product_s32(V_s32 x, V_s32 y)
{
#if PTX_VECTOR_BYTES
    const V_u64 even = (V_u64)product_s32((V_s64)x, (V_s64)y);
    const V_u64 odd = (V_u64)product_s32((V_s64)((V_u64)x >> 32), (V_s64)((V_u64)y >> 32));
    return (V_u32)(even >> 32 | (odd & ~UINT64_C(0xffffffff)));
#else
    return (V_u32){0} + (uint32_t)((int64_t)x[0] * y[0] >> 32);
#endif
}

/* By four products of halves, since no vector unit multiplies further. */
static inline V_u64 high_product_u64(V_u64 x, V_u64 y)
{
    const V_u64 low = product_u32(x, y), across = product_u32(x >> 32, y), other = product_u32(x, y >> 32);
    const V_u64 middle = (low >> 32) + (across & 0xffffffff) + (other & 0xffffffff);
    return product_u32(x >> 32, y >> 32) + (across >> 32) + (other >> 32) + (middle >> 32);
}
static inline V_u64 high_product_s64(V_s64 x, V_s64 y)
{
    return high_product_u64((V_u64)x, (V_u64)y) - ((V_u64)(x >> 63) & (V_u64)y) - ((V_u64)(y >> 63) & (V_u64)x);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static inline V_u32 count_bits_32(V_u32 x)
{
    x -= (x >> 1) & 0x55555555;
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return (x * 0x01010101) >> 24;
}

static inline V_u32 leading_zeros_32(V_u32 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512CD__)
    return (V_u32)_mm512_lzcnt_epi32((__m512i)x);
#else
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return count_bits_32(~x);
#endif
}

/* The low `count` bits set; all of them from the width on. */
static inline V_u32 low_bits_32(V_u32 count)
{
    return shift_left_32((V_u32){0} + 1, count) - 1;
}
static inline V_u64 low_bits_64(V_u64 count)
{
    return shift_left_64((V_u64){0} + 1, count) - 1;
}

/* ---- predicates -------------------------------------------------------------------------------------------------- */

static inline uint32_t predicate_source(const PtxWarp *warp, const PtxOp *op, uint32_t slot, PtxFlag negated)
{
    return ptx_predicate(warp, slot) ^ (op->flags & (uint32_t)negated ? UINT32_MAX : 0);
}

/* The boolean operation of setp, set and lop3. */
static inline uint32_t predicate_operation(const PtxOp *op, uint32_t x, uint32_t y)
{
    switch (op->operation) {
    case PTX_OPERATION_AND: return x & y;
    case PTX_OPERATION_OR: return x | y;
    case PTX_OPERATION_XOR: return x ^ y;
    default: return x;
    }
}

/* ---- one lane after the other ------------------------------------------------------------------------------------ */

/* For what is rare: `expression` is written with the scalars x, y, z (sources a, b, c) of one lane. */
#define PTX_LANEWISE(name, TD, TA, TB, TC, expression)                                                                 \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        TD *ret = SLOT(TD, warp, op->d);                                                                               \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            const TA x = SLOT(const TA, warp, op->a)[lane];                                                            \
            const TB y = SLOT(const TB, warp, op->b)[lane];                                                            \
            const TC z = SLOT(const TC, warp, op->c)[lane];                                                            \
            (void)y, (void)z;                                                                                          \
            ret[lane] = (expression);                                                                                  \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }

#endif
