/* Approximate functions (PTX ISA 9.7.3). The device's tables are not public: these are computed in f64 and rounded
 * once, which lies within the bounds that the ISA states. Special values and flushing are the ISA's. */
#include <math.h>

#include "ptx/exec/formats.h"
#include "ptx/exec/lanes.h"

static inline float flushed(float x, bool is_flushed)
{
    return is_flushed && fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}

static inline float canonical(float x)
{
    const uint32_t bits = F32_NAN;
    float nan_value;
    memcpy(&nan_value, &bits, sizeof nan_value);
    return x == x ? x : nan_value;
}

#define APPROX(name, expression)                                                                                       \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        const bool is_flushed = op->flags & PTX_FLAG_FTZ;                                                              \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            const double x = (double)flushed(SLOT(float, warp, op->a)[lane], is_flushed);                              \
            SLOT(float, warp, op->d)[lane] = canonical(flushed((float)(expression), is_flushed));                      \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
APPROX(ex2_f32, exp2(x))
APPROX(lg2_f32, log2(x))
APPROX(sin_f32, sin(x))
APPROX(cos_f32, cos(x))
APPROX(tanh_f32, tanh(x))
APPROX(rsqrt_f32, 1.0 / sqrt(x))

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see the upper 32 bits of their source (so a NaN with a payload in the
 * lower ones only is an infinity) and give the upper 32 bits of an approximation, the lower ones are zero. */
#define APPROX_F64(name, expression)                                                                                   \
    static const PtxOp *name(PtxWarp *warp, const PtxOp *op)                                                           \
    {                                                                                                                  \
        for (PTX_EACH_LANE(lane, warp->mask)) {                                                                        \
            const uint64_t upper = SLOT(uint64_t, warp, op->a)[lane] & UINT64_C(0xffffffff00000000);                   \
            double x;                                                                                                  \
            memcpy(&x, &upper, sizeof x);                                                                              \
            x = fabs(x) < 0x1p-1022 ? copysign(0.0, x) : x;                                                            \
            double result = (expression);                                                                              \
            result = fabs(result) < 0x1p-1022 ? copysign(0.0, result) : result;                                        \
            uint64_t bits;                                                                                             \
            memcpy(&bits, &result, sizeof bits);                                                                       \
            SLOT(uint64_t, warp, op->d)                                                                                \
            [lane] = result != result ? UINT64_C(0x7fffffff00000000) : bits & UINT64_C(0xffffffff00000000);            \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }
APPROX_F64(rcp_approx_f64, 1.0 / x)
APPROX_F64(rsqrt_approx_f64, 1.0 / sqrt(x))

/* rsqrt.approx.f64 without .ftz keeps denormals and all bits that it has. */
static const PtxOp *rsqrt_f64(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const double result = 1.0 / sqrt(SLOT(double, warp, op->a)[lane]);
        uint64_t bits;
        memcpy(&bits, &result, sizeof bits);
        SLOT(uint64_t, warp, op->d)[lane] = result != result ? UINT64_C(0x7ff8000000000000) : bits;
    }
    return op + 1;
}

extern const PtxHandlerRow PTX_NAME(approx_handlers)[];
const PtxHandlerRow PTX_NAME(approx_handlers)[] = {
    PTX_ROW(ex2_f32),   PTX_ROW(lg2_f32),   PTX_ROW(sin_f32),        PTX_ROW(cos_f32),          PTX_ROW(tanh_f32),
    PTX_ROW(rsqrt_f32), PTX_ROW(rsqrt_f64), PTX_ROW(rcp_approx_f64), PTX_ROW(rsqrt_approx_f64), {NULL, NULL},
};
