/* Roundings that x86's vector units lack, made of the nearest value and a step by one unit where it went the wrong way.
 *
 * "To odd" is the rounding for values that are rounded again: of the two neighbours of an inexact value the one with an
 * odd last bit. A second rounding, in any direction and to at least two bits less, then gives what one rounding would.
 */
#ifndef GAVEL_PTX_EXEC_ROUNDING_H
#define GAVEL_PTX_EXEC_ROUNDING_H

#include "ptx/exec/arithmetic.h"

enum { ROUND_TO_ODD = PTX_ROUND_STOCHASTIC + 1 };

/* Macros for widths W of 32 and 64. rounding_step: from the nearest value to the one that `mode` asks for, in units of
 * the last place of the magnitude, -1, 0 or 1; the nearest magnitude is too large, too small, or (neither) exact.
 * sum: x + y, the error of whose nearest value is computed exactly (Knuth's TwoSum); it must not overflow, unless x or
 * y is infinite. integral: to a whole number, of x's sign. */
#define MODES(W, last_integer)                                                                                         \
    static inline V_s##W rounding_step_##W(V_s##W is_large, V_s##W is_small, V_s##W is_negative, int mode)             \
    {                                                                                                                  \
        switch (mode) {                                                                                                \
        case PTX_ROUND_ZERO: return is_large;                                                                          \
        case PTX_ROUND_DOWN: return SELECT##W(is_negative, -is_small, is_large);                                       \
        case PTX_ROUND_UP: return SELECT##W(is_negative, is_large, -is_small);                                         \
        case ROUND_TO_ODD: return is_large - is_small;                                                                 \
        default: return is_large ^ is_large;                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static inline V_f##W sum_f##W(V_f##W x, V_f##W y, int mode)                                                        \
    {                                                                                                                  \
        const V_f##W sum = x + y, of_y = sum - x, error = (x - (sum - of_y)) + (y - of_y);                             \
        const V_s##W is_inexact = (V_s##W)(error > 0) | (V_s##W)(error < 0); /* not if it is NaN */                    \
        const V_s##W is_large = (V_s##W)(((V_s##W)error ^ (V_s##W)sum) < 0) & is_inexact;                              \
        V_s##W step = rounding_step_##W(is_large, is_inexact & ~is_large, (V_s##W)((V_s##W)sum < 0), mode);            \
        if (mode == ROUND_TO_ODD)                                                                                      \
            step &= ((V_s##W)sum & 1) - 1;                                                                             \
        return (V_f##W)((V_u##W)sum + (V_u##W)step);                                                                   \
    }                                                                                                                  \
    static inline V_f##W integral_by_steps_##W(V_f##W x, int mode)                                                     \
    {                                                                                                                  \
        const V_u##W sign = (V_u##W)x & ((uint##W##_t)1 << ((W)-1));                                                   \
        const V_f##W size = (V_f##W)((V_u##W)x ^ sign), nearest = (size + (last_integer)) - (last_integer);            \
        const V_s##W step =                                                                                            \
            rounding_step_##W((V_s##W)(nearest > size), (V_s##W)(nearest < size), (V_s##W)((V_s##W)x < 0), mode);      \
        const V_f##W rounded = nearest + __builtin_convertvector(step, V_f##W);                                        \
        const V_s##W has_fraction = (V_s##W)(size < (last_integer));                                                   \
        return (V_f##W)((V_u##W)SELECT##W(has_fraction, rounded, size + 0) | sign);                                    \
    }
MODES(32, 0x1p23f)
MODES(64, 0x1p52)
#undef MODES

/* ROUND_INTEGRAL(control): the instruction that does it, where there is one. */
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
#define INTEGRAL_32(x, control) (V_f32) _mm512_roundscale_ps((__m512)(x), control)
#define INTEGRAL_64(x, control) (V_f64) _mm512_roundscale_pd((__m512d)(x), control)
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
#define INTEGRAL_32(x, control) (V_f32) _mm256_round_ps((__m256)(x), control)
#define INTEGRAL_64(x, control) (V_f64) _mm256_round_pd((__m256d)(x), control)
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE4_1__)
#define INTEGRAL_32(x, control) (V_f32) _mm_round_ps((__m128)(x), control)
#define INTEGRAL_64(x, control) (V_f64) _mm_round_pd((__m128d)(x), control)
#endif
#ifdef INTEGRAL_32
#define INTEGRAL(W)                                                                                                    \
    static inline V_f##W integral_f##W(V_f##W x, int mode)                                                             \
    {                                                                                                                  \
        switch (mode) {                                                                                                \
        case PTX_ROUND_ZERO: return INTEGRAL_##W(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);                           \
        case PTX_ROUND_DOWN: return INTEGRAL_##W(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);                        \
        case PTX_ROUND_UP: return INTEGRAL_##W(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);                          \
        default: return INTEGRAL_##W(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);                                \
        }                                                                                                              \
    }
#else
#define INTEGRAL(W)                                                                                                    \
    static inline V_f##W integral_f##W(V_f##W x, int mode)                                                             \
    {                                                                                                                  \
        return integral_by_steps_##W(x, mode);                                                                         \
    }
#endif
INTEGRAL(32)
INTEGRAL(64)
#undef INTEGRAL

#define MAGNITUDE_F64(x) ((V_f64)((V_u64)(x) & (UINT64_MAX >> 1)))

/* f64 to f32. NaN stays NaN. */
static inline H_f32 narrow_f64(V_f64 x, int mode)
{
    const H_f32 nearest = __builtin_convertvector(x, H_f32);
    if (mode == PTX_ROUND_DEFAULT || mode == PTX_ROUND_NEAREST_EVEN)
        return nearest;
    const V_f64 size = MAGNITUDE_F64(x), rounded = MAGNITUDE_F64(__builtin_convertvector(nearest, V_f64));
    const V_s64 wide_step =
        rounding_step_64((V_s64)(rounded > size), (V_s64)(rounded < size), (V_s64)((V_s64)x < 0), mode);
    H_u32 step = narrow_u64((V_u64)wide_step);
    if (mode == ROUND_TO_ODD)
        step &= ((H_u32)nearest & 1) - 1;
    return (H_f32)((H_u32)nearest + step);
}

#endif
