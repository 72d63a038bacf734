/* Branches, block heads, guards, leaving, and what does nothing here. PTX ISA 9.7.12. */
#include "ptx/barrier.h"
#include "ptx/collective.h"
#include "ptx/warp.h"

static inline uint32_t taken_lanes(const PtxWarp *warp, const PtxOp *op)
{
    const uint32_t bits = ptx_predicate(warp, op->guard);
    return (op->is_guard_negated ? ~bits : bits) & warp->mask;
}

static const PtxOp *guard(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t mask = warp->mask, keep = warp->keep, taken = taken_lanes(warp, op);
    if (taken == 0)
        return op + 1;
    warp->mask = taken;
    warp->keep = keep | (mask & ~taken);
    const PtxOp *next = op->guarded(warp, op);
    warp->mask = mask;
    warp->keep = keep;
    return next;
}

/* ---- block heads ------------------------------------------------------------------------------------------- */

static const PtxOp *budget_spent(PtxWarp *warp, const PtxOp *op)
{
    return ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_BUDGET, 0,
                    "the launch's budget is used up");
}

static inline const PtxOp *enter_block(PtxWarp *warp, const PtxOp *op, bool is_counted)
{
    if (__builtin_expect(warp->groups->count > 1, 0) && !ptx_warp_meet(warp, op))
        return NULL;
    PtxWorker *worker = warp->worker;
    const uint32_t lanes = (uint32_t)__builtin_popcount(warp->mask);
    const uint64_t spent = (uint64_t)op->imm * lanes;
    worker->thread_instructions += spent;
    worker->warp_instructions += (uint64_t)op->imm;
    if (is_counted) {
        worker->block_executions[op->imm2]++;
        worker->block_lanes[op->imm2] += lanes;
    }
    worker->budget -= (int64_t)spent;
    if (__builtin_expect(worker->budget < 0, 0) && !ptx_worker_refill(worker))
        return budget_spent(warp, op);
    return op + 1;
}

static const PtxOp *block(PtxWarp *warp, const PtxOp *op)
{
    return enter_block(warp, op, false);
}

static const PtxOp *block_counted(PtxWarp *warp, const PtxOp *op)
{
    return enter_block(warp, op, true);
}

/* ---- branches ---------------------------------------------------------------------------------------------- */

static const PtxOp *branch(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    return op->target;
}

static const PtxOp *branch_back(PtxWarp *warp, const PtxOp *op)
{
    return ptx_warp_back_edge(warp, op->target);
}

/* The lanes part: the ones that come first in the program go on, the others wait as a group. */
static const PtxOp *diverge(PtxWarp *warp, const PtxOp *op, uint32_t taken)
{
    const PtxOp *next = op + 1, *target = op->target;
    if (target < next) {
        ptx_warp_split(warp, warp->mask & ~taken, next);
        return ptx_warp_back_edge(warp, target);
    }
    ptx_warp_split(warp, taken, target);
    return next;
}

static const PtxOp *branch_if(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t taken = taken_lanes(warp, op);
    if (taken == 0)
        return op + 1;
    return taken == warp->mask ? op->target : diverge(warp, op, taken);
}

static const PtxOp *branch_if_back(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t taken = taken_lanes(warp, op);
    if (taken == 0)
        return op + 1;
    return taken == warp->mask ? ptx_warp_back_edge(warp, op->target) : diverge(warp, op, taken);
}

/* brx.idx: lanes with the same index go together. */
static const PtxOp *branch_table(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t first = (uint32_t)__builtin_ctz(warp->mask);
    for (;;) {
        const uint32_t index = ptx_lane_u32(warp, op->a, first);
        if (index >= op->table->count)
            return ptx_trap(warp, op, first, PTX_TRAP_CALL, 0, "the index %u is not below the table's %u entries",
                            index, op->table->count);
        uint32_t others = 0;
        for (PTX_EACH_LANE(lane, warp->mask))
            if (ptx_lane_u32(warp, op->a, lane) != index)
                others |= 1u << lane;
        if (others == 0)
            return ptx_warp_back_edge(warp, op->table->targets[index]);
        const uint32_t lane = (uint32_t)__builtin_ctz(others), other = ptx_lane_u32(warp, op->a, lane);
        if (other >= op->table->count)
            return ptx_trap(warp, op, lane, PTX_TRAP_CALL, 0, "the index %u is not below the table's %u entries", other,
                            op->table->count);
        uint32_t same = 0;
        for (PTX_EACH_LANE(k, others))
            if (ptx_lane_u32(warp, op->a, k) == other)
                same |= 1u << k;
        ptx_warp_split(warp, same, op->table->targets[other]);
    }
}

/* ---- leaving ----------------------------------------------------------------------------------------------- */

static const PtxOp *leave(PtxWarp *warp, const PtxOp *op)
{
    (void)op;
    ptx_warp_exit_lanes(warp, warp->mask);
    ptx_warp_drop_group(warp);
    ptx_collective_recheck(warp);
    ptx_barrier_recheck(warp->block);
    warp->event = PTX_EVENT_EXIT;
    return NULL;
}

static const PtxOp *trap(PtxWarp *warp, const PtxOp *op)
{
    return ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_TRAP, 0, "the kernel stopped itself");
}

static const PtxOp *unknown(PtxWarp *warp, const PtxOp *op)
{
    return ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_UNKNOWN, 0, "%s", op->text);
}

/* Fences: one worker is sequentially consistent; several rely on the host's atomics, and x86 keeps the order of stores.
 */
static const PtxOp *fence(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return op + 1;
}

static const PtxOp *nothing(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    return op + 1;
}

/* nanosleep: whoever else is ready may go first. */
static const PtxOp *yield(PtxWarp *warp, const PtxOp *op)
{
    PtxGroup *group = ptx_warp_group(warp);
    group->pc = op + 1;
    group->since = ++warp->groups->turns;
    warp->groups->wants_switch = true;
    warp->event = PTX_EVENT_SWITCH;
    return NULL;
}

const PtxHandlerRow ptx_control_handlers[] = {
    {"guard", guard},
    {"block", block},
    {"block_counted", block_counted},
    {"branch", branch},
    {"branch_back", branch_back},
    {"branch_if", branch_if},
    {"branch_if_back", branch_if_back},
    {"branch_table", branch_table},
    {"exit", leave},
    {"trap", trap},
    {"unknown", unknown},
    {"fence", fence},
    {"nothing", nothing},
    {"yield", yield},
    {NULL, NULL},
};
