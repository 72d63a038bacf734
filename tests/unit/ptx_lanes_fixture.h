/* Handlers of lanes against models of one lane, on all instruction sets that this CPU has: a warp by hand, operands on
 * edges and pseudo-random, whole and partial warps. */
#ifndef GAVEL_TESTS_PTX_LANES_FIXTURE_H
#define GAVEL_TESTS_PTX_LANES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
static inline size_t find_isas(PtxExecutor ret[ISAS])
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

static inline PtxHandler find_handler(const PtxExecutor *isa, const char *name)
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

static inline uint64_t random_64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Values at which arithmetic turns; as halves of words, too. */
static inline uint64_t random_operand(void)
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

static inline uint32_t random_mask(void)
{
    static const uint32_t edges[] = {UINT32_MAX, UINT32_MAX, 1, 0x80000000, 0x0000ffff, 0x00ff00ff, 0x7fffffff};
    const uint64_t kind = random_64() >> 59;
    return kind < 7 ? edges[kind] : (uint32_t)(random_64() >> 16) | 2;
}

static inline void fill_frame(Frame *frame)
{
    for (size_t at = SLOT_BYTES; at < FRAME_BYTES; at += 8) {
        const uint64_t value = random_operand();
        memcpy(frame->bytes + at, &value, 8);
    }
    memset(frame->bytes, 0, SLOT_BYTES);
    if (random_64() >> 62 == 0) /* operands that are equal, as they seldom are */
        memcpy(frame->bytes + SLOT_B, frame->bytes + SLOT_A, SLOT_BYTES);
}

static inline uint64_t lane_value(const Frame *frame, uint32_t slot, unsigned lane, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, frame->bytes + slot + (size_t)lane * (bytes <= 4 ? 4 : 8), bytes <= 4 ? 4 : 8);
    return value;
}

static inline uint32_t predicate(const Frame *frame, unsigned index)
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

static inline void check_lane(const Row *row, const char *isa, const Frame *before, const Frame *after,
                              const PtxWarp *warp, const PtxOp *op, uint32_t carry, unsigned lane)
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

static inline void run_row(const Row *row, PtxOp op, const Frame *before, uint32_t mask, bool keeps)
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

static inline void check_row(const Row *row, PtxOp op)
{
    for (int round = 0; round < ROUNDS; round++) {
        Frame frame;
        fill_frame(&frame);
        op.imm = (int64_t)random_operand();
        run_row(row, op, &frame, random_mask(), round & 1);
    }
}

static inline void check_rows(const Row *rows)
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

#define AMOUNT(x) ((x) > 32 ? 32 : (unsigned)(x))

/* ---- handlers of other shapes -------------------------------------------------------------------------------------
 */

static inline uint32_t combined(PtxOperation operation, uint32_t x, uint32_t y)
{
    return operation == PTX_OPERATION_AND   ? x & y
           : operation == PTX_OPERATION_OR  ? x | y
           : operation == PTX_OPERATION_XOR ? x ^ y
                                            : x;
}

static inline uint32_t third_source(const Frame *frame, const PtxOp *op)
{
    return op->c ? predicate(frame, 4) ^ (op->flags & PTX_FLAG_NEGATE_C ? UINT32_MAX : 0) : 0;
}

static inline void run_on_all(const char *name, const PtxOp *op, const Frame *before, uint32_t mask, bool keeps,
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

static inline void check_predicate(const char *name, const Frame *before, const Frame *after, unsigned index,
                                   uint32_t mask, uint32_t expected)
{
    const uint32_t merged = (predicate(before, index) & ~mask) | (expected & mask);
    if (predicate(after, index) != merged)
        fail_msg("%s: predicate %u is %#x, not %#x", name, index, predicate(after, index), merged);
}

#endif
