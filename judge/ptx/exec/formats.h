/* The floating-point formats of fewer than 32 bits: f16, bf16, tf32, fp8 (e4m3, e5m2), fp6 (e3m2, e2m3), fp4 (e2m1),
 * and the scale ue8m0.
 *
 * Their values lie in f32 exactly, and a correct rounding to f32 "to odd" keeps what a second rounding needs: so all
 * arithmetic goes through f32 or f64, and each result is rounded once. Codes stand in the low bits of 32-bit lanes;
 * where one is read the bits above it must be zero. A NaN becomes the format's one NaN, 0x7fffffff in f32. */
#ifndef GAVEL_PTX_EXEC_FORMATS_H
#define GAVEL_PTX_EXEC_FORMATS_H

#include "ptx/exec/arithmetic.h"

typedef struct SmallFormat {
    uint32_t mantissa_bits;
    int32_t least_exponent; /* of normal numbers */
    uint32_t sign;          /* bit of the code; 0 never */
    uint32_t greatest;      /* code of the largest finite number */
    uint32_t infinity, nan; /* codes; 0 if there is none */
} SmallFormat;

static const SmallFormat format_f16 = {10, -14, 0x8000, 0x7bff, 0x7c00, 0x7fff};
static const SmallFormat format_bf16 = {7, -126, 0x8000, 0x7f7f, 0x7f80, 0x7fff};
static const SmallFormat format_tf32 = {10, -126, 0x40000, 0x3fbff, 0x3fc00, 0x3ffff}; /* f32's upper 19 bits */
static const SmallFormat format_e4m3 = {3, -6, 0x80, 0x7e, 0, 0x7f};
static const SmallFormat format_e5m2 = {2, -14, 0x80, 0x7b, 0x7c, 0x7f};
static const SmallFormat format_e3m2 = {2, -2, 0x20, 0x1f, 0, 0};
static const SmallFormat format_e2m3 = {3, 0, 0x20, 0x1f, 0, 0};
static const SmallFormat format_e2m1 = {1, 0, 0x8, 0x7, 0, 0};

#define F32_SIGN     0x80000000
#define F32_INFINITY 0x7f800000
#define F32_NAN      0x7fffffff

static inline V_u32 all32(uint32_t value)
{
    return (V_u32){0} + value;
}
static inline V_u32 is_nan_f32(V_u32 bits)
{
    return (V_u32)((V_s32)(bits & F32_NAN) > F32_INFINITY);
}
static inline V_f32 canonical_f32(V_f32 x)
{
    return (V_f32)SELECT32((V_s32)(x != x), all32(F32_NAN), (V_u32)x);
}
/* Subnormals as zeros of their sign. */
static inline V_u32 flush_bits_f32(V_u32 bits)
{
    return bits & ~((V_u32)((bits & F32_INFINITY) == 0) & F32_NAN);
}

/* ---- to any of the formats ----------------------------------------------------------------------------------------
 */

/* Whether the part that is cut off, `rest` of twice `half`, adds one to `kept`: all ones if so. */
static inline V_u32 rounds_up(PtxRounding mode, V_u32 kept, V_u32 rest, V_u32 half, V_u32 is_negative)
{
    const V_u32 is_inexact = (V_u32)(rest != 0);
    switch (mode) {
    case PTX_ROUND_ZERO: return all32(0);
    case PTX_ROUND_DOWN: return is_inexact & is_negative;
    case PTX_ROUND_UP: return is_inexact & ~is_negative;
    case PTX_ROUND_NEAREST_AWAY: return (V_u32)((V_s32)rest >= (V_s32)half);
    default: return (V_u32)((V_s32)(rest + (kept & 1)) > (V_s32)half);
    }
}

/* Whether a number that is too large is rounded towards zero: all ones if so. */
static inline V_u32 inward(PtxRounding mode, V_u32 is_negative)
{
    switch (mode) {
    case PTX_ROUND_ZERO: return all32(UINT32_MAX);
    case PTX_ROUND_DOWN: return ~is_negative;
    case PTX_ROUND_UP: return is_negative;
    default: return all32(0);
    }
}

/* The code nearest to an f32 in the direction of `mode`. Beyond the range: infinity, or with `saturates`, or towards
 * zero, the largest number. A NaN of a format without any is the largest number too. */
static inline V_u32 format_from_f32(SmallFormat format, PtxRounding mode, bool saturates, V_f32 x)
{
    const V_u32 bits = (V_u32)x, magnitude = bits & F32_NAN, is_negative = (V_u32)((V_s32)bits < 0);
    const V_u32 is_normal = (V_u32)((V_s32)magnitude > 0x7fffff);
    const V_s32 exponent = (V_s32)(magnitude >> 23) - (V_s32)~is_normal;
    const V_u32 mantissa = (magnitude & 0x7fffff) | (is_normal & 0x800000);

    /* Below the least exponent, numbers lose a bit of the mantissa a step; from 25 on only "not zero" is left. */
    const V_s32 above = exponent - (format.least_exponent + 127);
    const V_s32 lost = -above & (V_s32)(above < 0), most = (V_s32)all32(8 + format.mantissa_bits);
    const V_u32 shift = 23 - format.mantissa_bits + (V_u32)SELECT32((V_s32)(lost > most), most, lost);
    const V_u32 unit = shift_left_32(all32(1), shift), kept = shift_right_u32(mantissa, shift);
    const V_u32 up = rounds_up(mode, kept, mantissa & (unit - 1), unit >> 1, is_negative);
    const V_u32 binade = (V_u32)(above & (V_s32)(above > 0)) << format.mantissa_bits;
    const V_u32 code = binade + kept - up;

    const V_u32 greatest = all32(format.greatest), is_finite = (V_u32)(magnitude != F32_INFINITY);
    const V_u32 is_limited =
        saturates || !format.infinity ? all32(UINT32_MAX) : (V_u32)(is_finite & inward(mode, is_negative));
    const V_u32 limit = SELECT32((V_s32)is_limited, greatest, all32(format.infinity));
    const V_u32 finite = SELECT32((V_s32)((V_s32)code > (V_s32)greatest), limit, code) | (is_negative & format.sign);
    return SELECT32((V_s32)is_nan_f32(bits), all32(format.nan ? format.nan : format.greatest), finite);
}

/* The value of a code. */
static inline V_f32 format_to_f32(SmallFormat format, V_u32 code)
{
    const V_u32 magnitude = code & (format.sign - 1), sign = (V_u32)((code & format.sign) != 0) & F32_SIGN;
    const uint32_t one = UINT32_C(1) << 23; /* one step of f32's exponent */
    const uint32_t bias = (uint32_t)(format.least_exponent + 126) * one;
    const V_u32 aligned = magnitude << (23 - format.mantissa_bits);
    /* A subnormal: made normal with a leading one, which is taken off again. */
    const V_f32 tiny = (V_f32)(aligned + bias + one) - (V_f32)all32(bias + one);
    const V_u32 is_tiny = (V_u32)((V_s32)magnitude < (1 << format.mantissa_bits));
    V_u32 value = SELECT32((V_s32)is_tiny, (V_u32)tiny, aligned + bias) | sign;
    if (format.infinity)
        value = SELECT32((V_s32)(magnitude == format.infinity), sign | F32_INFINITY, value);
    if (format.nan)
        value = SELECT32((V_s32)((V_s32)magnitude > (int32_t)(format.infinity ? format.infinity : format.greatest)),
                         all32(F32_NAN), value);
    return (V_f32)value;
}

/* ---- f16 ----------------------------------------------------------------------------------------------------------
 */

#if PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
/* 16-bit numbers of 32-bit lanes side by side, and back. */
static inline __m128i pack_16(V_u32 x)
{
    const __m256i pairs = _mm256_packus_epi32((__m256i)x, (__m256i)x);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(pairs, 0x08));
}
#endif

static inline V_f32 f16_to_f32(V_u32 code)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    const __m512 value = _mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)code));
    return (V_f32)_mm512_mask_mov_epi32((__m512i)value, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q),
                                        _mm512_set1_epi32(F32_NAN));
#elif PTX_VECTOR_BYTES == 32 && defined(__F16C__) && defined(__AVX2__)
    return canonical_f32((V_f32)_mm256_cvtph_ps(pack_16(code)));
#else
    return format_to_f32(format_f16, code);
#endif
}

#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
#define F32_TO_F16(x, mode, control)                                                                                   \
    ((V_u32)_mm512_mask_mov_epi32(_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)(x), control)),                        \
                                  _mm512_cmp_ps_mask((__m512)(x), (__m512)(x), _CMP_UNORD_Q),                          \
                                  _mm512_set1_epi32(0x7fff)))
#elif PTX_VECTOR_BYTES == 32 && defined(__F16C__) && defined(__AVX2__)
#define F32_TO_F16(x, mode, control)                                                                                   \
    SELECT32((V_s32)((x) != (x)), all32(0x7fff), (V_u32)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)(x), control)))
#else
#define F32_TO_F16(x, mode, control) format_from_f32(format_f16, mode, false, x)
#endif

static inline V_u32 f32_to_f16_rn(V_f32 x)
{
#if PTX_VECTOR_BYTES == 64 || PTX_VECTOR_BYTES == 32
    return F32_TO_F16(x, PTX_ROUND_NEAREST_EVEN, _MM_FROUND_TO_NEAREST_INT);
#else
    /* Like format_from_f32, without shifts by lane: a subnormal is rounded by adding a number whose last bit is its. */
    const V_u32 magnitude = (V_u32)x & F32_NAN, sign = ((V_u32)x & F32_SIGN) >> 16;
    const V_u32 normal = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    const V_u32 tiny = (V_u32)((V_f32)magnitude + 0.5f) - 0x3f000000;
    V_u32 code = SELECT32((V_s32)((V_s32)magnitude < (113 << 23)), tiny, normal);
    code = SELECT32((V_s32)((V_s32)magnitude >= 0x477ff000), all32(0x7c00), code) | sign;
    return SELECT32((V_s32)((V_s32)magnitude > F32_INFINITY), all32(0x7fff), code);
#endif
}
static inline V_u32 f32_to_f16_rz(V_f32 x)
{
    return F32_TO_F16(x, PTX_ROUND_ZERO, _MM_FROUND_TO_ZERO);
}

/* ---- bf16 and tf32: the upper bits of an f32 ----------------------------------------------------------------------
 */

static inline V_f32 bf16_to_f32(V_u32 code)
{
    return (V_f32)(code << 16);
}
static inline V_u32 f32_to_bf16_rn(V_f32 x)
{
    const V_u32 bits = (V_u32)x, code = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return SELECT32((V_s32)(x != x), all32(0x7fff), code);
}
static inline V_u32 f32_to_bf16_rz(V_f32 x)
{
    return SELECT32((V_s32)(x != x), all32(0x7fff), (V_u32)x >> 16);
}

/* ---- ue8m0: a power of two, 2^(code - 127), or NaN (0xff) ---------------------------------------------------------
 */

/* The sign is dropped. A number below the least power becomes it; above the greatest, or infinite: with `saturates` the
 * greatest, else NaN. */
static inline V_u32 f32_to_ue8m0(PtxRounding mode, bool saturates, V_f32 x)
{
    const V_u32 magnitude = (V_u32)x & F32_NAN, exponent = magnitude >> 23;
    const V_u32 is_subnormal = (V_u32)(exponent == 0);
    /* 2^-127 is the subnormal 0x400000. */
    const V_u32 is_above =
        SELECT32((V_s32)is_subnormal, (V_u32)((V_s32)magnitude > 0x400000), (V_u32)((magnitude & 0x7fffff) != 0));
    const V_u32 code = exponent + (is_above & (mode == PTX_ROUND_UP));
    const V_u32 limit = all32(saturates ? 0xfe : 0xff);
    return SELECT32((V_s32)is_nan_f32((V_u32)x), all32(0xff), SELECT32((V_s32)((V_s32)code > 0xfe), limit, code));
}
/* As bf16. */
static inline V_u32 ue8m0_to_bf16(V_u32 code)
{
    const V_u32 power = SELECT32((V_s32)(code == 0), all32(0x40), code << 7);
    return SELECT32((V_s32)(code == 0xff), all32(0x7fff), power);
}

/* ---- one number ---------------------------------------------------------------------------------------------------
 */

#define SMALL_VALUE(format)                                                                                            \
    static inline float format##_value(uint32_t code)                                                                  \
    {                                                                                                                  \
        return format_to_f32(format_##format, all32(code))[0];                                                         \
    }
SMALL_VALUE(f16)
SMALL_VALUE(e4m3)
SMALL_VALUE(e5m2)
SMALL_VALUE(e3m2)
SMALL_VALUE(e2m3)
SMALL_VALUE(e2m1)
#undef SMALL_VALUE

static inline float bf16_value(uint32_t code)
{
    return bf16_to_f32(all32(code))[0];
}
/* The lower 13 bits are not looked at by the hardware. */
static inline float tf32_value(uint32_t bits)
{
    return ((V_f32)all32(bits & 0xffffe000))[0];
}
static inline float ue8m0_value(uint32_t code)
{
    return bf16_to_f32(ue8m0_to_bf16(all32(code)))[0];
}
static inline uint16_t f16_from_f32(float x)
{
    return (uint16_t)f32_to_f16_rn((V_f32){x})[0];
}
static inline uint16_t bf16_from_f32(float x)
{
    return (uint16_t)f32_to_bf16_rn((V_f32){x})[0];
}

#endif
