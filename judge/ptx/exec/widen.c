/* Records that the decoder puts beside an instruction: a wide register narrowed before it, a narrow result widened
 * after it. */
#include "ptx/exec/arithmetic.h"
#include "ptx/exec/lanes.h"

PTX_UNARY(32, widen_u8_32, V_u32, V_u32, x & 0xff)
PTX_UNARY(32, widen_s8_32, V_s32, V_s32, (V_s32)((V_u32)x << 24) >> 24)
PTX_UNARY(32, widen_u16_32, V_u32, V_u32, x & 0xffff)
PTX_UNARY(32, widen_s16_32, V_s32, V_s32, (V_s32)((V_u32)x << 16) >> 16)

PTX_ELEMENTWISE(64, widen_u32_64, V_u64, const H_u32 x = SLOT(H_u32, warp, op->a)[part], widen_u32(x))
PTX_ELEMENTWISE(64, widen_s32_64, V_s64, const H_s32 x = SLOT(H_s32, warp, op->a)[part], widen_s32(x))
PTX_ELEMENTWISE(64, widen_u16_64, V_u64, const H_u32 x = SLOT(H_u32, warp, op->a)[part] & 0xffff, widen_u32(x))
PTX_ELEMENTWISE(64, widen_u8_64, V_u64, const H_u32 x = SLOT(H_u32, warp, op->a)[part] & 0xff, widen_u32(x))
PTX_ELEMENTWISE(64, widen_s16_64, V_s64, const H_s32 x = (H_s32)(SLOT(H_u32, warp, op->a)[part] << 16) >> 16,
                widen_s32(x))
PTX_ELEMENTWISE(64, widen_s8_64, V_s64, const H_s32 x = (H_s32)(SLOT(H_u32, warp, op->a)[part] << 24) >> 24,
                widen_s32(x))

/* Low halves; the destination is always scratch, so every lane may be written. */
static const PtxOp *narrow_64(PtxWarp *warp, const PtxOp *op)
{
    const V_u64 *a = SLOT(V_u64, warp, op->a);
    H_u32 *d = SLOT(H_u32, warp, op->d);
    for (int part = 0; part < PARTS64; part++)
        d[part] = narrow_u64(a[part]);
    return op + 1;
}

extern const PtxHandlerRow PTX_NAME(widen_handlers)[];
const PtxHandlerRow PTX_NAME(widen_handlers)[] = {
    PTX_ROW(widen_u8_32),  PTX_ROW(widen_s8_32),  PTX_ROW(widen_u16_32), PTX_ROW(widen_s16_32),
    PTX_ROW(widen_u8_64),  PTX_ROW(widen_s8_64),  PTX_ROW(widen_u16_64), PTX_ROW(widen_s16_64),
    PTX_ROW(widen_u32_64), PTX_ROW(widen_s32_64), PTX_ROW(narrow_64),    {NULL, NULL},
};
