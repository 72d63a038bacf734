/* Handlers of integers against models that follow the definitions of the ISA. What the ISA leaves open is as an H200
 * answered: divisions by zero, lengths of fields above 255. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_lanes_fixture.h"

/* ---- sums, signs, extremes --------------------------------------------------------------------------------------- */

static int64_t clamp_s32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}
#define LEAST(x, y)   ((x) < (y) ? (x) : (y))
#define MOST(x, y)    ((x) > (y) ? (x) : (y))
#define APART(x, y)   ((x) < (y) ? (y) - (x) : (x) - (y))
#define HALVES(f)     (U16(f(0)) | U16(f(16)) << 16)
#define SUM_AT(i)     ((a >> (i)) + (b >> (i)))
#define LEAST_U_AT(i) LEAST(U16(a >> (i)), U16(b >> (i)))
#define LEAST_S_AT(i) LEAST(S16(a >> (i)), S16(b >> (i)))
#define MOST_U_AT(i)  MOST(U16(a >> (i)), U16(b >> (i)))
#define MOST_S_AT(i)  MOST(S16(a >> (i)), S16(b >> (i)))
#define LEAST_0_AT(i) MOST(LEAST_S_AT(i), 0)
#define MOST_0_AT(i)  MOST(MOST_S_AT(i), 0)

MODEL(add, a + b)
MODEL(sub, a - b)
MODEL(neg, -a)
MODEL(add_u16x2, HALVES(SUM_AT))
MODEL(add_sat, clamp_s32(S32(a) + S32(b)))
MODEL(sub_sat, clamp_s32(S32(a) - S32(b)))
MODEL(abs_s16, S16(a) < 0 ? -S16(a) : S16(a))
MODEL(abs_s32, S32(a) < 0 ? -S32(a) : S32(a))
MODEL(abs_s64, S64(a) < 0 ? -a : a)
#define EXTREME_MODELS(T)                                                                                              \
    MODEL(min_##T, LEAST(T(a), T(b)))                                                                                  \
    MODEL(max_##T, MOST(T(a), T(b)))                                                                                   \
    MODEL(sad_##T, (uint64_t)APART(S128(T(a)), S128(T(b))) + c)
EXTREME_MODELS(U16)
EXTREME_MODELS(S16)
EXTREME_MODELS(U32)
EXTREME_MODELS(S32)
EXTREME_MODELS(S64)
MODEL(min_U64, LEAST(a, b))
MODEL(max_U64, MOST(a, b))
MODEL(sad_U64, APART(a, b) + c)
MODEL(min_relu_s32, MOST(LEAST(S32(a), S32(b)), 0))
MODEL(max_relu_s32, MOST(MOST(S32(a), S32(b)), 0))
MODEL(min_u16x2, HALVES(LEAST_U_AT))
MODEL(min_s16x2, HALVES(LEAST_S_AT))
MODEL(max_u16x2, HALVES(MOST_U_AT))
MODEL(max_s16x2, HALVES(MOST_S_AT))
MODEL(min_relu_s16x2, HALVES(LEAST_0_AT))
MODEL(max_relu_s16x2, HALVES(MOST_0_AT))

static void sums_and_extremes(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"add_u32", model_add, 4, 4, 4, 0, 0},
        {"add_u64", model_add, 8, 8, 8, 0, 0},
        {"add_u16x2", model_add_u16x2, 4, 4, 4, 0, 0},
        {"sub_u32", model_sub, 4, 4, 4, 0, 0},
        {"sub_u64", model_sub, 8, 8, 8, 0, 0},
        {"add_sat_s32", model_add_sat, 4, 4, 4, 0, 0},
        {"sub_sat_s32", model_sub_sat, 4, 4, 4, 0, 0},
        {"neg_u32", model_neg, 4, 4, 0, 0, 0},
        {"neg_u64", model_neg, 8, 8, 0, 0, 0},
        {"abs_s16", model_abs_s16, 2, 4, 0, 0, 0},
        {"abs_s32", model_abs_s32, 4, 4, 0, 0, 0},
        {"abs_s64", model_abs_s64, 8, 8, 0, 0, 0},
#define EXTREME_ROWS(name, T, bytes, lane)                                                                             \
    {"min_" name, model_min_##T, bytes, lane, lane, 0, 0}, {"max_" name, model_max_##T, bytes, lane, lane, 0, 0},      \
        {"sad_" name, model_sad_##T, bytes, lane, lane, lane, 0},
        EXTREME_ROWS("u16", U16, 2, 4) EXTREME_ROWS("s16", S16, 2, 4) EXTREME_ROWS("u32", U32, 4, 4)
            EXTREME_ROWS("s32", S32, 4, 4) EXTREME_ROWS("u64", U64, 8, 8)
                EXTREME_ROWS("s64", S64, 8, 8){"min_relu_s32", model_min_relu_s32, 4, 4, 4, 0, 0},
        {"max_relu_s32", model_max_relu_s32, 4, 4, 4, 0, 0},
        {"min_u16x2", model_min_u16x2, 4, 4, 4, 0, 0},
        {"min_s16x2", model_min_s16x2, 4, 4, 4, 0, 0},
        {"max_u16x2", model_max_u16x2, 4, 4, 4, 0, 0},
        {"max_s16x2", model_max_s16x2, 4, 4, 4, 0, 0},
        {"min_relu_s16x2", model_min_relu_s16x2, 4, 4, 4, 0, 0},
        {"max_relu_s16x2", model_max_relu_s16x2, 4, 4, 4, 0, 0},
        {0},
    };
    check_rows(rows);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

#define U24(x) ((uint64_t)((x)&0xffffff))
#define S24(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define PRODUCT_MODELS(name, product)                                                                                  \
    MODEL(mul_##name, product)                                                                                         \
    MODEL(mad_##name, (uint64_t)(product) + c)
PRODUCT_MODELS(lo, U128(a) * U128(b))
PRODUCT_MODELS(hi_u16, (U16(a) * U16(b)) >> 16)
PRODUCT_MODELS(hi_s16, (S16(a) * S16(b)) >> 16)
PRODUCT_MODELS(hi_u32, (U32(a) * U32(b)) >> 32)
PRODUCT_MODELS(hi_s32, (S32(a) * S32(b)) >> 32)
PRODUCT_MODELS(hi_u64, (U128(a) * U128(b)) >> 64)
PRODUCT_MODELS(hi_s64, (S128(a) * S128(b)) >> 64)
PRODUCT_MODELS(wide_u16, U16(a) * U16(b))
PRODUCT_MODELS(wide_s16, S16(a) * S16(b))
PRODUCT_MODELS(wide_u32, U32(a) * U32(b))
PRODUCT_MODELS(wide_s32, S32(a) * S32(b))
PRODUCT_MODELS(24_lo_u32, U24(a) * U24(b))
PRODUCT_MODELS(24_lo_s32, S24(a) * S24(b))
PRODUCT_MODELS(24_hi_u32, (U24(a) * U24(b)) >> 16)
PRODUCT_MODELS(24_hi_s32, (S24(a) * S24(b)) >> 16)
MODEL(mad_hi_sat, clamp_s32(((S32(a) * S32(b)) >> 32) + S32(c)))
MODEL(mad24_hi_sat, clamp_s32((int32_t)((S24(a) * S24(b)) >> 16) + S32(c)))

#define PRODUCT_ROWS(name, model, bytes, lane, source)                                                                 \
    {"mul_" name, model_mul_##model, bytes, source, source, 0, 0},                                                     \
    {                                                                                                                  \
        "mad_" name, model_mad_##model, bytes, source, source, lane, 0                                                 \
    }
static void products(void **state)
{
    (void)state;
    static const Row rows[] = {
        PRODUCT_ROWS("lo_u32", lo, 4, 4, 4),
        PRODUCT_ROWS("lo_u64", lo, 8, 8, 8),
        PRODUCT_ROWS("hi_u16", hi_u16, 2, 4, 4),
        PRODUCT_ROWS("hi_s16", hi_s16, 2, 4, 4),
        PRODUCT_ROWS("hi_u32", hi_u32, 4, 4, 4),
        PRODUCT_ROWS("hi_s32", hi_s32, 4, 4, 4),
        PRODUCT_ROWS("hi_u64", hi_u64, 8, 8, 8),
        PRODUCT_ROWS("hi_s64", hi_s64, 8, 8, 8),
        PRODUCT_ROWS("wide_u16", wide_u16, 4, 4, 4),
        PRODUCT_ROWS("wide_s16", wide_s16, 4, 4, 4),
        PRODUCT_ROWS("wide_u32", wide_u32, 8, 8, 4),
        PRODUCT_ROWS("wide_s32", wide_s32, 8, 8, 4),
        PRODUCT_ROWS("24_lo_u32", 24_lo_u32, 4, 4, 4),
        PRODUCT_ROWS("24_lo_s32", 24_lo_s32, 4, 4, 4),
        PRODUCT_ROWS("24_hi_u32", 24_hi_u32, 4, 4, 4),
        PRODUCT_ROWS("24_hi_s32", 24_hi_s32, 4, 4, 4),
        {"mad_hi_sat_s32", model_mad_hi_sat, 4, 4, 4, 4, 0},
        {"mad24_hi_sat_s32", model_mad24_hi_sat, 4, 4, 4, 4, 0},
        {0},
    };
    check_rows(rows);
}

static int64_t element(uint64_t word, unsigned index, unsigned width, bool is_signed)
{
    const uint64_t bits = word >> (index * width) & ((1u << width) - 1);
    return is_signed && bits >> (width - 1) ? (int64_t)bits - (1 << width) : (int64_t)bits;
}
static uint64_t dot(Lane lane, unsigned count, unsigned width, unsigned first, bool is_a_signed, bool is_b_signed)
{
    int64_t sum = (int64_t)lane.c;
    for (unsigned i = 0; i < count; i++)
        sum += element(lane.a, i, width, is_a_signed) * element(lane.b, first + i, 8, is_b_signed);
    return (uint64_t)sum;
}
#define DOT_MODELS(t, u, is_a_signed, is_b_signed)                                                                     \
    MODEL(dp4a_##t##_##u, dot(lane, 4, 8, 0, is_a_signed, is_b_signed))                                                \
    MODEL(dp2a_lo_##t##_##u, dot(lane, 2, 16, 0, is_a_signed, is_b_signed))                                            \
    MODEL(dp2a_hi_##t##_##u, dot(lane, 2, 16, 2, is_a_signed, is_b_signed))
DOT_MODELS(u32, u32, false, false)
DOT_MODELS(u32, s32, false, true)
DOT_MODELS(s32, u32, true, false)
DOT_MODELS(s32, s32, true, true)
#define DOT_ROWS(t, u)                                                                                                 \
    {"dp4a_" #t "_" #u, model_dp4a_##t##_##u, 4, 4, 4, 4, 0},                                                          \
        {"dp2a_lo_" #t "_" #u, model_dp2a_lo_##t##_##u, 4, 4, 4, 4, 0},                                                \
    {                                                                                                                  \
        "dp2a_hi_" #t "_" #u, model_dp2a_hi_##t##_##u, 4, 4, 4, 4, 0                                                   \
    }
static void dot_products(void **state)
{
    (void)state;
    static const Row rows[] = {DOT_ROWS(u32, u32), DOT_ROWS(u32, s32), DOT_ROWS(s32, u32), DOT_ROWS(s32, s32), {0}};
    check_rows(rows);
}

/* ---- quotients --------------------------------------------------------------------------------------------------- */

#define QUOTIENT_MODELS(T)                                                                                             \
    MODEL(div_##T, T(b) == 0 ? UINT64_MAX : (uint64_t)(S128(T(a)) / S128(T(b))))                                       \
    MODEL(rem_##T, T(b) == 0 ? UINT64_MAX : (uint64_t)(S128(T(a)) % S128(T(b))))
QUOTIENT_MODELS(U16)
QUOTIENT_MODELS(S16)
QUOTIENT_MODELS(U32)
QUOTIENT_MODELS(S32)
QUOTIENT_MODELS(S64)
MODEL(div_U64, b == 0 ? UINT64_MAX : a / b)
MODEL(rem_U64, b == 0 ? UINT64_MAX : a % b)

static void quotients(void **state)
{
    (void)state;
#define QUOTIENT_ROWS(name, T, bytes, lane)                                                                            \
    {"div_" name, model_div_##T, bytes, lane, lane, 0, 0},                                                             \
    {                                                                                                                  \
        "rem_" name, model_rem_##T, bytes, lane, lane, 0, 0                                                            \
    }
    static const Row rows[] = {
        QUOTIENT_ROWS("u16", U16, 2, 4),
        QUOTIENT_ROWS("s16", S16, 2, 4),
        QUOTIENT_ROWS("u32", U32, 4, 4),
        QUOTIENT_ROWS("s32", S32, 4, 4),
        QUOTIENT_ROWS("u64", U64, 8, 8),
        QUOTIENT_ROWS("s64", S64, 8, 8),
        {0},
    };
    check_rows(rows);
}

/* Quotients next to an integer, where a rounded one would be wrong. */
static void quotients_at_the_edge(void **state)
{
    (void)state;
    static const Row row = {"div_u32", model_div_U32, 4, 4, 4, 0, 0};
    for (int round = 0; round < 20 * ROUNDS; round++) {
        Frame frame = {0};
        for (size_t lane = 0; lane < PTX_WARP_LANES; lane++) {
            const uint32_t divisor = (uint32_t)(random_64() >> (32 + random_64() % 32)) | 1;
            const uint32_t quotient = (uint32_t)(random_64() % (UINT32_MAX / divisor + UINT64_C(1)));
            const uint32_t dividend = divisor * quotient - (uint32_t)(lane & 1);
            memcpy(frame.bytes + SLOT_A + 4 * lane, &dividend, 4);
            memcpy(frame.bytes + SLOT_B + 4 * lane, &divisor, 4);
        }
        run_row(&row, element_op, &frame, UINT32_MAX, false);
    }
}

/* Only executing lanes whose divisor is zero are reported. */
static void divisions_by_zero(void **state)
{
    (void)state;
    static const char *const names[] = {"div_u16", "rem_s16", "div_s32", "rem_u32", "div_u64", "rem_s64"};
    PtxExecutor isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            Frame frame;
            memset(frame.bytes, 0x11, sizeof frame);
            const size_t bytes = strchr(names[k], '6') && names[k][5] == '6' ? 8 : 4;
            memset(frame.bytes + SLOT_B + 8 * bytes, 0, 8 * bytes); /* lanes 8 to 15 */
            if (names[k][5] == '1')                                 /* what lies above 16 bits doesn't count */
                frame.bytes[SLOT_B + 8 * bytes + 2] = 1;
            PtxWarp warp = {.frame = frame.bytes, .mask = 0x0000ff0f, .keep = 0x00f0};
            found_lanes = 0;
            find_handler(&isas[i], names[k])(&warp, &element_op);
            assert_int_equal(found_lanes, 0x0000ff00);
        }
}

/* ---- carries ----------------------------------------------------------------------------------------------------- */

/* Results of more than the width: the bit above it is the carry or borrow. */
typedef struct CarryRow {
    const char *name;
    unsigned __int128 (*model)(Lane lane, unsigned __int128 mask);
    unsigned width;
    bool takes_carry;
} CarryRow;

#define CARRY_MODEL(name, expression)                                                                                  \
    static unsigned __int128 carry_##name(Lane lane, unsigned __int128 mask)                                           \
    {                                                                                                                  \
        const unsigned __int128 a = lane.a & mask, b = lane.b & mask, c = lane.c & mask, in = lane.carry;              \
        (void)c;                                                                                                       \
        return expression;                                                                                             \
    }
CARRY_MODEL(add, a + b + in)
CARRY_MODEL(sub, a - b - in)
CARRY_MODEL(mad_lo, ((a * b) & mask) + c + in)
CARRY_MODEL(mad_hi_u, ((a * b) >> (mask >> 32 ? 64 : 32)) + c + in)
CARRY_MODEL(mad_hi_s32, ((uint32_t)(((__int128)(int32_t)a * (int32_t)b) >> 32)) + c + in)
CARRY_MODEL(mad_hi_s64, ((uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64)) + c + in)

static void check_carry(const CarryRow *row, const char *isa, const Frame *before, const Frame *after,
                        uint32_t carry_in, const PtxWarp *warp, bool sets_carry)
{
    const unsigned bytes = row->width / 8;
    const unsigned __int128 mask = ((unsigned __int128)1 << row->width) - 1;
    for (unsigned i = 0; i < PTX_WARP_LANES; i++) {
        const bool executes = warp->mask >> i & 1;
        const Lane lane = {.a = lane_value(before, SLOT_A, i, bytes),
                           .b = lane_value(before, SLOT_B, i, bytes),
                           .c = lane_value(before, SLOT_C, i, bytes),
                           .carry = row->takes_carry ? carry_in >> i & 1 : 0};
        const unsigned __int128 value = row->model(lane, mask);
        const uint64_t got = lane_value(after, SLOT_D, i, bytes);
        const uint64_t expected = executes ? (uint64_t)(value & mask) : lane_value(before, SLOT_D, i, bytes);
        const uint32_t carry = executes && sets_carry ? (uint32_t)(value >> row->width) & 1 : carry_in >> i & 1;
        if (got != expected || (warp->carry >> i & 1) != carry)
            fail_msg("%s %s(%#lx, %#lx, %#lx, %u) = %#lx, not %#lx; carry %u", isa, row->name, lane.a, lane.b, lane.c,
                     lane.carry, got, expected, carry);
    }
}

static void check_carry_row(const CarryRow *row)
{
    PtxExecutor isas[ISAS];
    const size_t count = find_isas(isas);
    for (int round = 0; round < ROUNDS; round++) {
        Frame before;
        fill_frame(&before);
        const uint32_t carry = (uint32_t)random_64(), mask = random_mask();
        PtxOp op = element_op;
        op.flags = round % 3 ? PTX_FLAG_CC : 0;
        for (size_t i = 0; i < count; i++) {
            Frame after = before;
            PtxWarp warp = {.frame = after.bytes, .mask = mask, .keep = ~mask, .carry = carry};
            find_handler(&isas[i], row->name)(&warp, &op);
            check_carry(row, isas[i].name, &before, &after, carry, &warp, op.flags != 0);
        }
    }
}

static void carries(void **state)
{
    (void)state;
    static const CarryRow rows[] = {
        {"add_cc_u32", carry_add, 32, false},           {"addc_u32", carry_add, 32, true},
        {"sub_cc_u32", carry_sub, 32, false},           {"subc_u32", carry_sub, 32, true},
        {"add_cc_u64", carry_add, 64, false},           {"addc_u64", carry_add, 64, true},
        {"sub_cc_u64", carry_sub, 64, false},           {"subc_u64", carry_sub, 64, true},
        {"mad_cc_lo_u32", carry_mad_lo, 32, false},     {"madc_lo_u32", carry_mad_lo, 32, true},
        {"mad_cc_hi_u32", carry_mad_hi_u, 32, false},   {"madc_hi_u32", carry_mad_hi_u, 32, true},
        {"mad_cc_hi_s32", carry_mad_hi_s32, 32, false}, {"madc_hi_s32", carry_mad_hi_s32, 32, true},
        {"mad_cc_lo_u64", carry_mad_lo, 64, false},     {"madc_lo_u64", carry_mad_lo, 64, true},
        {"mad_cc_hi_u64", carry_mad_hi_u, 64, false},   {"madc_hi_u64", carry_mad_hi_u, 64, true},
        {"mad_cc_hi_s64", carry_mad_hi_s64, 64, false}, {"madc_hi_s64", carry_mad_hi_s64, 64, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_carry_row(&rows[i]);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static uint64_t reversed(uint64_t value, int width)
{
    uint64_t ret = 0;
    for (int i = 0; i < width; i++)
        ret |= (value >> i & 1) << (width - 1 - i);
    return ret;
}
static int highest_bit(uint64_t value, int width, bool is_signed)
{
    const uint64_t sign = is_signed ? value >> (width - 1) & 1 : 0;
    int i = width - 1;
    while (i >= 0 && (value >> i & 1) == sign)
        i--;
    return i;
}
static int zeros_above(uint64_t value, int width)
{
    return width - 1 - highest_bit(value, width, false);
}
static uint64_t shift_amount(uint64_t value, int width, bool is_signed)
{
    const int position = highest_bit(value, width, is_signed);
    return position < 0 ? UINT32_MAX : (uint64_t)(width - 1 - position);
}
static int set_bits(uint64_t value)
{
    int ret = 0;
    for (; value; value >>= 1)
        ret += (int)(value & 1);
    return ret;
}
static uint64_t nth_set(uint64_t bits, uint64_t base, int64_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return bits >> base & 1 ? base : UINT32_MAX;
    int64_t count = (offset < 0 ? -offset : offset) - 1;
    for (int64_t at = (int64_t)base; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if ((bits >> at & 1) && count-- == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}
static uint64_t extracted(uint64_t a, uint64_t position, uint64_t length, int width, bool is_signed)
{
    const unsigned top = (unsigned)width - 1;
    const uint64_t sign_at = position + length - 1 < top ? position + length - 1 : top;
    const uint64_t sign = !is_signed || length == 0 ? 0 : a >> sign_at & 1;
    uint64_t ret = 0;
    for (unsigned i = 0; i <= top; i++)
        ret |= (i < length && position + i <= top ? a >> (position + i) & 1 : sign) << i;
    return ret;
}
static uint64_t inserted(uint64_t a, uint64_t b, uint64_t position, uint64_t length, unsigned width)
{
    for (unsigned i = 0; i < length && position + i < width; i++)
        b = (b & ~(UINT64_C(1) << (position + i))) | (a >> i & 1) << (position + i);
    return b;
}
static uint64_t mask_of_bits(uint64_t start, uint64_t width, bool wraps)
{
    uint64_t ret = 0;
    start = wraps ? start & 31 : start;
    width = wraps ? width & 31 : width;
    for (uint64_t i = 0; i < 32; i++)
        ret |= (uint64_t)(i >= start && i - start < width) << i;
    return ret;
}

MODEL(popc, set_bits(a))
MODEL(clz_b32, zeros_above(a, 32))
MODEL(clz_b64, zeros_above(a, 64))
MODEL(brev_b32, reversed(a, 32))
MODEL(brev_b64, reversed(a, 64))
MODEL(bfind_u32, highest_bit(a, 32, false))
MODEL(bfind_s32, highest_bit(a, 32, true))
MODEL(bfind_u64, highest_bit(a, 64, false))
MODEL(bfind_s64, highest_bit(a, 64, true))
MODEL(bfind_shiftamt_u32, shift_amount(a, 32, false))
MODEL(bfind_shiftamt_s32, shift_amount(a, 32, true))
MODEL(bfind_shiftamt_u64, shift_amount(a, 64, false))
MODEL(bfind_shiftamt_s64, shift_amount(a, 64, true))
MODEL(fns, nth_set(a, b, S32(c)))
MODEL(bfe_u32, extracted(a, b & 0xff, c & 0xff, 32, false))
MODEL(bfe_s32, extracted(a, b & 0xff, c & 0xff, 32, true))
MODEL(bfe_u64, extracted(a, b, c, 64, false))
MODEL(bfe_s64, extracted(a, b, c, 64, true))
MODEL(bfi_b32, inserted(a, b, c & 0xff, lane.e & 0xff, 32))
MODEL(bfi_b64, inserted(a, b, c, lane.e, 64))
MODEL(szext_clamp_u32, extracted(a, 0, AMOUNT(b), 32, false))
MODEL(szext_wrap_u32, extracted(a, 0, b & 31, 32, false))
MODEL(szext_clamp_s32, extracted(a, 0, AMOUNT(b), 32, true))
MODEL(szext_wrap_s32, extracted(a, 0, b & 31, 32, true))
MODEL(bmsk_clamp, mask_of_bits(a, b, false))
MODEL(bmsk_wrap, mask_of_bits(a, b, true))

static void bits_found(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"popc_b32", model_popc, 4, 4, 0, 0, 0},
        {"popc_b64", model_popc, 4, 8, 0, 0, 0},
        {"clz_b32", model_clz_b32, 4, 4, 0, 0, 0},
        {"clz_b64", model_clz_b64, 4, 8, 0, 0, 0},
        {"brev_b32", model_brev_b32, 4, 4, 0, 0, 0},
        {"brev_b64", model_brev_b64, 8, 8, 0, 0, 0},
        {"bfind_u32", model_bfind_u32, 4, 4, 0, 0, 0},
        {"bfind_s32", model_bfind_s32, 4, 4, 0, 0, 0},
        {"bfind_u64", model_bfind_u64, 4, 8, 0, 0, 0},
        {"bfind_s64", model_bfind_s64, 4, 8, 0, 0, 0},
        {"bfind_shiftamt_u32", model_bfind_shiftamt_u32, 4, 4, 0, 0, 0},
        {"bfind_shiftamt_s32", model_bfind_shiftamt_s32, 4, 4, 0, 0, 0},
        {"bfind_shiftamt_u64", model_bfind_shiftamt_u64, 4, 8, 0, 0, 0},
        {"bfind_shiftamt_s64", model_bfind_shiftamt_s64, 4, 8, 0, 0, 0},
        {"fns_b32", model_fns, 4, 4, 4, 4, 0},
        {"bfe_u32", model_bfe_u32, 4, 4, 4, 4, 0},
        {"bfe_s32", model_bfe_s32, 4, 4, 4, 4, 0},
        {"bfe_u64", model_bfe_u64, 8, 8, 4, 4, 0},
        {"bfe_s64", model_bfe_s64, 8, 8, 4, 4, 0},
        {"bfi_b32", model_bfi_b32, 4, 4, 4, 4, 4},
        {"bfi_b64", model_bfi_b64, 8, 8, 8, 4, 4},
        {"szext_clamp_u32", model_szext_clamp_u32, 4, 4, 4, 0, 0},
        {"szext_wrap_u32", model_szext_wrap_u32, 4, 4, 4, 0, 0},
        {"szext_clamp_s32", model_szext_clamp_s32, 4, 4, 4, 0, 0},
        {"szext_wrap_s32", model_szext_wrap_s32, 4, 4, 4, 0, 0},
        {"bmsk_clamp_b32", model_bmsk_clamp, 4, 4, 4, 0, 0},
        {"bmsk_wrap_b32", model_bmsk_wrap, 4, 4, 4, 0, 0},
        {0},
    };
    check_rows(rows);
}

/* ---- video instructions ------------------------------------------------------------------------------------------ */

static int64_t video_clamped(int64_t value, unsigned width, bool is_signed)
{
    const int64_t least = is_signed ? -(INT64_C(1) << (width - 1)) : 0;
    const int64_t most = (INT64_C(1) << (is_signed ? width - 1 : width)) - 1;
    return value < least ? least : value > most ? most : value;
}
static uint64_t video(Lane lane, char what, unsigned width, bool adds)
{
    const PtxOp *op = lane.op;
    const bool is_set = what == '?';
    const bool is_a_signed = (is_set ? op->type : op->type2) == PTX_TYPE_S32;
    const bool is_b_signed = (is_set ? op->type2 : op->type3) == PTX_TYPE_S32;
    uint64_t ret = adds ? lane.c : 0;
    for (unsigned i = 0; i < 32 / width; i++) {
        const int64_t a = element(lane.a, i, width, is_a_signed), b = element(lane.b, i, width, is_b_signed);
        int64_t value = what == '+'   ? a + b
                        : what == '-' ? a - b
                        : what == '/' ? (a + b + (a + b >= 0)) >> 1
                        : what == '|' ? APART(a, b)
                        : what == '<' ? LEAST(a, b)
                        : what == '>' ? MOST(a, b)
                                      : a <= b; /* the tests' only comparison */
        if (op->flags & PTX_FLAG_SAT)
            value = video_clamped(value, width, op->type == PTX_TYPE_S32);
        ret += adds ? (uint64_t)value : ((uint64_t)value & ((1u << width) - 1)) << (i * width);
    }
    return ret;
}
#define VIDEO_MODELS(name, what)                                                                                       \
    MODEL(name##2, video(lane, what, 16, false))                                                                       \
    MODEL(name##2_add, video(lane, what, 16, true))                                                                    \
    MODEL(name##4, video(lane, what, 8, false))                                                                        \
    MODEL(name##4_add, video(lane, what, 8, true))
VIDEO_MODELS(vadd, '+')
VIDEO_MODELS(vsub, '-')
VIDEO_MODELS(vavrg, '/')
VIDEO_MODELS(vabsdiff, '|')
VIDEO_MODELS(vmin, '<')
VIDEO_MODELS(vmax, '>')
VIDEO_MODELS(vset, '?')
#define VIDEO_ROWS(name)                                                                                               \
    {#name "2", model_##name##2, 4, 4, 4, 4, 0}, {#name "2_add", model_##name##2_add, 4, 4, 4, 4, 0},                  \
        {#name "4", model_##name##4, 4, 4, 4, 4, 0},                                                                   \
    {                                                                                                                  \
#name "4_add", model_##name##4_add, 4, 4, 4, 4, 0                                                              \
    }
static void video_instructions(void **state)
{
    (void)state;
    static const Row rows[] = {VIDEO_ROWS(vadd), VIDEO_ROWS(vsub), VIDEO_ROWS(vavrg), VIDEO_ROWS(vabsdiff),
                               VIDEO_ROWS(vmin), VIDEO_ROWS(vmax), VIDEO_ROWS(vset),  {0}};
    for (unsigned signs = 0; signs < 16; signs++)
        for (const Row *row = rows; row->name; row++) {
            const bool is_set = strncmp(row->name, "vset", 4) == 0, adds = strstr(row->name, "_add") != NULL;
            PtxOp op = element_op;
            op.type = signs & 1 ? PTX_TYPE_S32 : PTX_TYPE_U32;
            op.type2 = signs & 2 ? PTX_TYPE_S32 : PTX_TYPE_U32;
            op.type3 = signs & 4 ? PTX_TYPE_S32 : PTX_TYPE_U32;
            op.flags = signs & 8 && !adds && !is_set ? PTX_FLAG_SAT : 0;
            op.compare = PTX_COMPARE_LE;
            Frame frame;
            fill_frame(&frame);
            run_row(row, op, &frame, random_mask(), true);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_extremes),
        cmocka_unit_test(products),
        cmocka_unit_test(dot_products),
        cmocka_unit_test(quotients),
        cmocka_unit_test(quotients_at_the_edge),
        cmocka_unit_test(divisions_by_zero),
        cmocka_unit_test(carries),
        cmocka_unit_test(bits_found),
        cmocka_unit_test(video_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
