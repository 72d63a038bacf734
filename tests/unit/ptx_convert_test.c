/* Handlers of half.c and convert.c: results against tables and against exact arithmetic done in other ways (searching
 * the list of a format's values; 128-bit integers; the host's own conversions in each rounding mode), lanes that must
 * stay, and all instruction sets against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/exec.h"

__extension__ typedef __int128 Wide;

enum { LANES = PTX_WARP_LANES, SLOT_BYTES = 256, ROUNDS = 400 };
enum { SLOT_D = SLOT_BYTES, SLOT_A = 2 * SLOT_BYTES, SLOT_B = 3 * SLOT_BYTES, SLOT_C = 4 * SLOT_BYTES };
enum { FRAME_BYTES = 5 * SLOT_BYTES };

/* ---- executors ----------------------------------------------------------------------------------------------------
 */

typedef struct Isa {
    const char *name;
    const PtxHandlerRow *half, *convert;
} Isa;

#define DECLARE(isa) extern const PtxHandlerRow ptx_##isa##_half_handlers[], ptx_##isa##_convert_handlers[];
DECLARE(portable)
#ifdef __x86_64__
DECLARE(avx512)
DECLARE(avx2)
#endif

/* Those that this machine can run, the portable one first; returns their number. */
static int find_isas(Isa isas[3])
{
#define ISA(isa) ((Isa){#isa, ptx_##isa##_half_handlers, ptx_##isa##_convert_handlers})
    int count = 0;
    isas[count++] = ISA(portable);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        isas[count++] = ISA(avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        isas[count++] = ISA(avx512);
#endif
    return count;
}

static PtxHandler find_in(const PtxHandlerRow *rows, const char *name)
{
    for (; rows->name; rows++)
        if (strcmp(rows->name, name) == 0)
            return rows->run;
    return NULL;
}

static PtxHandler find_handler(const Isa *isa, const char *name)
{
    const PtxHandler found = find_in(isa->half, name);
    return found ? found : find_in(isa->convert, name);
}

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

typedef union Frame {
    _Alignas(64) uint8_t bytes[FRAME_BYTES];
    uint32_t words[FRAME_BYTES / 4];
    uint64_t longs[FRAME_BYTES / 8];
} Frame;

static uint32_t *words(Frame *frame, uint32_t slot)
{
    return &frame->words[slot / 4];
}
static uint64_t *longs(Frame *frame, uint32_t slot)
{
    return &frame->longs[slot / 8];
}

static const PtxOp plain = {.d = SLOT_D, .a = SLOT_A, .b = SLOT_B, .c = SLOT_C};

static void execute(PtxHandler run, const PtxOp *op, Frame *frame, uint32_t mask, uint32_t keep)
{
    PtxWarp warp = {.frame = frame->bytes, .mask = mask, .keep = keep};
    assert_ptr_equal(run(&warp, op), op + 1);
}

static uint64_t random_bits(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double bits_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Numbers of all sizes, often special, often next to where roundings change. */
static uint32_t random_f32(uint64_t *state)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00400000, 0x00400001, 0x7f800000, 0xff800000, 0x7fc00000,
        0xffa12345, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0xb2ffffff,
        0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x3f000000, 0xbf000000, 0x3fc00000,
        0x40200000, 0x3f800000, 0xbf800000, 0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0x43e80000};
    const uint64_t bits = random_bits(state);
    switch (bits >> 60) {
    case 0:
    case 1:
    case 2: return special[(uint32_t)bits % (sizeof special / sizeof *special)];
    case 3:
    case 4:
    case 5: return (uint32_t)bits & 0xffff0000;            /* few digits */
    case 6: return (uint32_t)bits & 0xffffe000;            /* f16's and tf32's */
    case 7: return ((uint32_t)bits & 0xffffe000) | 0x1000; /* between two of them */
    case 8:
    case 9: return ((uint32_t)bits & 0x83ffffff) | 0x38000000; /* near 1 */
    case 10: return ((uint32_t)bits & 0x8fffffff) | 0x40000000;
    default: return (uint32_t)bits;
    }
}
static uint64_t random_f64(uint64_t *state)
{
    const uint64_t bits = random_bits(state);
    if (bits % 3 == 0)
        return double_bits((double)bits_float(random_f32(state)));
    if (bits % 3 == 1) /* beside an f32 */
        return double_bits((double)bits_float(random_f32(state) & 0xff7fffff)) + (bits >> 8 & 3) - 1;
    return (bits & 0x8000ffffffffffff) | (random_bits(state) % 160 + 940) << 52;
}

/* ---- small formats: a list of all values ---------------------------------------------------------------------------
 */

typedef struct Format {
    const char *name;
    int mantissa_bits, least_exponent;
    uint32_t sign, greatest, infinity, nan;
} Format;

static const Format f16 = {"f16", 10, -14, 0x8000, 0x7bff, 0x7c00, 0x7fff};
static const Format bf16 = {"bf16", 7, -126, 0x8000, 0x7f7f, 0x7f80, 0x7fff};
static const Format tf32 = {"tf32", 10, -126, 0x40000, 0x3fbff, 0x3fc00, 0x3ffff};
static const Format e4m3 = {"e4m3", 3, -6, 0x80, 0x7e, 0, 0x7f};
static const Format e5m2 = {"e5m2", 2, -14, 0x80, 0x7b, 0x7c, 0x7f};
static const Format e3m2 = {"e3m2", 2, -2, 0x20, 0x1f, 0, 0x1f};
static const Format e2m3 = {"e2m3", 3, 0, 0x20, 0x1f, 0, 0x1f};
static const Format e2m1 = {"e2m1", 1, 0, 8, 7, 0, 7};

static double value_of(const Format *format, uint32_t magnitude)
{
    const int exponent = (int)(magnitude >> format->mantissa_bits);
    const int digits = (int)(magnitude & ((1u << format->mantissa_bits) - 1));
    const int lead = exponent ? 1 << format->mantissa_bits : 0;
    return ldexp(lead + digits, (exponent ? exponent - 1 : 0) + format->least_exponent - format->mantissa_bits);
}

/* The greatest code whose value is not above x >= 0; one above `greatest` stands for what would follow. */
static uint32_t code_below(const Format *format, double x)
{
    uint32_t low = 0, high = format->greatest + 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (value_of(format, middle) <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool takes_upper(double x, double low, double high, uint32_t code, PtxRounding mode, bool is_negative)
{
    const double middle = low + (high - low) / 2; /* exact */
    switch (mode) {
    case PTX_ROUND_ZERO: return false;
    case PTX_ROUND_DOWN: return is_negative && x > low;
    case PTX_ROUND_UP: return !is_negative && x > low;
    case PTX_ROUND_NEAREST_AWAY: return x >= middle;
    default: return x > middle || (x == middle && code & 1);
    }
}

static uint32_t expected_code(const Format *format, double x, PtxRounding mode, uint32_t flags)
{
    if (isnan(x))
        return format->nan;
    const bool is_negative = signbit(x);
    if (is_negative && flags & PTX_FLAG_RELU)
        return 0;
    const uint32_t sign = is_negative ? format->sign : 0, beyond = format->greatest + 1;
    const bool saturates = flags & PTX_FLAG_SATFINITE || !format->infinity;
    if (isinf(x))
        return (saturates ? format->greatest : format->infinity) | sign;
    const uint32_t below = code_below(format, fabs(x));
    const double low = value_of(format, below), high = value_of(format, below + 1);
    const bool is_outward = mode == PTX_ROUND_NEAREST_EVEN || mode == PTX_ROUND_NEAREST_AWAY ||
                            (mode == PTX_ROUND_UP && !is_negative) || (mode == PTX_ROUND_DOWN && is_negative);
    if (below == beyond)
        return (saturates || !is_outward ? format->greatest : format->infinity) | sign;
    const uint32_t code = below + takes_upper(fabs(x), low, high, below, mode, is_negative);
    return (code == beyond ? (saturates ? format->greatest : format->infinity) : code) | sign;
}

/* value of any code, signed */
static double decode(const Format *format, uint32_t code)
{
    const uint32_t magnitude = code & (format->sign - 1);
    const double size = format->infinity && magnitude == format->infinity ? INFINITY
                        : magnitude > format->greatest                    ? NAN
                                                                          : value_of(format, magnitude);
    return code & format->sign ? -size : size;
}

static const PtxRounding modes[] = {PTX_ROUND_NEAREST_EVEN, PTX_ROUND_ZERO, PTX_ROUND_DOWN, PTX_ROUND_UP};

/* One source: f32 to a code, by a handler that reads op->rounding and flags. */
static void check_narrowing(const Isa *isa, const char *name, const Format *format, unsigned shift, PtxRounding mode,
                            uint32_t flags, bool is_pair)
{
    const PtxHandler run = find_handler(isa, name);
    assert_non_null(run);
    uint64_t state = 1;
    PtxOp op = plain;
    op.rounding = mode;
    op.flags = flags;
    for (int round = 0; round < ROUNDS; round++) {
        Frame frame;
        for (int lane = 0; lane < LANES; lane++) {
            words(&frame, SLOT_A)[lane] = random_f32(&state);
            words(&frame, SLOT_B)[lane] = random_f32(&state);
        }
        execute(run, &op, &frame, UINT32_MAX, 0);
        for (int lane = 0; lane < LANES; lane++) {
            const uint32_t a = words(&frame, SLOT_A)[lane], b = words(&frame, SLOT_B)[lane];
            uint32_t expected = expected_code(format, (double)bits_float(a), mode, flags);
            if (is_pair)
                expected = expected << shift | expected_code(format, (double)bits_float(b), mode, flags);
            else
                expected <<= shift;
            if (format == &tf32 && isnan(bits_float(a)))
                expected = mode != PTX_ROUND_NEAREST_AWAY
                               ? 0x7fffe000
                               : (a & 0xffffe000) - (flags & PTX_FLAG_SATFINITE ? 0x2000 : 0);
            if (words(&frame, SLOT_D)[lane] != expected)
                fail_msg("%s %s mode %d flags %x: %08x %08x gives %08x, not %08x", isa->name, name, mode, flags, a, b,
                         words(&frame, SLOT_D)[lane], expected);
        }
    }
}

static void narrowing(void **unused)
{
    (void)unused;
    static const Format *const eights[] = {&e4m3, &e5m2, &e3m2, &e2m3, &e2m1};
    Isa isas[3];
    const int count = find_isas(isas);
    for (int i = 0; i < count; i++) {
        for (uint32_t flags = 0; flags < 4; flags++) {
            const uint32_t f = (flags & 1 ? PTX_FLAG_RELU : 0u) | (flags & 2 ? PTX_FLAG_SATFINITE : 0u);
            for (int mode = 0; mode < 2; mode++) {
                check_narrowing(&isas[i], "cvt_f16_f32", &f16, 0, modes[mode], f, false);
                check_narrowing(&isas[i], "cvt_bf16_f32", &bf16, 0, modes[mode], f, false);
                check_narrowing(&isas[i], "cvt_f16x2_f32", &f16, 16, modes[mode], f, true);
                check_narrowing(&isas[i], "cvt_bf16x2_f32", &bf16, 16, modes[mode], f, true);
                check_narrowing(&isas[i], "cvt_tf32_f32", &tf32, 13, modes[mode], f, false);
            }
            check_narrowing(&isas[i], "cvt_tf32_f32", &tf32, 13, PTX_ROUND_NEAREST_AWAY, f & PTX_FLAG_SATFINITE, false);
            for (int k = 0; k < 5; k++) {
                char name[32];
                snprintf(name, sizeof name, "cvt_%sx2_f32", eights[k]->name);
                check_narrowing(&isas[i], name, eights[k], k == 4 ? 4 : 8, PTX_ROUND_NEAREST_EVEN,
                                f | PTX_FLAG_SATFINITE, true);
            }
        }
        check_narrowing(&isas[i], "cvt_rn_f16_f32", &f16, 0, PTX_ROUND_NEAREST_EVEN, 0, false);
        check_narrowing(&isas[i], "cvt_rz_f16_f32", &f16, 0, PTX_ROUND_ZERO, 0, false);
        check_narrowing(&isas[i], "cvt_rn_bf16_f32", &bf16, 0, PTX_ROUND_NEAREST_EVEN, 0, false);
        check_narrowing(&isas[i], "cvt_rz_bf16_f32", &bf16, 0, PTX_ROUND_ZERO, 0, false);
        check_narrowing(&isas[i], "cvt_rn_f16x2_f32", &f16, 16, PTX_ROUND_NEAREST_EVEN, 0, true);
        check_narrowing(&isas[i], "cvt_rz_bf16x2_f32", &bf16, 16, PTX_ROUND_ZERO, 0, true);
    }
}

/* Every code of a format to f32 or, in pairs, to f16. */
static void widening(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        const Format *format;
        unsigned shift;
    } rows[] = {{"cvt_f32_f16", &f16, 0},       {"cvt_f32_bf16", &bf16, 0},     {"cvt_f16x2_e4m3x2", &e4m3, 8},
                {"cvt_f16x2_e5m2x2", &e5m2, 8}, {"cvt_f16x2_e3m2x2", &e3m2, 8}, {"cvt_f16x2_e2m3x2", &e2m3, 8},
                {"cvt_f16x2_e2m1x2", &e2m1, 4}};
    Isa isas[3];
    const int count = find_isas(isas);
    for (int i = 0; i < count; i++) {
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            const PtxHandler run = find_handler(&isas[i], rows[row].name);
            assert_non_null(run);
            const Format *format = rows[row].format;
            for (uint32_t first = 0; first < 2 * format->sign; first += LANES) {
                Frame frame;
                for (uint32_t lane = 0; lane < LANES; lane++)
                    words(&frame, SLOT_A)[lane] = 0xabcd0000u * !rows[row].shift | (first + lane);
                execute(run, &plain, &frame, UINT32_MAX, 0);
                for (uint32_t lane = 0; lane < LANES && first + lane < 2 * format->sign; lane++) {
                    double value = decode(format, first + lane);
                    if (format == &bf16)
                        assert_int_equal(words(&frame, SLOT_D)[lane], (first + lane) << 16);
                    else if (!rows[row].shift && isnan(value))
                        assert_int_equal(words(&frame, SLOT_D)[lane], 0x7fffffff);
                    else if (!rows[row].shift)
                        assert_int_equal(words(&frame, SLOT_D)[lane], float_bits((float)value));
                    else
                        assert_int_equal(words(&frame, SLOT_D)[lane] & 0xffff,
                                         expected_code(&f16, value, PTX_ROUND_NEAREST_EVEN, 0));
                }
            }
        }
    }
}

/* ---- arithmetic of halves ------------------------------------------------------------------------------------------
 */

typedef enum Arithmetic { ADD, SUB, MUL, FMA } Arithmetic;

static uint32_t random_half(uint64_t *state, const Format *format)
{
    static const uint32_t f16_special[] = {0,      0x8000, 1,      0x83ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                           0x7e00, 0xfc01, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x0401, 0x1400};
    static const uint32_t bf16_special[] = {0,      0x8000, 1,      0x807f, 0x0080, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
                                            0x7fc0, 0xff81, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x0081, 0x2000};
    const uint64_t bits = random_bits(state);
    if (bits >> 61 == 0)
        return (format == &f16 ? f16_special : bf16_special)[(uint32_t)bits % 17];
    if (bits >> 61 < 4) /* near 1, so that sums cancel and products stay small */
        return format == &f16 ? ((uint32_t)bits & 0x8fff) | 0x3000 : ((uint32_t)bits & 0x83ff) | 0x3c00;
    return (uint32_t)bits & 0xffff;
}

/* x rounded to the format, where x is whole * 2^unit exactly and not 0. */
static uint32_t round_exact(const Format *format, Wide whole, int unit)
{
    const bool is_negative = whole < 0;
    Wide size = is_negative ? -whole : whole;
    int top = 0;
    while (top < 126 && size >> (top + 1))
        top++;
    const int exponent = top + unit, least = format->least_exponent;
    const int last = (exponent < least ? least : exponent) - format->mantissa_bits; /* exponent of the last digit */
    const int cut = last - unit;
    Wide digits = cut <= 0 ? size << -cut : cut > 126 ? 0 : size >> cut;
    const Wide rest = cut <= 0 ? 0 : cut > 126 ? size : size - (digits << cut);
    if (cut > 0 && cut <= 126) {
        const Wide half = (Wide)1 << (cut - 1);
        digits += rest > half || (rest == half && (digits & 1));
    }
    const double rounded = ldexp((double)digits, last); /* exact, or infinite */
    return expected_code(format, is_negative ? -rounded : rounded, PTX_ROUND_NEAREST_EVEN, 0);
}

/* Scaled integer of a finite half; the scales of both formats are kept within what 128 bits hold by skipping cases. */
static bool exact_fma(const Format *format, double a, double b, double c, uint32_t *ret_code)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c)) {
        *ret_code = expected_code(format, a * b + c, PTX_ROUND_NEAREST_EVEN, 0);
        return true;
    }
    const double product = a * b; /* exact in double */
    if (product == 0 || c == 0 || product + c == 0) {
        *ret_code = expected_code(format, product + c, PTX_ROUND_NEAREST_EVEN, 0);
        return true;
    }
    int product_exponent, c_exponent;
    (void)frexp(product, &product_exponent);
    (void)frexp(c, &c_exponent);
    const int unit = (product_exponent < c_exponent ? product_exponent : c_exponent) - 24;
    if (abs(product_exponent - c_exponent) > 90)
        return false;
    const Wide p = (Wide)ldexp(product, 24 - product_exponent) * ((Wide)1 << (product_exponent - 24 - unit));
    const Wide q = (Wide)ldexp(c, 24 - c_exponent) * ((Wide)1 << (c_exponent - 24 - unit));
    *ret_code = round_exact(format, p + q, unit);
    return true;
}

static bool exact_result(const Format *format, Arithmetic kind, double a, double b, double c, uint32_t *ret_code)
{
    switch (kind) {
    case ADD: return exact_fma(format, a, 1, b, ret_code);
    case SUB: return exact_fma(format, a, 1, -b, ret_code);
    case MUL: *ret_code = expected_code(format, a * b, PTX_ROUND_NEAREST_EVEN, 0); return true;
    default: return exact_fma(format, a, b, c, ret_code);
    }
}

static void check_arithmetic(const Isa *isa, const char *name, const Format *format, Arithmetic kind, bool is_pair)
{
    const PtxHandler run = find_handler(isa, name);
    assert_non_null(run);
    uint64_t state = 7;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        Frame frame;
        for (int lane = 0; lane < 3 * SLOT_BYTES / 4; lane++)
            words(&frame, SLOT_A)[lane] = random_half(&state, format) | random_half(&state, format) << 16;
        execute(run, &plain, &frame, UINT32_MAX, 0);
        for (int lane = 0; lane < LANES; lane++) {
            for (int shift = 0; shift <= (is_pair ? 16 : 0); shift += 16) {
                const uint32_t a = words(&frame, SLOT_A)[lane] >> shift & 0xffff;
                const uint32_t b = words(&frame, SLOT_B)[lane] >> shift & 0xffff;
                const uint32_t c = words(&frame, SLOT_C)[lane] >> shift & 0xffff;
                const uint32_t got = words(&frame, SLOT_D)[lane] >> shift & 0xffff;
                uint32_t expected;
                if (exact_result(format, kind, decode(format, a), decode(format, b), decode(format, c), &expected) &&
                    got != expected)
                    fail_msg("%s %s: %04x %04x %04x gives %04x, not %04x", isa->name, name, a, b, c, got, expected);
            }
        }
    }
}

static void arithmetic(void **unused)
{
    (void)unused;
    static const char *const names[] = {[ADD] = "add", [SUB] = "sub", [MUL] = "mul", [FMA] = "fma"};
    Isa isas[3];
    const int count = find_isas(isas);
    for (int i = 0; i < count; i++) {
        for (int kind = ADD; kind <= FMA; kind++) {
            for (int form = 0; form < 4; form++) {
                char name[32];
                const Format *format = form < 2 ? &f16 : &bf16;
                snprintf(name, sizeof name, "%s_%s%s", names[kind], format->name, form % 2 ? "x2" : "");
                check_arithmetic(&isas[i], name, format, (Arithmetic)kind, form % 2);
            }
        }
    }
}

/* ---- single results ------------------------------------------------------------------------------------------------
 */

typedef struct Case {
    const char *handler;
    uint32_t flags;
    PtxRounding rounding;
    PtxType to, from; /* general handlers of cvt; else T is `to` */
    uint64_t a, b, c, d;
} Case;

#define FTZ  PTX_FLAG_FTZ
#define SAT  PTX_FLAG_SAT
#define RELU PTX_FLAG_RELU
#define RN   PTX_ROUND_NEAREST_EVEN
#define RZ   PTX_ROUND_ZERO
#define RM   PTX_ROUND_DOWN
#define RP   PTX_ROUND_UP
#define NONE PTX_TYPE_NONE
#define H(handler, flags, a, b, c, d)                                                                                  \
    {                                                                                                                  \
        handler, flags, RN, NONE, NONE, a, b, c, d                                                                     \
    }
#define T(handler, flags, rounding, to, from, a, d)                                                                    \
    {                                                                                                                  \
        handler, flags, rounding, PTX_TYPE_##to, PTX_TYPE_##from, a, 0, 0, d                                           \
    }

static const Case cases[] = {
    /* A sum that f64 rounds: 1 + 2^-8 is between two bf16, and the tiny term decides. */
    H("fma_bf16", 0, 0x3f80, 0x3f80, 0x3b80, 0x3f80),
    H("fma_bf16", 0, 0x3f81, 0x3f80, 0x3b80, 0x3f82),
    H("fma_bf16", 0, 0x3c80, 0x3c80, 0x3f81, 0x3f81),
    H("fma_bf16", 0, 0x0100, 0x0100, 0x3f81, 0x3f81),
    H("fma_bf16", 0, 0x7f7f, 0x4000, 0xff7f, 0x7f7f), /* the product alone is too large */
    H("fma_bf16", RELU, 0x3f80, 0xbf80, 0x0000, 0x0000),
    H("fma_bf16", RELU, 0x7f80, 0x0000, 0x0000, 0x7fff),
    H("fma_bf16x2", RELU, 0x3f80bf80, 0x40003f80, 0x3f800000, 0x40400000),
    H("fma_mod_f16", RELU, 0x3c00, 0xbc00, 0, 0),
    H("fma_mod_f16", SAT, 0x7e00, 0xbc00, 0, 0),
    H("fma_mod_f16", SAT, 0x4000, 0x4000, 0, 0x3c00),
    H("fma_mod_f16", FTZ, 0x0001, 0x7bff, 0x83ff, 0x0000),
    H("add_f16", 0, 0xabcd3c00, 0x12340000, 0, 0x3c00),
    H("add_f16", 0, 0x7c00, 0xfc00, 0, 0x7fff),
    H("add_f16", 0, 0xfe01, 0x3c00, 0, 0x7fff),
    H("add_f16", 0, 0x8000, 0x8000, 0, 0x8000),
    H("add_f16", 0, 0x8000, 0x0000, 0, 0x0000),
    H("add_f16", 0, 0x7bff, 0x4c00, 0, 0x7c00), /* 65504 + 16 */
    H("add_f16", 0, 0x7bff, 0x4bff, 0, 0x7bff),
    H("add_mod_f16", FTZ, 0x83ff, 0x0000, 0, 0x0000),
    H("add_mod_f16", FTZ, 0x83ff, 0x8000, 0, 0x8000),
    H("add_mod_f16", SAT, 0x8001, 0, 0, 0),
    H("add_mod_f16x2", SAT | FTZ, 0x40000001, 0x40000001, 0, 0x3c000000),
    H("sub_bf16x2", 0, 0x40003f80, 0x3f803f80, 0, 0x3f800000),
    H("mul_f16", 0, 0x0400, 0x3bff, 0, 0x0400), /* rounds up to the least normal number, but .ftz does not see that */
    H("mul_mod_f16", FTZ, 0x0400, 0x3bff, 0, 0x0000),
    H("fma_mod_f16", FTZ | RELU, 0x0400, 0x3bff, 0x8000, 0x0000),
    H("fma_mod_f16", FTZ, 0x88b0, 0x0526, 0x0400, 0x0400),
    H("mul_f16x2", 0, 0x00013c00, 0x3800c000, 0, 0x0000c000), /* half of the least number: to even */
    H("mul_f16x2", 0, 0x00033c00, 0x3800c000, 0, 0x0002c000),
    H("mul_bf16", 0, 0x0001, 0x3f00, 0, 0),
    H("min_f16", 0, 0x0000, 0x8000, 0, 0x8000),
    H("max_f16", 0, 0x8000, 0x0000, 0, 0x0000),
    H("min_f16", 0, 0x7e01, 0x3c00, 0, 0x3c00),
    H("max_f16", 0, 0x3c00, 0xfe01, 0, 0x3c00),
    H("max_f16", 0, 0x7e01, 0xfe01, 0, 0x7fff),
    H("max_f16", 0, 0x3c00, 0xc000, 0, 0x3c00),
    H("min_mod_f16", PTX_FLAG_NAN, 0x3c00, 0xfe01, 0, 0x7fff),
    H("min_mod_f16", FTZ, 0x0001, 0x3c00, 0, 0x0000),
    H("min_mod_f16", PTX_FLAG_XORSIGN | PTX_FLAG_ABS, 0xbc00, 0x4000, 0, 0xbc00),
    H("max_mod_bf16x2", PTX_FLAG_XORSIGN | PTX_FLAG_ABS, 0xc000bf80, 0xbf80c000, 0, 0x40004000),
    H("max_mod_bf16x2", PTX_FLAG_XORSIGN | PTX_FLAG_ABS, 0xffc1bf80, 0xbf807fc0, 0, 0x3f80bf80),
    H("neg_f16x2", 0, 0x3c008000, 0, 0, 0xbc000000),
    H("neg_bf16x2", 0, 0x7c01ffc0, 0, 0, 0xfc017fff),
    H("neg_ftz_f16", 0, 0x0001, 0, 0, 0x8000),
    H("abs_f16x2", 0, 0xfc018001, 0, 0, 0x7fff0001),
    H("abs_ftz_f16x2", 0, 0xbc008001, 0, 0, 0x3c000000),
    H("ex2_f16", 0, 0x0000, 0, 0, 0x3c00),
    H("ex2_f16", 0, 0xfc00, 0, 0, 0x0000),
    H("ex2_f16", 0, 0x7c00, 0, 0, 0x7c00),
    H("ex2_f16", 0, 0x7e00, 0, 0, 0x7fff),
    H("ex2_f16", 0, 0xce00, 0, 0, 0x0001), /* 2^-24 */
    H("ex2_f16", 0, 0x4c00, 0, 0, 0x7c00), /* 2^16 */
    H("ex2_f16", 0, 0x3800, 0, 0, 0x3da8), /* the root of 2 */
    H("ex2_f16x2", 0, 0x40003c00, 0, 0, 0x44004000),
    H("ex2_bf16", FTZ, 0xc2fc, 0, 0, 0x0080), /* 2^-126 */
    H("ex2_bf16", FTZ, 0xc2fe, 0, 0, 0x0000),
    H("ex2_bf16x2", FTZ, 0x43003f00, 0, 0, 0x7f803fb5),
    H("tanh_f16", 0, 0x3c00, 0, 0, 0x3a17), /* 0.76159 */
    H("tanh_f16", 0, 0xfc00, 0, 0, 0xbc00),
    H("tanh_f16", 0, 0x8001, 0, 0, 0x8001),
    H("tanh_bf16", 0, 0x0001, 0, 0, 0x0001),
    H("tanh_bf16x2", 0, 0xbf807fc0, 0, 0, 0xbf427fff),
    /* f32 with halves */
    {"add_mixed", 0, RN, PTX_TYPE_F16, NONE, 0x3c00, 0x3f800000, 0, 0x40000000},
    {"sub_mixed", 0, RN, PTX_TYPE_BF16, NONE, 0x3f80, 0x40000000, 0, 0xbf800000},
    {"add_mixed", 0, RP, PTX_TYPE_F16, NONE, 0x0001, 0x3f800000, 0, 0x3f800001},
    {"add_mixed", 0, RM, PTX_TYPE_F16, NONE, 0x8001, 0x3f800000, 0, 0x3f7fffff},
    {"add_mixed", 0, RM, PTX_TYPE_F16, NONE, 0x3c00, 0xbf800000, 0, 0x80000000},
    {"add_mixed", 0, RM, PTX_TYPE_F16, NONE, 0x0000, 0x00000000, 0, 0x00000000},
    {"add_mixed", SAT, RN, PTX_TYPE_F16, NONE, 0x7e00, 0x3f800000, 0, 0x00000000},
    {"fma_mixed", 0, RZ, PTX_TYPE_BF16, NONE, 0x7f7f, 0x7f7f, 0xff7fffff, 0x7f7fffff},
    {"fma_mixed", 0, RN, PTX_TYPE_F16, NONE, 0x7c00, 0x0000, 0x3f800000, 0x7fffffff},
    {"fma_mixed", 0, RN, PTX_TYPE_F16, NONE, 0x3c01, 0x3c01, 0xbf800000, 0x3b001000},
    /* integers */
    T("cvt_extend_s8", 0, RN, S32, S8, 0xabcdef80, 0xffffff80),
    T("cvt_extend_u16", 0, RN, U32, U16, 0xabcdef80, 0xef80),
    T("cvt_wide_s32", 0, RN, S64, S32, 0x80000000, 0xffffffff80000000),
    T("cvt_wide_u32", 0, RN, S64, U32, 0x80000000, 0x80000000),
    T("cvt_wide_s8", 0, RN, S64, S8, 0x80, 0xffffffffffffff80),
    T("cvt_integer_integer", SAT, RN, S8, S32, 1000, 127),
    T("cvt_integer_integer", SAT, RN, U8, S32, 0xffffffff, 0),
    T("cvt_integer_integer", SAT, RN, U8, U32, 0xffffffff, 255),
    T("cvt_integer_integer", SAT, RN, U64, S64, 0xffffffffffffffff, 0),
    T("cvt_integer_integer", SAT, RN, S64, U64, 0xffffffffffffffff, 0x7fffffffffffffff),
    T("cvt_integer_integer", SAT, RN, S16, S64, 0x8000000000000000, 0xffff8000),
    T("cvt_integer_integer", SAT, RN, U64, U64, 0xffffffffffffffff, 0xffffffffffffffff),
    /* f32 and integers */
    T("cvt_rzi_s32_f32", 0, RZ, S32, F32, 0x7fc00000, 0),
    T("cvt_rzi_s32_f32", 0, RZ, S32, F32, 0x4f000000, 0x7fffffff),
    T("cvt_rzi_s32_f32", 0, RZ, S32, F32, 0xff800000, 0x80000000),
    T("cvt_rzi_s32_f32", 0, RZ, S32, F32, 0xbfffffff, 0xffffffff),
    T("cvt_rzi_u32_f32", 0, RZ, U32, F32, 0x4f7fffff, 0xffffff00),
    T("cvt_rzi_u32_f32", 0, RZ, U32, F32, 0x4f800000, 0xffffffff),
    T("cvt_rzi_u32_f32", 0, RZ, U32, F32, 0xbf800000, 0),
    T("cvt_rni_s32_f32", 0, RN, S32, F32, 0x40200000, 2),
    T("cvt_rni_s32_f32", 0, RN, S32, F32, 0x40600000, 4),
    T("cvt_rpi_u32_f32", 0, RP, U32, F32, 0x00000001, 1),
    T("cvt_integer_float", FTZ, RP, U32, F32, 0x00000001, 0),
    T("cvt_integer_float", 0, RM, S8, F32, 0x80000001, 0xffffffff),
    T("cvt_integer_float", 0, RZ, S8, F32, 0xc3800000, 0xffffff80),
    T("cvt_integer_float", 0, RZ, U8, F32, 0x43800000, 255),
    T("cvt_integer_float", 0, RZ, U16, F16, 0x7c00, 0xffff),
    T("cvt_integer_float", 0, RZ, S64, F16, 0xfc00, 0x8000000000000000),
    T("cvt_integer_float", 0, RN, S32, F64, 0x41dfffffffe00000, 0x7fffffff), /* 2^31 - 0.5 */
    T("cvt_integer_float", 0, RZ, S32, F64, 0x41dfffffffe00000, 0x7fffffff),
    T("cvt_integer_float", 0, RZ, S64, F64, 0x43dfffffffffffff, 0x7ffffffffffffc00),
    T("cvt_integer_float", 0, RZ, U64, F64, 0x43efffffffffffff, 0xfffffffffffff800),
    T("cvt_integer_float", 0, RZ, U64, F32, 0x5f800000, 0xffffffffffffffff),
    T("cvt_integer_float", 0, RZ, S32, BF16, 0x4f00, 0x7fffffff),
    T("cvt_rn_f32_s32", 0, RN, F32, S32, 0x80000000, 0xcf000000),
    T("cvt_rn_f32_u32", 0, RN, F32, U32, 0xffffffff, 0x4f800000),
    T("cvt_rn_f32_u32", 0, RN, F32, U32, 0x01000001, 0x4b800000),
    T("cvt_rn_f32_s8", 0, RN, F32, S8, 0xff, 0xbf800000),
    T("cvt_float_integer", 0, RZ, F32, U32, 0xffffffff, 0x4f7fffff),
    T("cvt_float_integer", 0, RN, F32, U64, 0x8000008000000001, 0x5f000001), /* rounding to f64 first would be wrong */
    T("cvt_float_integer", 0, RM, F32, S64, 0x8000000000000001, 0xdf000000),
    T("cvt_float_integer", SAT, RN, F32, S32, 5, 0x3f800000),
    T("cvt_float_integer", 0, RN, F16, U64, 0xffffffffffffffff, 0x7c00),
    T("cvt_float_integer", 0, RZ, F16, U32, 0xffffffff, 0x7bff),
    T("cvt_float_integer", 0, RN, BF16, S32, 0x00818000, 0x4b02),
    T("cvt_float_integer", 0, RN, F64, U64, 0xffffffffffffffff, 0x43f0000000000000),
    T("cvt_float_integer", 0, RN, F64, S64, 0x8000000000000000, 0xc3e0000000000000),
    /* between floating-point types */
    T("cvt_sat_f32_f32", SAT, RN, F32, F32, 0x7fc00000, 0),
    T("cvt_f32_f32", 0, RN, F32, F32, 0xffa12345, 0xffa12345),
    T("cvt_ftz_f32_f32", 0, RN, F32, F32, 0xffa12345, 0x7fffffff),
    T("cvt_rni_f32_f32", 0, RN, F32, F32, 0xffa12345, 0x7fffffff),
    T("cvt_f64_f32", 0, RN, F64, F32, 0xffa12345, 0xfffc2468a0000000),
    T("cvt_float_float", FTZ, RN, F64, F32, 0xffa12345, 0x7fffffffe0000000),
    T("cvt_float_float", 0, 0, F64, F16, 0xfc01, 0xfff8040000000000),
    T("cvt_float_float", 0, RN, F16, F64, 0xfff8000000000001, 0xfe00),
    T("cvt_float_float", 0, RN, BF16, F64, 0xfffc2468a0000000, 0xffe1),
    T("cvt_float_float", 0, 0, F16, F16, 0xfe01, 0x7fff),
    T("cvt_float_float", FTZ, 0, F32, BF16, 0xffc1, 0x7fffffff),
    T("cvt_integer_float", 0, RN, U64, F32, 0xffc00000, 0x8000000000000000),
    T("cvt_integer_float", 0, RN, U8, F64, 0x7ff8000000000000, 0x80),
    T("cvt_integer_float", 0, RN, S32, BF16, 0x7fc0, 0),
    T("cvt_sat_f32_f32", SAT, RN, F32, F32, 0x80000000, 0),
    T("cvt_sat_f32_f32", SAT, RN, F32, F32, 0x7f800000, 0x3f800000),
    T("cvt_ftz_f32_f32", FTZ, RN, F32, F32, 0x807fffff, 0x80000000),
    T("cvt_ftz_sat_f32_f32", FTZ | SAT, RN, F32, F32, 0x007fffff, 0),
    T("cvt_rni_f32_f32", 0, RN, F32, F32, 0xbf000000, 0x80000000),
    T("cvt_rpi_f32_f32", 0, RP, F32, F32, 0xbf7fffff, 0x80000000),
    T("cvt_rmi_f32_f32", 0, RM, F32, F32, 0x80000001, 0xbf800000),
    T("cvt_float_float", FTZ, RM, F32, F32, 0x80000001, 0x80000000),
    T("cvt_rn_f32_f64", 0, RN, F32, F64, 0x7ff8000000000001, 0x7fc00000),
    T("cvt_rn_f32_f64", 0, RN, F32, F64, 0xfff123456789abcd, 0xffc91a2b),
    T("cvt_rn_f32_f64", 0, RN, F32, F64, 0x47efffffefffffff, 0x7f7fffff),
    T("cvt_rn_f32_f64", 0, RN, F32, F64, 0x47effffff0000000, 0x7f800000),
    T("cvt_float_float", 0, RZ, F32, F64, 0x7fefffffffffffff, 0x7f7fffff),
    T("cvt_float_float", 0, RP, F32, F64, 0x0000000000000001, 0x00000001),
    T("cvt_float_float", 0, RM, F32, F64, 0x8000000000000001, 0x80000001),
    T("cvt_float_float", FTZ, RP, F32, F64, 0x0000000000000001, 0x00000000),
    T("cvt_float_float", FTZ, RN, F32, F64, 0x380ffffff0000000, 0x00800000),
    T("cvt_float_float", FTZ, RN, F32, F64, 0x380fffffe0000000, 0x00000000),
    T("cvt_float_float", FTZ, RZ, F32, F64, 0x380fffffffffffff, 0x00000000),
    T("cvt_float_float", FTZ, RP, F32, F64, 0x380fffffe0000001, 0x00800000),
    T("cvt_float_float", FTZ, RM, F32, F64, 0xb80fffffe0000000, 0x80000000),
    T("cvt_float_float", 0, RN, F16, F64, 0x3ff0020000000001, 0x3c01), /* via f32 it would be a tie */
    T("cvt_float_float", 0, RN, F16, F64, 0x3ff0020000000000, 0x3c00),
    T("cvt_float_float", 0, RN, BF16, F64, 0x3ff0100000000001, 0x3f81),
    T("cvt_float_float", 0, RP, F16, F64, 0x0000000000000001, 0x0001),
    T("cvt_float_float", 0, RM, F16, F32, 0x80000001, 0x8001),
    T("cvt_float_float", FTZ, RM, F16, F32, 0x80000001, 0x8001),
    T("cvt_float_float", FTZ, RM, BF16, F32, 0x80000001, 0x8000),
    T("cvt_float_float", SAT, RN, F16, F32, 0x40000000, 0x3c00),
    T("cvt_float_float", 0, RN, F16, F16, 0x3e00, 0x4000), /* .rni of 1.5 */
    T("cvt_float_float", 0, RN, BF16, F16, 0x3c01, 0x3f80),
    T("cvt_float_float", 0, RN, F64, F64, 0x4004000000000000, 0x4000000000000000),
    T("cvt_float_float", SAT, 0, F64, F64, 0x7ff8000000000000, 0),
    T("cvt_float_float", 0, 0, F64, BF16, 0x3f80, 0x3ff0000000000000),
    /* small formats */
    H("cvt_e4m3x2_f32", PTX_FLAG_SATFINITE, 0x43e40000, 0x7fc00000, 0, 0x7e7f), /* 456, NaN */
    H("cvt_e4m3x2_f16x2", PTX_FLAG_SATFINITE, 0x3c00fc00, 0, 0, 0x38fe),
    H("cvt_e2m1x2_f16x2", PTX_FLAG_SATFINITE, 0x3c00fe00, 0, 0, 0x27),
    H("cvt_f16x2_e4m3x2", 0, 0x387f, 0, 0, 0x3c007fff),
    H("cvt_f16x2_e4m3x2", RELU, 0xb838, 0, 0, 0x00003c00),
    H("cvt_f16x2_e2m1x2", 0, 0xffffff2f, 0, 0, 0x3c00c600),
    {"cvt_ue8m0x2_f32", 0, RP, NONE, NONE, 0x3f800001, 0x00400000, 0, 0x8000},
    {"cvt_ue8m0x2_f32", 0, RZ, NONE, NONE, 0xbf8fffff, 0x7fc00000, 0, 0x7fff},
    {"cvt_ue8m0x2_f32", PTX_FLAG_SATFINITE, RP, NONE, NONE, 0x7f7fffff, 0x7f800000, 0, 0xfefe},
    {"cvt_ue8m0x2_f32", 0, RP, NONE, NONE, 0x7f7fffff, 0x00400001, 0, 0xff01},
    {"cvt_ue8m0x2_bf16x2", 0, RP, NONE, NONE, 0x3f813f80, 0, 0, 0x807f},
    H("cvt_bf16x2_ue8m0x2", 0, 0x7f00, 0, 0, 0x3f800040),
    H("cvt_bf16x2_ue8m0x2", 0, 0xff80, 0, 0, 0x7fff4000),
    /* cvt.pack */
    H("cvt_pack_s16", 0, 100000, 0xffff0000, 0, 0x7fff8000),
    H("cvt_pack_u16", 0, 100000, 0xffff0000, 0, 0xffff0000),
    H("cvt_pack_u8", 0, 300, 5, 0x12345678, 0x5678ff05),
    H("cvt_pack_s8", 0, 300, 0xffffff00, 0x12345678, 0x56787f80),
    H("cvt_pack_s4", 0, 7, 0xffffffff, 0x12345678, 0x3456787f),
    H("cvt_pack_u2", 0, 7, 1, 0x12345678, 0x2345678d),
};

static bool is_wide(PtxType type)
{
    return ptx_type_row(type)->bytes == 8;
}

static void single_results(void **unused)
{
    (void)unused;
    Isa isas[3];
    const int count = find_isas(isas);
    for (int i = 0; i < count; i++) {
        for (size_t row = 0; row < sizeof cases / sizeof *cases; row++) {
            const Case *test = &cases[row];
            const PtxHandler run = find_handler(&isas[i], test->handler);
            if (!run)
                fail_msg("no handler %s", test->handler);
            PtxOp op = plain;
            op.flags = test->flags;
            op.rounding = (uint8_t)test->rounding;
            op.type = (uint8_t)test->to;
            op.type2 = (uint8_t)test->from;
            Frame frame;
            memset(&frame, 0x5a, sizeof frame);
            for (int lane = 0; lane < LANES; lane++) {
                if (is_wide(test->from))
                    longs(&frame, SLOT_A)[lane] = test->a;
                else
                    words(&frame, SLOT_A)[lane] = (uint32_t)test->a;
                words(&frame, SLOT_B)[lane] = (uint32_t)test->b;
                words(&frame, SLOT_C)[lane] = (uint32_t)test->c;
            }
            execute(run, &op, &frame, UINT32_MAX, 0);
            const bool d_is_wide = is_wide(test->to) && test->from != NONE;
            for (int lane = 0; lane < LANES; lane++) {
                const uint64_t got = d_is_wide ? longs(&frame, SLOT_D)[lane] : words(&frame, SLOT_D)[lane];
                if (got != test->d)
                    fail_msg("%s %s (row %zu) of %llx: %llx, not %llx", isas[i].name, test->handler, row,
                             (unsigned long long)test->a, (unsigned long long)got, (unsigned long long)test->d);
            }
        }
    }
}

/* ---- conversions against the host's --------------------------------------------------------------------------------
 */

static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* The host's conversion in a mode; `volatile` keeps it from being done at translation time or moved. */
static uint32_t host_f32_of_f64(double x, int mode)
{
    const volatile double source = x;
    fesetround(host_modes[mode]);
    const volatile float result = (float)source;
    fesetround(FE_TONEAREST);
    return float_bits(result);
}
static uint32_t host_f32_of_u64(uint64_t x, bool has_sign, int mode)
{
    const volatile uint64_t source = x;
    fesetround(host_modes[mode]);
    const volatile float result = has_sign ? (float)(int64_t)source : (float)source;
    fesetround(FE_TONEAREST);
    return x ? float_bits(result) : 0;
}
static uint64_t host_f64_of_u64(uint64_t x, bool has_sign, int mode)
{
    const volatile uint64_t source = x;
    fesetround(host_modes[mode]);
    const volatile double result = has_sign ? (double)(int64_t)source : (double)source;
    fesetround(FE_TONEAREST);
    return x ? double_bits(result) : 0; /* clang's way to convert makes -0 of 0 when it rounds down */
}
static uint64_t host_integer(double x, bool of_64, PtxType type, int mode)
{
    const volatile double source = x;
    fesetround(host_modes[mode]);
    const volatile double whole = nearbyint(source);
    fesetround(FE_TONEAREST);
    const PtxTypeRow *row = ptx_type_row(type);
    const bool has_sign = row->class == PTX_CLASS_SIGNED;
    const int bits = 8 * row->bytes;
    const double limit = ldexp(1, bits - has_sign);
    if (isnan(x))
        return of_64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    if (whole >= limit)
        return UINT64_MAX >> (64 - bits + has_sign);
    if (whole < (has_sign ? -limit : 0))
        return has_sign ? UINT64_MAX << (bits - 1) : 0;
    return whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
}

static void check_lanes(const Isa *isa, const PtxOp *op, const char *name, Frame *frame,
                        uint64_t (*expected)(const PtxOp *op, Frame *frame, int lane, int mode), int mode)
{
    const PtxHandler run = find_handler(isa, name);
    assert_non_null(run);
    execute(run, op, frame, UINT32_MAX, 0);
    const uint64_t mask = UINT64_MAX >> (64 - 8 * ptx_type_row((PtxType)op->type)->bytes);
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t got = mask == UINT64_MAX ? longs(frame, SLOT_D)[lane] : words(frame, SLOT_D)[lane];
        const uint64_t wanted = expected(op, frame, lane, mode);
        if ((got ^ wanted) & mask)
            fail_msg("%s %s to %s from %s mode %d of %llx: %llx, not %llx", isa->name, name,
                     ptx_type_row((PtxType)op->type)->name, ptx_type_row((PtxType)op->type2)->name, mode,
                     (unsigned long long)longs(frame, SLOT_A)[lane], (unsigned long long)got,
                     (unsigned long long)wanted);
    }
}

static uint64_t expect_f32(const PtxOp *op, Frame *frame, int lane, int mode)
{
    const uint64_t a = longs(frame, SLOT_A)[lane];
    if (op->type2 == PTX_TYPE_F64)
        return host_f32_of_f64(bits_double(a), mode);
    return host_f32_of_u64(a, op->type2 == PTX_TYPE_S64, mode);
}
static uint64_t expect_f64(const PtxOp *op, Frame *frame, int lane, int mode)
{
    return host_f64_of_u64(longs(frame, SLOT_A)[lane], op->type2 == PTX_TYPE_S64, mode);
}
static uint64_t expect_integer(const PtxOp *op, Frame *frame, int lane, int mode)
{
    const double a = op->type2 == PTX_TYPE_F64 ? bits_double(longs(frame, SLOT_A)[lane])
                                               : (double)bits_float(words(frame, SLOT_A)[lane]);
    return host_integer(a, op->type2 == PTX_TYPE_F64, (PtxType)op->type, mode);
}

static uint64_t random_integer(uint64_t *state)
{
    const uint64_t bits = random_bits(state);
    switch (bits & 3) {
    case 0: return random_bits(state) >> (bits >> 8 & 63);
    case 1: return (uint64_t)((int64_t)random_bits(state) >> (bits >> 8 & 63));
    case 2: return (UINT64_C(1) << (bits >> 8 & 63)) + (bits >> 20 & 7) - 4 + (UINT64_C(1) << (bits >> 14 & 63));
    default: return (bits & 0xfffffffff0000000) | 0x80;
    }
}

static void against_host(void **unused)
{
    (void)unused;
    static const uint8_t integers[] = {PTX_TYPE_U8,  PTX_TYPE_S8,  PTX_TYPE_U16, PTX_TYPE_S16,
                                       PTX_TYPE_U32, PTX_TYPE_S32, PTX_TYPE_U64, PTX_TYPE_S64};
    static const char *const fast[4] = {"cvt_rni_s32_f32", "cvt_rzi_s32_f32", "cvt_rmi_s32_f32", "cvt_rpi_s32_f32"};
    static const char *const fast_u32[4] = {"cvt_rni_u32_f32", "cvt_rzi_u32_f32", "cvt_rmi_u32_f32", "cvt_rpi_u32_f32"};
    Isa isas[3];
    const int count = find_isas(isas);
    uint64_t state = 3;
    for (int round = 0; round < ROUNDS; round++) {
        Frame floats, doubles, whole;
        for (int lane = 0; lane < LANES; lane++) {
            words(&floats, SLOT_A)[lane] = random_f32(&state);
            longs(&doubles, SLOT_A)[lane] = random_f64(&state);
            longs(&whole, SLOT_A)[lane] = random_integer(&state);
        }
        for (int i = 0; i < count; i++) {
            for (int mode = 0; mode < 4; mode++) {
                PtxOp op = plain;
                op.rounding = (uint8_t)modes[mode];
#define CHECK(name, to, from, frame, expected)                                                                         \
    (op.type = (uint8_t)(to), op.type2 = (uint8_t)(from), check_lanes(&isas[i], &op, name, frame, expected, mode))
                CHECK("cvt_float_float", PTX_TYPE_F32, PTX_TYPE_F64, &doubles, expect_f32);
                if (mode == 0)
                    CHECK("cvt_rn_f32_f64", PTX_TYPE_F32, PTX_TYPE_F64, &doubles, expect_f32);
                CHECK("cvt_float_integer", PTX_TYPE_F32, PTX_TYPE_S64, &whole, expect_f32);
                CHECK("cvt_float_integer", PTX_TYPE_F32, PTX_TYPE_U64, &whole, expect_f32);
                CHECK("cvt_float_integer", PTX_TYPE_F64, PTX_TYPE_S64, &whole, expect_f64);
                CHECK("cvt_float_integer", PTX_TYPE_F64, PTX_TYPE_U64, &whole, expect_f64);
                CHECK(fast[mode], PTX_TYPE_S32, PTX_TYPE_F32, &floats, expect_integer);
                CHECK(fast_u32[mode], PTX_TYPE_U32, PTX_TYPE_F32, &floats, expect_integer);
                for (size_t k = 0; k < sizeof integers; k++) {
                    CHECK("cvt_integer_float", integers[k], PTX_TYPE_F32, &floats, expect_integer);
                    CHECK("cvt_integer_float", integers[k], PTX_TYPE_F64, &doubles, expect_integer);
                }
            }
        }
    }
}

/* ---- ex2 and tanh: all codes against the library's, cut off as an H200 does
 * ------------------------------------------ */

static double model_ex2(double x)
{
    return fabs(x) < 0x1p-23 ? 1 : exp2(x);
}
static double model_tanh(double x)
{
    return fabs(x) < 0x1.01dep-8 ? x : fabs(x) >= 8 ? copysign(1, x) : tanh(x);
}

static void functions(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        const Format *format;
        double (*model)(double);
        double overflow;
        uint32_t flags;
    } rows[] = {{"ex2_f16", &f16, model_ex2, 16, 0},
                {"tanh_f16", &f16, model_tanh, INFINITY, 0},
                {"ex2_bf16", &bf16, model_ex2, 128, PTX_FLAG_FTZ},
                {"tanh_bf16", &bf16, model_tanh, INFINITY, 0}};
    Isa isas[3];
    const int count = find_isas(isas);
    for (int i = 0; i < count; i++) {
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            const PtxHandler run = find_handler(&isas[i], rows[row].name);
            const Format *format = rows[row].format;
            PtxOp op = plain;
            op.flags = rows[row].flags;
            for (uint32_t first = 0; first < 0x10000; first += LANES) {
                Frame frame;
                for (uint32_t lane = 0; lane < LANES; lane++)
                    words(&frame, SLOT_A)[lane] = first + lane;
                execute(run, &op, &frame, UINT32_MAX, 0);
                for (uint32_t lane = 0; lane < LANES; lane++) {
                    const double x = decode(format, first + lane);
                    uint32_t wanted = expected_code(format, rows[row].model(x), RZ, 0);
                    if (rows[row].model == model_ex2 && x >= rows[row].overflow)
                        wanted = format->infinity;
                    if (op.flags & FTZ && wanted < 0x80)
                        wanted = 0;
                    if (words(&frame, SLOT_D)[lane] != wanted)
                        fail_msg("%s %s of %04x: %04x, not %04x", isas[i].name, rows[row].name, first + lane,
                                 words(&frame, SLOT_D)[lane], wanted);
                }
            }
        }
    }
}

/* ---- every handler: lanes that stay, and agreement -----------------------------------------------------------------
 */

/* What a handler may find in an op: types for the general ones, any rounding, any modifiers of the family. */
static PtxOp random_op(const char *name, uint64_t *state)
{
    static const uint8_t integers[] = {PTX_TYPE_U8,  PTX_TYPE_S8,  PTX_TYPE_U16, PTX_TYPE_S16,
                                       PTX_TYPE_U32, PTX_TYPE_S32, PTX_TYPE_U64, PTX_TYPE_S64};
    static const uint8_t floats[] = {PTX_TYPE_F16, PTX_TYPE_BF16, PTX_TYPE_F32, PTX_TYPE_F64};
    const uint64_t bits = random_bits(state);
    PtxOp op = plain;
    op.rounding = (uint8_t)(bits % 5);
    op.flags = (uint32_t)(bits >> 8) &
               (FTZ | SAT | PTX_FLAG_SATFINITE | RELU | PTX_FLAG_NAN | PTX_FLAG_ABS | PTX_FLAG_XORSIGN);
    op.type = floats[bits >> 32 & 3];
    op.type2 = floats[bits >> 40 & 3];
    if (strncmp(name, "cvt_integer_", 12) == 0)
        op.type = integers[bits >> 32 & 7];
    if (strstr(name, "_integer") && strcmp(name, "cvt_integer_float") != 0)
        op.type2 = integers[bits >> 40 & 7];
    if (strstr(name, "_mixed"))
        op.type = floats[bits >> 32 & 1];
    return op;
}

static void fill(Frame *frame, uint64_t *state)
{
    for (uint32_t i = 0; i < FRAME_BYTES / 8; i++) {
        const uint64_t bits = random_bits(state);
        longs(frame, 0)[i] = bits % 4 == 0   ? random_f64(state)
                             : bits % 4 == 1 ? random_integer(state)
                             : bits % 4 == 2 ? bits
                                             : random_f32(state) | (uint64_t)random_f32(state) << 32;
    }
}

/* Bytes a lane of the result has: 8 if more than the slot's first half changes. */
static void check_agreement(const Isa *isas, int count, size_t row, bool is_half)
{
    const char *name = (is_half ? isas[0].half : isas[0].convert)[row].name;
    uint64_t state = row + 11;
    for (int round = 0; round < ROUNDS; round++) {
        const PtxOp op = random_op(name, &state);
        const uint32_t mask = (uint32_t)random_bits(&state);
        Frame before, whole, first;
        fill(&before, &state);
        for (int i = 0; i < count; i++) {
            const PtxHandlerRow *found = is_half ? &isas[i].half[row] : &isas[i].convert[row];
            assert_string_equal(found->name, name);
            Frame all = before, some = before;
            execute(found->run, &op, &all, UINT32_MAX, 0);
            execute(found->run, &op, &some, mask, ~mask);
            if (i == 0)
                whole = all, first = some;
            if (memcmp(&all, &whole, sizeof all) != 0 || memcmp(&some, &first, sizeof some) != 0)
                fail_msg("%s: %s differs from %s", name, isas[i].name, isas[0].name);
            const bool d_is_wide = memcmp(&all.bytes[SLOT_D + 128], &before.bytes[SLOT_D + 128], 128) != 0;
            const uint32_t bytes = d_is_wide ? 8 : 4;
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const Frame *from = mask >> lane & 1 ? &all : &before;
                if (memcmp(&some.bytes[SLOT_D + lane * bytes], &from->bytes[SLOT_D + lane * bytes], bytes) != 0)
                    fail_msg("%s %s: lane %u is not what it should be", isas[i].name, name, lane);
            }
        }
    }
}

static void agreement(void **unused)
{
    (void)unused;
    Isa isas[3];
    const int count = find_isas(isas);
    for (size_t row = 0; isas[0].half[row].name; row++)
        check_agreement(isas, count, row, true);
    for (size_t row = 0; isas[0].convert[row].name; row++)
        check_agreement(isas, count, row, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrowing),      cmocka_unit_test(widening),     cmocka_unit_test(arithmetic),
        cmocka_unit_test(single_results), cmocka_unit_test(against_host), cmocka_unit_test(functions),
        cmocka_unit_test(agreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
