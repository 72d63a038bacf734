/* Conversions (PTX ISA 9.7.9.21, 9.7.9.22): cvt, cvt.pack.
 *
 * What kernels are full of has handlers of its own. All other pairs of types go through 64 bits, a warp at a time: a
 * source is widened to an integer or to f64, which is exact, converted there, and narrowed to the destination.
 * Floating- point results are rounded once: what is rounded on the way is rounded to odd. */
#include "ptx/exec/formats.h"
#include "ptx/exec/rounding.h"

#define F32_ONE 0x3f800000

/* ---- integers to integers ---------------------------------------------------------------------------------------- */

static inline V_u32 zero_extend_8(V_u32 x)
{
    return x & 0xff;
}
static inline V_s32 sign_extend_8(V_u32 x)
{
    return (V_s32)(x << 24) >> 24;
}

/* Within 32 bits the destination takes as many of the low bits as it has. */
PTX_UNARY(32, cvt_extend_u8, V_u32, V_u32, zero_extend_8(x))
PTX_UNARY(32, cvt_extend_s8, V_s32, V_u32, sign_extend_8(x))
PTX_UNARY(32, cvt_extend_u16, V_u32, V_u32, zero_extend_16(x))
PTX_UNARY(32, cvt_extend_s16, V_s32, V_u32, sign_extend_16(x))
PTX_UNARY(32, cvt_extend_u32, V_u32, V_u32, x)
PTX_UNARY(64, cvt_wide_u8, V_u64, H_u32, widen_u32(x & 0xff))
PTX_UNARY(64, cvt_wide_s8, V_s64, H_u32, widen_s32((H_s32)(x << 24) >> 24))
PTX_UNARY(64, cvt_wide_u16, V_u64, H_u32, widen_u32(x & 0xffff))
PTX_UNARY(64, cvt_wide_s16, V_s64, H_u32, widen_s32((H_s32)(x << 16) >> 16))
PTX_UNARY(64, cvt_wide_u32, V_u64, H_u32, widen_u32(x))
PTX_UNARY(64, cvt_wide_s32, V_s64, H_s32, widen_s32(x))
PTX_UNARY(64, cvt_wide_u64, V_u64, V_u64, x)

/* A warp of 32-bit values, to be read as whole vectors or as the narrow side of 64-bit lanes. */
typedef union Lanes32 {
    V_u32 u32[PARTS32];
    V_f32 f32[PARTS32];
    H_u32 h_u32[PARTS64];
    H_f32 h_f32[PARTS64];
} Lanes32;

static inline void store_32(PtxWarp *warp, const PtxOp *op, const Lanes32 *values)
{
    V_u32 *ret = SLOT(V_u32, warp, op->d);
    if (warp->keep == 0) {
        for (int part = 0; part < PARTS32; part++)
            ret[part] = values->u32[part];
    } else {
        for (int part = 0; part < PARTS32; part++)
            ret[part] = BLEND32(warp->mask, part, values->u32[part], ret[part]);
    }
}

static const PtxOp *cvt_narrow_u64(PtxWarp *warp, const PtxOp *op)
{
    Lanes32 values;
    for (int part = 0; part < PARTS64; part++)
        values.h_u32[part] = narrow_u64(SLOT(const V_u64, warp, op->a)[part]);
    store_32(warp, op, &values);
    return op + 1;
}

/* ---- f32 and 32-bit integers ------------------------------------------------------------------------------------- */

/* Exact halves of 16 bits, whose sum is rounded once. */
static inline V_f32 u32_to_f32(V_u32 x)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_f32)_mm512_cvtepu32_ps((__m512i)x);
#else
    const V_f32 high = __builtin_convertvector((V_s32)(x >> 16), V_f32);
    return high * 65536 + __builtin_convertvector((V_s32)(x & 0xffff), V_f32);
#endif
}

/* Of a whole number or, towards zero, of any: the nearest value that the type has; of NaN 0. */
static inline V_u32 f32_to_s32(V_f32 x)
{
    const V_s32 is_above = (V_s32)(x >= 0x1p31f), is_inside = (V_s32)(x >= -0x1p31f) & ~is_above;
    const V_s32 value = __builtin_convertvector((V_f32)((V_s32)x & is_inside), V_s32);
    return (V_u32)(value | (is_above & INT32_MAX) | ((V_s32)(x < -0x1p31f) & INT32_MIN));
}
static inline V_u32 f32_to_u32(V_f32 x)
{
    const V_s32 is_above = (V_s32)(x >= 0x1p32f), is_inside = (V_s32)(x >= 0) & ~is_above;
    const V_s32 is_upper = (V_s32)(x >= 0x1p31f) & is_inside;
    const V_f32 lower = (V_f32)((V_s32)x & is_inside) - (V_f32)((V_s32)((V_f32){0} + 0x1p31f) & is_upper);
    return ((V_u32) __builtin_convertvector(lower, V_s32) ^ ((V_u32)is_upper << 31)) | (V_u32)is_above;
}

PTX_UNARY(32, cvt_rn_f32_s32, V_f32, V_s32, __builtin_convertvector(x, V_f32))
PTX_UNARY(32, cvt_rn_f32_u32, V_f32, V_u32, u32_to_f32(x))
PTX_UNARY(32, cvt_rn_f32_s16, V_f32, V_u32, __builtin_convertvector(sign_extend_16(x), V_f32))
PTX_UNARY(32, cvt_rn_f32_u16, V_f32, V_u32, __builtin_convertvector((V_s32)zero_extend_16(x), V_f32))
PTX_UNARY(32, cvt_rn_f32_s8, V_f32, V_u32, __builtin_convertvector(sign_extend_8(x), V_f32))
PTX_UNARY(32, cvt_rn_f32_u8, V_f32, V_u32, __builtin_convertvector((V_s32)zero_extend_8(x), V_f32))

#define FROM_F32(word, mode)                                                                                           \
    PTX_UNARY(32, cvt_##word##_s32_f32, V_u32, V_f32, f32_to_s32(integral_f32(x, mode)))                               \
    PTX_UNARY(32, cvt_##word##_u32_f32, V_u32, V_f32, f32_to_u32(integral_f32(x, mode)))                               \
    PTX_UNARY(32, cvt_##word##_f32_f32, V_f32, V_f32, canonical_f32(integral_f32(x, mode)))
FROM_F32(rni, PTX_ROUND_NEAREST_EVEN)
FROM_F32(rmi, PTX_ROUND_DOWN)
FROM_F32(rpi, PTX_ROUND_UP)
PTX_UNARY(32, cvt_rzi_s32_f32, V_u32, V_f32, f32_to_s32(x))
PTX_UNARY(32, cvt_rzi_u32_f32, V_u32, V_f32, f32_to_u32(integral_f32(x, PTX_ROUND_ZERO)))
PTX_UNARY(32, cvt_rzi_f32_f32, V_f32, V_f32, canonical_f32(integral_f32(x, PTX_ROUND_ZERO)))

/* ---- between floating-point types -------------------------------------------------------------------------------- */

/* NaN, as on an H200: between f32 and the halves it becomes the one NaN of the destination; into and out of f64 it
 * keeps its sign and the upper digits and becomes quiet, as on the host; cvt.f32.f32 and f32.bf16 only move bits. */

/* To [0, 1]; NaN and -0 give +0. */
static inline V_f32 saturate_f32(V_f32 x)
{
    const V_u32 positive = (V_u32)x & (V_u32)(x > 0);
    return (V_f32)SELECT32((V_s32)(x > 1), all32(F32_ONE), positive);
}

PTX_UNARY(32, cvt_f32_f32, V_f32, V_f32, x)
PTX_UNARY(32, cvt_ftz_f32_f32, V_f32, V_f32, canonical_f32((V_f32)flush_bits_f32((V_u32)x)))
PTX_UNARY(32, cvt_sat_f32_f32, V_f32, V_f32, saturate_f32(x))
PTX_UNARY(32, cvt_ftz_sat_f32_f32, V_f32, V_f32, saturate_f32((V_f32)flush_bits_f32((V_u32)x)))
PTX_UNARY(32, cvt_f32_f16, V_f32, V_u32, f16_to_f32(x & 0xffff))
PTX_UNARY(32, cvt_f32_bf16, V_f32, V_u32, bf16_to_f32(x & 0xffff))
PTX_UNARY(32, cvt_rn_f16_f32, V_u32, V_f32, f32_to_f16_rn(x))
PTX_UNARY(32, cvt_rz_f16_f32, V_u32, V_f32, f32_to_f16_rz(x))
PTX_UNARY(32, cvt_rn_bf16_f32, V_u32, V_f32, f32_to_bf16_rn(x))
PTX_UNARY(32, cvt_rz_bf16_f32, V_u32, V_f32, f32_to_bf16_rz(x))
PTX_BINARY(32, cvt_rn_f16x2_f32, V_u32, V_f32, V_f32, f32_to_f16_rn(x) << 16 | f32_to_f16_rn(y))
PTX_BINARY(32, cvt_rz_f16x2_f32, V_u32, V_f32, V_f32, f32_to_f16_rz(x) << 16 | f32_to_f16_rz(y))
PTX_BINARY(32, cvt_rn_bf16x2_f32, V_u32, V_f32, V_f32, f32_to_bf16_rn(x) << 16 | f32_to_bf16_rn(y))
PTX_BINARY(32, cvt_rz_bf16x2_f32, V_u32, V_f32, V_f32, f32_to_bf16_rz(x) << 16 | f32_to_bf16_rz(y))

PTX_UNARY(64, cvt_f64_f32, V_f64, H_f32, __builtin_convertvector(x, V_f64))
PTX_UNARY(64, cvt_rn_f64_s32, V_f64, H_s32, __builtin_convertvector(x, V_f64))

static const PtxOp *cvt_rn_f32_f64(PtxWarp *warp, const PtxOp *op)
{
    Lanes32 values;
    for (int part = 0; part < PARTS64; part++)
        values.h_f32[part] = narrow_f64(SLOT(const V_f64, warp, op->a)[part], PTX_ROUND_NEAREST_EVEN);
    store_32(warp, op, &values);
    return op + 1;
}

/* ---- through 64 bits --------------------------------------------------------------------------------------------- */

typedef union Lanes64 {
    V_u64 u64[PARTS64];
    V_s64 s64[PARTS64];
    V_f64 f64[PARTS64];
} Lanes64;

static bool is_signed(uint8_t type)
{
    return ptx_type_row((PtxType)type)->class == PTX_CLASS_SIGNED;
}
static unsigned bits_of(uint8_t type)
{
    return 8u * ptx_type_row((PtxType)type)->bytes;
}

static void load_integers(const PtxWarp *warp, uint32_t slot, uint8_t type, Lanes64 *ret)
{
    const H_u32 *narrow = SLOT(const H_u32, warp, slot);
    const unsigned above = 32 - (bits_of(type) & 31);
    for (int part = 0; part < PARTS64; part++) {
        if (bits_of(type) == 64)
            ret->u64[part] = SLOT(const V_u64, warp, slot)[part];
        else if (type == PTX_TYPE_U32)
            ret->u64[part] = widen_u32(narrow[part]);
        else if (type == PTX_TYPE_S32)
            ret->s64[part] = widen_s32((H_s32)narrow[part]);
        else if (is_signed(type))
            ret->s64[part] = widen_s32((H_s32)(narrow[part] << above) >> above);
        else
            ret->u64[part] = widen_u32(narrow[part] << above >> above);
    }
}

static inline V_u32 f16_to_f32_bits(V_u32 code, bool keeps_nan)
{
    const V_f32 value = f16_to_f32(code);
    const V_u32 kept = (code & 0x8000) << 16 | 0x7fc00000 | (code & 0x3ff) << 13;
    return keeps_nan ? SELECT32((V_s32)(value != value), kept, (V_u32)value) : (V_u32)value;
}

/* .ftz is of f32, but does nothing to what becomes f16 (on an H200). */
static void load_floats(const PtxWarp *warp, const PtxOp *op, uint8_t type, Lanes64 *ret)
{
    if (type == PTX_TYPE_F64) {
        memcpy(ret, SLOT(const V_f64, warp, op->a), sizeof *ret);
        return;
    }
    Lanes32 values;
    for (int part = 0; part < PARTS32; part++) {
        const V_u32 bits = SLOT(const V_u32, warp, op->a)[part];
        if (type == PTX_TYPE_F16)
            values.u32[part] = f16_to_f32_bits(bits & 0xffff, op->type == PTX_TYPE_F64);
        else if (type == PTX_TYPE_BF16)
            values.f32[part] = bf16_to_f32(bits & 0xffff);
        else if (op->flags & PTX_FLAG_FTZ && op->type != PTX_TYPE_F16)
            values.f32[part] = canonical_f32((V_f32)flush_bits_f32(bits));
        else
            values.u32[part] = bits;
    }
    for (int part = 0; part < PARTS64; part++)
        ret->f64[part] = __builtin_convertvector(values.h_f32[part], V_f64);
}

static void store_wide(PtxWarp *warp, const PtxOp *op, const Lanes64 *values)
{
    V_u64 *ret = SLOT(V_u64, warp, op->d);
    for (int part = 0; part < PARTS64; part++)
        ret[part] = warp->keep == 0 ? values->u64[part] : BLEND64(warp->mask, part, values->u64[part], ret[part]);
}

static void store_integers(PtxWarp *warp, const PtxOp *op, const Lanes64 *values)
{
    if (bits_of(op->type) == 64) {
        store_wide(warp, op, values);
        return;
    }
    Lanes32 narrow;
    for (int part = 0; part < PARTS64; part++)
        narrow.h_u32[part] = narrow_u64(values->u64[part]);
    store_32(warp, op, &narrow);
}

/* Least and greatest value of an integer type, as bits of an int64_t or uint64_t. */
static uint64_t least_of(uint8_t type)
{
    return is_signed(type) ? UINT64_MAX << (bits_of(type) - 1) : 0;
}
static uint64_t greatest_of(uint8_t type)
{
    return UINT64_MAX >> (64 - bits_of(type) + is_signed(type));
}

static double power_of_two(unsigned exponent)
{
    return (double)((uint64_t)1 << (exponent - 1)) * 2;
}

/* .sat */
static void clamp_integers(uint8_t to, uint8_t from, Lanes64 *x)
{
    const V_u64 least = (V_u64){0} + least_of(to), greatest = (V_u64){0} + greatest_of(to);
    for (int part = 0; part < PARTS64; part++) {
        const V_u64 value = x->u64[part];
        const V_s64 is_above = from == PTX_TYPE_U64 ? (V_s64)(value > greatest)
                               : to == PTX_TYPE_U64 ? (V_s64){0}
                                                    : (V_s64)((V_s64)value > (V_s64)greatest);
        const V_s64 is_below = from == PTX_TYPE_U64 ? (V_s64){0} : (V_s64)((V_s64)value < (V_s64)least);
        x->u64[part] = SELECT64(is_above, greatest, SELECT64(is_below, least, value));
    }
}

static const PtxOp *cvt_integer_integer(PtxWarp *warp, const PtxOp *op)
{
    Lanes64 x;
    load_integers(warp, op->a, op->type2, &x);
    if (op->flags & PTX_FLAG_SAT)
        clamp_integers(op->type, op->type2, &x);
    store_integers(warp, op, &x);
    return op + 1;
}

/* A whole number of [-2^63, 2^64): its two halves of 32 bits, each put into the last bits of an f64. */
static inline V_u64 whole_bits(V_f64 x)
{
    const V_f64 high = integral_f64(x * 0x1p-32, PTX_ROUND_DOWN), low = x - high * 0x1p32;
    return (V_u64)(high + 0x1.8p52) << 32 | ((V_u64)(low + 0x1p52) & UINT32_MAX);
}

/* NaN gives 0, says the ISA; but where 64 bits are read or written an H200 gives the destination's upper bit. */
static uint64_t integer_of_nan(const PtxOp *op)
{
    const bool is_64 = op->type2 == PTX_TYPE_F64 || bits_of(op->type) == 64;
    return is_64 ? (uint64_t)1 << (bits_of(op->type) - 1) : 0;
}

static const PtxOp *cvt_integer_float(PtxWarp *warp, const PtxOp *op)
{
    Lanes64 x;
    load_floats(warp, op, op->type2, &x);
    const V_u64 least = (V_u64){0} + least_of(op->type), greatest = (V_u64){0} + greatest_of(op->type);
    const V_u64 of_nan = (V_u64){0} + integer_of_nan(op);
    const double limit = power_of_two(bits_of(op->type) - is_signed(op->type)); /* one more than the greatest */
    const double floor = is_signed(op->type) ? -limit : 0;
    for (int part = 0; part < PARTS64; part++) {
        const V_f64 whole = integral_f64(x.f64[part], op->rounding);
        const V_s64 is_above = (V_s64)(whole >= limit), is_below = (V_s64)(whole < floor);
        const V_s64 is_nan = (V_s64)((V_s64)MAGNITUDE_F64(whole) > INT64_C(0x7ff0000000000000)),
                    is_outside = is_above | is_below | is_nan;
        const V_u64 value = whole_bits((V_f64)((V_s64)whole & ~is_outside)) | (of_nan & (V_u64)is_nan);
        x.u64[part] = SELECT64(is_above, greatest, SELECT64(is_below, least, value));
    }
    store_integers(warp, op, &x);
    return op + 1;
}

/* Of a 64-bit integer: the upper half, made a double of 2^84 and more by its bits, and the lower, one of 2^52. */
static inline V_f64 integer_to_f64(V_u64 x, bool has_sign, int mode)
{
    const uint64_t bias = has_sign ? UINT64_C(0x80000000) : 0;
    const V_f64 high = (V_f64)((x >> 32 ^ bias) | UINT64_C(0x4530000000000000)) - (has_sign ? 0x1.000008p84 : 0x1p84);
    const V_f64 low = (V_f64)((x & UINT32_MAX) | UINT64_C(0x4330000000000000)) - 0x1p52;
    return sum_f64(high, low, mode);
}

/* .ftz of an f32: it is too small if it would be for a mantissa of full length, rounded in `mode` (seen on an H200). */
static inline V_f64 flush_f64(V_f64 x, int mode)
{
    const double inward = 0x1p-126, nearest = 0x1.ffffffp-127, outward = 0x1.fffffe0000001p-127;
    const bool is_nearest = mode == PTX_ROUND_DEFAULT || mode == PTX_ROUND_NEAREST_EVEN;
    const double positive = is_nearest ? nearest : mode == PTX_ROUND_UP ? outward : inward;
    const double negative = is_nearest ? nearest : mode == PTX_ROUND_DOWN ? outward : inward;
    const V_u64 is_small = (V_u64)(x > -negative) & (V_u64)(x < positive);
    return (V_f64)((V_u64)x & ~(is_small & (UINT64_MAX >> 1)));
}

/* .ftz and .sat */
static inline V_f64 finish_f64(const PtxOp *op, V_f64 x)
{
    if (op->flags & PTX_FLAG_FTZ && op->type == PTX_TYPE_F32)
        x = flush_f64(x, op->rounding);
    if (op->flags & PTX_FLAG_SAT) {
        const V_u64 positive = (V_u64)x & (V_u64)(x > 0);
        x = SELECT64((V_s64)(x > 1), (V_f64){0} + 1, (V_f64)positive);
    }
    return x;
}

/* A half of what was f64 before it was f32. */
static inline V_u32 half_of_f64(SmallFormat format, PtxRounding mode, V_f32 x)
{
    const V_u32 bits = (V_u32)x, digits = (bits & 0x7fffff) >> (23 - format.mantissa_bits);
    const V_u32 nan = (bits >> 16 & 0x8000) | format.infinity | digits;
    return SELECT32((V_s32)(x != x), nan, format_from_f32(format, mode, false, x));
}

static inline V_u32 narrow_result(const PtxOp *op, V_f32 x)
{
    const PtxRounding mode = (PtxRounding)op->rounding;
    const bool was_f64 = op->type2 == PTX_TYPE_F64;
    if (op->type == PTX_TYPE_F16)
        return was_f64 ? half_of_f64(format_f16, mode, x) : format_from_f32(format_f16, mode, false, x);
    if (op->type == PTX_TYPE_BF16)
        return was_f64 ? half_of_f64(format_bf16, mode, x) : format_from_f32(format_bf16, mode, false, x);
    return (V_u32)(was_f64 ? x : canonical_f32(x));
}

static void store_floats(PtxWarp *warp, const PtxOp *op, const Lanes64 *x)
{
    if (op->type == PTX_TYPE_F64) {
        store_wide(warp, op, x);
        return;
    }
    Lanes32 values;
    for (int part = 0; part < PARTS64; part++)
        values.h_f32[part] = narrow_f64(x->f64[part], op->type == PTX_TYPE_F32 ? op->rounding : ROUND_TO_ODD);
    for (int part = 0; part < PARTS32; part++)
        values.u32[part] = narrow_result(op, values.f32[part]);
    store_32(warp, op, &values);
}

static const PtxOp *cvt_float_integer(PtxWarp *warp, const PtxOp *op)
{
    Lanes64 x;
    load_integers(warp, op->a, op->type2, &x);
    const bool has_sign = is_signed(op->type2);
    const int mode = op->type == PTX_TYPE_F64 ? op->rounding : ROUND_TO_ODD;
    for (int part = 0; part < PARTS64; part++)
        x.f64[part] = finish_f64(op, integer_to_f64(x.u64[part], has_sign, mode));
    store_floats(warp, op, &x);
    return op + 1;
}

/* A rounding between equal types is to whole numbers. */
static const PtxOp *cvt_float_float(PtxWarp *warp, const PtxOp *op)
{
    Lanes64 x;
    load_floats(warp, op, op->type2, &x);
    const bool is_integral = op->type == op->type2 && op->rounding != PTX_ROUND_DEFAULT;
    for (int part = 0; part < PARTS64; part++) {
        const V_f64 value = is_integral ? integral_f64(x.f64[part], op->rounding) : x.f64[part];
        x.f64[part] = finish_f64(op, value);
    }
    store_floats(warp, op, &x);
    return op + 1;
}

/* ---- to and from the small formats ------------------------------------------------------------------------------- */

/* A format's code with .relu, which makes -0 a +0 too, and .satfinite. */
static inline V_u32 small_code(const PtxOp *op, SmallFormat format, V_f32 x)
{
    const bool saturates = (op->flags & PTX_FLAG_SATFINITE) != 0;
    const V_u32 code = format_from_f32(format, (PtxRounding)op->rounding, saturates, x);
    return op->flags & PTX_FLAG_RELU ? (V_u32)(code & ~(V_u32)((code & format.sign) != 0)) : code;
}

#define NARROW_ONE(name) PTX_UNARY(32, cvt_##name##_f32, V_u32, V_f32, small_code(op, format_##name, x))
#define NARROW_TWO(name, shift)                                                                                        \
    PTX_BINARY(32, cvt_##name##x2_f32, V_u32, V_f32, V_f32,                                                            \
               small_code(op, format_##name, x) << (shift) | small_code(op, format_##name, y))
NARROW_ONE(f16)
NARROW_ONE(bf16)
NARROW_TWO(f16, 16)
NARROW_TWO(bf16, 16)
NARROW_TWO(e4m3, 8)
NARROW_TWO(e5m2, 8)
NARROW_TWO(e3m2, 8)
NARROW_TWO(e2m3, 8)
NARROW_TWO(e2m1, 4)

/* .rna is done on the bits, whatever they mean (on an H200): of a NaN the lower ones are cut off, and .satfinite takes
 * a step towards zero from all that is not finite. */
static inline V_u32 tf32_bits_away(const PtxOp *op, V_u32 bits)
{
    const V_u32 is_finite = (V_u32)((bits & F32_INFINITY) != F32_INFINITY);
    const V_u32 rounded = (bits + (is_finite & 0x1000)) & 0xffffe000;
    const V_u32 is_too_large = (V_u32)((rounded & F32_INFINITY) == F32_INFINITY);
    return rounded - (is_too_large & (op->flags & PTX_FLAG_SATFINITE ? 0x2000 : 0));
}
static inline V_u32 tf32_bits(const PtxOp *op, V_f32 x)
{
    if (op->rounding == PTX_ROUND_NEAREST_AWAY)
        return tf32_bits_away(op, (V_u32)x);
    return small_code(op, format_tf32, x) << 13;
}
PTX_UNARY(32, cvt_tf32_f32, V_u32, V_f32, tf32_bits(op, x))

/* Pairs of f16 to pairs of a format of `shift` bits, and back, which is exact. */
static inline V_u32 small_value(const PtxOp *op, SmallFormat format, V_u32 code)
{
    const V_u32 value = f32_to_f16_rn(format_to_f32(format, code & (2 * format.sign - 1)));
    return op->flags & PTX_FLAG_RELU ? (V_u32)(value & ~(V_u32)((value & 0x8000) != 0)) : value;
}
#define TO_HALVES(name, shift)                                                                                         \
    PTX_UNARY(32, cvt_f16x2_##name##x2, V_u32, V_u32,                                                                  \
              small_value(op, format_##name, x >> (shift)) << 16 | small_value(op, format_##name, x))
#define FROM_HALVES(name, shift)                                                                                       \
    PTX_UNARY(32, cvt_##name##x2_f16x2, V_u32, V_u32,                                                                  \
              small_code(op, format_##name, f16_to_f32(x >> 16)) << (shift) |                                          \
                  small_code(op, format_##name, f16_to_f32(x & 0xffff)))
TO_HALVES(e4m3, 8)
TO_HALVES(e5m2, 8)
TO_HALVES(e3m2, 8)
TO_HALVES(e2m3, 8)
TO_HALVES(e2m1, 4)
FROM_HALVES(e4m3, 8)
FROM_HALVES(e5m2, 8)
FROM_HALVES(e2m1, 4)

static inline V_u32 scale_code(const PtxOp *op, V_f32 x)
{
    return f32_to_ue8m0((PtxRounding)op->rounding, (op->flags & PTX_FLAG_SATFINITE) != 0, x);
}
PTX_BINARY(32, cvt_ue8m0x2_f32, V_u32, V_f32, V_f32, scale_code(op, x) << 8 | scale_code(op, y))
PTX_UNARY(32, cvt_ue8m0x2_bf16x2, V_u32, V_u32,
          scale_code(op, (V_f32)(x & 0xffff0000)) << 8 | scale_code(op, (V_f32)(x << 16)))
PTX_UNARY(32, cvt_bf16x2_ue8m0x2, V_u32, V_u32, ue8m0_to_bf16(x >> 8 & 0xff) << 16 | ue8m0_to_bf16(x & 0xff))

/* ---- cvt.pack ---------------------------------------------------------------------------------------------------- */

/* The range of s32 values that `bits` bits hold, and those bits. */
static inline V_u32 packed_s32(V_s32 x, int bits, bool has_sign)
{
    const V_s32 greatest = (V_s32)all32((1u << (bits - has_sign)) - 1), least = (-greatest - 1) & -(int32_t)has_sign;
    x = SELECT32((V_s32)(x > greatest), greatest, SELECT32((V_s32)(x < least), least, x));
    return (V_u32)x & ((1u << bits) - 1);
}
#define PACK(name, bits, has_sign)                                                                                     \
    PTX_TERNARY(32, cvt_pack_##name, V_u32, V_s32, V_s32, V_u32,                                                       \
                z << (2 * (bits)) | packed_s32(x, bits, has_sign) << (bits) | packed_s32(y, bits, has_sign))
#define PACK_16(name, has_sign)                                                                                        \
    PTX_BINARY(32, cvt_pack_##name, V_u32, V_s32, V_s32,                                                               \
               packed_s32(x, 16, has_sign) << 16 | packed_s32(y, 16, has_sign))
PACK_16(u16, false)
PACK_16(s16, true)
PACK(u8, 8, false)
PACK(s8, 8, true)
PACK(u4, 4, false)
PACK(s4, 4, true)
PACK(u2, 2, false)
PACK(s2, 2, true)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define SMALL_ROWS(word)                                                                                               \
    PTX_ROW(cvt_##word##_u8), PTX_ROW(cvt_##word##_s8), PTX_ROW(cvt_##word##_u16), PTX_ROW(cvt_##word##_s16),          \
        PTX_ROW(cvt_##word##_u32)
#define F32_ROWS(word)  PTX_ROW(cvt_##word##_s32_f32), PTX_ROW(cvt_##word##_u32_f32), PTX_ROW(cvt_##word##_f32_f32)
#define PAIR_ROWS(name) PTX_ROW(cvt_##name##x2_f32), PTX_ROW(cvt_f16x2_##name##x2)

extern const PtxHandlerRow PTX_NAME(convert_handlers)[];
const PtxHandlerRow PTX_NAME(convert_handlers)[] = {
    SMALL_ROWS(extend),
    SMALL_ROWS(wide),
    PTX_ROW(cvt_wide_s32),
    PTX_ROW(cvt_wide_u64),
    PTX_ROW(cvt_narrow_u64),
    SMALL_ROWS(rn_f32),
    PTX_ROW(cvt_rn_f32_s32),
    F32_ROWS(rni),
    F32_ROWS(rzi),
    F32_ROWS(rmi),
    F32_ROWS(rpi),
    PTX_ROW(cvt_f32_f32),
    PTX_ROW(cvt_ftz_f32_f32),
    PTX_ROW(cvt_sat_f32_f32),
    PTX_ROW(cvt_ftz_sat_f32_f32),
    PTX_ROW(cvt_f32_f16),
    PTX_ROW(cvt_f32_bf16),
    PTX_ROW(cvt_rn_f16_f32),
    PTX_ROW(cvt_rz_f16_f32),
    PTX_ROW(cvt_rn_bf16_f32),
    PTX_ROW(cvt_rz_bf16_f32),
    PTX_ROW(cvt_rn_f16x2_f32),
    PTX_ROW(cvt_rz_f16x2_f32),
    PTX_ROW(cvt_rn_bf16x2_f32),
    PTX_ROW(cvt_rz_bf16x2_f32),
    PTX_ROW(cvt_f64_f32),
    PTX_ROW(cvt_rn_f64_s32),
    PTX_ROW(cvt_rn_f32_f64),
    PTX_ROW(cvt_integer_integer),
    PTX_ROW(cvt_integer_float),
    PTX_ROW(cvt_float_integer),
    PTX_ROW(cvt_float_float),
    PTX_ROW(cvt_f16_f32),
    PTX_ROW(cvt_bf16_f32),
    PTX_ROW(cvt_f16x2_f32),
    PTX_ROW(cvt_bf16x2_f32),
    PTX_ROW(cvt_tf32_f32),
    PAIR_ROWS(e4m3),
    PAIR_ROWS(e5m2),
    PAIR_ROWS(e3m2),
    PAIR_ROWS(e2m3),
    PAIR_ROWS(e2m1),
    PTX_ROW(cvt_e4m3x2_f16x2),
    PTX_ROW(cvt_e5m2x2_f16x2),
    PTX_ROW(cvt_e2m1x2_f16x2),
    PTX_ROW(cvt_ue8m0x2_f32),
    PTX_ROW(cvt_ue8m0x2_bf16x2),
    PTX_ROW(cvt_bf16x2_ue8m0x2),
    PTX_ROW(cvt_pack_u16),
    PTX_ROW(cvt_pack_s16),
    PTX_ROW(cvt_pack_u8),
    PTX_ROW(cvt_pack_s8),
    PTX_ROW(cvt_pack_u4),
    PTX_ROW(cvt_pack_s4),
    PTX_ROW(cvt_pack_u2),
    PTX_ROW(cvt_pack_s2),
    {NULL, NULL},
};
