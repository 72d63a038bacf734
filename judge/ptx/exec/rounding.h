/* Roundings that x86's vector units lack, made of the nearest value and a step by one unit where it went the wrong way.
 *
 * "To odd" is the rounding for values that are rounded again: of the two neighbours of an inexact value the one with an
 * odd last bit. A second rounding, in any direction and to at least two bits less, then gives what one rounding would.
 */
#ifndef GAVEL_PTX_EXEC_ROUNDING_H
#define GAVEL_PTX_EXEC_ROUNDING_H

#include "ptx/exec/arithmetic.h"

enum { ROUND_TO_ODD = PTX_ROUND_STOCHASTIC + 1 };

/* x + y to odd: the error of the nearest sum is computed exactly (Knuth's TwoSum) and says which way to step. Needs a
 * sum that doesn't overflow unless x or y is infinite. */
#define SUM_TO_ODD(W)                                                                                                  \
    static inline V_f##W sum_to_odd_f##W(V_f##W x, V_f##W y)                                                           \
    {                                                                                                                  \
        const V_f##W sum = x + y, of_y = sum - x, error = (x - (sum - of_y)) + (y - of_y);                             \
        const V_s##W is_inexact = (V_s##W)(error > 0) | (V_s##W)(error < 0); /* not for NaN */                         \
        const V_s##W is_inward = (V_s##W)(((V_s##W)error ^ (V_s##W)sum) < 0);                                          \
        const V_s##W step = (is_inward | 1) & is_inexact;                                                              \
        return (V_f##W)((V_u##W)sum + (V_u##W)(step & (((V_s##W)sum & 1) - 1)));                                       \
    }
SUM_TO_ODD(32)
SUM_TO_ODD(64)
#undef SUM_TO_ODD

#define MAGNITUDE_F64(x) ((V_f64)((V_u64)(x) & (UINT64_MAX >> 1)))

/* The step from the nearest value to the one that `mode` asks for, in units of the last place of the magnitude. */
static inline V_s64 rounding_step(V_f64 x, V_f64 nearest, int mode)
{
    const V_s64 is_large = (V_s64)(MAGNITUDE_F64(nearest) > MAGNITUDE_F64(x));
    const V_s64 is_small = (V_s64)(MAGNITUDE_F64(nearest) < MAGNITUDE_F64(x));
    const V_s64 is_negative = (V_s64)((V_s64)x < 0);
    switch (mode) {
    case PTX_ROUND_ZERO: return is_large;
    case PTX_ROUND_DOWN: return SELECT64(is_negative, -is_small, is_large);
    case PTX_ROUND_UP: return SELECT64(is_negative, is_large, -is_small);
    default: return is_large - is_small;
    }
}

/* f64 to f32. NaN stays NaN. */
static inline H_f32 narrow_f64(V_f64 x, int mode)
{
    const H_f32 nearest = __builtin_convertvector(x, H_f32);
    if (mode == PTX_ROUND_DEFAULT || mode == PTX_ROUND_NEAREST_EVEN)
        return nearest;
    H_u32 step = narrow_u64((V_u64)rounding_step(x, __builtin_convertvector(nearest, V_f64), mode));
    if (mode == ROUND_TO_ODD)
        step &= ((H_u32)nearest & 1) - 1;
    return (H_f32)((H_u32)nearest + step);
}

#endif
