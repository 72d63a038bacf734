/* Logic and shifts (PTX ISA 9.7.8): and, or, xor, not, cnot, lop3, shl, shr, shf, prmt. Bits of 16-bit values are those
 * of 32-bit lanes where what lies above them can't come down. */
#include "ptx/exec/arithmetic.h"

/* ---- logic ------------------------------------------------------------------------------------------------------- */

PTX_BINARY(32, and_b32, V_u32, V_u32, V_u32, x &y)
PTX_BINARY(64, and_b64, V_u64, V_u64, V_u64, x &y)
PTX_BINARY(32, or_b32, V_u32, V_u32, V_u32, x | y)
PTX_BINARY(64, or_b64, V_u64, V_u64, V_u64, x | y)
PTX_BINARY(32, xor_b32, V_u32, V_u32, V_u32, x ^ y)
PTX_BINARY(64, xor_b64, V_u64, V_u64, V_u64, x ^ y)
PTX_UNARY(32, not_b32, V_u32, V_u32, ~x)
PTX_UNARY(64, not_b64, V_u64, V_u64, ~x)
PTX_UNARY(32, cnot_b16, V_u32, V_u32, (V_u32)((x & 0xffff) == 0) & 1)
PTX_UNARY(32, cnot_b32, V_u32, V_u32, (V_u32)(x == 0) & 1)
PTX_UNARY(64, cnot_b64, V_u64, V_u64, (V_u64)(x == 0) & 1)

#define PREDICATE_LOGIC(name, expression)                                                                              \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        const uint32_t x = predicate_source(warp, op, op->a, PTX_FLAG_NEGATE_A);                                       \
        const uint32_t y = predicate_source(warp, op, op->b, PTX_FLAG_NEGATE_B);                                       \
        (void)y;                                                                                                       \
        ptx_set_predicate(warp, op->d, expression);                                                                    \
        return op + 1;                                                                                                 \
    }
PREDICATE_LOGIC(and_pred, x &y)
PREDICATE_LOGIC(or_pred, x | y)
PREDICATE_LOGIC(xor_pred, x ^ y)
PREDICATE_LOGIC(not_pred, ~x)

/* The table is asked by bits of a, then b, then c: a tree of choices between its eight entries, each all zeros or all
 * ones. */
static inline V_u32 look_up(V_u32 x, V_u32 y, V_u32 z, uint32_t table)
{
    V_u32 by_c[4], by_b[2];
    for (size_t i = 0; i < 4; i++) {
        const uint32_t zero = -(table >> (2 * i) & 1), one = -(table >> (2 * i + 1) & 1);
        by_c[i] = (z & one) | (~z & zero);
    }
    for (size_t i = 0; i < 2; i++)
        by_b[i] = (y & by_c[2 * i + 1]) | (~y & by_c[2 * i]);
    return (x & by_b[1]) | (~x & by_b[0]);
}
PTX_TERNARY(32, lop3_b32, V_u32, V_u32, V_u32, V_u32, look_up(x, y, z, (uint32_t)op->imm))

/* d | q = lop3, with q the boolean operation of (d != 0) and e. */
static const PtxOp *lop3_bool(PtxWarp *warp, const PtxOp *op)
{
    uint32_t bits = 0;
    for (int part = 0; part < PARTS32; part++) {
        const V_u32 value = look_up(SLOT(const V_u32, warp, op->a)[part], SLOT(const V_u32, warp, op->b)[part],
                                    SLOT(const V_u32, warp, op->c)[part], (uint32_t)op->imm);
        bits |= bits32((V_s32)(value != 0)) << (part * N32);
        V_u32 *ret = &SLOT(V_u32, warp, op->d)[part];
        *ret = BLEND32(warp->mask, part, value, *ret);
    }
    const uint32_t other = predicate_source(warp, op, op->e, PTX_FLAG_NEGATE_C);
    ptx_set_predicate(warp, op->q, predicate_operation(op, bits, other));
    return op + 1;
}

/* ---- shifts ------------------------------------------------------------------------------------------------------ */

/* By an amount known at load, the usual case: one amount for all lanes, which all instruction sets have. */
#define SHIFT_CONSTANT(W, name, T, operator, extension, limit, beyond)                                                 \
    PTX_ELEMENTWISE_FROM(W, name, T, PTX_SOURCE(T, a); const uint32_t amount = (uint32_t)op->imm;                      \
                         const int by = (int)(amount < (limit) ? amount : (limit)-1);                                  \
                         const T left = (T){0} + (amount < (limit) ? -1 : (beyond)),                                   \
                         const T x = extension(from_a[part]), (x operator by) & left)

#define U16(x)   zero_extend_16(x)
#define S16(x)   sign_extend_16((V_u32)(x))
#define AS_IS(x) (x)
SHIFT_CONSTANT(32, shl_constant_b32, V_u32, <<, AS_IS, 32, 0)
SHIFT_CONSTANT(64, shl_constant_b64, V_u64, <<, AS_IS, 64, 0)
SHIFT_CONSTANT(32, shr_constant_u16, V_u32, >>, U16, 32, 0)
SHIFT_CONSTANT(32, shr_constant_s16, V_s32, >>, S16, 32, -1)
SHIFT_CONSTANT(32, shr_constant_u32, V_u32, >>, AS_IS, 32, 0)
SHIFT_CONSTANT(32, shr_constant_s32, V_s32, >>, AS_IS, 32, -1)
SHIFT_CONSTANT(64, shr_constant_u64, V_u64, >>, AS_IS, 64, 0)
SHIFT_CONSTANT(64, shr_constant_s64, V_s64, >>, AS_IS, 64, -1)

PTX_BINARY(32, shl_b32, V_u32, V_u32, V_u32, shift_left_32(x, y))
PTX_BINARY(64, shl_b64, V_u64, V_u64, H_u32, shift_left_64(x, widen_u32(y)))
PTX_BINARY(32, shr_u16, V_u32, V_u32, V_u32, shift_right_u32(U16(x), y))
PTX_BINARY(32, shr_s16, V_s32, V_s32, V_u32, shift_right_s32(S16(x), y))
PTX_BINARY(32, shr_u32, V_u32, V_u32, V_u32, shift_right_u32(x, y))
PTX_BINARY(32, shr_s32, V_s32, V_s32, V_u32, shift_right_s32(x, y))
PTX_BINARY(64, shr_u64, V_u64, V_u64, H_u32, shift_right_u64(x, widen_u32(y)))
PTX_BINARY(64, shr_s64, V_s64, V_s64, H_u32, shift_right_s64(x, widen_u32(y)))

/* shf: a below b, shifted; the upper word of a left shift, the lower of a right one. */
static inline V_u32 at_most_32(V_u32 amount)
{
    const V_u32 is_less = (V_u32)(amount < 32);
    return (amount & is_less) | (32 & ~is_less);
}
static inline V_u32 funnel_left(V_u32 low, V_u32 high, V_u32 amount)
{
    return shift_left_32(high, amount) | shift_right_u32(low, 32 - amount);
}
static inline V_u32 funnel_right(V_u32 low, V_u32 high, V_u32 amount)
{
    return shift_right_u32(low, amount) | shift_left_32(high, 32 - amount);
}
PTX_TERNARY(32, shf_l_clamp, V_u32, V_u32, V_u32, V_u32, funnel_left(x, y, at_most_32(z)))
PTX_TERNARY(32, shf_l_wrap, V_u32, V_u32, V_u32, V_u32, funnel_left(x, y, z & 31))
PTX_TERNARY(32, shf_r_clamp, V_u32, V_u32, V_u32, V_u32, funnel_right(x, y, at_most_32(z)))
PTX_TERNARY(32, shf_r_wrap, V_u32, V_u32, V_u32, V_u32, funnel_right(x, y, z & 31))

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

/* Bytes of x, each picked by a byte of `index` (0-3) from its own lane. */
static inline V_u32 pick_bytes(V_u32 x, V_u32 index)
{
    static const _Alignas(64)
        uint32_t lane_starts[16] = {0, 0x04040404, 0x08080808, 0x0c0c0c0c, 0, 0x04040404, 0x08080808, 0x0c0c0c0c,
                                    0, 0x04040404, 0x08080808, 0x0c0c0c0c, 0, 0x04040404, 0x08080808, 0x0c0c0c0c};
    const V_u32 at = index + *(const V_u32 *)(const void *)lane_starts;
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512BW__)
    return (V_u32)_mm512_shuffle_epi8((__m512i)x, (__m512i)at);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (V_u32)_mm256_shuffle_epi8((__m256i)x, (__m256i)at);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSSE3__)
    return (V_u32)_mm_shuffle_epi8((__m128i)x, (__m128i)at);
#else
    V_u32 ret;
    const uint8_t *from = (const uint8_t *)&x, *which = (const uint8_t *)&at;
    for (size_t i = 0; i < sizeof ret; i++)
        ((uint8_t *)&ret)[i] = from[i / 16 * 16 + which[i]];
    return ret;
#endif
}
/* 255 in the bytes of which bit `bit` is set. */
static inline V_u32 bytes_with(V_u32 x, int bit)
{
    const V_u32 ones = (x >> bit) & 0x01010101;
    return (ones << 8) - ones;
}
/* Bits 0-2 of each selector choose a byte of {y, x}, bit 3 asks for its sign instead. */
static inline V_u32 permute_bytes(V_u32 x, V_u32 y, V_u32 selectors)
{
    const V_u32 four = selectors & 0xffff, spread = (four | four << 8) & 0x00ff00ff;
    const V_u32 each = (spread | spread << 4) & 0x0f0f0f0f;
    const V_u32 index = each & 0x03030303, is_upper = bytes_with(each, 2), wants_sign = bytes_with(each, 3);
    const V_u32 bytes = (pick_bytes(y, index) & is_upper) | (pick_bytes(x, index) & ~is_upper);
    return (bytes_with(bytes, 7) & wants_sign) | (bytes & ~wants_sign);
}

/* The modes are generic selectors that the two low bits of c choose among: four of 16 bits each. */
static inline V_u32 mode_selectors(V_u32 control, uint64_t table)
{
    const V_u32 is_odd = (V_u32)((control & 1) != 0), is_high = (V_u32)((control & 2) != 0);
    const uint32_t low = (uint32_t)table, high = (uint32_t)(table >> 32);
    const V_u32 pair = (high & is_high) | (low & ~is_high);
    return ((pair >> 16) & is_odd) | (pair & ~is_odd);
}
PTX_TERNARY(32, prmt_none, V_u32, V_u32, V_u32, V_u32, permute_bytes(x, y, z))
#define PERMUTATIONS(X)                                                                                                \
    X(f4e, 0x6543543243213210)                                                                                         \
    X(b4e, 0x0123701267015670)                                                                                         \
    X(rc8, 0x3333222211110000) X(ecl, 0x3333322232113210) X(ecr, 0x3210221011100000) X(rc16, 0x3232101032321010)
#define PERMUTATION(mode, table)                                                                                       \
    PTX_TERNARY(32, prmt_##mode, V_u32, V_u32, V_u32, V_u32, permute_bytes(x, y, mode_selectors(z, UINT64_C(table))))
PERMUTATIONS(PERMUTATION)

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define LOGIC_ROWS(name)             PTX_ROW(name##_pred), PTX_ROW(name##_b32), PTX_ROW(name##_b64)
#define PERMUTATION_ROW(mode, table) PTX_ROW(prmt_##mode),
#define SHIFT_ROWS(name)                                                                                               \
    PTX_ROW(name##_u16), PTX_ROW(name##_s16), PTX_ROW(name##_u32), PTX_ROW(name##_s32), PTX_ROW(name##_u64),           \
        PTX_ROW(name##_s64)

extern const PtxHandlerRow PTX_NAME(bits_handlers)[];
const PtxHandlerRow PTX_NAME(bits_handlers)[] = {
    LOGIC_ROWS(and),
    LOGIC_ROWS(or),
    LOGIC_ROWS(xor),
    LOGIC_ROWS(not ),
    PTX_ROW(cnot_b16),
    PTX_ROW(cnot_b32),
    PTX_ROW(cnot_b64),
    PTX_ROW(lop3_b32),
    PTX_ROW(lop3_bool),
    PTX_ROW(shl_constant_b32),
    PTX_ROW(shl_constant_b64),
    SHIFT_ROWS(shr_constant),
    PTX_ROW(shl_b32),
    PTX_ROW(shl_b64),
    SHIFT_ROWS(shr),
    PTX_ROW(shf_l_clamp),
    PTX_ROW(shf_l_wrap),
    PTX_ROW(shf_r_clamp),
    PTX_ROW(shf_r_wrap),
    PTX_ROW(prmt_none),
    PERMUTATIONS(PERMUTATION_ROW){NULL, NULL},
};
