/* Comparisons and selections (PTX ISA 9.7.3.1, 9.7.6, 9.7.7): setp, set, selp, slct, testp.
 *
 * setp has a handler for each comparison and type, since kernels are full of them. Everything else goes by the relation
 * between the operands: they are less, equal, greater or unordered, and a comparison is a set of these. Floating-point
 * comparisons that don't end in u are false if an operand is NaN, `ne` too. */
#include <math.h>

#include "ptx/exec/arithmetic.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* 16-bit values are compared in the upper halves of their lanes, whatever lies above them. */
#define UPPER(x) ((x) << 16)
#define AS_IS(x) (x)

/* Subnormals as zeros of their sign. */
static inline V_f32 flush_f32(V_f32 x)
{
    const V_u32 bits = (V_u32)x;
    const V_u32 is_small = (V_u32)((bits & 0x7f800000) == 0);
    return (V_f32)(bits & ~(is_small & 0x7fffffff));
}

/* Halves as floats of the same order: NaN of a NaN, else the float's own value (bf16), or the number that the bits make
 * (f16: the order of its magnitudes is that of their bits, and equal means equal). */
static inline V_f32 half_rank(V_u32 half, bool is_bf16, bool flushes)
{
    if (is_bf16)
        return (V_f32)(half << 16);
    V_u32 size = half & 0x7fff;
    if (flushes)
        size &= ~(V_u32)(size < 0x400);
    const V_u32 sign = (V_u32)((half & 0x8000) != 0), is_nan = (V_u32)(size > 0x7c00);
    const V_s32 rank = (V_s32)((size ^ sign) - sign);
    return (V_f32)((V_u32) __builtin_convertvector(rank, V_f32) | (is_nan & 0x7fffffff));
}

/* ---- setp -------------------------------------------------------------------------------------------------------- */

/* p = comparison (.op c), q = !comparison (.op c). */
static inline const PtxOp *finish_setp(PtxWarp *warp, const PtxOp *op, uint32_t truth)
{
    if (__builtin_expect((op->flags & (PTX_FLAG_HAS_C | PTX_FLAG_HAS_Q)) != 0, 0)) {
        const uint32_t other = predicate_source(warp, op, op->c, PTX_FLAG_NEGATE_C);
        if (op->flags & PTX_FLAG_HAS_Q)
            ptx_set_predicate(warp, op->q, predicate_operation(op, ~truth, other));
        truth = predicate_operation(op, truth, other);
    }
    ptx_set_predicate(warp, op->d, truth);
    return op + 1;
}

/* Bits of a comparison. AVX-512 compares into masks, and AVX has every floating-point comparison as one instruction:
 * `code` is theirs, and `truth` the same in C. */
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
#define TRUTH_u32(x, y, code, truth) ((uint32_t)_mm512_cmp_epu32_mask((__m512i)(x), (__m512i)(y), code))
#define TRUTH_s32(x, y, code, truth) ((uint32_t)_mm512_cmp_epi32_mask((__m512i)(x), (__m512i)(y), code))
#define TRUTH_u64(x, y, code, truth) ((uint32_t)_mm512_cmp_epu64_mask((__m512i)(x), (__m512i)(y), code))
#define TRUTH_s64(x, y, code, truth) ((uint32_t)_mm512_cmp_epi64_mask((__m512i)(x), (__m512i)(y), code))
#define TRUTH_f32(x, y, code, truth) ((uint32_t)_mm512_cmp_ps_mask((__m512)(x), (__m512)(y), code))
#define TRUTH_f64(x, y, code, truth) ((uint32_t)_mm512_cmp_pd_mask((__m512d)(x), (__m512d)(y), code))
#else
#define TRUTH_u32(x, y, code, truth) bits32((V_s32)(truth))
#define TRUTH_s32(x, y, code, truth) bits32((V_s32)(truth))
#define TRUTH_u64(x, y, code, truth) bits64((V_s64)(truth))
#define TRUTH_s64(x, y, code, truth) bits64((V_s64)(truth))
#if PTX_VECTOR_BYTES == 32 && defined(__AVX__)
#define TRUTH_f32(x, y, code, truth) ((uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)(x), (__m256)(y), code)))
#define TRUTH_f64(x, y, code, truth) ((uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)(x), (__m256d)(y), code)))
#else
#define TRUTH_f32(x, y, code, truth) bits32((V_s32)(truth))
#define TRUTH_f64(x, y, code, truth) bits64((V_s64)(truth))
#endif
#endif

#define SETP_LOOP(W, type, from, code, truth)                                                                          \
    for (int part = 0; part < PARTS##W; part++) {                                                                      \
        const V_##type x = from(from_a[part]), y = from(from_b[part]);                                                 \
        bits |= TRUTH_##type(x, y, code, truth) << (part * N##W);                                                      \
    }
#define SETP(W, name, type, from, code, truth)                                                                         \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        PTX_SOURCE(V_##type, a);                                                                                       \
        PTX_SOURCE(V_##type, b);                                                                                       \
        uint32_t bits = 0;                                                                                             \
        SETP_LOOP(W, type, from, code, truth)                                                                          \
        return finish_setp(warp, op, bits);                                                                            \
    }
/* f32 has a second loop, for .ftz. */
#define SETP_F32(name, code, truth)                                                                                    \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        PTX_SOURCE(V_f32, a);                                                                                          \
        PTX_SOURCE(V_f32, b);                                                                                          \
        uint32_t bits = 0;                                                                                             \
        if (op->flags & PTX_FLAG_FTZ) {                                                                                \
            SETP_LOOP(32, f32, flush_f32, code, truth)                                                                 \
        } else {                                                                                                       \
            SETP_LOOP(32, f32, AS_IS, code, truth)                                                                     \
        }                                                                                                              \
        return finish_setp(warp, op, bits);                                                                            \
    }

#define INTEGER_COMPARISONS(X)                                                                                         \
    X(eq, _MM_CMPINT_EQ, x == y)                                                                                       \
    X(ne, _MM_CMPINT_NE, x != y)                                                                                       \
    X(lt, _MM_CMPINT_LT, x < y) X(le, _MM_CMPINT_LE, x <= y) X(gt, _MM_CMPINT_NLE, x > y) X(ge, _MM_CMPINT_NLT, x >= y)
#define FLOAT_COMPARISONS(X)                                                                                           \
    X(eq, _CMP_EQ_OQ, x == y)                                                                                          \
    X(ne, _CMP_NEQ_OQ, (x < y) | (x > y))                                                                              \
    X(lt, _CMP_LT_OQ, x < y)                                                                                           \
    X(le, _CMP_LE_OQ, x <= y)                                                                                          \
    X(gt, _CMP_GT_OQ, x > y)                                                                                           \
    X(ge, _CMP_GE_OQ, x >= y)                                                                                          \
    X(equ, _CMP_EQ_UQ, ~((x < y) | (x > y)))                                                                           \
    X(neu, _CMP_NEQ_UQ, x != y)                                                                                        \
    X(ltu, _CMP_NGE_UQ, ~(x >= y))                                                                                     \
    X(leu, _CMP_NGT_UQ, ~(x > y))                                                                                      \
    X(gtu, _CMP_NLE_UQ, ~(x <= y))                                                                                     \
    X(geu, _CMP_NLT_UQ, ~(x < y))                                                                                      \
    X(num, _CMP_ORD_Q, (x == x) & (y == y)) X(nan, _CMP_UNORD_Q, (x != x) | (y != y))

#define SETP_INTEGER(compare, code, truth)                                                                             \
    SETP(32, setp_##compare##_u16, u32, UPPER, code, truth)                                                            \
    SETP(32, setp_##compare##_s16, s32, UPPER, code, truth)                                                            \
    SETP(32, setp_##compare##_u32, u32, AS_IS, code, truth)                                                            \
    SETP(32, setp_##compare##_s32, s32, AS_IS, code, truth)                                                            \
    SETP(64, setp_##compare##_u64, u64, AS_IS, code, truth)                                                            \
    SETP(64, setp_##compare##_s64, s64, AS_IS, code, truth)
#define SETP_FLOAT(compare, code, truth)                                                                               \
    SETP_F32(setp_##compare##_f32, code, truth)                                                                        \
    SETP(64, setp_##compare##_f64, f64, AS_IS, code, truth)
INTEGER_COMPARISONS(SETP_INTEGER)
FLOAT_COMPARISONS(SETP_FLOAT)

/* ---- relations --------------------------------------------------------------------------------------------------- */

typedef struct Relations {
    uint32_t less, equal, greater; /* a bit a lane; unordered where none is set */
} Relations;

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static uint32_t holds(Relations relations, PtxCompare compare)
{
    static const uint8_t sets[] = {
        [PTX_COMPARE_EQ] = EQUAL,
        [PTX_COMPARE_NE] = LESS | GREATER,
        [PTX_COMPARE_LT] = LESS,
        [PTX_COMPARE_LE] = LESS | EQUAL,
        [PTX_COMPARE_GT] = GREATER,
        [PTX_COMPARE_GE] = GREATER | EQUAL,
        [PTX_COMPARE_LO] = LESS,
        [PTX_COMPARE_LS] = LESS | EQUAL,
        [PTX_COMPARE_HI] = GREATER,
        [PTX_COMPARE_HS] = GREATER | EQUAL,
        [PTX_COMPARE_EQU] = EQUAL | UNORDERED,
        [PTX_COMPARE_NEU] = LESS | GREATER | UNORDERED,
        [PTX_COMPARE_LTU] = LESS | UNORDERED,
        [PTX_COMPARE_LEU] = LESS | EQUAL | UNORDERED,
        [PTX_COMPARE_GTU] = GREATER | UNORDERED,
        [PTX_COMPARE_GEU] = GREATER | EQUAL | UNORDERED,
        [PTX_COMPARE_NUM] = LESS | EQUAL | GREATER,
        [PTX_COMPARE_NAN] = UNORDERED,
    };
    const uint32_t set = sets[compare], unordered = ~(relations.less | relations.equal | relations.greater);
    return (set & LESS ? relations.less : 0) | (set & EQUAL ? relations.equal : 0) |
           (set & GREATER ? relations.greater : 0) | (set & UNORDERED ? unordered : 0);
}

#define RELATE(W, name, T, from)                                                                                       \
    static Relations name(const PtxWarp *warp, const PtxOp *op, unsigned shift)                                        \
    {                                                                                                                  \
        PTX_SOURCE(T, a);                                                                                              \
        PTX_SOURCE(T, b);                                                                                              \
        Relations ret = {0};                                                                                           \
        (void)shift;                                                                                                   \
        for (int part = 0; part < PARTS##W; part++) {                                                                  \
            const __typeof__(from(from_a[part])) x = from(from_a[part]), y = from(from_b[part]);                       \
            ret.less |= bits##W((V_s##W)(x < y)) << (part * N##W);                                                     \
            ret.equal |= bits##W((V_s##W)(x == y)) << (part * N##W);                                                   \
            ret.greater |= bits##W((V_s##W)(x > y)) << (part * N##W);                                                  \
        }                                                                                                              \
        return ret;                                                                                                    \
    }
#define FROM_F32(x)    (op->flags & PTX_FLAG_FTZ ? flush_f32(x) : AS_VALUE(V_f32, x))
#define FROM_F16(x)    half_rank((x) >> shift, false, op->flags & PTX_FLAG_FTZ)
#define FROM_BF16(x)   half_rank((x) >> shift, true, false)
#define AS_VALUE(T, x) ((T)(x))
RELATE(32, relate_u16, V_u32, UPPER)
RELATE(32, relate_s16, V_s32, UPPER)
RELATE(32, relate_u32, V_u32, AS_IS)
RELATE(32, relate_s32, V_s32, AS_IS)
RELATE(64, relate_u64, V_u64, AS_IS)
RELATE(64, relate_s64, V_s64, AS_IS)
RELATE(32, relate_f32, V_f32, FROM_F32)
RELATE(64, relate_f64, V_f64, AS_IS)
RELATE(32, relate_f16, V_u32, FROM_F16)
RELATE(32, relate_bf16, V_u32, FROM_BF16)

/* Whether the sources, of `type`, compare as the op says; of packed halves `shift` chooses one. */
static uint32_t compared(const PtxWarp *warp, const PtxOp *op, PtxType type, unsigned shift)
{
    static Relations (*const by_type[PTX_TYPE_COUNT])(const PtxWarp *, const PtxOp *, unsigned) = {
        [PTX_TYPE_B16] = relate_u16,   [PTX_TYPE_U16] = relate_u16,   [PTX_TYPE_S16] = relate_s16,
        [PTX_TYPE_B32] = relate_u32,   [PTX_TYPE_U32] = relate_u32,   [PTX_TYPE_S32] = relate_s32,
        [PTX_TYPE_B64] = relate_u64,   [PTX_TYPE_U64] = relate_u64,   [PTX_TYPE_S64] = relate_s64,
        [PTX_TYPE_F32] = relate_f32,   [PTX_TYPE_F64] = relate_f64,   [PTX_TYPE_F16] = relate_f16,
        [PTX_TYPE_F16X2] = relate_f16, [PTX_TYPE_BF16] = relate_bf16, [PTX_TYPE_BF16X2] = relate_bf16,
    };
    return holds(by_type[type](warp, op, shift), (PtxCompare)op->compare);
}

/* setp of f16, bf16. */
static const PtxOp *setp_half(PtxWarp *warp, const PtxOp *op)
{
    return finish_setp(warp, op, compared(warp, op, (PtxType)op->type, 0));
}
/* Of packed halves p is about the lower ones and q about the upper ones. */
static const PtxOp *setp_halves(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t other = predicate_source(warp, op, op->c, PTX_FLAG_NEGATE_C);
    const uint32_t lower = predicate_operation(op, compared(warp, op, (PtxType)op->type, 0), other);
    const uint32_t upper = predicate_operation(op, compared(warp, op, (PtxType)op->type, 16), other);
    ptx_set_predicate(warp, op->d, lower);
    if (op->flags & PTX_FLAG_HAS_Q)
        ptx_set_predicate(warp, op->q, upper);
    return op + 1;
}

/* ---- set --------------------------------------------------------------------------------------------------------- */

/* What set writes for true, in half a lane or a whole one. */
static uint32_t true_value(PtxType type)
{
    switch (type) {
    case PTX_TYPE_F32: return 0x3f800000;
    case PTX_TYPE_F16:
    case PTX_TYPE_F16X2: return 0x3c00;
    case PTX_TYPE_BF16:
    case PTX_TYPE_BF16X2: return 0x3f80;
    default: return UINT32_MAX;
    }
}
static void write_set(const PtxWarp *warp, const PtxOp *op, uint32_t lower, uint32_t upper, uint32_t lower_value,
                      uint32_t upper_value)
{
    V_u32 *ret = SLOT(V_u32, warp, op->d);
    for (int part = 0; part < PARTS32; part++) {
        const V_u32 value = ((V_u32)lanes32(lower, part) & lower_value) | ((V_u32)lanes32(upper, part) & upper_value);
        ret[part] = BLEND32(warp->mask, part, value, ret[part]);
    }
}
static const PtxOp *set(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t other = predicate_source(warp, op, op->c, PTX_FLAG_NEGATE_C);
    const uint32_t truth = predicate_operation(op, compared(warp, op, (PtxType)op->type2, 0), other);
    write_set(warp, op, truth, 0, true_value((PtxType)op->type), 0);
    return op + 1;
}
static const PtxOp *set_halves(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t other = predicate_source(warp, op, op->c, PTX_FLAG_NEGATE_C);
    const uint32_t lower = predicate_operation(op, compared(warp, op, (PtxType)op->type2, 0), other);
    const uint32_t upper = predicate_operation(op, compared(warp, op, (PtxType)op->type2, 16), other);
    const uint32_t value = true_value((PtxType)op->type) & 0xffff;
    write_set(warp, op, lower, upper, value, value << 16);
    return op + 1;
}

/* ---- selections -------------------------------------------------------------------------------------------------- */

#define SELP(W)                                                                                                        \
    PTX_ELEMENTWISE_FROM(W, selp_b##W, V_u##W, PTX_SOURCE(V_u##W, a); PTX_SOURCE(V_u##W, b);                           \
                         const uint32_t chosen = predicate_source(warp, op, op->c, PTX_FLAG_NEGATE_C), (void)0,        \
                         BLEND##W(chosen, part, from_a[part], from_b[part]))
SELP(32)
SELP(64)

/* slct: a if c >= 0, else b; NaN is not. -0 is. */
static inline V_s32 is_from_zero(V_f32 x, bool flushes)
{
    return (V_s32)((flushes ? flush_f32(x) : x) >= 0);
}
#define FLUSHES (op->flags & PTX_FLAG_FTZ)
PTX_TERNARY(32, slct_b32_s32, V_u32, V_u32, V_u32, V_s32, SELECT32((V_s32)(z >= 0), x, y))
PTX_TERNARY(32, slct_b32_f32, V_u32, V_u32, V_u32, V_f32, SELECT32(is_from_zero(z, FLUSHES), x, y))
PTX_TERNARY(64, slct_b64_s32, V_u64, V_u64, V_u64, H_s32, SELECT64((V_s64)(widen_s32(z) >= 0), x, y))
/* Of a float only its sign and whether it is NaN count, and these survive as an integer of 64 bits. */
PTX_TERNARY(64, slct_b64_f32, V_u64, V_u64, V_u64, H_u32,
            SELECT64((V_s64)((widen_u32(z) <= 0x7f800000) | (V_u64)(widen_u32(z) == 0x80000000) |
                             (V_u64)((widen_u32(z) - 0x80000000 < (FLUSHES ? 0x800000 : 0)))),
                     x, y))

/* ---- testp ------------------------------------------------------------------------------------------------------- */

/* By the bits without the sign: below the first normal number, below infinity, infinity, beyond it. Zeros count as
 * normal numbers. */
#define TESTP(W, name, truth)                                                                                          \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        PTX_SOURCE(V_u##W, a);                                                                                         \
        uint32_t bits = 0;                                                                                             \
        for (int part = 0; part < PARTS##W; part++) {                                                                  \
            const V_u##W size = from_a[part] & SIZE_##W;                                                               \
            bits |= bits##W((V_s##W)(truth)) << (part * N##W);                                                         \
        }                                                                                                              \
        ptx_set_predicate(warp, op->d, bits);                                                                          \
        return op + 1;                                                                                                 \
    }
#define SIZE_32     0x7fffffffu
#define INFINITY_32 0x7f800000u
#define NORMAL_32   0x00800000u
#define SIZE_64     UINT64_C(0x7fffffffffffffff)
#define INFINITY_64 UINT64_C(0x7ff0000000000000)
#define NORMAL_64   UINT64_C(0x0010000000000000)
#define TESTPS(W)                                                                                                      \
    TESTP(W, testp_finite_f##W, size < INFINITY_##W)                                                                   \
    TESTP(W, testp_infinite_f##W, size == INFINITY_##W)                                                                \
    TESTP(W, testp_number_f##W, size <= INFINITY_##W)                                                                  \
    TESTP(W, testp_notanumber_f##W, size > INFINITY_##W)                                                               \
    TESTP(W, testp_normal_f##W, ((size >= NORMAL_##W) & (size < INFINITY_##W)) | (size == 0))                          \
    TESTP(W, testp_subnormal_f##W, (size < NORMAL_##W) & (size != 0))
TESTPS(32)
TESTPS(64)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define INTEGER_ROWS(compare, ...)                                                                                     \
    PTX_ROW(setp_##compare##_u16), PTX_ROW(setp_##compare##_s16), PTX_ROW(setp_##compare##_u32),                       \
        PTX_ROW(setp_##compare##_s32), PTX_ROW(setp_##compare##_u64), PTX_ROW(setp_##compare##_s64),
#define FLOAT_ROWS(compare, ...) PTX_ROW(setp_##compare##_f32), PTX_ROW(setp_##compare##_f64),
/* lo, ls, hi, hs are lt, le, gt, ge of unsigned types. */
#define UNSIGNED_ROWS(name, like)                                                                                      \
    {"setp_" name "_u16", setp_##like##_u16}, {"setp_" name "_u32", setp_##like##_u32},                                \
    {                                                                                                                  \
        "setp_" name "_u64", setp_##like##_u64                                                                         \
    }
#define TESTP_ROWS(W)                                                                                                  \
    PTX_ROW(testp_finite_f##W), PTX_ROW(testp_infinite_f##W), PTX_ROW(testp_number_f##W),                              \
        PTX_ROW(testp_notanumber_f##W), PTX_ROW(testp_normal_f##W), PTX_ROW(testp_subnormal_f##W)

extern const PtxHandlerRow PTX_NAME(compare_handlers)[];
const PtxHandlerRow PTX_NAME(compare_handlers)[] = {
    INTEGER_COMPARISONS(INTEGER_ROWS) FLOAT_COMPARISONS(FLOAT_ROWS) UNSIGNED_ROWS("lo", lt),
    UNSIGNED_ROWS("ls", le),
    UNSIGNED_ROWS("hi", gt),
    UNSIGNED_ROWS("hs", ge),
    PTX_ROW(setp_half),
    PTX_ROW(setp_halves),
    PTX_ROW(set),
    PTX_ROW(set_halves),
    PTX_ROW(selp_b32),
    PTX_ROW(selp_b64),
    PTX_ROW(slct_b32_s32),
    PTX_ROW(slct_b32_f32),
    PTX_ROW(slct_b64_s32),
    PTX_ROW(slct_b64_f32),
    TESTP_ROWS(32),
    TESTP_ROWS(64),
    {NULL, NULL},
};
