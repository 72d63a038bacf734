/* Thirty-two lanes at a time, for files that are compiled once per instruction set.
 *
 * PTX_ISA names the build: avx512, avx2, portable (GNU vectors of 16 bytes, no intrinsics needed) or scalar (one lane a
 * step, the honest baseline of bench-ptx). A slot of 32-bit lanes is PARTS32 vectors V_u32 of N32 lanes each; of 64-bit
 * lanes PARTS64 vectors of N64. Every path must give the same bits: no contraction (-ffp-contract=off), no approximate
 * instructions, no reordering; MXCSR is at its default (round to nearest, denormals kept) between handlers. */
#ifndef GAVEL_PTX_EXEC_LANES_H
#define GAVEL_PTX_EXEC_LANES_H

#include <stdint.h>
#include <string.h>

#include "ptx/exec.h"

#ifndef PTX_ISA
#define PTX_ISA          portable /* for editors and linters */
#define PTX_VECTOR_BYTES 16
#endif

#if defined(__AVX512F__) || defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#define PTX_PASTE3(a, b, c)  a##b##c
#define PTX_EXPAND3(a, b, c) PTX_PASTE3(a, b, c)
#define PTX_EXPAND(a, b)     PTX_EXPAND3(a, b, )
/* Name of a thing that exists once per instruction set: PTX_NAME(integer_handlers) -> ptx_avx2_integer_handlers. */
#define PTX_NAME(name) PTX_EXPAND3(ptx_, PTX_ISA, PTX_EXPAND(_, name))

/* PTX_VECTOR_BYTES: 64, 32, 16; 0 in the scalar build. */
enum {
    N32 = PTX_VECTOR_BYTES ? PTX_VECTOR_BYTES / 4 : 1,
    N64 = PTX_VECTOR_BYTES ? PTX_VECTOR_BYTES / 8 : 1,
    PARTS32 = PTX_WARP_LANES / N32,
    PARTS64 = PTX_WARP_LANES / N64,
};

#define PTX_VECTOR(type, name, count) typedef type name __attribute__((vector_size(sizeof(type) * (count)), may_alias))
PTX_VECTOR(uint32_t, V_u32, N32);
PTX_VECTOR(int32_t, V_s32, N32);
PTX_VECTOR(float, V_f32, N32);
PTX_VECTOR(uint64_t, V_u64, N64);
PTX_VECTOR(int64_t, V_s64, N64);
PTX_VECTOR(double, V_f64, N64);
/* As many 32-bit lanes as a 64-bit vector has: the narrow side of conversions (__builtin_convertvector). */
PTX_VECTOR(uint32_t, H_u32, N64);
PTX_VECTOR(int32_t, H_s32, N64);
PTX_VECTOR(float, H_f32, N64);

/* ---- masks ------------------------------------------------------------------------------------------------- */

#if PTX_VECTOR_BYTES
#define PTX_IOTA(i)                                                                                                    \
    ((i) + 0), ((i) + 1), ((i) + 2), ((i) + 3), ((i) + 4), ((i) + 5), ((i) + 6), ((i) + 7), ((i) + 8), ((i) + 9),      \
        ((i) + 10), ((i) + 11), ((i) + 12), ((i) + 13), ((i) + 14), ((i) + 15)
#endif

#define PTX_BITS(bit)                                                                                                  \
    bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8), bit(9), bit(10), bit(11), bit(12),         \
        bit(13), bit(14), bit(15), bit(16), bit(17), bit(18), bit(19), bit(20), bit(21), bit(22), bit(23), bit(24),    \
        bit(25), bit(26), bit(27), bit(28), bit(29), bit(30), bit(31)
#define PTX_BIT(i) 1u << (i)
static const _Alignas(64) uint32_t ptx_lane_bits_32[PTX_WARP_LANES] = {PTX_BITS(PTX_BIT)};
static const _Alignas(64) uint64_t ptx_lane_bits_64[PTX_WARP_LANES] = {PTX_BITS(PTX_BIT)};

/* -1 in the lanes of part `part` whose bit is set in `mask`, 0 elsewhere. The bits are per part, and not shifted, so
 * that a loop over parts broadcasts the mask once. */
static inline V_s32 lanes32(uint32_t mask, int part)
{
    const V_u32 bits = ((const V_u32 *)(const void *)ptx_lane_bits_32)[part];
    return (V_s32)(((mask + (V_u32){0}) & bits) != 0);
}
static inline V_s64 lanes64(uint32_t mask, int part)
{
    const V_u64 bits = ((const V_u64 *)(const void *)ptx_lane_bits_64)[part];
    return (V_s64)((((uint64_t)mask + (V_u64){0}) & bits) != 0);
}

/* The sign bits of a comparison's result (-1 or 0 a lane) as bits from bit 0. */
static inline uint32_t bits32(V_s32 truth)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)truth);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)truth);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)truth);
#else
    uint32_t bits = 0;
    for (int i = 0; i < N32; i++)
        bits |= ((uint32_t)truth[i] >> 31) << i;
    return bits;
#endif
}
static inline uint32_t bits64(V_s64 truth)
{
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)truth);
#elif PTX_VECTOR_BYTES == 32 && defined(__AVX2__)
    return (uint32_t)_mm256_movemask_pd((__m256d)truth);
#elif PTX_VECTOR_BYTES == 16 && defined(__SSE2__)
    return (uint32_t)_mm_movemask_pd((__m128d)truth);
#else
    uint32_t bits = 0;
    for (int i = 0; i < N64; i++)
        bits |= (uint32_t)((uint64_t)truth[i] >> 63) << i;
    return bits;
#endif
}

/* truth ? yes : no, lane by lane, for vectors of the same size; `truth` is -1 or 0. */
#define SELECT32(truth, yes, no) ((__typeof__(yes))(((V_s32)(yes) & (truth)) | ((V_s32)(no) & ~(truth))))
#define SELECT64(truth, yes, no) ((__typeof__(yes))(((V_s64)(yes) & (truth)) | ((V_s64)(no) & ~(truth))))

/* The lanes of `yes` whose bit is set in `mask`, the others of `no`. */
#if PTX_VECTOR_BYTES == 64 && defined(__AVX512F__)
#define BLEND32(mask, part, yes, no)                                                                                   \
    ((__typeof__(yes))_mm512_mask_mov_epi32((__m512i)(no), (__mmask16)((mask) >> (part)*N32), (__m512i)(yes)))
#define BLEND64(mask, part, yes, no)                                                                                   \
    ((__typeof__(yes))_mm512_mask_mov_epi64((__m512i)(no), (__mmask8)((mask) >> (part)*N64), (__m512i)(yes)))
#else
#define BLEND32(mask, part, yes, no) SELECT32(lanes32(mask, part), yes, no)
#define BLEND64(mask, part, yes, no) SELECT64(lanes64(mask, part), yes, no)
#endif

/* ---- handlers ---------------------------------------------------------------------------------------------- */

#define SLOT(type, warp, offset) ((type *)(void *)((warp)->frame + (offset)))

/* Element-wise handlers: `expression` is written with vectors x, y, z (sources a, b, c), and gives a vector of TD. All
 * types of one handler have the same lane width W (32 or 64). With warp->keep == 0 whole slots are written, else only
 * the executing lanes. The expression must be safe for any bits in lanes that do not execute. */
#define PTX_ELEMENTWISE(W, name, TD, loads, expression) PTX_ELEMENTWISE_FROM(W, name, TD, (void)0, loads, expression)
/* `sources` are declared before the loop: what is written there need not be read again after each store. */
#define PTX_ELEMENTWISE_FROM(W, name, TD, sources, loads, expression)                                                  \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        TD *ret = SLOT(TD, warp, op->d);                                                                               \
        const uint32_t executing = warp->mask;                                                                         \
        sources;                                                                                                       \
        if (warp->keep == 0) {                                                                                         \
            for (int part = 0; part < PARTS##W; part++) {                                                              \
                loads;                                                                                                 \
                ret[part] = (expression);                                                                              \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int part = 0; part < PARTS##W; part++) {                                                              \
                loads;                                                                                                 \
                const TD value = (expression);                                                                         \
                ret[part] = BLEND##W(executing, part, value, ret[part]);                                               \
            }                                                                                                          \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
#define PTX_SOURCE(T, name) const T *const from_##name = SLOT(const T, warp, op->name)
#define PTX_UNARY(W, name, TD, TA, expression)                                                                         \
    PTX_ELEMENTWISE_FROM(W, name, TD, PTX_SOURCE(TA, a), const TA x = from_a[part], expression)
#define PTX_BINARY(W, name, TD, TA, TB, expression)                                                                    \
    PTX_ELEMENTWISE_FROM(W, name, TD, PTX_SOURCE(TA, a); PTX_SOURCE(TB, b), const TA x = from_a[part];                 \
                         const TB y = from_b[part], expression)
#define PTX_TERNARY(W, name, TD, TA, TB, TC, expression)                                                               \
    PTX_ELEMENTWISE_FROM(W, name, TD, PTX_SOURCE(TA, a); PTX_SOURCE(TB, b);                                            \
                         PTX_SOURCE(TC, c), const TA x = from_a[part]; const TB y = from_b[part];                      \
                         const TC z = from_c[part], expression)

/* A row of a file's table of handlers. */
#define PTX_ROW(name)                                                                                                  \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

#endif
