/* Matrix instructions: fragments at the places that the ISA says, products against plain loops over small numbers,
 * rounding against a search, and all instruction sets against each other on arbitrary bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/async.h"
#include "ptx/exec.h"

/* ---- instruction sets -------------------------------------------------------------------------------------------- */

extern const PtxHandlerRow ptx_portable_tensor_handlers[];
#if defined(__x86_64__)
extern const PtxHandlerRow ptx_avx2_tensor_handlers[], ptx_avx512_tensor_handlers[];
#endif

enum { ISAS = 3 };

static size_t find_isas(const PtxHandlerRow *ret[ISAS])
{
    size_t count = 0;
    ret[count++] = ptx_portable_tensor_handlers;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        ret[count++] = ptx_avx2_tensor_handlers;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
        ret[count++] = ptx_avx512_tensor_handlers;
#endif
    return count;
}

static PtxHandler find_handler(const PtxHandlerRow *row, const char *name)
{
    for (; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row->run;
    fail_msg("there is no %s", name);
    return NULL;
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

static PtxTrapKind trapped;
static unsigned trapped_lane;

const PtxOp *ptx_trap(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address,
                      const char *format, ...)
{
    (void)warp, (void)op, (void)address, (void)format;
    trapped = kind;
    trapped_lane = lane;
    return NULL;
}

/* Register i of a vector is the slot of 256 bytes at REGISTERS + 256 * i; more slots stand before for scalars. */
enum { REGISTER_BYTES = 256, BASE = 256, STRIDE = 512, REGISTERS = 1024, REGISTERS_MAX = 40, SHARED_BYTES = 8192 };

typedef struct Machine {
    _Alignas(64) uint8_t frame[REGISTERS + REGISTERS_MAX * REGISTER_BYTES];
    _Alignas(64) uint8_t shared[SHARED_BYTES + PTX_SHARED_GUARD];
    uint32_t slots[REGISTERS_MAX];
    PtxBlock block;
    PtxLaunch launch;
    PtxWarp warp;
    PtxOp ops[2];
} Machine;

static Machine *machine_new(void)
{
    Machine *machine = aligned_alloc(64, (sizeof(Machine) + 63) / 64 * 64);
    memset(machine, 0, sizeof *machine);
    for (uint32_t i = 0; i < REGISTERS_MAX; i++)
        machine->slots[i] = REGISTERS + i * REGISTER_BYTES;
    machine->block =
        (PtxBlock){.shared = machine->shared, .shared_bytes = SHARED_BYTES, .thread_count = 32, .warp_count = 1};
    machine->warp = (PtxWarp){.frame = machine->frame,
                              .mask = UINT32_MAX,
                              .existing = UINT32_MAX,
                              .live = UINT32_MAX,
                              .block = &machine->block,
                              .launch = &machine->launch};
    machine->ops[0] = (PtxOp){.slots = machine->slots, .space = PTX_SPACE_SHARED};
    return machine;
}

static void run(Machine *machine, const PtxHandlerRow *isa, const char *name)
{
    trapped = PTX_TRAP_NONE;
    const PtxOp *next = find_handler(isa, name)(&machine->warp, machine->ops);
    assert_ptr_equal(next, trapped == PTX_TRAP_NONE ? &machine->ops[1] : NULL);
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 16 ^ *state >> 40;
}

/* ---- numbers in registers ------------------------------------------------------------------------------------------
 */

/* Element types of fragments; `bits` wide, so many to a register. Values are small integers. */
typedef enum Element { F16, BF16, TF32, F32, F64, S32, S8, U8, S4, U4, B1, E4M3, E5M2 } Element;

static const struct {
    uint32_t bits;
    bool is_signed, is_float;
    uint32_t exponent_bits, mantissa_bits;
    uint8_t type;
} elements[] = {
    [F16] = {16, true, true, 5, 10, PTX_TYPE_F16},   [BF16] = {16, true, true, 8, 7, PTX_TYPE_BF16},
    [TF32] = {32, true, true, 8, 23, PTX_TYPE_TF32}, [F32] = {32, true, true, 8, 23, PTX_TYPE_F32},
    [F64] = {64, true, true, 11, 52, PTX_TYPE_F64},  [S32] = {32, true, false, 0, 0, PTX_TYPE_S32},
    [S8] = {8, true, false, 0, 0, PTX_TYPE_S8},      [U8] = {8, false, false, 0, 0, PTX_TYPE_U8},
    [S4] = {4, true, false, 0, 0, PTX_TYPE_NONE},    [U4] = {4, false, false, 0, 0, PTX_TYPE_NONE},
    [B1] = {1, false, false, 0, 0, PTX_TYPE_NONE},   [E4M3] = {8, true, true, 4, 3, PTX_TYPE_E4M3},
    [E5M2] = {8, true, true, 5, 2, PTX_TYPE_E5M2},
};

/* The code of a number that the type has. */
static uint64_t encode(Element element, int64_t value)
{
    const uint32_t bits = elements[element].bits, mantissa = elements[element].mantissa_bits;
    if (!elements[element].is_float)
        return (uint64_t)value & (UINT64_MAX >> (64 - bits));
    const uint64_t sign = value < 0 ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t size = (uint64_t)(value < 0 ? -value : value);
    if (size == 0)
        return sign;
    const uint32_t exponent = 63 - (uint32_t)__builtin_clzll(size);
    const uint32_t bias = (1u << (elements[element].exponent_bits - 1)) - 1;
    const uint64_t fraction = size - (UINT64_C(1) << exponent);
    assert_true(exponent <= mantissa || fraction << (64 - (exponent - mantissa)) == 0);
    return sign | (uint64_t)(exponent + bias) << mantissa |
           (exponent <= mantissa ? fraction << (mantissa - exponent) : fraction >> (exponent - mantissa));
}

/* Element `i` of the vector of registers that starts with register `first`. */
static void put(Machine *machine, Element element, uint32_t first, uint32_t lane, uint32_t i, uint64_t code)
{
    const uint32_t bits = elements[element].bits, per = bits >= 32 ? 1 : 32 / bits;
    uint8_t *slot = machine->frame + machine->slots[first + i / per];
    if (bits == 64) {
        memcpy(slot + 8 * (size_t)lane, &code, 8);
        return;
    }
    uint32_t word;
    memcpy(&word, slot + 4 * (size_t)lane, 4);
    const uint32_t mask = UINT32_MAX >> (32 - bits), shift = i % per * bits;
    word = (word & ~(mask << shift)) | ((uint32_t)code & mask) << shift;
    memcpy(slot + 4 * (size_t)lane, &word, 4);
}

static uint64_t get(const Machine *machine, Element element, uint32_t first, uint32_t lane, uint32_t i)
{
    const uint32_t bits = elements[element].bits, per = bits >= 32 ? 1 : 32 / bits;
    const uint8_t *slot = machine->frame + machine->slots[first + i / per];
    uint64_t value = 0;
    memcpy(&value, slot + (size_t)lane * (bits == 64 ? 8 : 4), bits == 64 ? 8 : 4);
    return bits == 64 ? value : value >> (i % per * bits) & (UINT32_MAX >> (32 - bits));
}

/* ---- mma.sync
 * -------------------------------------------------------------------------------------------------------- */

typedef struct Form {
    const char *handler;
    uint32_t m, n, k;
    Element a, b, c;
    uint32_t a_registers, b_registers, c_registers;
    bool is_and;
} Form;

static const Form forms[] = {
    {"mma_m16n8k16", 16, 8, 16, F16, F16, F32, 4, 2, 4, false},
    {"mma_m16n8k16", 16, 8, 16, F16, F16, F16, 4, 2, 2, false},
    {"mma_m16n8k16", 16, 8, 16, BF16, BF16, F32, 4, 2, 4, false},
    {"mma_m16n8k8", 16, 8, 8, F16, F16, F32, 2, 1, 4, false},
    {"mma_m16n8k8", 16, 8, 8, F16, F16, F16, 2, 1, 2, false},
    {"mma_m16n8k8", 16, 8, 8, BF16, BF16, F32, 2, 1, 4, false},
    {"mma_m16n8k8", 16, 8, 8, TF32, TF32, F32, 4, 2, 4, false},
    {"mma_m16n8k4", 16, 8, 4, TF32, TF32, F32, 2, 1, 4, false},
    {"mma_m16n8k32", 16, 8, 32, E4M3, E5M2, F32, 4, 2, 4, false},
    {"mma_m16n8k32", 16, 8, 32, E5M2, E4M3, F16, 4, 2, 2, false},
    {"mma_m16n8k16", 16, 8, 16, E4M3, E4M3, F32, 2, 1, 4, false},
    {"mma_m8n8k4", 8, 8, 4, F64, F64, F64, 1, 1, 2, false},
    {"mma_m16n8k4", 16, 8, 4, F64, F64, F64, 2, 1, 4, false},
    {"mma_m16n8k8", 16, 8, 8, F64, F64, F64, 4, 2, 4, false},
    {"mma_m16n8k16", 16, 8, 16, F64, F64, F64, 8, 4, 4, false},
    {"mma_m8n8k16", 8, 8, 16, S8, U8, S32, 1, 1, 2, false},
    {"mma_m16n8k16", 16, 8, 16, U8, S8, S32, 2, 1, 4, false},
    {"mma_m16n8k32", 16, 8, 32, S8, S8, S32, 4, 2, 4, false},
    {"mma_m16n8k32", 16, 8, 32, U8, U8, S32, 4, 2, 4, false},
    {"mma_m8n8k32_s4_u4", 8, 8, 32, S4, U4, S32, 1, 1, 2, false},
    {"mma_m16n8k32_u4_s4", 16, 8, 32, U4, S4, S32, 2, 1, 4, false},
    {"mma_m16n8k64_s4_s4", 16, 8, 64, S4, S4, S32, 4, 2, 4, false},
    {"mma_m16n8k64_u4_u4", 16, 8, 64, U4, U4, S32, 4, 2, 4, false},
    {"mma_m8n8k128_xor", 8, 8, 128, B1, B1, S32, 1, 1, 2, false},
    {"mma_m16n8k128_and", 16, 8, 128, B1, B1, S32, 2, 1, 4, true},
    {"mma_m16n8k256_xor", 16, 8, 256, B1, B1, S32, 4, 2, 4, false},
    {"mma_m16n8k256_and", 16, 8, 256, B1, B1, S32, 4, 2, 4, true},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Where element i of a lane lies (PTX ISA 9.7.14.5): a register holds `per` elements that follow each other in k.
 * Registers of A alternate between the upper and the lower rows. */
static void place_a(const Form *form, uint32_t lane, uint32_t i, uint32_t *ret_row, uint32_t *ret_k)
{
    const uint32_t bits = elements[form->a].bits, per = bits >= 32 ? 1 : 32 / bits, reg = i / per;
    const bool has_lower = form->m == 16;
    *ret_row = lane / 4 + (has_lower && reg % 2 ? 8 : 0);
    *ret_k = lane % 4 * per + i % per + (has_lower ? reg / 2 : reg) * 4 * per;
}
static void place_b(const Form *form, uint32_t lane, uint32_t i, uint32_t *ret_column, uint32_t *ret_k)
{
    const uint32_t bits = elements[form->b].bits, per = bits >= 32 ? 1 : 32 / bits;
    *ret_column = lane / 4;
    *ret_k = lane % 4 * per + i % per + i / per * 4 * per;
}
static void place_c(uint32_t lane, uint32_t i, uint32_t *ret_row, uint32_t *ret_column)
{
    *ret_row = lane / 4 + (i >= 2 ? 8 : 0);
    *ret_column = lane % 4 * 2 + (i & 1);
}

/* Numbers that every type of a form has, and whose sums f16 has. */
static int64_t small_number(Element element, uint64_t *state)
{
    const int64_t number = (int64_t)(random_next(state) % (element == B1 ? 2 : 8));
    return elements[element].is_signed && random_next(state) % 2 ? -number : number;
}

static void set_types(PtxOp *op, const Form *form)
{
    op->type = elements[form->c].type;
    op->type2 = elements[form->a].type;
    op->type3 = elements[form->b].type;
}

static void check_form(const PtxHandlerRow *isa, const Form *form, uint64_t seed)
{
    static int64_t a[16][256], b[8][256], c[16][8];
    Machine *machine = machine_new();
    const uint32_t a_first = form->c_registers, b_first = a_first + form->a_registers,
                   c_first = b_first + form->b_registers;
    const uint32_t a_count = form->m * form->k / 32, b_count = form->n * form->k / 32, c_count = form->m * form->n / 32;
    uint32_t row, column, k;
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t i = 0; i < a_count; i++) {
            place_a(form, lane, i, &row, &k);
            a[row][k] = small_number(form->a, &seed);
            put(machine, form->a, a_first, lane, i, encode(form->a, a[row][k]) | (form->a == TF32 ? 0x1fff : 0));
        }
        for (uint32_t i = 0; i < b_count; i++) {
            place_b(form, lane, i, &column, &k);
            b[column][k] = small_number(form->b, &seed);
            put(machine, form->b, b_first, lane, i, encode(form->b, b[column][k]));
        }
        for (uint32_t i = 0; i < c_count; i++) {
            place_c(lane, i, &row, &column);
            c[row][column] = small_number(form->c, &seed);
            put(machine, form->c, c_first, lane, i, encode(form->c, c[row][column]));
        }
    }
    set_types(machine->ops, form);
    machine->ops[0].slot_count = (uint16_t)(c_first + form->c_registers);
    run(machine, isa, form->handler);
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t i = 0; i < c_count; i++) {
            place_c(lane, i, &row, &column);
            int64_t sum = c[row][column];
            for (k = 0; k < form->k; k++)
                sum += form->a != B1  ? a[row][k] * b[column][k]
                       : form->is_and ? a[row][k] & b[column][k]
                                      : a[row][k] ^ b[column][k];
            assert_int_equal(get(machine, form->c, 0, lane, i), encode(form->c, sum));
        }
    free(machine);
}

static void test_products(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (size_t i = 0; i < FORMS; i++)
            for (uint64_t seed = 0; seed < 4; seed++)
                check_form(isas[isa], &forms[i], seed * 1000 + i);
}

/* mma.m8n8k4 of f16 (PTX ISA 9.7.14.5.1). */
static void check_quads(const PtxHandlerRow *isa, bool is_a_row, bool is_b_row, Element c, Element d, uint64_t seed)
{
    static const char *const names[2][2] = {{"mma_quads_col_col", "mma_quads_col_row"},
                                            {"mma_quads_row_col", "mma_quads_row_row"}};
    int64_t x[4][8][4], y[4][8][4], z[4][8][8];
    Machine *machine = machine_new();
    const uint32_t a_first = d == F16 ? 4 : 8, b_first = a_first + 2, c_first = b_first + 2;
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t q = lane % 16 / 4, four = lane % 4, upper = lane < 16 ? 0 : 4;
        for (uint32_t i = 0; i < 4; i++) {
            const int64_t a = small_number(F16, &seed), b = small_number(F16, &seed);
            put(machine, F16, a_first, lane, i, encode(F16, a));
            put(machine, F16, b_first, lane, i, encode(F16, b));
            x[q][upper + (is_a_row ? four : i)][is_a_row ? i : four] = a;
            y[q][upper + (is_b_row ? i : four)][is_b_row ? four : i] = b;
        }
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t row = upper + (c == F16 ? four : (lane & 1) + (i & 2));
            const uint32_t column = c == F16 ? i : (i & 4) + (lane & 2) + (i & 1);
            z[q][row][column] = small_number(F16, &seed);
            put(machine, c, c_first, lane, i, encode(c, z[q][row][column]));
        }
    }
    machine->ops[0].type = elements[d].type;
    machine->ops[0].type2 = elements[c].type;
    run(machine, isa, names[is_a_row][is_b_row]);
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t q = lane % 16 / 4, upper = lane < 16 ? 0 : 4;
            const uint32_t row = upper + (d == F16 ? lane % 4 : (lane & 1) + (i & 2));
            const uint32_t column = d == F16 ? i : (i & 4) + (lane & 2) + (i & 1);
            int64_t sum = z[q][row][column];
            for (uint32_t k = 0; k < 4; k++)
                sum += x[q][row][k] * y[q][column][k];
            assert_int_equal(get(machine, d, 0, lane, i), encode(d, sum));
        }
    free(machine);
}

static void test_quads(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (unsigned layouts = 0; layouts < 4; layouts++) {
            check_quads(isas[isa], layouts & 1, layouts & 2, F16, F16, layouts);
            check_quads(isas[isa], layouts & 1, layouts & 2, F16, F32, layouts);
            check_quads(isas[isa], layouts & 1, layouts & 2, F32, F32, layouts);
        }
}

/* ---- arithmetic
 * -------------------------------------------------------------------------------------------------------- */

static double half_number(uint32_t code)
{
    const int exponent = code >> 10 & 31;
    const double size = exponent ? ldexp(1024 + (code & 1023), exponent - 25) : ldexp(code & 1023, -24);
    return code & 0x8000 ? -size : size;
}

/* The f16 code nearest to x by a search; ties to the even code. */
static uint32_t nearest_half(double x)
{
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x))
        return 0x7fff;
    uint32_t low = 0, high = 0x7c00; /* half_number(0x7c00) would be 65536 */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (half_number(middle) <= fabs(x))
            low = middle;
        else
            high = middle;
    }
    const double below = fabs(x) - half_number(low), above = (high == 0x7c00 ? 65536 : half_number(high)) - fabs(x);
    const bool is_up = above < below || (above == below && low % 2);
    return sign | (is_up ? high : low);
}

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* D = C where A x B is 0: how a sum is rounded. wmma takes C as f32 and gives f16. */
static void check_rounding(const PtxHandlerRow *isa, const uint32_t *codes)
{
    Machine *machine = machine_new();
    const uint32_t c_first = 4 + 8 + 8;
    machine->ops[0].type = PTX_TYPE_F16;
    machine->ops[0].type2 = PTX_TYPE_F32;
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t i = 0; i < 8; i++)
            put(machine, F32, c_first, lane, i, codes[lane * 8 + i]);
    run(machine, isa, "mma_m16n16k16");
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t i = 0; i < 8; i++) {
            float value;
            memcpy(&value, &codes[lane * 8 + i], sizeof value);
            const uint64_t got = get(machine, F16, 0, lane, i);
            if (got != nearest_half((double)value + 0.0))
                fail_msg("%a becomes 0x%04x, not 0x%04x", (double)value, (unsigned)got,
                         nearest_half((double)value + 0.0));
        }
    free(machine);
}

static void test_rounding(void **state)
{
    (void)state;
    static const float edges[] = {0.0f,           -0.0f,         INFINITY,        -INFINITY,  NAN,
                                  0x1p-24f,       0x1p-25f,      0x1.000002p-25f, 0x1.8p-24f, 0x1p-14f,
                                  0x1.ffcp-15f,   0x1.ffep-15f,  65504.0f,        65519.996f, 65520.0f,
                                  -65520.0f,      0x1p-149f,     1.00048828125f,  1.001464f,  1.0004884f,
                                  1.00146484375f, 3.4028235e38f, 0x1p-126f,       2049.0f};
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    uint32_t codes[256];
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        for (uint32_t i = 0; i < 256; i++) {
            codes[i] = (uint32_t)random_next(&seed);
            if (round % 2) /* of f16's range, often halfway */
                codes[i] = (codes[i] & 0x8fffffff & (round % 4 == 1 ? 0xfffff000 : UINT32_MAX)) | 0x30000000;
        }
        for (uint32_t i = 0; round == 0 && i < sizeof edges / sizeof *edges; i++)
            codes[i] = float_bits(edges[i]);
        for (size_t isa = 0; isa < count; isa++)
            check_rounding(isas[isa], codes);
    }
}

/* One element of m16n8k16: row 0 of A times column 0 of B, plus C. */
static uint32_t dot_f32(const PtxHandlerRow *isa, const uint16_t a[16], const uint16_t b[16], float c)
{
    Machine *machine = machine_new();
    const Form *form = &forms[0];
    set_types(machine->ops, form);
    for (uint32_t lane = 0; lane < 4; lane++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t row, k;
            place_b(form, lane, i, &row, &k);
            put(machine, F16, 4 + 4, lane, i, b[k]);
            put(machine, F16, 4, lane, i < 2 ? i : i + 2, a[k]); /* a0 a1 and a4 a5 are of row g */
        }
    put(machine, F32, 10, 0, 0, float_bits(c));
    run(machine, isa, form->handler);
    const uint32_t got = (uint32_t)get(machine, F32, 0, 0, 0);
    free(machine);
    return got;
}

static void test_sums(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    const uint16_t one = 0x3c00, infinity = 0x7c00, tiny = 0x0001, big = 0x7bff;
    for (size_t isa = 0; isa < count; isa++) {
        const uint16_t ones[16] = {one, one, one, one}, tinies[16] = {tiny, tiny, tiny, tiny},
                       bigs[16] = {big, 0x8000 | big};
        assert_int_equal(dot_f32(isas[isa], ones, ones, 16777216.0f), float_bits(16777220.0f)); /* not 4 times 1 lost */
        assert_int_equal(dot_f32(isas[isa], tinies, tinies, 0), float_bits(0x1p-46f));
        assert_int_equal(dot_f32(isas[isa], bigs, bigs, 0), float_bits(65504.0f * 65504.0f * 2));
        assert_int_equal(dot_f32(isas[isa], bigs, ones, 0.5f), float_bits(0.5f));
        assert_int_equal(dot_f32(isas[isa], ones, ones, 3.4028235e38f), float_bits(3.4028235e38f));
        assert_int_equal(dot_f32(isas[isa], ones, ones, INFINITY), float_bits(INFINITY));
        const uint16_t mixed[16] = {infinity, 0x8000 | infinity}, not_numbers[16] = {0xfe01};
        assert_int_equal(dot_f32(isas[isa], mixed, ones, 0), 0x7fffffff);
        assert_int_equal(dot_f32(isas[isa], not_numbers, ones, 0), 0x7fffffff);
    }
}

static void test_saturation(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (int saturates = 0; saturates < 2; saturates++) {
            Machine *machine = machine_new();
            const Form form = {"mma_m16n8k32", 16, 8, 32, S8, S8, S32, 4, 2, 4, false};
            set_types(machine->ops, &form);
            machine->ops[0].flags = saturates ? PTX_FLAG_SATFINITE : 0;
            memset(machine->frame + machine->slots[4], 0x80, 6 * REGISTER_BYTES); /* -128 everywhere: 32 * 16384 */
            put(machine, S32, 10, 0, 0, INT32_MAX);
            put(machine, S32, 10, 1, 0, (uint32_t)INT32_MIN);
            run(machine, isas[isa], form.handler);
            assert_int_equal(get(machine, S32, 0, 0, 0), saturates ? INT32_MAX : 0x80000000 + 524287);
            assert_int_equal(get(machine, S32, 0, 1, 0), 0x80000000 + 524288);
            free(machine);
        }
}

/* f64 rounds as it is told, after each fused step. */
static void test_double_rounding(void **state)
{
    (void)state;
    static const struct {
        uint8_t rounding;
        double third, minus_third; /* 1 + 2^-54, -1 - 2^-54 */
    } rows[] = {{PTX_ROUND_DEFAULT, 1, -1},
                {PTX_ROUND_NEAREST_EVEN, 1, -1},
                {PTX_ROUND_ZERO, 1, -1},
                {PTX_ROUND_DOWN, 1, -0x1.0000000000001p0},
                {PTX_ROUND_UP, 0x1.0000000000001p0, -1}};
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            Machine *machine = machine_new();
            const Form form = {"mma_m8n8k4", 8, 8, 4, F64, F64, F64, 1, 1, 2, false};
            double *registers[6];
            for (uint32_t r = 0; r < 6; r++)
                registers[r] = (double *)(void *)(machine->frame + machine->slots[r]);
            set_types(machine->ops, &form);
            machine->ops[0].rounding = rows[i].rounding;
            registers[2][0] = 0x1p-27, registers[2][4] = -0x1p-27; /* rows 0 and 1, k 0 */
            registers[3][0] = 0x1p-27;                             /* column 0, k 0 */
            registers[4][0] = 1, registers[4][4] = -1;             /* column 0 of rows 0 and 1 */
            run(machine, isas[isa], form.handler);
            assert_true(registers[0][0] == rows[i].third);
            assert_true(registers[0][4] == rows[i].minus_third);
            assert_true(1.0 + 0x1p-53 == 1.0); /* the mode is what it was */
            free(machine);
        }
}

/* ---- wmma
 * ---------------------------------------------------------------------------------------------------------------- */

typedef struct Matrix {
    uint32_t at, stride; /* bytes; elements */
    bool is_row;
} Matrix;

static uint8_t *matrix_element(Machine *machine, Matrix matrix, Element element, uint32_t row, uint32_t column)
{
    const uint32_t index = matrix.is_row ? row * matrix.stride + column : column * matrix.stride + row;
    return machine->shared + matrix.at + index * elements[element].bits / 8;
}

static void store_element(Machine *machine, Matrix matrix, Element element, uint32_t row, uint32_t column,
                          int64_t value)
{
    const uint64_t code = encode(element, value);
    uint8_t *to = matrix_element(machine, matrix, element, row, column);
    const uint32_t bits = elements[element].bits;
    const uint32_t index = matrix.is_row ? column : row;
    const uint32_t shift = index * bits % 8;
    if (bits < 8)
        *to = (uint8_t)((*to & ~(((1u << bits) - 1) << shift)) | (uint32_t)code << shift);
    else
        memcpy(to, &code, bits / 8);
}

static void load_or_store(Machine *machine, const PtxHandlerRow *isa, const char *what, const char *shape,
                          Matrix matrix, Element element, uint32_t first, uint32_t registers, uint32_t dense)
{
    char name[64];
    const PtxOp before = machine->ops[0];
    snprintf(name, sizeof name, "wmma_%s_%s_%s", what, matrix.is_row ? "row" : "col", shape);
    memset(machine->frame + BASE, 0, 256);
    for (uint32_t lane = 0; lane < 32; lane++)
        memcpy(machine->frame + STRIDE + 4 * (size_t)lane, &matrix.stride, 4);
    machine->ops[0].a = BASE;
    machine->ops[0].imm = matrix.at;
    machine->ops[0].address = PTX_ADDRESS_64;
    machine->ops[0].b = matrix.stride == dense ? 0 : STRIDE;
    machine->ops[0].type = elements[element].type;
    machine->ops[0].type2 = machine->ops[0].type3 = PTX_TYPE_NONE;
    machine->ops[0].slots = machine->slots + first;
    machine->ops[0].slot_count = (uint16_t)registers;
    run(machine, isa, name);
    assert_int_equal(trapped, PTX_TRAP_NONE);
    machine->ops[0] = before;
}

static const Form wmma_forms[] = {
    {"m16n16k16", 16, 16, 16, F16, F16, F32, 8, 8, 8, false},
    {"m16n16k16", 16, 16, 16, F16, F16, F16, 8, 8, 4, false},
    {"m32n8k16", 32, 8, 16, F16, F16, F32, 8, 8, 8, false},
    {"m32n8k16", 32, 8, 16, F16, F16, F16, 8, 8, 4, false},
    {"m8n32k16", 8, 32, 16, F16, F16, F32, 8, 8, 8, false},
    {"m8n32k16", 8, 32, 16, F16, F16, F16, 8, 8, 4, false},
    {"m16n16k16", 16, 16, 16, BF16, BF16, F32, 4, 4, 8, false},
    {"m32n8k16", 32, 8, 16, BF16, BF16, F32, 8, 2, 8, false},
    {"m8n32k16", 8, 32, 16, BF16, BF16, F32, 2, 8, 8, false},
    {"m16n16k16", 16, 16, 16, S8, S8, S32, 2, 2, 8, false},
    {"m32n8k16", 32, 8, 16, U8, U8, S32, 4, 1, 8, false},
    {"m8n32k16", 8, 32, 16, S8, S8, S32, 1, 4, 8, false},
    {"m16n16k8", 16, 16, 8, TF32, TF32, F32, 4, 4, 8, false},
    {"m8n8k4", 8, 8, 4, F64, F64, F64, 1, 1, 2, false},
    {"m8n8k32", 8, 8, 32, S4, S4, S32, 1, 1, 2, false},
    {"m8n8k128", 8, 8, 128, B1, B1, S32, 1, 1, 2, true},
};

static void check_wmma(const PtxHandlerRow *isa, const Form *form, unsigned layouts, bool is_padded, uint64_t seed)
{
    static int64_t a[32][128], b[128][32], c[32][32];
    const bool is_bytes = elements[form->a].bits >= 8;
    const bool a_row = !is_bytes || layouts & 1, b_row = is_bytes && layouts & 2, c_row = layouts & 4,
               d_row = layouts & 8;
    /* 16 bytes more than a run needs. */
    const uint32_t pad = is_padded ? 128 / elements[form->a].bits : 0,
                   c_pad = is_padded ? 128 / elements[form->c].bits : 0;
    const uint32_t a_dense = a_row ? form->k : form->m, b_dense = b_row ? form->n : form->k;
    const uint32_t c_dense = c_row ? form->n : form->m, d_dense = d_row ? form->n : form->m;
    const Matrix in_a = {0, a_dense + pad, a_row}, in_b = {2048, b_dense + pad, b_row};
    const Matrix in_c = {4096, c_dense + c_pad, c_row}, in_d = {6144, d_dense + c_pad, d_row};
    Machine *machine = machine_new();
    memset(machine->shared, 0xee, SHARED_BYTES);
    for (uint32_t k = 0; k < form->k; k++) {
        for (uint32_t i = 0; i < form->m; i++)
            store_element(machine, in_a, form->a, i, k, a[i][k] = small_number(form->a, &seed));
        for (uint32_t j = 0; j < form->n; j++)
            store_element(machine, in_b, form->b, k, j, b[k][j] = small_number(form->b, &seed));
    }
    for (uint32_t i = 0; i < form->m; i++)
        for (uint32_t j = 0; j < form->n; j++)
            store_element(machine, in_c, form->c, i, j, c[i][j] = small_number(form->c, &seed));

    char name[64];
    const uint32_t a_first = form->c_registers, b_first = a_first + form->a_registers,
                   c_first = b_first + form->b_registers;
    load_or_store(machine, isa, "load_a", form->handler, in_a, form->a, a_first, form->a_registers, a_dense);
    load_or_store(machine, isa, "load_b", form->handler, in_b, form->b, b_first, form->b_registers, b_dense);
    load_or_store(machine, isa, "load_c", form->handler, in_c, form->c, c_first, form->c_registers, c_dense);
    set_types(machine->ops, form);
    if (form->a == F16) {
        machine->ops[0].type2 = elements[form->c].type;
        machine->ops[0].type3 = PTX_TYPE_NONE;
    }
    snprintf(name, sizeof name, "mma_%s%s", form->handler, form->a == S4 ? "_s4_s4" : form->a == B1 ? "_and" : "");
    run(machine, isa, name);
    load_or_store(machine, isa, "store_d", form->handler, in_d, form->c, 0, form->c_registers, d_dense);

    uint8_t expected[2048];
    memcpy(expected, machine->shared + 6144, 2048);
    for (uint32_t i = 0; i < form->m; i++)
        for (uint32_t j = 0; j < form->n; j++) {
            int64_t sum = c[i][j];
            for (uint32_t k = 0; k < form->k; k++)
                sum += a[i][k] * b[k][j];
            store_element(machine, in_d, form->c, i, j, sum);
        }
    assert_memory_equal(machine->shared + 6144, expected, 2048);
    if (is_padded) /* nothing between the rows was written */
        assert_int_equal(expected[d_dense * elements[form->c].bits / 8], 0xee);
    free(machine);
}

static void test_wmma(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (size_t i = 0; i < sizeof wmma_forms / sizeof *wmma_forms; i++)
            for (unsigned layouts = 0; layouts < 16; layouts++) {
                check_wmma(isas[isa], &wmma_forms[i], layouts, false, i * 16 + layouts);
                if (elements[wmma_forms[i].c].bits * (wmma_forms[i].m + 8) * wmma_forms[i].n <= 8 * 2048)
                    check_wmma(isas[isa], &wmma_forms[i], layouts, true, i * 16 + layouts);
            }
}

/* ---- small matrices
 * -------------------------------------------------------------------------------------------------------- */

static void set_addresses(Machine *machine)
{
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t address = lane * 48;
        memcpy(machine->frame + BASE + 4 * (size_t)lane, &address, sizeof address);
    }
    machine->ops[0].a = BASE;
    machine->ops[0].imm = 16;
    machine->ops[0].address = PTX_ADDRESS_32;
}

static void test_ldmatrix(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++)
        for (uint32_t matrices = 1; matrices <= 4; matrices *= 2)
            for (int is_transposed = 0; is_transposed < 2; is_transposed++) {
                Machine *machine = machine_new();
                uint64_t seed = matrices;
                for (uint32_t i = 0; i < SHARED_BYTES; i++)
                    machine->shared[i] = (uint8_t)random_next(&seed);
                set_addresses(machine);
                machine->ops[0].slot_count = (uint16_t)matrices;
                machine->ops[0].flags = is_transposed ? PTX_FLAG_TRANS : 0;
                run(machine, isas[isa], "ldmatrix");
                for (uint32_t j = 0; j < matrices; j++)
                    for (uint32_t lane = 0; lane < 32; lane++)
                        for (uint32_t i = 0; i < 2; i++) {
                            const uint32_t g = lane / 4, t = lane % 4 * 2 + i;
                            const uint32_t row = is_transposed ? t : g, column = is_transposed ? g : t;
                            uint16_t wanted;
                            memcpy(&wanted, machine->shared + (8 * j + row) * 48 + 16 + 2 * column, 2);
                            assert_int_equal(get(machine, F16, j, lane, i), wanted);
                        }
                uint8_t before[SHARED_BYTES];
                memcpy(before, machine->shared, SHARED_BYTES);
                for (uint32_t lane = 0; lane < 8 * matrices; lane++)
                    memset(machine->shared + lane * 48 + 16, 0, 16);
                run(machine, isas[isa], "stmatrix");
                assert_memory_equal(machine->shared, before, SHARED_BYTES);
                free(machine);
            }
}

static void test_movmatrix(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++) {
        Machine *machine = machine_new();
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t i = 0; i < 2; i++)
                put(machine, F16, 0, lane, i, lane / 4 * 100 + lane % 4 * 2 + i);
        machine->ops[0].a = machine->ops[0].d = machine->slots[0];
        run(machine, isas[isa], "movmatrix");
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t i = 0; i < 2; i++)
                assert_int_equal(get(machine, F16, 0, lane, i), (lane % 4 * 2 + i) * 100 + lane / 4);
        free(machine);
    }
}

/* ---- what must trap
 * ---------------------------------------------------------------------------------------------------------- */

static void expect_trap(Machine *machine, const PtxHandlerRow *isa, const char *name, PtxTrapKind kind, unsigned lane)
{
    run(machine, isa, name);
    assert_int_equal(trapped, kind);
    assert_int_equal(trapped_lane, lane);
}

static void test_traps(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    for (size_t isa = 0; isa < count; isa++) {
        Machine *machine = machine_new();
        set_addresses(machine);
        machine->ops[0].slot_count = 4;
        machine->warp.mask = 0x7fffffff;
        expect_trap(machine, isas[isa], "ldmatrix", PTX_TRAP_SYNC_MASK, 0);
        expect_trap(machine, isas[isa], "wmma_load_a_row_m16n16k16", PTX_TRAP_SYNC_MASK, 0);
        expect_trap(machine, isas[isa], "mma_m16n8k16", PTX_TRAP_SYNC_MASK, 0);
        machine->warp.mask = UINT32_MAX;
        machine->ops[0].imm = 8;
        expect_trap(machine, isas[isa], "ldmatrix", PTX_TRAP_MISALIGNED, 0);
        machine->ops[0].imm = SHARED_BYTES - 20 * 48;
        expect_trap(machine, isas[isa], "stmatrix", PTX_TRAP_OUT_OF_BOUNDS, 20);
        uint64_t bits[SHARED_BYTES / 64] = {0};
        bits[(9 * 48 + 16 + 15) / 64] = UINT64_C(1) << (9 * 48 + 16 + 15) % 64;
        PtxAsync async = {.pending_count = 1, .pending_bits = bits};
        machine->block.async = &async;
        machine->ops[0].imm = 16;
        expect_trap(machine, isas[isa], "ldmatrix", PTX_TRAP_PENDING_COPY, 9);
        free(machine);
    }
}

/* ---- the same bits everywhere
 * -------------------------------------------------------------------------------------------------- */

static void test_agreement(void **state)
{
    (void)state;
    const PtxHandlerRow *isas[ISAS];
    const size_t count = find_isas(isas);
    Machine *machine = machine_new(), *reference = machine_new();
    uint64_t seed = 99;
    for (int round = 0; round < 200; round++)
        for (size_t i = 0; i < FORMS; i++) {
            uint8_t frame[sizeof machine->frame];
            for (size_t at = 0; at < sizeof frame; at++)
                frame[at] = (uint8_t)random_next(&seed);
            memcpy(reference->frame, frame, sizeof frame);
            set_types(reference->ops, &forms[i]);
            reference->ops[0].rounding = (uint8_t)(round % 5);
            run(reference, isas[0], forms[i].handler);
            for (size_t isa = 1; isa < count; isa++) {
                memcpy(machine->frame, frame, sizeof frame);
                machine->ops[0].rounding = reference->ops[0].rounding;
                set_types(machine->ops, &forms[i]);
                run(machine, isas[isa], forms[i].handler);
                assert_memory_equal(machine->frame, reference->frame, sizeof frame);
            }
        }
    free(machine);
    free(reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_quads),      cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_saturation), cmocka_unit_test(test_double_rounding),
        cmocka_unit_test(test_wmma),     cmocka_unit_test(test_ldmatrix),   cmocka_unit_test(test_movmatrix),
        cmocka_unit_test(test_traps),    cmocka_unit_test(test_agreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
