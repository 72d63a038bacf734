/* Handlers of integers, bits, comparisons and moves: every instruction set against models of one lane that follow the
 * ISA's own definitions, on edge values and pseudo-random ones, with whole and partial warps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ptx/exec.h"

/* ---- instruction sets -------------------------------------------------------------------------------------------- */

#define TABLES(isa)                                                                                                    \
    extern const PtxHandlerRow ptx_##isa##_integer_handlers[], ptx_##isa##_bits_handlers[],                            \
        ptx_##isa##_compare_handlers[], ptx_##isa##_move_handlers[];                                                   \
    static const PtxHandlerRow *const isa##_tables[] = {ptx_##isa##_integer_handlers, ptx_##isa##_bits_handlers,       \
                                                        ptx_##isa##_compare_handlers, ptx_##isa##_move_handlers,       \
                                                        NULL};
TABLES(portable)
#if defined(__x86_64__)
TABLES(avx2)
TABLES(avx512)
#endif

enum { ISAS = 3 };

/* Those that this CPU has; the portable one always. */
static size_t find_isas(PtxExecutor ret[ISAS])
{
    size_t count = 0;
    ret[count++] = (PtxExecutor){"portable", portable_tables};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        ret[count++] = (PtxExecutor){"avx2", avx2_tables};
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
        ret[count++] = (PtxExecutor){"avx512", avx512_tables};
#endif
    return count;
}

static PtxHandler find_handler(const PtxExecutor *isa, const char *name)
{
    for (size_t table = 0; isa->tables[table]; table++)
        for (const PtxHandlerRow *row = isa->tables[table]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row->run;
    fail_msg("%s has no %s", isa->name, name);
    return NULL;
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static uint32_t found_lanes;

void ptx_finding(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxFindingKind kind)
{
    (void)warp, (void)op;
    assert_int_equal(kind, PTX_FINDING_DIVISION_BY_ZERO);
    assert_int_equal(found_lanes >> lane & 1, 0);
    found_lanes |= 1u << lane;
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

enum {
    SLOT_BYTES = 512,
    SLOT_ZERO = 0,
    SLOT_A = SLOT_BYTES,
    SLOT_B = 2 * SLOT_BYTES,
    SLOT_C = 3 * SLOT_BYTES,
    SLOT_E = 4 * SLOT_BYTES,
    SLOT_D = 5 * SLOT_BYTES, /* and the three after it */
    SLOT_P = 9 * SLOT_BYTES, /* predicates: d, q, and sources a, b, c */
    FRAME_BYTES = 10 * SLOT_BYTES,
};

typedef struct Frame {
    _Alignas(64) uint8_t bytes[FRAME_BYTES];
} Frame;

/* One lane's operands, widened to 64 bits, and what the op carries besides. */
typedef struct Lane {
    uint64_t a, b, c, e;
    int64_t imm;
    uint32_t carry;
    const PtxOp *op;
} Lane;

static uint64_t random_state = 88172645463325252u;

static uint64_t random_64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Values at which arithmetic turns; as halves of words, too. */
static uint64_t random_operand(void)
{
    static const uint64_t edges[] = {
        0,          1,          2,          7,          8,          15,         16,         23,         24,
        31,         32,         33,         63,         64,         65,         127,        128,        255,
        256,        0x3ff,      0x400,      0x3c00,     0x7bff,     0x7c00,     0x7c01,     0x7e00,     0x7fff,
        0x8000,     0x8001,     0x83ff,     0xbc00,     0xfc00,     0xfc01,     0xffff,     0x10000,    0x7f80,
        0x7f81,     0xff80,     0x007fffff, 0x00800000, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000,
        0x7fffffff, 0x80000000, 0x80000001, 0x807fffff, 0x80800000, 0xbf800000, 0xff800000, 0xffc00000, 0xfffffffe,
        0xffffffff, 0xffffff80, 0xffff8000,
    };
    const uint64_t kind = random_64() >> 60;
    const uint64_t low = edges[(random_64() >> 20) % (sizeof edges / sizeof *edges)];
    const uint64_t high = edges[(random_64() >> 20) % (sizeof edges / sizeof *edges)];
    switch (kind) {
    case 0:
    case 1:
    case 2: return low;
    case 3: return -low;
    case 4:
    case 5: return high << 32;
    case 6:
    case 7: return high << 32 | low;
    case 8:
    case 9: return high << 48 | low << 32 | high << 16 | (low & 0xffff);
    case 10: return random_64() % 70;
    case 11: return random_64() >> (random_64() >> 58);
    case 12: return (uint64_t)((int64_t)random_64() >> (random_64() >> 58));
    default: return random_64();
    }
}

static uint32_t random_mask(void)
{
    static const uint32_t edges[] = {UINT32_MAX, UINT32_MAX, 1, 0x80000000, 0x0000ffff, 0x00ff00ff, 0x7fffffff};
    const uint64_t kind = random_64() >> 59;
    return kind < 7 ? edges[kind] : (uint32_t)(random_64() >> 16) | 2;
}

static void fill_frame(Frame *frame)
{
    for (size_t at = SLOT_BYTES; at < FRAME_BYTES; at += 8) {
        const uint64_t value = random_operand();
        memcpy(frame->bytes + at, &value, 8);
    }
    memset(frame->bytes, 0, SLOT_BYTES);
    if (random_64() >> 62 == 0) /* operands that are equal, as they seldom are */
        memcpy(frame->bytes + SLOT_B, frame->bytes + SLOT_A, SLOT_BYTES);
}

static uint64_t lane_value(const Frame *frame, uint32_t slot, unsigned lane, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, frame->bytes + slot + (size_t)lane * (bytes <= 4 ? 4 : 8), bytes <= 4 ? 4 : 8);
    return value;
}

static uint32_t predicate(const Frame *frame, unsigned index)
{
    uint32_t word;
    memcpy(&word, frame->bytes + SLOT_P + 4 * index, 4);
    return word;
}

/* ---- element-wise handlers --------------------------------------------------------------------------------------- */

typedef uint64_t Model(Lane lane);

/* A handler: bytes of a lane of d, a, b, c (0: absent), and how many of d's bytes mean something. */
typedef struct Row {
    const char *name;
    Model *model;
    uint8_t d, a, b, c, e;
} Row;

static const PtxOp element_op = {
    .d = SLOT_D, .a = SLOT_A, .b = SLOT_B, .c = SLOT_C, .e = SLOT_E, .type = PTX_TYPE_U32, .type2 = PTX_TYPE_S32};

static void check_lane(const Row *row, const char *isa, const Frame *before, const Frame *after, const PtxWarp *warp,
                       const PtxOp *op, uint32_t carry, unsigned lane)
{
    const bool executes = warp->mask >> lane & 1;
    const uint64_t mask = row->d == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * row->d)) - 1;
    const uint64_t got = lane_value(after, SLOT_D, lane, row->d);
    if (!executes) {
        if (warp->keep >> lane & 1)
            assert_int_equal(got, lane_value(before, SLOT_D, lane, row->d));
        return;
    }
    const Lane values = {.a = lane_value(before, SLOT_A, lane, row->a),
                         .b = lane_value(before, SLOT_B, lane, row->b),
                         .c = lane_value(before, SLOT_C, lane, row->c),
                         .e = lane_value(before, SLOT_E, lane, row->e),
                         .imm = op->imm,
                         .carry = carry >> lane & 1,
                         .op = op};
    const uint64_t expected = row->model(values);
    if ((got & mask) != (expected & mask))
        fail_msg("%s %s(%#lx, %#lx, %#lx, %#lx; %#lx) = %#lx, not %#lx", isa, row->name, values.a, values.b, values.c,
                 values.e, (unsigned long)values.imm, got & mask, expected & mask);
}

static void run_row(const Row *row, PtxOp op, const Frame *before, uint32_t mask, bool keeps)
{
    PtxExecutor isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t i = 0; i < count; i++) {
        Frame after = *before;
        const uint32_t carry = (uint32_t)(mask * 0x9e3779b9u);
        PtxWarp warp = {.frame = after.bytes, .mask = mask, .keep = keeps ? ~mask : 0, .carry = carry};
        found_lanes = 0;
        assert_ptr_equal(find_handler(&isas[i], row->name)(&warp, &op), &op + 1);
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            check_lane(row, isas[i].name, before, &after, &warp, &op, carry, lane);
        assert_int_equal(found_lanes & ~mask, 0);
    }
}

enum { ROUNDS = 300 };

static void check_row(const Row *row, PtxOp op)
{
    for (int round = 0; round < ROUNDS; round++) {
        Frame frame;
        fill_frame(&frame);
        op.imm = (int64_t)random_operand();
        run_row(row, op, &frame, random_mask(), round & 1);
    }
}

static void check_rows(const Row *rows)
{
    for (; rows->name; rows++)
        check_row(rows, element_op);
}

#define MODEL(name, expression)                                                                                        \
    static uint64_t model_##name(Lane lane)                                                                            \
    {                                                                                                                  \
        const uint64_t a = lane.a, b = lane.b, c = lane.c;                                                             \
        (void)a, (void)b, (void)c;                                                                                     \
        return (uint64_t)(expression);                                                                                 \
    }
#define S16(x)  ((int64_t)(int16_t)(x))
#define U16(x)  ((uint64_t)(uint16_t)(x))
#define S32(x)  ((int64_t)(int32_t)(x))
#define U32(x)  ((uint64_t)(uint32_t)(x))
#define S64(x)  ((int64_t)(x))
#define U64(x)  ((uint64_t)(x))
#define S128(x) ((__int128)(int64_t)(x))
#define U128(x) ((unsigned __int128)(uint64_t)(x))

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
#define AMOUNT(x) ((x) > 32 ? 32 : (unsigned)(x))

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

static uint64_t shifted(uint64_t value, uint64_t amount, unsigned width, bool is_signed)
{
    const bool fills = is_signed && value >> (width - 1) & 1;
    for (uint64_t i = 0; i < amount && i < width; i++)
        value = value >> 1 | (uint64_t)fills << (width - 1);
    return value;
}
static uint64_t shifted_left(uint64_t value, uint64_t amount)
{
    return amount > 63 ? 0 : value << amount;
}
static uint64_t looked_up(Lane lane)
{
    uint64_t ret = 0;
    for (int i = 0; i < 32; i++) {
        const uint64_t index = (lane.a >> i & 1) << 2 | (lane.b >> i & 1) << 1 | (lane.c >> i & 1);
        ret |= ((uint64_t)lane.imm >> index & 1) << i;
    }
    return ret;
}
#define BY_IMM U32(lane.imm)
#define PAIR   (b << 32 | U32(a))
/* What a funnel shift by up to 32 leaves of the pair. */
#define FUNNEL_LEFT(n)  ((n) == 32 ? a : PAIR << (n) >> 32)
#define FUNNEL_RIGHT(n) (PAIR >> (n))

MODEL(and, a &b)
MODEL(or, a | b)
MODEL(xor, a ^ b)
MODEL(not, ~a)
MODEL(cnot_b16, U16(a) == 0)
MODEL(cnot, a == 0)
MODEL(lop3, looked_up(lane))
MODEL(shl, shifted_left(a, b))
MODEL(shr_u16, shifted(U16(a), b, 16, false))
MODEL(shr_s16, shifted(U16(a), b, 16, true))
MODEL(shr_u32, shifted(a, b, 32, false))
MODEL(shr_s32, shifted(a, b, 32, true))
MODEL(shr_u64, shifted(a, b, 64, false))
MODEL(shr_s64, shifted(a, b, 64, true))
MODEL(shl_imm, shifted_left(a, BY_IMM))
MODEL(shr_imm_u16, shifted(U16(a), BY_IMM, 16, false))
MODEL(shr_imm_s16, shifted(U16(a), BY_IMM, 16, true))
MODEL(shr_imm_u32, shifted(a, BY_IMM, 32, false))
MODEL(shr_imm_s32, shifted(a, BY_IMM, 32, true))
MODEL(shr_imm_u64, shifted(a, BY_IMM, 64, false))
MODEL(shr_imm_s64, shifted(a, BY_IMM, 64, true))
MODEL(shf_l_clamp, FUNNEL_LEFT(AMOUNT(c)))
MODEL(shf_l_wrap, FUNNEL_LEFT(c & 31))
MODEL(shf_r_clamp, FUNNEL_RIGHT(AMOUNT(c)))
MODEL(shf_r_wrap, FUNNEL_RIGHT(c & 31))

static void logic_and_shifts(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"and_b32", model_and, 4, 4, 4, 0, 0},
        {"and_b64", model_and, 8, 8, 8, 0, 0},
        {"or_b32", model_or, 4, 4, 4, 0, 0},
        {"or_b64", model_or, 8, 8, 8, 0, 0},
        {"xor_b32", model_xor, 4, 4, 4, 0, 0},
        {"xor_b64", model_xor, 8, 8, 8, 0, 0},
        {"not_b32", model_not, 4, 4, 0, 0, 0},
        {"not_b64", model_not, 8, 8, 0, 0, 0},
        {"cnot_b16", model_cnot_b16, 2, 4, 0, 0, 0},
        {"cnot_b32", model_cnot, 4, 4, 0, 0, 0},
        {"cnot_b64", model_cnot, 8, 8, 0, 0, 0},
        {"lop3_b32", model_lop3, 4, 4, 4, 4, 0},
        {"shl_b32", model_shl, 4, 4, 4, 0, 0},
        {"shl_b64", model_shl, 8, 8, 4, 0, 0},
        {"shr_u16", model_shr_u16, 2, 4, 4, 0, 0},
        {"shr_s16", model_shr_s16, 2, 4, 4, 0, 0},
        {"shr_u32", model_shr_u32, 4, 4, 4, 0, 0},
        {"shr_s32", model_shr_s32, 4, 4, 4, 0, 0},
        {"shr_u64", model_shr_u64, 8, 8, 4, 0, 0},
        {"shr_s64", model_shr_s64, 8, 8, 4, 0, 0},
        {"shl_constant_b32", model_shl_imm, 4, 4, 0, 0, 0},
        {"shl_constant_b64", model_shl_imm, 8, 8, 0, 0, 0},
        {"shr_constant_u16", model_shr_imm_u16, 2, 4, 0, 0, 0},
        {"shr_constant_s16", model_shr_imm_s16, 2, 4, 0, 0, 0},
        {"shr_constant_u32", model_shr_imm_u32, 4, 4, 0, 0, 0},
        {"shr_constant_s32", model_shr_imm_s32, 4, 4, 0, 0, 0},
        {"shr_constant_u64", model_shr_imm_u64, 8, 8, 0, 0, 0},
        {"shr_constant_s64", model_shr_imm_s64, 8, 8, 0, 0, 0},
        {"shf_l_clamp", model_shf_l_clamp, 4, 4, 4, 4, 0},
        {"shf_l_wrap", model_shf_l_wrap, 4, 4, 4, 4, 0},
        {"shf_r_clamp", model_shf_r_clamp, 4, 4, 4, 4, 0},
        {"shf_r_wrap", model_shf_r_wrap, 4, 4, 4, 4, 0},
        {0},
    };
    check_rows(rows);
}

static uint64_t permuted(Lane lane)
{
    const uint64_t pair = lane.b << 32 | U32(lane.a);
    uint64_t ret = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t selector = lane.c >> (4 * i) & 15;
        const uint64_t byte = pair >> (8 * (selector & 7)) & 0xff;
        ret |= (selector & 8 ? (byte >> 7) * 0xff : byte) << (8 * i);
    }
    return ret;
}
/* The ISA's table of modes, as selectors of the bytes from the highest. */
static uint64_t permuted_by(Lane lane, const char *const selectors[4])
{
    uint64_t control = 0;
    for (const char *at = selectors[lane.c & 3]; *at; at++)
        control = control << 4 | (uint64_t)(*at - '0');
    lane.c = control;
    return permuted(lane);
}
#define PERMUTED(...) permuted_by(lane, (const char *const[4]){__VA_ARGS__})
MODEL(prmt, permuted(lane))
MODEL(prmt_f4e, PERMUTED("3210", "4321", "5432", "6543"))
MODEL(prmt_b4e, PERMUTED("5670", "6701", "7012", "0123"))
MODEL(prmt_rc8, PERMUTED("0000", "1111", "2222", "3333"))
MODEL(prmt_ecl, PERMUTED("3210", "3211", "3222", "3333"))
MODEL(prmt_ecr, PERMUTED("0000", "1110", "2210", "3210"))
MODEL(prmt_rc16, PERMUTED("1010", "3232", "1010", "3232"))

static void permutations(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"prmt_none", model_prmt, 4, 4, 4, 4, 0},      {"prmt_f4e", model_prmt_f4e, 4, 4, 4, 4, 0},
        {"prmt_b4e", model_prmt_b4e, 4, 4, 4, 4, 0},   {"prmt_rc8", model_prmt_rc8, 4, 4, 4, 4, 0},
        {"prmt_ecl", model_prmt_ecl, 4, 4, 4, 4, 0},   {"prmt_ecr", model_prmt_ecr, 4, 4, 4, 4, 0},
        {"prmt_rc16", model_prmt_rc16, 4, 4, 4, 4, 0}, {0},
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

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    PtxCompare compare;
    const char *holds; /* "<", "=", ">" and "u" for unordered */
} comparisons[] = {
    {"eq", PTX_COMPARE_EQ, "="},     {"ne", PTX_COMPARE_NE, "<>"},    {"lt", PTX_COMPARE_LT, "<"},
    {"le", PTX_COMPARE_LE, "<="},    {"gt", PTX_COMPARE_GT, ">"},     {"ge", PTX_COMPARE_GE, "=>"},
    {"lo", PTX_COMPARE_LO, "<"},     {"ls", PTX_COMPARE_LS, "<="},    {"hi", PTX_COMPARE_HI, ">"},
    {"hs", PTX_COMPARE_HS, ">="},    {"equ", PTX_COMPARE_EQU, "=u"},  {"neu", PTX_COMPARE_NEU, "<>u"},
    {"ltu", PTX_COMPARE_LTU, "<u"},  {"leu", PTX_COMPARE_LEU, "<=u"}, {"gtu", PTX_COMPARE_GTU, ">u"},
    {"geu", PTX_COMPARE_GEU, ">=u"}, {"num", PTX_COMPARE_NUM, "<=>"}, {"nan", PTX_COMPARE_NAN, "u"},
};
enum { FIRST_UNSIGNED = 6, FIRST_FLOAT = 10, COMPARISONS = 18 };

/* The number that a floating-point value's bits stand for, by the formats' definition. */
static double number(uint64_t bits, unsigned exponent_bits, unsigned fraction_bits, bool flushes)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    const int top = (1 << exponent_bits) - 1, exponent = (int)(bits >> fraction_bits) & top;
    const double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    if (exponent == top)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return flushes ? sign * 0.0
                       : sign * ldexp((double)fraction, 2 - (1 << (exponent_bits - 1)) - (int)fraction_bits);
    return sign * ldexp((double)(fraction | UINT64_C(1) << fraction_bits),
                        exponent - (1 << (exponent_bits - 1)) + 1 - (int)fraction_bits);
}

static char relation_of_numbers(double x, double y)
{
    return x < y ? '<' : x > y ? '>' : x == y ? '=' : 'u';
}
#define RELATION(x, y) ((x) < (y) ? '<' : (x) > (y) ? '>' : '=')

static char relation(PtxType type, uint64_t a, uint64_t b, bool flushes)
{
    switch (type) {
    case PTX_TYPE_U16: return RELATION(U16(a), U16(b));
    case PTX_TYPE_S16: return RELATION(S16(a), S16(b));
    case PTX_TYPE_U32: return RELATION(U32(a), U32(b));
    case PTX_TYPE_S32: return RELATION(S32(a), S32(b));
    case PTX_TYPE_U64: return RELATION(a, b);
    case PTX_TYPE_S64: return RELATION(S64(a), S64(b));
    case PTX_TYPE_F32: return relation_of_numbers(number(U32(a), 8, 23, flushes), number(U32(b), 8, 23, flushes));
    case PTX_TYPE_F64: return relation_of_numbers(number(a, 11, 52, false), number(b, 11, 52, false));
    case PTX_TYPE_F16: return relation_of_numbers(number(U16(a), 5, 10, flushes), number(U16(b), 5, 10, flushes));
    default: return relation_of_numbers(number(U16(a), 8, 7, false), number(U16(b), 8, 7, false));
    }
}

static const struct {
    const char *name;
    PtxType type, packed;
    uint8_t bytes;
    bool is_float, is_signed;
} compared_types[] = {
    {"u16", PTX_TYPE_U16, PTX_TYPE_NONE, 4, false, false}, {"s16", PTX_TYPE_S16, PTX_TYPE_NONE, 4, false, true},
    {"u32", PTX_TYPE_U32, PTX_TYPE_NONE, 4, false, false}, {"s32", PTX_TYPE_S32, PTX_TYPE_NONE, 4, false, true},
    {"u64", PTX_TYPE_U64, PTX_TYPE_NONE, 8, false, false}, {"s64", PTX_TYPE_S64, PTX_TYPE_NONE, 8, false, true},
    {"f32", PTX_TYPE_F32, PTX_TYPE_NONE, 4, true, true},   {"f64", PTX_TYPE_F64, PTX_TYPE_NONE, 8, true, true},
    {"half", PTX_TYPE_F16, PTX_TYPE_F16X2, 4, true, true}, {"half", PTX_TYPE_BF16, PTX_TYPE_BF16X2, 4, true, true},
};
enum { COMPARED_TYPES = sizeof compared_types / sizeof *compared_types };

static bool is_comparison_of(size_t comparison, size_t type)
{
    if (compared_types[type].is_float)
        return comparison < FIRST_UNSIGNED || comparison >= FIRST_FLOAT;
    return comparison < (compared_types[type].is_signed ? FIRST_UNSIGNED : FIRST_FLOAT);
}

/* Lanes of `frame` whose sources, moved down by `shift`, compare so. */
static uint32_t expected_truth(const Frame *frame, size_t comparison, size_t type, unsigned shift, bool flushes)
{
    uint32_t truth = 0;
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
        const uint64_t a = lane_value(frame, SLOT_A, lane, compared_types[type].bytes) >> shift;
        const uint64_t b = lane_value(frame, SLOT_B, lane, compared_types[type].bytes) >> shift;
        const char found = relation(compared_types[type].type, a, b, flushes);
        truth |= (uint32_t)(strchr(comparisons[comparison].holds, found) != NULL) << lane;
    }
    return truth;
}

static uint32_t combined(PtxOperation operation, uint32_t x, uint32_t y)
{
    return operation == PTX_OPERATION_AND   ? x & y
           : operation == PTX_OPERATION_OR  ? x | y
           : operation == PTX_OPERATION_XOR ? x ^ y
                                            : x;
}

/* An op with random boolean operation, third source and flush. */
static PtxOp comparison_op(size_t comparison, size_t type)
{
    PtxOp op = {.d = SLOT_P, .q = SLOT_P + 4, .a = SLOT_A, .b = SLOT_B};
    op.compare = (uint8_t)comparisons[comparison].compare;
    op.operation = (uint8_t)(random_64() >> 62);
    if (op.operation != PTX_OPERATION_NONE) {
        op.c = SLOT_P + 16;
        op.flags = PTX_FLAG_HAS_C | (random_64() >> 63 ? PTX_FLAG_NEGATE_C : 0);
    }
    const PtxType compared = compared_types[type].type;
    if ((compared == PTX_TYPE_F32 || compared == PTX_TYPE_F16) && random_64() >> 63)
        op.flags |= PTX_FLAG_FTZ;
    return op;
}
static uint32_t third_source(const Frame *frame, const PtxOp *op)
{
    return op->c ? predicate(frame, 4) ^ (op->flags & PTX_FLAG_NEGATE_C ? UINT32_MAX : 0) : 0;
}

static void run_on_all(const char *name, const PtxOp *op, const Frame *before, uint32_t mask, bool keeps,
                       Frame after[ISAS], size_t *ret_count)
{
    PtxExecutor isas[ISAS];
    *ret_count = find_isas(isas);
    for (size_t i = 0; i < *ret_count; i++) {
        after[i] = *before;
        PtxWarp warp = {.frame = after[i].bytes, .mask = mask, .keep = keeps ? ~mask : 0};
        assert_ptr_equal(find_handler(&isas[i], name)(&warp, op), op + 1);
    }
}

static void check_predicate(const char *name, const Frame *before, const Frame *after, unsigned index, uint32_t mask,
                            uint32_t expected)
{
    const uint32_t merged = (predicate(before, index) & ~mask) | (expected & mask);
    if (predicate(after, index) != merged)
        fail_msg("%s: predicate %u is %#x, not %#x", name, index, predicate(after, index), merged);
}

static void check_setp(size_t comparison, size_t type, bool is_packed)
{
    char name[32];
    if (is_packed || compared_types[type].packed)
        snprintf(name, sizeof name, is_packed ? "setp_halves" : "setp_half");
    else
        snprintf(name, sizeof name, "setp_%s_%s", comparisons[comparison].name, compared_types[type].name);
    Frame before, after[ISAS];
    fill_frame(&before);
    PtxOp op = comparison_op(comparison, type);
    const bool has_q = is_packed || random_64() >> 63;
    op.flags |= has_q ? PTX_FLAG_HAS_Q : 0;
    op.type = (uint8_t)(is_packed ? compared_types[type].packed : compared_types[type].type);
    const uint32_t mask = random_mask(), other = third_source(&before, &op);
    const bool flushes = op.flags & PTX_FLAG_FTZ;
    const uint32_t truth = expected_truth(&before, comparison, type, 0, flushes);
    const uint32_t second = is_packed ? expected_truth(&before, comparison, type, 16, flushes) : ~truth;
    size_t count;
    run_on_all(name, &op, &before, mask, true, after, &count);
    for (size_t i = 0; i < count; i++) {
        check_predicate(name, &before, &after[i], 0, mask, combined((PtxOperation)op.operation, truth, other));
        const uint32_t q = combined((PtxOperation)op.operation, second, other);
        check_predicate(name, &before, &after[i], 1, has_q ? mask : 0, q);
    }
}

static void setp(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS / 2; round++)
        for (size_t type = 0; type < COMPARED_TYPES; type++)
            for (size_t comparison = 0; comparison < COMPARISONS; comparison++) {
                if (!is_comparison_of(comparison, type))
                    continue;
                check_setp(comparison, type, false);
                if (compared_types[type].packed)
                    check_setp(comparison, type, true);
            }
}

static const struct {
    PtxType type;
    uint32_t value, mask;
} set_results[] = {
    {PTX_TYPE_U32, UINT32_MAX, UINT32_MAX}, {PTX_TYPE_S32, UINT32_MAX, UINT32_MAX},
    {PTX_TYPE_F32, 0x3f800000, UINT32_MAX}, {PTX_TYPE_F16, 0x3c00, 0xffff},
    {PTX_TYPE_BF16, 0x3f80, 0xffff},        {PTX_TYPE_U16, 0xffff, 0xffff},
    {PTX_TYPE_S16, 0xffff, 0xffff},
};

static void check_set(size_t comparison, size_t type, bool is_packed)
{
    Frame before, after[ISAS];
    fill_frame(&before);
    PtxOp op = comparison_op(comparison, type);
    op.d = SLOT_D;
    const size_t result = random_64() % (is_packed ? 2 : sizeof set_results / sizeof *set_results);
    const bool is_float = is_packed && random_64() >> 63;
    op.type = (uint8_t)(is_float ? compared_types[type].packed : set_results[result].type);
    op.type2 = (uint8_t)(is_packed ? compared_types[type].packed : compared_types[type].type);
    const uint32_t mask = random_mask(), other = third_source(&before, &op);
    const bool flushes = op.flags & PTX_FLAG_FTZ;
    const PtxOperation operation = (PtxOperation)op.operation;
    const uint32_t lower = combined(operation, expected_truth(&before, comparison, type, 0, flushes), other);
    const uint32_t upper = combined(operation, expected_truth(&before, comparison, type, 16, flushes), other);
    const uint32_t half = !is_float ? 0xffff : compared_types[type].type == PTX_TYPE_F16 ? 0x3c00 : 0x3f80;
    size_t count;
    run_on_all(is_packed ? "set_halves" : "set", &op, &before, mask, true, after, &count);
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
        const uint32_t whole = lower >> lane & 1 ? set_results[result].value : 0;
        const uint32_t halves = (lower >> lane & 1 ? half : 0) | (upper >> lane & 1 ? half << 16 : 0);
        const bool executes = mask >> lane & 1;
        const uint32_t expected = !executes   ? (uint32_t)lane_value(&before, SLOT_D, lane, 4)
                                  : is_packed ? halves
                                              : whole;
        const uint32_t significant = is_packed || !executes ? UINT32_MAX : set_results[result].mask;
        for (size_t i = 0; i < count; i++)
            assert_int_equal(lane_value(&after[i], SLOT_D, lane, 4) & significant, expected & significant);
    }
}

static void set(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS / 6; round++)
        for (size_t type = 0; type < COMPARED_TYPES; type++)
            for (size_t comparison = 0; comparison < COMPARISONS; comparison++) {
                if (!is_comparison_of(comparison, type))
                    continue;
                check_set(comparison, type, false);
                if (compared_types[type].packed)
                    check_set(comparison, type, true);
            }
}

MODEL(slct_s32, S32(c) >= 0 ? a : b)
MODEL(slct_f32, number(U32(c), 8, 23, lane.op->flags &PTX_FLAG_FTZ) >= 0 ? a : b)

static void selections(void **state)
{
    (void)state;
    static const Row rows[] = {{"slct_b32_s32", model_slct_s32, 4, 4, 4, 4, 0},
                               {"slct_b64_s32", model_slct_s32, 8, 8, 8, 4, 0},
                               {"slct_b32_f32", model_slct_f32, 4, 4, 4, 4, 0},
                               {"slct_b64_f32", model_slct_f32, 8, 8, 8, 4, 0},
                               {0}};
    check_rows(rows);
    PtxOp op = element_op;
    op.flags = PTX_FLAG_FTZ;
    check_row(&rows[2], op);
    check_row(&rows[3], op);
    for (int round = 0; round < ROUNDS; round++) {
        Frame before, after[ISAS];
        const unsigned bytes = round & 1 ? 8 : 4;
        fill_frame(&before);
        op.c = SLOT_P + 16;
        op.flags = round & 2 ? PTX_FLAG_NEGATE_C : 0;
        const uint32_t mask = random_mask(), chosen = third_source(&before, &op);
        size_t count;
        run_on_all(bytes == 8 ? "selp_b64" : "selp_b32", &op, &before, mask, true, after, &count);
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
            const uint32_t slot = !(mask >> lane & 1) ? SLOT_D : chosen >> lane & 1 ? SLOT_A : SLOT_B;
            for (size_t i = 0; i < count; i++)
                assert_int_equal(lane_value(&after[i], SLOT_D, lane, bytes), lane_value(&before, slot, lane, bytes));
        }
    }
}

static const char *const test_names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};

static bool test_holds(size_t test, double value, bool is_double)
{
    const double least = is_double ? 0x1p-1022 : 0x1p-126;
    const bool is_small = value != 0 && fabs(value) < least;
    const bool answers[] = {
        isfinite(value), isinf(value) != 0, !isnan(value), isnan(value), fabs(value) >= least && isfinite(value),
        is_small};
    return answers[test];
}

static void testp(void **state)
{
    (void)state;
    const PtxOp op = {.d = SLOT_P, .a = SLOT_A};
    for (int round = 0; round < ROUNDS; round++) {
        Frame before, after[ISAS];
        fill_frame(&before);
        char name[32];
        const bool is_double = round & 1;
        const size_t test = (size_t)round / 2 % 6;
        snprintf(name, sizeof name, "testp_%s_%s", test_names[test], is_double ? "f64" : "f32");
        uint32_t expected = 0;
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
            const uint64_t bits = lane_value(&before, SLOT_A, lane, is_double ? 8 : 4);
            const double value = is_double ? number(bits, 11, 52, false) : number(bits, 8, 23, false);
            expected |= (uint32_t)test_holds(test, value, is_double) << lane;
        }
        const uint32_t mask = random_mask();
        size_t count;
        run_on_all(name, &op, &before, mask, false, after, &count);
        for (size_t i = 0; i < count; i++)
            check_predicate(name, &before, &after[i], 0, mask, expected);
    }
}

/* ---- predicates -------------------------------------------------------------------------------------------------- */

static void predicates(void **state)
{
    (void)state;
    static const char *const names[] = {"and_pred", "or_pred", "xor_pred", "not_pred", "mov_pred"};
    for (int round = 0; round < ROUNDS; round++) {
        Frame before, after[ISAS];
        fill_frame(&before);
        const PtxOp op = {.d = SLOT_P, .a = SLOT_P + 8, .b = SLOT_P + 12, .flags = round & 1 ? PTX_FLAG_NEGATE_A : 0};
        const uint32_t x = predicate(&before, 2) ^ (round & 1 ? UINT32_MAX : 0), y = predicate(&before, 3);
        const uint32_t expected[] = {x & y, x | y, x ^ y, ~x, x};
        const uint32_t mask = random_mask();
        for (size_t k = 0; k < 5; k++) {
            size_t count;
            run_on_all(names[k], &op, &before, mask, true, after, &count);
            for (size_t i = 0; i < count; i++)
                check_predicate(names[k], &before, &after[i], 0, mask, expected[k]);
        }
    }
}

/* d | q of lop3: the predicate is about the value. */
static void lop3_with_predicate(void **state)
{
    (void)state;
    static const Row row = {"lop3_bool", model_lop3, 4, 4, 4, 4, 0};
    for (int round = 0; round < ROUNDS; round++) {
        Frame before, after[ISAS];
        fill_frame(&before);
        PtxOp op = element_op;
        op.q = SLOT_P + 4;
        op.e = SLOT_P + 16;
        op.operation = round & 1 ? PTX_OPERATION_AND : PTX_OPERATION_OR;
        op.imm = (int64_t)(random_64() & 0xff);
        const uint32_t mask = random_mask();
        run_row(&row, op, &before, mask, true);
        uint32_t truth = 0;
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
            const Lane values = {.a = lane_value(&before, SLOT_A, lane, 4),
                                 .b = lane_value(&before, SLOT_B, lane, 4),
                                 .c = lane_value(&before, SLOT_C, lane, 4),
                                 .imm = op.imm};
            truth |= (uint32_t)(looked_up(values) != 0) << lane;
        }
        size_t count;
        run_on_all(row.name, &op, &before, mask, true, after, &count);
        const uint32_t expected = combined((PtxOperation)op.operation, truth, predicate(&before, 4));
        for (size_t i = 0; i < count; i++)
            check_predicate(row.name, &before, &after[i], 1, mask, expected);
    }
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

static size_t lane_size(size_t bytes)
{
    return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

static const struct {
    const char *name;
    uint8_t part, count;
} packings[] = {{"b64_b32", 4, 2}, {"b32_b16", 2, 2},  {"b16_b8", 1, 2},  {"b32_b8", 1, 4},
                {"b64_b16", 2, 4}, {"b128_b32", 4, 4}, {"b128_b64", 8, 2}};

static void check_part(const Frame *before, const Frame *after, size_t packing, unsigned part, unsigned lane,
                       bool executes, bool is_unpack)
{
    static const uint32_t sources[] = {SLOT_A, SLOT_B, SLOT_C, SLOT_E};
    const size_t bytes = packings[packing].part, count = packings[packing].count;
    const size_t in_part = lane * lane_size(bytes), in_whole = lane * lane_size(bytes * count) + part * bytes;
    const uint8_t *from = is_unpack ? before->bytes + SLOT_A + in_whole : before->bytes + sources[part] + in_part;
    const uint32_t to = is_unpack ? SLOT_D + part * SLOT_BYTES + (uint32_t)in_part : SLOT_D + (uint32_t)in_whole;
    assert_memory_equal(after->bytes + to, executes ? from : before->bytes + to, bytes);
}

static void moves_of_parts(void **state)
{
    (void)state;
    static const uint32_t sources[] = {SLOT_A, SLOT_B, SLOT_C, SLOT_E};
    static const uint32_t results[] = {SLOT_D, SLOT_D + SLOT_BYTES, SLOT_D + 2 * SLOT_BYTES, SLOT_D + 3 * SLOT_BYTES};
    for (int round = 0; round < ROUNDS; round++) {
        Frame before, after[ISAS];
        fill_frame(&before);
        const size_t packing = (size_t)round % 7;
        const bool is_unpack = round & 1, keeps = round & 2;
        char name[32];
        snprintf(name, sizeof name, "%s_%s", is_unpack ? "unpack" : "pack", packings[packing].name);
        const PtxOp op = {
            .a = SLOT_A, .d = SLOT_D, .slots = is_unpack ? results : sources, .slot_count = packings[packing].count};
        const uint32_t mask = random_mask();
        size_t count;
        run_on_all(name, &op, &before, mask, keeps, after, &count);
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            for (unsigned part = 0; part < packings[packing].count; part++)
                for (size_t i = 0; i < count && (keeps || mask >> lane & 1); i++)
                    check_part(&before, &after[i], packing, part, lane, mask >> lane & 1, is_unpack);
    }
}

MODEL(mov, a)

static void moves(void **state)
{
    (void)state;
    static const Row rows[] = {{"mov_b32", model_mov, 4, 4, 0, 0, 0}, {"mov_b64", model_mov, 8, 8, 0, 0, 0}, {0}};
    check_rows(rows);
    Frame before, after[ISAS];
    fill_frame(&before);
    const uint32_t mask = 0x0ff000f1;
    size_t count;
    run_on_all("mov_b128", &element_op, &before, mask, true, after, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t lane = 0; lane < PTX_WARP_LANES; lane++)
            assert_memory_equal(after[i].bytes + SLOT_D + 16 * lane,
                                before.bytes + (mask >> lane & 1 ? SLOT_A : SLOT_D) + 16 * lane, 16);
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
        cmocka_unit_test(logic_and_shifts),
        cmocka_unit_test(permutations),
        cmocka_unit_test(video_instructions),
        cmocka_unit_test(setp),
        cmocka_unit_test(set),
        cmocka_unit_test(selections),
        cmocka_unit_test(testp),
        cmocka_unit_test(predicates),
        cmocka_unit_test(lop3_with_predicate),
        cmocka_unit_test(moves_of_parts),
        cmocka_unit_test(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
