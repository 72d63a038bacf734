/* Arithmetic of f16 and bf16, one number or two a register, and of f32 with them (PTX ISA 9.7.4, 9.7.5).
 *
 * Sums and products are made in f32, which has more than twice the digits, so that rounding twice is rounding once. A
 * product of two f16 is exact in f32, one of two bf16 in f64; fused sums are rounded there to odd, and then once more.
 * NaN results are 0x7fff. */
#include <math.h>

#include "ptx/exec/formats.h"
#include "ptx/exec/rounding.h"

/* ---- one number a lane ------------------------------------------------------------------------------------------- */

#define EXPONENT_f16  0x7c00
#define EXPONENT_bf16 0x7f80
#define ONE_f16       0x3c00
#define ONE_bf16      0x3f80
/* What is rounded to the least normal number if exponents have no bound, as f32; for bf16, what is cut off to it. */
#define LEAST_f16  0x387ff000
#define LEAST_bf16 0x00800000
#define TO_f16     f32_to_f16_rn
#define TO_bf16    f32_to_bf16_rn

static inline V_u32 flush_half(V_u32 code, uint32_t exponent)
{
    return code & ~((V_u32)((code & exponent) == 0) & 0x7fff);
}

/* .ftz of a source. */
static inline V_u32 half_source(V_u32 code, uint32_t flags, uint32_t exponent)
{
    return flags & PTX_FLAG_FTZ ? flush_half(code, exponent) : code;
}

/* .ftz of a result, which is too small if it would be for a mantissa of full length (seen on an H200). */
static inline V_f32 flush_small(V_f32 x, uint32_t flags, uint32_t least)
{
    const V_u32 is_small = (V_u32)((V_s32)((V_u32)x & F32_NAN) < (V_s32)all32(least));
    return flags & PTX_FLAG_FTZ ? (V_f32)((V_u32)x & ~(is_small & F32_NAN)) : x;
}

/* .sat and .relu of a result, which is no NaN but 0x7fff. */
static inline V_u32 half_result(V_u32 code, uint32_t flags, uint32_t exponent, uint32_t one)
{
    if (flags & (PTX_FLAG_SAT | PTX_FLAG_RELU))
        code &= ~(V_u32)((V_s32)code >= 0x8000);
    if (flags & PTX_FLAG_SAT) {
        code &= ~(V_u32)((V_s32)code > (V_s32)all32(exponent));
        code = SELECT32((V_s32)((V_s32)code > (V_s32)all32(one)), all32(one), code);
    }
    return code;
}

#define SOURCE(format, code) format##_to_f32(half_source(code, flags, EXPONENT_##format))
#define RESULT(format, x)                                                                                              \
    half_result(TO_##format(flush_small(x, flags, LEAST_##format)), flags, EXPONENT_##format, ONE_##format)

/* ---- sums and products ------------------------------------------------------------------------------------------- */

/* Handlers of an operation on codes, `name_code_format(flags, x, y)`, for one and for two numbers a register: without
 * modifiers, and (`_mod`) with those in op->flags. */
#define HALVES(handler, code, flags)                                                                                   \
    PTX_BINARY(32, handler, V_u32, V_u32, V_u32, code(flags, x & 0xffff, y & 0xffff))                                  \
    PTX_BINARY(32, handler##x2, V_u32, V_u32, V_u32,                                                                   \
               code(flags, x & 0xffff, y & 0xffff) | code(flags, x >> 16, y >> 16) << 16)
#define PLAIN_HALVES(name, format)    HALVES(name##_##format, name##_code_##format, 0)
#define MODIFIED_HALVES(name, format) HALVES(name##_mod_##format, name##_code_##format, op->flags)

#define OPERATION(name, format, operator)                                                                              \
    static inline V_u32 name##_code_##format(uint32_t flags, V_u32 a, V_u32 b)                                         \
    {                                                                                                                  \
        return RESULT(format, SOURCE(format, a) operator SOURCE(format, b));                                           \
    }                                                                                                                  \
    PLAIN_HALVES(name, format)
#define OPERATIONS(name, operator)                                                                                     \
    OPERATION(name, f16, operator)                                                                                     \
    MODIFIED_HALVES(name, f16)                                                                                         \
    OPERATION(name, bf16, operator)
OPERATIONS(add, +)
OPERATIONS(sub, -)
OPERATIONS(mul, *)

static inline V_u32 fma_code_f16(uint32_t flags, V_u32 a, V_u32 b, V_u32 c)
{
    return RESULT(f16, sum_f32(SOURCE(f16, a) * SOURCE(f16, b), SOURCE(f16, c), ROUND_TO_ODD));
}
PTX_TERNARY(32, fma_f16, V_u32, V_u32, V_u32, V_u32, fma_code_f16(0, x & 0xffff, y & 0xffff, z & 0xffff))
PTX_TERNARY(32, fma_f16x2, V_u32, V_u32, V_u32, V_u32,
            fma_code_f16(0, x & 0xffff, y & 0xffff, z & 0xffff) | fma_code_f16(0, x >> 16, y >> 16, z >> 16) << 16)
PTX_TERNARY(32, fma_mod_f16, V_u32, V_u32, V_u32, V_u32, fma_code_f16(op->flags, x & 0xffff, y & 0xffff, z & 0xffff))
PTX_TERNARY(32, fma_mod_f16x2, V_u32, V_u32, V_u32, V_u32,
            fma_code_f16(op->flags, x & 0xffff, y & 0xffff, z & 0xffff) |
                fma_code_f16(op->flags, x >> 16, y >> 16, z >> 16) << 16)

/* ---- through f64, a warp at a time ------------------------------------------------------------------------------- */

/* 32 lanes of f32, to be read as vectors of 32-bit or, half as many, of 64-bit lanes. */
typedef union Lanes32 {
    V_f32 f32[PARTS32];
    V_u32 u32[PARTS32];
    H_f32 half[PARTS64];
} Lanes32;

static inline void store_lanes(PtxWarp *warp, const PtxOp *op, const Lanes32 *values)
{
    V_u32 *ret = SLOT(V_u32, warp, op->d);
    for (int part = 0; part < PARTS32; part++)
        ret[part] = warp->keep == 0 ? values->u32[part] : BLEND32(warp->mask, part, values->u32[part], ret[part]);
}

/* The bf16 numbers at `shift` of a register. */
static inline void load_bf16(const PtxWarp *warp, uint32_t slot, int shift, Lanes32 *ret)
{
    for (int part = 0; part < PARTS32; part++)
        ret->f32[part] = bf16_to_f32(SLOT(const V_u32, warp, slot)[part] >> shift & 0xffff);
}
static inline void load_f16(const PtxWarp *warp, uint32_t slot, int shift, Lanes32 *ret)
{
    for (int part = 0; part < PARTS32; part++)
        ret->f32[part] = f16_to_f32(SLOT(const V_u32, warp, slot)[part] >> shift & 0xffff);
}
static inline void load_f32(const PtxWarp *warp, uint32_t slot, Lanes32 *ret)
{
    for (int part = 0; part < PARTS32; part++)
        ret->f32[part] = SLOT(const V_f32, warp, slot)[part];
}

/* a = a * b + c, rounded once. A sum that is exactly zero is -0 if rounded down, unless both of its terms are +0. */
static inline void fused_multiply_add(Lanes32 *a, const Lanes32 *b, const Lanes32 *c, int mode)
{
    for (int part = 0; part < PARTS64; part++) {
        const V_f64 x = __builtin_convertvector(a->half[part], V_f64),
                    y = __builtin_convertvector(b->half[part], V_f64);
        const V_f64 product = x * y, z = __builtin_convertvector(c->half[part], V_f64);
        V_f64 sum = sum_f64(product, z, ROUND_TO_ODD);
        if (mode == PTX_ROUND_DOWN) {
            const V_u64 is_negative = (V_u64)(sum == 0) & (V_u64)(((V_u64)product | (V_u64)z) != 0);
            sum = (V_f64)((V_u64)sum | (is_negative & UINT64_C(1) << 63));
        }
        a->half[part] = narrow_f64(sum, mode);
    }
}

static inline void fma_bf16_numbers(const PtxWarp *warp, const PtxOp *op, int shift, Lanes32 *ret)
{
    Lanes32 b, c;
    load_bf16(warp, op->a, shift, ret);
    load_bf16(warp, op->b, shift, &b);
    load_bf16(warp, op->c, shift, &c);
    fused_multiply_add(ret, &b, &c, ROUND_TO_ODD);
    for (int part = 0; part < PARTS32; part++) {
        const V_f32 x = ret->f32[part];
        ret->u32[part] = half_result(f32_to_bf16_rn(x), op->flags & PTX_FLAG_RELU, EXPONENT_bf16, ONE_bf16);
    }
}
static const PtxOp *fma_bf16(PtxWarp *warp, const PtxOp *op)
{
    Lanes32 values;
    fma_bf16_numbers(warp, op, 0, &values);
    store_lanes(warp, op, &values);
    return op + 1;
}
static const PtxOp *fma_bf16x2(PtxWarp *warp, const PtxOp *op)
{
    Lanes32 low, high;
    fma_bf16_numbers(warp, op, 0, &low);
    fma_bf16_numbers(warp, op, 16, &high);
    for (int part = 0; part < PARTS32; part++)
        low.u32[part] |= high.u32[part] << 16;
    store_lanes(warp, op, &low);
    return op + 1;
}

/* ---- f32 with halves (PTX ISA 9.7.5) ----------------------------------------------------------------------------- */

typedef enum Mixed { MIXED_ADD, MIXED_SUB, MIXED_FMA } Mixed;

static inline void load_half(const PtxWarp *warp, const PtxOp *op, uint32_t slot, Lanes32 *ret)
{
    if (op->type == PTX_TYPE_BF16)
        load_bf16(warp, slot, 0, ret);
    else
        load_f16(warp, slot, 0, ret);
}

/* d = a * b + c with a and b halves; add and sub have no b, and their second source is the f32. */
static inline const PtxOp *mixed(PtxWarp *warp, const PtxOp *op, Mixed kind)
{
    Lanes32 a, b, c;
    load_half(warp, op, op->a, &a);
    if (kind == MIXED_FMA)
        load_half(warp, op, op->b, &b);
    load_f32(warp, kind == MIXED_FMA ? op->c : op->b, &c);
    for (int part = 0; part < PARTS32; part++) {
        if (kind != MIXED_FMA)
            b.f32[part] = (V_f32){0} + 1;
        if (kind == MIXED_SUB)
            c.f32[part] = -c.f32[part];
    }
    fused_multiply_add(&a, &b, &c, op->rounding);
    for (int part = 0; part < PARTS32; part++) {
        const V_f32 x = a.f32[part];
        if (op->flags & PTX_FLAG_SAT)
            a.u32[part] = SELECT32((V_s32)(x >= 1), (V_u32)((V_f32){0} + 1), (V_u32)x & (V_u32)(x > 0));
        else
            a.f32[part] = canonical_f32(x);
    }
    store_lanes(warp, op, &a);
    return op + 1;
}
static const PtxOp *add_mixed(PtxWarp *warp, const PtxOp *op)
{
    return mixed(warp, op, MIXED_ADD);
}
static const PtxOp *sub_mixed(PtxWarp *warp, const PtxOp *op)
{
    return mixed(warp, op, MIXED_SUB);
}
static const PtxOp *fma_mixed(PtxWarp *warp, const PtxOp *op)
{
    return mixed(warp, op, MIXED_FMA);
}

/* ---- signs and extremes ------------------------------------------------------------------------------------------ */

/* NaN becomes the one NaN, as on an H200; the ISA leaves open which. */
static inline V_u32 with_sign(uint32_t flags, V_u32 code, uint32_t kept, uint32_t flipped, uint32_t exponent)
{
    const V_u32 size = half_source(code, flags, exponent) & 0x7fff, sign = (code & kept) ^ flipped;
    return SELECT32((V_s32)((V_s32)size > (V_s32)all32(exponent)), all32(0x7fff), size | sign);
}
#define SIGNED(handler, flags, kept, flipped, exponent)                                                                \
    PTX_UNARY(32, handler, V_u32, V_u32, with_sign(flags, x & 0xffff, kept, flipped, exponent))                        \
    PTX_UNARY(32, handler##x2, V_u32, V_u32,                                                                           \
              with_sign(flags, x & 0xffff, kept, flipped, exponent) |                                                  \
                  with_sign(flags, x >> 16, kept, flipped, exponent) << 16)
SIGNED(neg_f16, 0, 0x8000, 0x8000, EXPONENT_f16)
SIGNED(neg_bf16, 0, 0x8000, 0x8000, EXPONENT_bf16)
SIGNED(neg_ftz_f16, PTX_FLAG_FTZ, 0x8000, 0x8000, EXPONENT_f16)
SIGNED(abs_f16, 0, 0, 0, EXPONENT_f16)
SIGNED(abs_bf16, 0, 0, 0, EXPONENT_bf16)
SIGNED(abs_ftz_f16, PTX_FLAG_FTZ, 0, 0, EXPONENT_f16)

/* A number of the order of the code's value, -0 before +0. */
static inline V_s32 half_order(V_u32 code)
{
    const V_s32 signed_code = (V_s32)(code << 16) >> 16;
    return signed_code ^ ((signed_code >> 31) & 0x7fff);
}

static inline V_u32 extreme_code(uint32_t flags, V_u32 a, V_u32 b, uint32_t exponent, bool is_max)
{
    a = half_source(a, flags, exponent);
    b = half_source(b, flags, exponent);
    const V_u32 sign = (a ^ b) & (flags & PTX_FLAG_XORSIGN ? 0x8000 : 0);
    if (flags & PTX_FLAG_ABS)
        a &= 0x7fff, b &= 0x7fff;
    const V_s32 a_is_nan = (V_s32)((V_s32)(a & 0x7fff) > (V_s32)all32(exponent));
    const V_s32 b_is_nan = (V_s32)((V_s32)(b & 0x7fff) > (V_s32)all32(exponent));
    const V_s32 is_less = (V_s32)(half_order(a) < half_order(b));
    const V_s32 takes_a = ((is_max ? ~is_less : is_less) & ~a_is_nan) | b_is_nan;
    const V_s32 is_nan = flags & PTX_FLAG_NAN ? a_is_nan | b_is_nan : a_is_nan & b_is_nan;
    return SELECT32(is_nan, all32(0x7fff), SELECT32(takes_a, a, b) | sign);
}

#define EXTREME(name, format, is_max)                                                                                  \
    static inline V_u32 name##_code_##format(uint32_t flags, V_u32 a, V_u32 b)                                         \
    {                                                                                                                  \
        return extreme_code(flags, a, b, EXPONENT_##format, is_max);                                                   \
    }                                                                                                                  \
    PLAIN_HALVES(name, format)                                                                                         \
    MODIFIED_HALVES(name, format)
EXTREME(min, f16, false)
EXTREME(min, bf16, false)
EXTREME(max, f16, true)
EXTREME(max, bf16, true)

/* ---- ex2 and tanh ------------------------------------------------------------------------------------------------ */

/* The exact values, cut off: so an H200 gives all of ex2, and tanh but for one code in a thousand, next to it. It takes
 * what is nearly 0 as 0 (ex2), tanh(x) of small x as x, and of x from 8 on as 1. */

/* 2^x for |x| <= 256: e^(f ln 2) by its series on |f| <= 1/2, whose first term left out is below 2^-42. */
static inline V_f64 power_of_two(V_f64 x)
{
    static const double terms[] = {
        0x1.e4cf5158b8ecap-28,
        0x1.b5253d395e7c4p-24,
        0x1.62c0223a5c824p-20,
        0x1.ffcbfc588b0c7p-17,
        0x1.430912f86c787p-13,
        0x1.5d87fe78a6731p-10,
        0x1.3b2ab6fba4e77p-7,
        0x1.c6b08d704a0c0p-5,
        0x1.ebfbdff82c58fp-3,
        0x1.62e42fefa39efp-1,
        1,
    }; /* (ln 2)^k / k! for k from 10 to 0 */
    const V_f64 shifted = x + 0x1.8p52, fraction = x - (shifted - 0x1.8p52);
    V_f64 sum = (V_f64){0} + terms[0];
    for (int i = 1; i < (int)(sizeof terms / sizeof *terms); i++)
        sum = sum * fraction + terms[i];
    return (V_f64)((V_u64)sum + ((V_u64)shifted << 52));
}

static inline V_f64 limit_f64(V_f64 x, double limit)
{
    x = SELECT64((V_s64)(x > limit), (V_f64){0} + limit, x);
    return SELECT64((V_s64)(x < -limit), (V_f64){0} - limit, x);
}

static inline V_f64 approximate_ex2(V_f64 x, double overflow)
{
    const V_f64 power = power_of_two(limit_f64(x, 256));
    const V_f64 value = SELECT64((V_s64)(MAGNITUDE_F64(x) < 0x1p-23), (V_f64){0} + 1, power);
    return SELECT64((V_s64)(x >= overflow), (V_f64){0} + (double)INFINITY, value);
}

/* (e^2x - 1) / (e^2x + 1) */
static inline V_f64 approximate_tanh(V_f64 x)
{
    const V_f64 size = MAGNITUDE_F64(x);
    const V_f64 power = power_of_two(limit_f64(size, 8) * 0x1.71547652b82fep1); /* 2 log2(e) */
    V_f64 value = SELECT64((V_s64)(size < 0x1.01dep-8), size, (power - 1) / (power + 1));
    value = SELECT64((V_s64)(size >= 8), (V_f64){0} + 1, value);
    return (V_f64)((V_u64)value | ((V_u64)x & UINT64_C(1) << 63));
}

static inline void apply_function(Lanes32 *x, bool is_bf16, bool is_tanh)
{
    for (int part = 0; part < PARTS64; part++) {
        const V_f64 wide = __builtin_convertvector(x->half[part], V_f64);
        const V_f64 value = is_tanh ? approximate_tanh(wide) : approximate_ex2(wide, is_bf16 ? 128 : 16);
        const V_f64 result = SELECT64((V_s64)(wide != wide), wide, value);
        x->half[part] = narrow_f64(result, PTX_ROUND_ZERO);
    }
}

/* ex2 of bf16 always has .ftz. */
static inline void function_of_numbers(const PtxWarp *warp, const PtxOp *op, int shift, bool is_bf16, bool is_tanh,
                                       Lanes32 *ret)
{
    const uint32_t flags = op->flags & PTX_FLAG_FTZ;
    for (int part = 0; part < PARTS32; part++) {
        const V_u32 code = SLOT(const V_u32, warp, op->a)[part] >> shift & 0xffff;
        ret->f32[part] = is_bf16 ? SOURCE(bf16, code) : SOURCE(f16, code);
    }
    apply_function(ret, is_bf16, is_tanh);
    for (int part = 0; part < PARTS32; part++) {
        const V_f32 value = flush_small(ret->f32[part], flags, LEAST_bf16);
        ret->u32[part] = is_bf16 ? f32_to_bf16_rz(value) : f32_to_f16_rz(value);
    }
}

static inline const PtxOp *half_function(PtxWarp *warp, const PtxOp *op, bool is_bf16, bool is_packed, bool is_tanh)
{
    Lanes32 low, high;
    function_of_numbers(warp, op, 0, is_bf16, is_tanh, &low);
    if (is_packed) {
        function_of_numbers(warp, op, 16, is_bf16, is_tanh, &high);
        for (int part = 0; part < PARTS32; part++)
            low.u32[part] |= high.u32[part] << 16;
    }
    store_lanes(warp, op, &low);
    return op + 1;
}

#define FUNCTION(name, format, is_bf16, is_packed, is_tanh)                                                            \
    static const PtxOp *name##_##format(PtxWarp *warp, const PtxOp *op)                                                \
    {                                                                                                                  \
        return half_function(warp, op, is_bf16, is_packed, is_tanh);                                                   \
    }
#define FUNCTIONS(name, is_tanh)                                                                                       \
    FUNCTION(name, f16, false, false, is_tanh)                                                                         \
    FUNCTION(name, f16x2, false, true, is_tanh)                                                                        \
    FUNCTION(name, bf16, true, false, is_tanh)                                                                         \
    FUNCTION(name, bf16x2, true, true, is_tanh)
FUNCTIONS(ex2, false)
FUNCTIONS(tanh, true)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define F16_ROWS(name)    PTX_ROW(name##_f16), PTX_ROW(name##_f16x2)
#define FORMAT_ROWS(name) F16_ROWS(name), PTX_ROW(name##_bf16), PTX_ROW(name##_bf16x2)

extern const PtxHandlerRow PTX_NAME(half_handlers)[];
const PtxHandlerRow PTX_NAME(half_handlers)[] = {
    FORMAT_ROWS(add),   F16_ROWS(add_mod),    FORMAT_ROWS(sub),  F16_ROWS(sub_mod),    FORMAT_ROWS(mul),
    F16_ROWS(mul_mod),  FORMAT_ROWS(fma),     F16_ROWS(fma_mod), PTX_ROW(add_mixed),   PTX_ROW(sub_mixed),
    PTX_ROW(fma_mixed), FORMAT_ROWS(neg),     FORMAT_ROWS(abs),  F16_ROWS(neg_ftz),    F16_ROWS(abs_ftz),
    FORMAT_ROWS(min),   FORMAT_ROWS(min_mod), FORMAT_ROWS(max),  FORMAT_ROWS(max_mod), FORMAT_ROWS(ex2),
    FORMAT_ROWS(tanh),  {NULL, NULL},
};
