/* Handlers of bits and moves against models that follow the definitions of the ISA. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_lanes_fixture.h"

/* ---- logic and shifts -------------------------------------------------------------------------------------------- */

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

/* {d0, d1} = {d1, a}: all are read before one is written. */
static void moves_of_vectors(void **state)
{
    (void)state;
    static const uint32_t slots[] = {SLOT_D, SLOT_D + SLOT_BYTES, SLOT_D + SLOT_BYTES, SLOT_A};
    const PtxOp op = {.slots = slots, .slot_count = 4};
    for (unsigned bytes = 4; bytes <= 8; bytes += 4) {
        Frame before, after[ISAS];
        fill_frame(&before);
        const uint32_t mask = random_mask();
        size_t count;
        run_on_all(bytes == 4 ? "mov_vector_b32" : "mov_vector_b64", &op, &before, mask, true, after, &count);
        for (size_t i = 0; i < 2 * count; i++)
            for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
                const uint32_t from = slots[mask >> lane & 1 ? i % 2 + 2 : i % 2];
                assert_int_equal(lane_value(&after[i / 2], slots[i % 2], lane, bytes),
                                 lane_value(&before, from, lane, bytes));
            }
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
        cmocka_unit_test(logic_and_shifts),
        cmocka_unit_test(permutations),
        cmocka_unit_test(predicates),
        cmocka_unit_test(lop3_with_predicate),
        cmocka_unit_test(moves_of_parts),
        cmocka_unit_test(moves_of_vectors),
        cmocka_unit_test(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
