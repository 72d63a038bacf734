/* Matrix instructions: wmma, mma.sync, ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14).
 *
 * All fragments follow one rule, the ISA's layout for mma.m16n8k*: lane 4g+t holds, in one register, the t-th quarter
 * of a chunk of row g. A chunk is 16 bytes of the row (32 for f64), so that a register's slot is 8 chunks of 8 rows,
 * and a matrix goes between slots and dense rows by copies of whole chunks. Rows are A's rows and B's columns: in both
 * k runs within a row. Tiles of 16 rows put rows g and g+8 into neighbouring registers. Accumulators have n within a
 * row; in types of 32 and 64 bits a lane's two neighbours of a row lie in two registers. wmma's layouts are open in the
 * ISA; these are an H200's: the same, tile after tile, and f16 fragments with more registers than the matrix needs
 * repeat it.
 *
 * Arithmetic: products of f16, bf16, tf32 and fp8 are exact in double, are summed onto C in double with k ascending,
 * and the sum is rounded once. f64 is a chain of fused multiply-adds. Every step is the same operation on all
 * instruction sets. */
#include <fenv.h>
#include <math.h>

#include "ptx/access.h"
#include "ptx/exec/formats.h"

enum { ROWS_MAX = 32, DENSE_BYTES = 2048, ELEMENTS_MAX = 32 * 16, TILE = 8 };

typedef enum Kind {
    KIND_NONE,
    KIND_F16,
    KIND_BF16,
    KIND_TF32,
    KIND_E4M3,
    KIND_E5M2,
    KIND_F32,
    KIND_F64,
    KIND_S32,
    KIND_S8,
    KIND_U8,
    KIND_S4,
    KIND_U4,
    KIND_B1,
} Kind;

static const uint8_t kind_bits[] = {
    [KIND_F16] = 16, [KIND_BF16] = 16, [KIND_TF32] = 32, [KIND_E4M3] = 8, [KIND_E5M2] = 8,
    [KIND_F32] = 32, [KIND_F64] = 64,  [KIND_S32] = 32,  [KIND_S8] = 8,   [KIND_U8] = 8,
    [KIND_S4] = 4,   [KIND_U4] = 4,    [KIND_B1] = 1,
};

static Kind kind_of(uint8_t type)
{
    static const uint8_t kinds[PTX_TYPE_COUNT] = {
        [PTX_TYPE_F16] = KIND_F16,   [PTX_TYPE_BF16] = KIND_BF16, [PTX_TYPE_TF32] = KIND_TF32,
        [PTX_TYPE_E4M3] = KIND_E4M3, [PTX_TYPE_E5M2] = KIND_E5M2, [PTX_TYPE_F32] = KIND_F32,
        [PTX_TYPE_F64] = KIND_F64,   [PTX_TYPE_S32] = KIND_S32,   [PTX_TYPE_S8] = KIND_S8,
        [PTX_TYPE_U8] = KIND_U8,
    };
    return (Kind)kinds[type];
}

typedef struct Shape {
    uint8_t m, n, k;
} Shape;

/* wmma's shapes of 256 accumulators, whose f16 operands always have 8 registers. */
static bool is_big(Shape shape)
{
    return shape.m * shape.n == 256;
}

/* wmma.m8n32k16 is m32n8k16 of the transposed matrices, in the hardware's registers too. */
static bool is_transpose(Shape shape)
{
    return shape.n == 32;
}
static Shape transpose_shape(Shape shape)
{
    return (Shape){shape.n, shape.m, shape.k};
}

/* The ISA leaves open what happens if lanes are missing. */
static bool is_whole(PtxWarp *warp, const PtxOp *op)
{
    if (warp->mask == UINT32_MAX)
        return true;
    const unsigned lane = warp->mask ? (unsigned)__builtin_ctz(warp->mask) : 0;
    ptx_trap(warp, op, lane, PTX_TRAP_SYNC_MASK, 0,
             "a matrix instruction is executed by a part of a warp (lanes 0x%08x)", warp->mask);
    return false;
}

/* ---- between slots and dense matrices
 * -------------------------------------------------------------------------------- */

typedef struct Dense {
    _Alignas(64) uint8_t bytes[DENSE_BYTES];
} Dense;

/* A matrix in registers: of A or B (k within a row) or accumulators (n within a row). */
typedef struct Fragment {
    uint32_t rows, row_bytes;
    uint32_t tile;  /* rows that share a series of registers: 16, or 8 */
    uint32_t chunk; /* bytes of a row in 4 lanes: 16 or 32 */
    bool is_paired; /* a chunk's elements alternate between two registers */
} Fragment;

static Fragment operand_fragment(uint32_t rows, uint32_t k, Kind kind, bool is_b)
{
    return (Fragment){.rows = rows,
                      .row_bytes = k * kind_bits[kind] / 8,
                      .tile = is_b || rows == TILE ? TILE : 2 * TILE,
                      .chunk = kind == KIND_F64 ? 32 : 16};
}

static Fragment accumulator_fragment(Shape shape, Kind kind)
{
    return (Fragment){.rows = shape.m,
                      .row_bytes = shape.n * kind_bits[kind] / 8u,
                      .tile = shape.m == TILE ? TILE : 2 * TILE,
                      .chunk = kind == KIND_F64 ? 32 : 16,
                      .is_paired = kind != KIND_F16};
}

/* Chunks, or pairs of chunks, in a row. */
static uint32_t fragment_chunks(const Fragment *fragment)
{
    return fragment->row_bytes / (fragment->chunk << fragment->is_paired);
}

static uint32_t fragment_slots(const Fragment *fragment)
{
    return fragment->rows / TILE * (fragment->row_bytes / fragment->chunk);
}

/* Number of the register of 8 rows and a chunk (the first of a pair). */
static uint32_t register_of(const Fragment *fragment, uint32_t rows8, uint32_t chunk)
{
    const uint32_t chunks = fragment_chunks(fragment);
    const uint32_t at = fragment->tile == TILE ? rows8 * chunks + chunk : (rows8 / 2 * chunks + chunk) * 2 + rows8 % 2;
    return at << fragment->is_paired;
}

typedef uint32_t Quad32 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint32_t Eight32 __attribute__((vector_size(32), may_alias, aligned(4)));
typedef uint64_t Quad64 __attribute__((vector_size(32), may_alias, aligned(8)));
typedef uint64_t Eight64 __attribute__((vector_size(64), may_alias, aligned(8)));

/* 8 rows of one chunk out of, or into, a register. */
static void copy_chunks(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, uint32_t chunk)
{
    for (int row = 0; row < TILE; row++, to += to_step, from += from_step) {
        if (chunk == 16)
            memcpy(to, from, 16);
        else
            memcpy(to, from, 32);
    }
}

/* The same for a pair of registers. */
static void join_pairs(uint8_t *to, size_t row_bytes, const uint8_t *first, const uint8_t *second, uint32_t chunk)
{
    for (int row = 0; row < TILE; row++, to += row_bytes, first += chunk, second += chunk) {
        if (chunk == 16)
            *(Eight32 *)(void *)to = __builtin_shufflevector(
                *(const Quad32 *)(const void *)first, *(const Quad32 *)(const void *)second, 0, 4, 1, 5, 2, 6, 3, 7);
        else
            *(Eight64 *)(void *)to = __builtin_shufflevector(
                *(const Quad64 *)(const void *)first, *(const Quad64 *)(const void *)second, 0, 4, 1, 5, 2, 6, 3, 7);
    }
}
static void split_pairs(uint8_t *first, uint8_t *second, const uint8_t *from, size_t row_bytes, uint32_t chunk)
{
    for (int row = 0; row < TILE; row++, from += row_bytes, first += chunk, second += chunk) {
        if (chunk == 16) {
            const Eight32 both = *(const Eight32 *)(const void *)from;
            *(Quad32 *)(void *)first = __builtin_shufflevector(both, both, 0, 2, 4, 6);
            *(Quad32 *)(void *)second = __builtin_shufflevector(both, both, 1, 3, 5, 7);
        } else {
            const Eight64 both = *(const Eight64 *)(const void *)from;
            *(Quad64 *)(void *)first = __builtin_shufflevector(both, both, 0, 2, 4, 6);
            *(Quad64 *)(void *)second = __builtin_shufflevector(both, both, 1, 3, 5, 7);
        }
    }
}

static void gather(const PtxWarp *warp, const uint32_t *slots, const Fragment *fragment, Dense *ret)
{
    const uint32_t chunks = fragment_chunks(fragment), width = fragment->chunk << fragment->is_paired;
    for (uint32_t rows8 = 0; rows8 < fragment->rows / TILE; rows8++)
        for (uint32_t chunk = 0; chunk < chunks; chunk++) {
            const uint32_t *slot = slots + register_of(fragment, rows8, chunk);
            uint8_t *to = ret->bytes + rows8 * TILE * fragment->row_bytes + chunk * width;
            if (fragment->is_paired)
                join_pairs(to, fragment->row_bytes, SLOT(uint8_t, warp, slot[0]), SLOT(uint8_t, warp, slot[1]),
                           fragment->chunk);
            else
                copy_chunks(to, fragment->row_bytes, SLOT(uint8_t, warp, slot[0]), fragment->chunk, fragment->chunk);
        }
}

static void scatter(const PtxWarp *warp, const uint32_t *slots, const Fragment *fragment, const Dense *dense)
{
    const uint32_t chunks = fragment_chunks(fragment), width = fragment->chunk << fragment->is_paired;
    for (uint32_t rows8 = 0; rows8 < fragment->rows / TILE; rows8++)
        for (uint32_t chunk = 0; chunk < chunks; chunk++) {
            const uint32_t *slot = slots + register_of(fragment, rows8, chunk);
            const uint8_t *from = dense->bytes + rows8 * TILE * fragment->row_bytes + chunk * width;
            if (fragment->is_paired)
                split_pairs(SLOT(uint8_t, warp, slot[0]), SLOT(uint8_t, warp, slot[1]), from, fragment->row_bytes,
                            fragment->chunk);
            else
                copy_chunks(SLOT(uint8_t, warp, slot[0]), fragment->chunk, from, fragment->row_bytes, fragment->chunk);
        }
}

/* ---- numbers
 * ------------------------------------------------------------------------------------------------------------ */

static inline double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double single_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* A sum as f16, rounded once: adding 1.5 * 2^52 units of f16's last place leaves
 * their number, rounded to nearest even, in the low bits. */
static inline uint16_t half_bits(double sum)
{
    const uint64_t bits = bits_of(sum), magnitude = bits & INT64_MAX;
    const uint64_t least = UINT64_C(1009) << 52; /* below 2^-14 the last place stays 2^-24 */
    const uint64_t exponent = (magnitude < least ? least : magnitude) & UINT64_C(0x7ff0000000000000);
    const double ruler = double_of(exponent + (UINT64_C(42) << 52) + (UINT64_C(1) << 51));
    const uint64_t places = bits_of(double_of(magnitude) + ruler) - bits_of(ruler);
    uint64_t half = places + ((exponent - least) >> 42);
    half = magnitude >= UINT64_C(0x40effe0000000000) ? 0x7c00 : half; /* 65520 and more round to infinity */
    half |= bits >> 48 & 0x8000;
    return (uint16_t)(magnitude > UINT64_C(0x7ff0000000000000) ? 0x7fff : half);
}

static inline uint32_t single_bits(double sum)
{
    const float value = (float)sum;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return sum != sum ? 0x7fffffff : bits;
}

/* The i-th element of a dense matrix. */
#define ELEMENT(type, dense, i) (((const type *)(const void *)(dense)->bytes)[i])

/* `count` codes in lanes of their own; a multiple of the lanes of a vector. */
static void widen_codes(const Dense *dense, uint32_t bits, uint32_t count, uint32_t *ret)
{
    switch (bits) {
    case 8:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = dense->bytes[i];
        break;
    case 16:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = ELEMENT(uint16_t, dense, i);
        break;
    default: memcpy(ret, dense->bytes, count * sizeof *ret); break;
    }
}

/* Codes become the f32 of their value, in place. */
#define DECODE(expression)                                                                                             \
    for (uint32_t i = 0; i < count; i += N32) {                                                                        \
        V_u32 *at = (V_u32 *)(void *)(codes + i);                                                                      \
        const V_u32 code = *at;                                                                                        \
        *at = (V_u32)(expression);                                                                                     \
    }                                                                                                                  \
    break
static void decode_codes(Kind kind, uint32_t *codes, uint32_t count)
{
    switch (kind) {
    case KIND_F16: DECODE(f16_to_f32(code));
    case KIND_BF16: DECODE(bf16_to_f32(code));
    case KIND_TF32: /* the low bits of the register are ignored */ DECODE(code & 0xffffe000);
    case KIND_E4M3: DECODE(format_to_f32(format_e4m3, code));
    case KIND_E5M2: DECODE(format_to_f32(format_e5m2, code));
    default: break;
    }
}
#undef DECODE

static void expand_floats(Kind kind, const Dense *dense, uint32_t count, double *ret)
{
    _Alignas(64) uint32_t codes[ELEMENTS_MAX];
    if (kind == KIND_F64) {
        memcpy(ret, dense->bytes, count * sizeof *ret);
        return;
    }
    widen_codes(dense, kind_bits[kind], count, codes);
    decode_codes(kind, codes, count);
    for (uint32_t i = 0; i < count; i++)
        ret[i] = single_value(codes[i]);
}

static void round_sums(Kind kind, const double *sums, uint32_t count, Dense *ret)
{
    if (kind == KIND_F16)
        for (uint32_t i = 0; i < count; i++)
            ((uint16_t *)(void *)ret->bytes)[i] = half_bits(sums[i]);
    else if (kind == KIND_F32)
        for (uint32_t i = 0; i < count; i++)
            ((uint32_t *)(void *)ret->bytes)[i] = single_bits(sums[i]);
    else
        memcpy(ret->bytes, sums, count * sizeof *sums);
}

static void expand_integers(Kind kind, const Dense *dense, uint32_t count, int32_t *ret)
{
    switch (kind) {
    case KIND_S8:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = (int8_t)dense->bytes[i];
        break;
    case KIND_U8:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = dense->bytes[i];
        break;
    case KIND_S4:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = (int)((dense->bytes[i / 2] >> i % 2 * 4 & 15) ^ 8) - 8;
        break;
    default:
        for (uint32_t i = 0; i < count; i++)
            ret[i] = dense->bytes[i / 2] >> i % 2 * 4 & 15;
        break;
    }
}

/* ---- products
 * ------------------------------------------------------------------------------------------------------------ */

/* Columns of B, each with k running, become tiles of 8 columns with the columns running: what vectors multiply. */
#define TRANSPOSE(name, type)                                                                                          \
    static void name(const type *from, uint32_t n, uint32_t k, type *ret)                                              \
    {                                                                                                                  \
        for (uint32_t tile = 0; tile < n; tile += TILE, from += TILE * k)                                              \
            for (uint32_t i = 0; i < k; i++, ret += TILE)                                                              \
                for (uint32_t j = 0; j < TILE; j++)                                                                    \
                    ret[j] = from[j * k + i];                                                                          \
    }
TRANSPOSE(transpose_doubles, double)
TRANSPOSE(transpose_integers, int32_t)

/* A few rows of A at a time, so that sums in registers don't wait for each other. */
enum { STEP = PTX_VECTOR_BYTES >= 32 ? 4 : 2, NI = PTX_VECTOR_BYTES >= 32 ? 8 : PTX_VECTOR_BYTES ? 4 : 1 };
PTX_VECTOR(int32_t, V_int, NI);

#define EXACT(x, y, sum) ((sum) + (x) * (y))

/* x * y + sum, rounded once. */
static inline V_f64 fused(V_f64 x, V_f64 y, V_f64 sum)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return (V_f64)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)sum);
#elif PTX_VECTOR_BYTES == 32 && defined(__FMA__)
    return (V_f64)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)sum);
#else
    for (int i = 0; i < N64; i++)
        sum[i] = __builtin_fma(x[i], y[i], sum[i]);
    return sum;
#endif
}

/* d[m][n] += a[m][k] * b, which transpose made. Not inlined: see multiply_rounded. */
#define MULTIPLY(name, type, vector, lanes, step)                                                                      \
    static __attribute__((noinline)) void name(Shape shape, const type *a, const type *b, type *d)                     \
    {                                                                                                                  \
        for (uint32_t j = 0; j < shape.n; j += TILE, b += shape.k * TILE)                                              \
            for (uint32_t i = 0; i < shape.m; i += STEP) {                                                             \
                vector sums[STEP][TILE / lanes];                                                                       \
                for (int row = 0; row < STEP; row++)                                                                   \
                    memcpy(sums[row], d + (i + (uint32_t)row) * shape.n + j, TILE * sizeof(type));                     \
                for (uint32_t k = 0; k < shape.k; k++)                                                                 \
                    for (int row = 0; row < STEP; row++)                                                               \
                        for (int part = 0; part < TILE / lanes; part++) {                                              \
                            const vector x = a[(i + (uint32_t)row) * shape.k + k] - (vector){0};                       \
                            vector y;                                                                                  \
                            memcpy(&y, b + k * TILE + part * lanes, sizeof y);                                         \
                            sums[row][part] = step(x, y, sums[row][part]);                                             \
                        }                                                                                              \
                for (int row = 0; row < STEP; row++)                                                                   \
                    memcpy(d + (i + (uint32_t)row) * shape.n + j, sums[row], TILE * sizeof(type));                     \
            }                                                                                                          \
    }
MULTIPLY(multiply_exact, double, V_f64, N64, EXACT)
MULTIPLY(multiply_fused, double, V_f64, N64, fused)
MULTIPLY(multiply_integers, int32_t, V_int, NI, EXACT)

/* f64 with .rz, .rm or .rp: the processor's mode, for a call that the compiler can't see into. */
static void multiply_rounded(uint8_t rounding, Shape shape, const double *a, const double *b, double *d)
{
    const int mode = rounding == PTX_ROUND_ZERO   ? FE_TOWARDZERO
                     : rounding == PTX_ROUND_DOWN ? FE_DOWNWARD
                     : rounding == PTX_ROUND_UP   ? FE_UPWARD
                                                  : FE_TONEAREST;
    if (mode == FE_TONEAREST) {
        multiply_fused(shape, a, b, d);
        return;
    }
    const int before = fegetround();
    fesetround(mode);
    multiply_fused(shape, a, b, d);
    fesetround(before);
}

/* Sums of products onto C. */
static void add_products(const int32_t *products, uint32_t count, bool is_saturating, Dense *accumulator)
{
    int32_t *sums = (int32_t *)(void *)accumulator->bytes;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t sum = (int64_t)sums[i] + products[i];
        const int64_t clamped = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        sums[i] = (int32_t)(uint32_t)(uint64_t)(is_saturating ? clamped : sum);
    }
}

static void multiply_bits(Shape shape, const Dense *a, const Dense *b, PtxOperation operation, uint32_t words,
                          int32_t *ret)
{
    for (uint32_t i = 0; i < shape.m; i++)
        for (uint32_t j = 0; j < shape.n; j++) {
            int32_t sum = 0;
            for (uint32_t w = 0; w < words; w++) {
                const uint32_t x = ELEMENT(uint32_t, a, i * words + w), y = ELEMENT(uint32_t, b, j * words + w);
                sum += __builtin_popcount(operation == PTX_OPERATION_AND ? x & y : x ^ y);
            }
            ret[i * shape.n + j] = sum;
        }
}

/* ---- wmma.mma and mma.sync
 * ------------------------------------------------------------------------------------------------ */

typedef struct Kinds {
    Kind a, b, c, d;
} Kinds;

static void multiply_floats(const PtxOp *op, Shape shape, Kinds kinds, const Dense *a, const Dense *b,
                            Dense *accumulator)
{
    double x[ELEMENTS_MAX], columns[ELEMENTS_MAX], y[ELEMENTS_MAX], sums[ELEMENTS_MAX];
    const uint32_t count = (uint32_t)shape.m * shape.n;
    expand_floats(kinds.a, a, (uint32_t)shape.m * shape.k, x);
    expand_floats(kinds.b, b, (uint32_t)shape.n * shape.k, columns);
    transpose_doubles(columns, shape.n, shape.k, y);
    expand_floats(kinds.c, accumulator, count, sums);
    if (kinds.a == KIND_F64)
        multiply_rounded(op->rounding, shape, x, y, sums);
    else
        multiply_exact(shape, x, y, sums);
    round_sums(kinds.d, sums, count, accumulator);
}

static void multiply_whole(const PtxOp *op, Shape shape, Kinds kinds, PtxOperation operation, uint32_t words,
                           const Dense *a, const Dense *b, Dense *accumulator)
{
    int32_t x[16 * 64], columns[8 * 64], y[8 * 64], sums[256] = {0};
    const uint32_t count = (uint32_t)shape.m * shape.n;
    if (kinds.a == KIND_B1) {
        multiply_bits(shape, a, b, operation, words, sums);
    } else {
        expand_integers(kinds.a, a, (uint32_t)shape.m * shape.k, x);
        expand_integers(kinds.b, b, (uint32_t)shape.n * shape.k, columns);
        transpose_integers(columns, shape.n, shape.k, y);
        multiply_integers(shape, x, y, sums);
    }
    add_products(sums, count, op->flags & PTX_FLAG_SATFINITE, accumulator);
}

/* Slots are D, A, B, C in this order. `words` is for b1 alone: k / 32. */
static const PtxOp *multiply_add(PtxWarp *warp, const PtxOp *op, Shape shape, Kinds kinds, PtxOperation operation,
                                 uint32_t words)
{
    if (!is_whole(warp, op))
        return NULL;
    const bool is_swapped = is_transpose(shape);
    if (is_swapped) {
        shape = transpose_shape(shape);
        kinds = (Kinds){.a = kinds.b, .b = kinds.a, .c = kinds.c, .d = kinds.d};
    }
    const uint32_t k = words ? words * 32 : shape.k;
    const Fragment a = operand_fragment(shape.m, k, kinds.a, false), b = operand_fragment(shape.n, k, kinds.b, true);
    const Fragment c = accumulator_fragment(shape, kinds.c), d = accumulator_fragment(shape, kinds.d);
    const bool is_padded = is_big(shape) && kinds.a == KIND_F16;
    const uint32_t *first = op->slots + fragment_slots(&d);
    const uint32_t *second = first + (is_padded ? 8 : fragment_slots(is_swapped ? &b : &a));
    const uint32_t *c_slots = second + (is_padded ? 8 : fragment_slots(is_swapped ? &a : &b));
    Dense x, y, sums;
    gather(warp, is_swapped ? second : first, &a, &x);
    gather(warp, is_swapped ? first : second, &b, &y);
    gather(warp, c_slots, &c, &sums);
    if (kinds.c == KIND_S32)
        multiply_whole(op, shape, kinds, operation, words, &x, &y, &sums);
    else
        multiply_floats(op, shape, kinds, &x, &y, &sums);
    scatter(warp, op->slots, &d, &sums);
    return op + 1;
}

/* The row's types: D, A, B (C has D's); or only D and C, of f16 operands. */
static Kinds kinds_of(const PtxOp *op)
{
    const Kind t = kind_of(op->type), u = kind_of(op->type2), v = kind_of(op->type3);
    return v == KIND_NONE ? (Kinds){.a = KIND_F16, .b = KIND_F16, .c = u, .d = t}
                          : (Kinds){.a = u, .b = v, .c = t, .d = t};
}

#define MMA(M, N, K)                                                                                                   \
    static const PtxOp *mma_m##M##n##N##k##K(PtxWarp *warp, const PtxOp *op)                                           \
    {                                                                                                                  \
        return multiply_add(warp, op, (Shape){M, N, K}, kinds_of(op), PTX_OPERATION_NONE, 0);                          \
    }
#define MMA_SHAPES(X)                                                                                                  \
    X(16, 16, 16)                                                                                                      \
    X(32, 8, 16)                                                                                                       \
    X(8, 32, 16)                                                                                                       \
    X(16, 16, 8)                                                                                                       \
    X(8, 8, 4)                                                                                                         \
    X(8, 8, 16)                                                                                                        \
    X(16, 8, 4)                                                                                                        \
    X(16, 8, 8)                                                                                                        \
    X(16, 8, 16)                                                                                                       \
    X(16, 8, 32)
MMA_SHAPES(MMA)

#define MMA_NIBBLES(M, N, K, ta, tb, ka, kb)                                                                           \
    static const PtxOp *mma_m##M##n##N##k##K##_##ta##_##tb(PtxWarp *warp, const PtxOp *op)                             \
    {                                                                                                                  \
        const Kinds kinds = {.a = ka, .b = kb, .c = KIND_S32, .d = KIND_S32};                                          \
        return multiply_add(warp, op, (Shape){M, N, K}, kinds, PTX_OPERATION_NONE, 0);                                 \
    }
#define MMA_NIBBLE_SHAPES(X, ...)                                                                                      \
    X(8, 8, 32, __VA_ARGS__)                                                                                           \
    X(16, 8, 32, __VA_ARGS__)                                                                                          \
    X(16, 8, 64, __VA_ARGS__)
MMA_NIBBLE_SHAPES(MMA_NIBBLES, s4, s4, KIND_S4, KIND_S4)
MMA_NIBBLE_SHAPES(MMA_NIBBLES, s4, u4, KIND_S4, KIND_U4)
MMA_NIBBLE_SHAPES(MMA_NIBBLES, u4, s4, KIND_U4, KIND_S4)
MMA_NIBBLE_SHAPES(MMA_NIBBLES, u4, u4, KIND_U4, KIND_U4)

#define MMA_BITS(M, N, K, word, operation)                                                                             \
    static const PtxOp *mma_m##M##n##N##k##K##_##word(PtxWarp *warp, const PtxOp *op)                                  \
    {                                                                                                                  \
        const Kinds kinds = {.a = KIND_B1, .b = KIND_B1, .c = KIND_S32, .d = KIND_S32};                                \
        return multiply_add(warp, op, (Shape){M, N, 0}, kinds, operation, (K) / 32);                                   \
    }
#define MMA_BIT_SHAPES(X, ...)                                                                                         \
    X(8, 8, 128, __VA_ARGS__)                                                                                          \
    X(16, 8, 128, __VA_ARGS__)                                                                                         \
    X(16, 8, 256, __VA_ARGS__)
MMA_BIT_SHAPES(MMA_BITS, xor, PTX_OPERATION_XOR)
MMA_BIT_SHAPES(MMA_BITS, and, PTX_OPERATION_AND)

/* ---- mma.m8n8k4 with f16: four products, each by lanes 4q..4q+3 and 16 more (PTX ISA 9.7.14.5.1)
 * ---------------------- */

static uint32_t half_lane(const PtxWarp *warp, const uint32_t *slots, unsigned lane, int i)
{
    return ptx_lane_u32(warp, slots[i / 2], lane) >> i % 2 * 16 & 0xffff;
}

/* Lane of quad q that has 8-row (or 8-column) index `at`. */
static unsigned quad_lane(unsigned q, unsigned at)
{
    return 4 * q + at % 4 + (at >= 4 ? 16 : 0);
}

/* Element of A (or of B, transposed): by rows each lane has one row, else each lane one k and half of the rows. */
static double quad_operand(const PtxWarp *warp, const uint32_t *slots, unsigned q, unsigned row, unsigned k,
                           bool is_row_a_lane)
{
    return (double)f16_value(is_row_a_lane ? half_lane(warp, slots, quad_lane(q, row), (int)k)
                                           : half_lane(warp, slots, 4 * q + k + (row >= 4 ? 16 : 0), (int)(row % 4)));
}

/* Where element (row, column) of an accumulator is: f16 has rows in lanes, f32 has 2 by 2 corners in them. */
static unsigned quad_accumulator(Kind kind, unsigned q, unsigned row, unsigned column, int *ret_i)
{
    if (kind == KIND_F16) {
        *ret_i = (int)column;
        return quad_lane(q, row);
    }
    *ret_i = (int)((column & 4) | (row & 2) | (column & 1));
    return 4 * q + (row & 1) + (column & 2) + (row >= 4 ? 16 : 0);
}

static double quad_sum(const PtxWarp *warp, const uint32_t *slots, Kind kind, unsigned q, unsigned row, unsigned column)
{
    int i;
    const unsigned lane = quad_accumulator(kind, q, row, column, &i);
    return kind == KIND_F16 ? (double)f16_value(half_lane(warp, slots, lane, i))
                            : single_value(ptx_lane_u32(warp, slots[i], lane));
}

static void put_quad_sum(const PtxWarp *warp, const uint32_t *slots, Kind kind, unsigned q, unsigned row,
                         unsigned column, double sum)
{
    int i;
    const unsigned lane = quad_accumulator(kind, q, row, column, &i);
    if (kind == KIND_F32) {
        ptx_set_u32(warp, slots[i], lane, single_bits(sum));
        return;
    }
    const uint32_t other = ptx_lane_u32(warp, slots[i / 2], lane) & (i % 2 ? 0xffff : 0xffff0000);
    ptx_set_u32(warp, slots[i / 2], lane, other | (uint32_t)half_bits(sum) << i % 2 * 16);
}

static const PtxOp *multiply_quads(PtxWarp *warp, const PtxOp *op, bool is_a_row, bool is_b_row)
{
    const Kind c = kind_of(op->type2), d = kind_of(op->type);
    const uint32_t *a_slots = op->slots + (d == KIND_F16 ? 4 : 8), *b_slots = a_slots + 2, *c_slots = b_slots + 2;
    double sums[4][64];
    if (!is_whole(warp, op))
        return NULL;
    for (unsigned q = 0; q < 4; q++)
        for (unsigned at = 0; at < 64; at++) {
            double sum = quad_sum(warp, c_slots, c, q, at / 8, at % 8);
            for (unsigned k = 0; k < 4; k++)
                sum += quad_operand(warp, a_slots, q, at / 8, k, is_a_row) *
                       quad_operand(warp, b_slots, q, at % 8, k, !is_b_row);
            sums[q][at] = sum;
        }
    for (unsigned q = 0; q < 4; q++)
        for (unsigned at = 0; at < 64; at++)
            put_quad_sum(warp, op->slots, d, q, at / 8, at % 8, sums[q][at]);
    return op + 1;
}

#define MMA_QUADS(a, b, is_a_row, is_b_row)                                                                            \
    static const PtxOp *mma_quads_##a##_##b(PtxWarp *warp, const PtxOp *op)                                            \
    {                                                                                                                  \
        return multiply_quads(warp, op, is_a_row, is_b_row);                                                           \
    }
MMA_QUADS(row, row, true, true)
MMA_QUADS(row, col, true, false)
MMA_QUADS(col, row, false, true)
MMA_QUADS(col, col, false, false)

/* ---- wmma.load and wmma.store
 * ---------------------------------------------------------------------------------------------- */

typedef enum Part { PART_A, PART_B, PART_C } Part;

/* A fragment and how its matrix lies in memory: `runs` of `run_bytes`, `stride` bytes apart. A run is a row of the
 * fragment, or its transpose. */
typedef struct Tile {
    Fragment fragment;
    uint32_t element_bytes; /* 0: less than a byte */
    uint32_t runs, run_bytes, align;
    bool is_transposed;
    uint64_t stride;
} Tile;

/* The element type of a row without types is told by k: s4, u4 or b1. */
static Kind loaded_kind(const PtxOp *op, uint32_t k)
{
    return op->type != PTX_TYPE_NONE ? kind_of(op->type) : k == 128 ? KIND_B1 : KIND_S4;
}

/* What an address of a run must be a multiple of. The ISA asks for 16 in general; this is what an H200 accepts, which
 * loads a lane's share of a run at a time, and 8 elements from shared memory (by ldmatrix) if they have no more than 16
 * bits. */
static uint32_t run_align(PtxSpace space, Part part, bool is_transposed, uint32_t bits)
{
    const uint32_t element = bits < 32 ? 4 : bits / 8;
    if (part == PART_C)
        return is_transposed || bits < 32 ? element : 2 * element;
    if (is_transposed && bits == 8)
        return 1;
    return space == PTX_SPACE_SHARED && bits <= 16 ? 16 : element;
}

static Tile tile_of(const PtxWarp *warp, const PtxOp *op, Part part, bool is_row, Shape shape)
{
    if (is_transpose(shape)) {
        part = part == PART_A ? PART_B : part == PART_B ? PART_A : PART_C;
        is_row = !is_row;
        shape = transpose_shape(shape);
    }
    const Kind kind = loaded_kind(op, shape.k);
    const uint32_t bits = kind_bits[kind];
    const uint32_t rows = part == PART_B ? shape.n : shape.m, length = part == PART_C ? shape.n : shape.k;
    Tile tile = {.fragment = part == PART_C ? accumulator_fragment(shape, kind)
                                            : operand_fragment(rows, length, kind, part == PART_B),
                 .element_bytes = bits / 8,
                 .is_transposed = is_row == (part == PART_B)};
    const uint32_t elements = tile.is_transposed ? rows : length;
    tile.runs = tile.is_transposed ? length : rows;
    tile.run_bytes = elements * bits / 8;
    tile.align = run_align((PtxSpace)op->space, part, tile.is_transposed, bits);
    tile.stride = (op->b ? (uint64_t)ptx_lane_u32(warp, op->b, 0) : elements) * bits / 8;
    return tile;
}

/* An element every `from_step` bytes to one every `to_step`. */
static void copy_elements(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, uint32_t bytes,
                          uint32_t count)
{
#define COPY_ELEMENTS(size)                                                                                            \
    case size:                                                                                                         \
        for (uint32_t i = 0; i < count; i++)                                                                           \
            memcpy(to + i * to_step, from + i * from_step, size);                                                      \
        break
    switch (bytes) {
        COPY_ELEMENTS(1);
        COPY_ELEMENTS(2);
        COPY_ELEMENTS(4);
        COPY_ELEMENTS(8);
    default: break;
    }
#undef COPY_ELEMENTS
}

static uint8_t *run_at(PtxWarp *warp, const PtxOp *op, const Tile *tile, uint32_t run, bool is_store)
{
    return ptx_access_aligned(warp, op, 0, (PtxSpace)op->space, ptx_address_a(warp, op, 0) + run * tile->stride,
                              tile->run_bytes, tile->align, is_store);
}

static const PtxOp *wmma_load(PtxWarp *warp, const PtxOp *op, Part part, bool is_row, Shape shape)
{
    if (!is_whole(warp, op))
        return NULL;
    const Tile tile = tile_of(warp, op, part, is_row, shape);
    const uint32_t row_bytes = tile.fragment.row_bytes;
    Dense dense;
    for (uint32_t run = 0; run < tile.runs; run++) {
        const uint8_t *from = run_at(warp, op, &tile, run, false);
        if (!from)
            return NULL;
        if (tile.is_transposed)
            copy_elements(dense.bytes + run * tile.element_bytes, row_bytes, from, tile.element_bytes,
                          tile.element_bytes, tile.fragment.rows);
        else
            memcpy(dense.bytes + run * row_bytes, from, row_bytes);
    }
    scatter(warp, op->slots, &tile.fragment, &dense);
    const uint32_t used = fragment_slots(&tile.fragment);
    for (uint32_t i = used; i < op->slot_count; i++)
        memcpy(SLOT(uint8_t, warp, op->slots[i]), SLOT(uint8_t, warp, op->slots[i - used]), 4 * PTX_WARP_LANES);
    return op + 1;
}

static const PtxOp *wmma_store(PtxWarp *warp, const PtxOp *op, bool is_row, Shape shape)
{
    if (!is_whole(warp, op))
        return NULL;
    const Tile tile = tile_of(warp, op, PART_C, is_row, shape);
    const uint32_t row_bytes = tile.fragment.row_bytes;
    Dense dense;
    gather(warp, op->slots, &tile.fragment, &dense);
    for (uint32_t run = 0; run < tile.runs; run++) {
        uint8_t *to = run_at(warp, op, &tile, run, true);
        if (!to)
            return NULL;
        if (tile.is_transposed)
            copy_elements(to, tile.element_bytes, dense.bytes + run * tile.element_bytes, row_bytes, tile.element_bytes,
                          tile.fragment.rows);
        else
            memcpy(to, dense.bytes + run * row_bytes, row_bytes);
    }
    return op + 1;
}

#define WMMA_LAYOUT(M, N, K, layout, is_row)                                                                           \
    static const PtxOp *wmma_load_a_##layout##_m##M##n##N##k##K(PtxWarp *warp, const PtxOp *op)                        \
    {                                                                                                                  \
        return wmma_load(warp, op, PART_A, is_row, (Shape){M, N, K});                                                  \
    }                                                                                                                  \
    static const PtxOp *wmma_load_b_##layout##_m##M##n##N##k##K(PtxWarp *warp, const PtxOp *op)                        \
    {                                                                                                                  \
        return wmma_load(warp, op, PART_B, is_row, (Shape){M, N, K});                                                  \
    }                                                                                                                  \
    static const PtxOp *wmma_load_c_##layout##_m##M##n##N##k##K(PtxWarp *warp, const PtxOp *op)                        \
    {                                                                                                                  \
        return wmma_load(warp, op, PART_C, is_row, (Shape){M, N, K});                                                  \
    }                                                                                                                  \
    static const PtxOp *wmma_store_d_##layout##_m##M##n##N##k##K(PtxWarp *warp, const PtxOp *op)                       \
    {                                                                                                                  \
        return wmma_store(warp, op, is_row, (Shape){M, N, K});                                                         \
    }
#define WMMA(M, N, K)                                                                                                  \
    WMMA_LAYOUT(M, N, K, row, true)                                                                                    \
    WMMA_LAYOUT(M, N, K, col, false)
#define WMMA_SHAPES(X)                                                                                                 \
    X(16, 16, 16)                                                                                                      \
    X(32, 8, 16)                                                                                                       \
    X(8, 32, 16)                                                                                                       \
    X(16, 16, 8)                                                                                                       \
    X(8, 8, 4)                                                                                                         \
    X(8, 8, 32)                                                                                                        \
    X(8, 8, 128)
WMMA_SHAPES(WMMA)

/* ---- ldmatrix, stmatrix, movmatrix
 * ------------------------------------------------------------------------------------------- */

/* 8 by 8 elements of 16 bits, rows of 16 bytes: just as a register's slot has them. */
typedef struct Small {
    _Alignas(64) uint16_t at[TILE][TILE];
} Small;
_Static_assert(sizeof(Small) == 4 * PTX_WARP_LANES, "a small matrix fills a register of the warp");

static Small transposed(const Small *matrix)
{
    Small ret;
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++)
            ret.at[i][j] = matrix->at[j][i];
    return ret;
}

/* Row `row` of the j-th matrix is at the address of lane 8j + row. */
static uint8_t *small_row(PtxWarp *warp, const PtxOp *op, uint32_t lane, bool is_store)
{
    return ptx_access(warp, op, lane, (PtxSpace)op->space, ptx_address_a(warp, op, lane), TILE * sizeof(uint16_t),
                      is_store);
}

static const PtxOp *ldmatrix(PtxWarp *warp, const PtxOp *op)
{
    Small loaded[4];
    if (!is_whole(warp, op))
        return NULL;
    for (uint32_t lane = 0; lane < (uint32_t)op->slot_count * TILE; lane++) {
        const uint8_t *from = small_row(warp, op, lane, false);
        if (!from)
            return NULL;
        memcpy(loaded[lane / TILE].at[lane % TILE], from, sizeof loaded->at[0]);
    }
    for (uint32_t i = 0; i < op->slot_count; i++) {
        const Small matrix = op->flags & PTX_FLAG_TRANS ? transposed(&loaded[i]) : loaded[i];
        memcpy(SLOT(uint8_t, warp, op->slots[i]), &matrix, sizeof matrix);
    }
    return op + 1;
}

static const PtxOp *stmatrix(PtxWarp *warp, const PtxOp *op)
{
    if (!is_whole(warp, op))
        return NULL;
    for (uint32_t i = 0; i < op->slot_count; i++) {
        Small matrix;
        memcpy(&matrix, SLOT(uint8_t, warp, op->slots[i]), sizeof matrix);
        if (op->flags & PTX_FLAG_TRANS)
            matrix = transposed(&matrix);
        for (uint32_t row = 0; row < TILE; row++) {
            uint8_t *to = small_row(warp, op, i * TILE + row, true);
            if (!to)
                return NULL;
            memcpy(to, matrix.at[row], sizeof matrix.at[row]);
        }
    }
    return op + 1;
}

static const PtxOp *movmatrix(PtxWarp *warp, const PtxOp *op)
{
    Small matrix;
    if (!is_whole(warp, op))
        return NULL;
    memcpy(&matrix, SLOT(uint8_t, warp, op->a), sizeof matrix);
    matrix = transposed(&matrix);
    memcpy(SLOT(uint8_t, warp, op->d), &matrix, sizeof matrix);
    return op + 1;
}

/* setmaxnreg: registers are not scarce here. */
static const PtxOp *setmaxnreg(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    return op + 1;
}

#define MMA_ROW(M, N, K)                 PTX_ROW(mma_m##M##n##N##k##K),
#define MMA_NIBBLES_ROW(M, N, K, ta, tb) PTX_ROW(mma_m##M##n##N##k##K##_##ta##_##tb),
#define MMA_BITS_ROW(M, N, K, word)      PTX_ROW(mma_m##M##n##N##k##K##_##word),
#define WMMA_LAYOUT_ROWS(M, N, K, layout)                                                                              \
    PTX_ROW(wmma_load_a_##layout##_m##M##n##N##k##K), PTX_ROW(wmma_load_b_##layout##_m##M##n##N##k##K),                \
        PTX_ROW(wmma_load_c_##layout##_m##M##n##N##k##K), PTX_ROW(wmma_store_d_##layout##_m##M##n##N##k##K),
#define WMMA_ROWS(M, N, K) WMMA_LAYOUT_ROWS(M, N, K, row) WMMA_LAYOUT_ROWS(M, N, K, col)

extern const PtxHandlerRow PTX_NAME(tensor_handlers)[];
const PtxHandlerRow PTX_NAME(tensor_handlers)[] = {
    MMA_SHAPES(MMA_ROW)                        /**/
    MMA_NIBBLE_SHAPES(MMA_NIBBLES_ROW, s4, s4) /**/
    MMA_NIBBLE_SHAPES(MMA_NIBBLES_ROW, s4, u4) /**/
    MMA_NIBBLE_SHAPES(MMA_NIBBLES_ROW, u4, s4) /**/
    MMA_NIBBLE_SHAPES(MMA_NIBBLES_ROW, u4, u4) /**/
    MMA_BIT_SHAPES(MMA_BITS_ROW, xor)          /**/
    MMA_BIT_SHAPES(MMA_BITS_ROW, and)          /**/
    WMMA_SHAPES(WMMA_ROWS)                     /**/
    PTX_ROW(mma_quads_row_row),
    PTX_ROW(mma_quads_row_col),
    PTX_ROW(mma_quads_col_row),
    PTX_ROW(mma_quads_col_col),
    PTX_ROW(ldmatrix),
    PTX_ROW(stmatrix),
    PTX_ROW(movmatrix),
    PTX_ROW(setmaxnreg),
    {NULL, NULL},
};
