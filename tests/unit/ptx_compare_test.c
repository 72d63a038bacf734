/* Handlers of comparisons and selections against models that follow the definitions of the ISA: numbers by their
 * formats, a comparison as the set of relations that it accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ptx_lanes_fixture.h"

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
        isfinite(value), isinf(value) != 0, !isnan(value), isnan(value), isfinite(value) && !is_small, is_small};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setp),
        cmocka_unit_test(set),
        cmocka_unit_test(selections),
        cmocka_unit_test(testp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
