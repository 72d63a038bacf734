#include "ptx/barrier.h"

/* Writes bar.red's result for a group that waited. */
static void give_result(const PtxGroup *group, const PtxBarrier *barrier)
{
    const PtxOp *op = group->pc;
    uint8_t *registers = group->frame->registers;
    const bool all = barrier->true_count == barrier->counted, any = barrier->true_count > 0;
    if (op->operation == PTX_OPERATION_POPC) {
        for (PTX_EACH_LANE(lane, group->mask))
            ((uint32_t *)(void *)(registers + op->d))[lane] = barrier->true_count;
    } else if (op->operation != PTX_OPERATION_NONE) {
        uint32_t *word = (uint32_t *)(void *)(registers + op->d);
        const bool value = op->operation == PTX_OPERATION_AND ? all : any;
        *word = (*word & ~group->mask) | (value ? group->mask : 0);
    }
}

static void release(PtxBlock *block, uint32_t id)
{
    PtxBarrier *barrier = &block->barriers[id];
    for (uint32_t w = 0; w < block->warp_count; w++) {
        PtxWarp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->groups->count; i++) {
            PtxGroup *group = &warp->groups->items[i];
            if (group->state != PTX_GROUP_AT_BARRIER || group->barrier != id)
                continue;
            give_result(group, barrier);
            group->state = PTX_GROUP_READY;
            group->pc++;
        }
        /* Groups that waited at the same place go on as one. */
        for (uint32_t i = 0; i < warp->groups->count; i++)
            if (warp->groups->items[i].state == PTX_GROUP_READY && i != warp->groups->current)
                ptx_groups_join(warp->groups, i);
    }
    *barrier = (PtxBarrier){0};
}

static bool is_complete(const PtxBlock *block, const PtxBarrier *barrier)
{
    return barrier->arrived > 0 && barrier->arrived >= (barrier->expected ? barrier->expected : block->live_threads);
}

void ptx_barrier_recheck(PtxBlock *block)
{
    for (uint32_t id = 0; id < PTX_BARRIERS; id++)
        if (is_complete(block, &block->barriers[id]))
            release(block, id);
}

/* The barrier's number and thread count, the same in all lanes; NULL after a trap. */
static PtxBarrier *find_barrier(PtxWarp *warp, const PtxOp *op, uint32_t *ret_id)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(warp->mask);
    const uint32_t id = ptx_lane_u32(warp, op->a, lane);
    const uint32_t count = op->flags & PTX_FLAG_HAS_E ? ptx_lane_u32(warp, op->e, lane) : 0;
    if (id >= PTX_BARRIERS) {
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "barrier %u does not exist: there are %d", id, (int)PTX_BARRIERS);
        return NULL;
    }
    if (count % PTX_WARP_LANES != 0) {
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "the thread count %u is not a multiple of the warp size", count);
        return NULL;
    }
    PtxBarrier *barrier = &warp->block->barriers[id];
    if (barrier->arrived > 0 && barrier->expected != count) {
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "barrier %u is in use with a count of %u, not %u", id,
                 barrier->expected, count);
        return NULL;
    }
    barrier->expected = count;
    *ret_id = id;
    return barrier;
}

/* The forms that promise that whole warps come together. */
static void note_divergence(PtxWarp *warp, const PtxOp *op)
{
    if (warp->mask != warp->live)
        ptx_finding(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_FINDING_DIVERGENT_BARRIER);
}

static const PtxOp *bar_arrive(PtxWarp *warp, const PtxOp *op)
{
    uint32_t id;
    PtxBarrier *barrier = find_barrier(warp, op, &id);
    if (!barrier)
        return NULL;
    barrier->arrived += (uint32_t)__builtin_popcount(warp->mask);
    if (is_complete(warp->block, barrier))
        release(warp->block, id);
    return op + 1;
}

static void add_votes(const PtxWarp *warp, const PtxOp *op, PtxBarrier *barrier)
{
    const uint32_t bits = ptx_predicate(warp, op->c);
    const uint32_t holds = (op->flags & PTX_FLAG_NEGATE_C ? ~bits : bits) & warp->mask;
    barrier->true_count += (uint32_t)__builtin_popcount(holds);
    barrier->counted += (uint32_t)__builtin_popcount(warp->mask);
}

static const PtxOp *wait_at(PtxWarp *warp, const PtxOp *op, bool is_reduction)
{
    uint32_t id;
    PtxBarrier *barrier = find_barrier(warp, op, &id);
    if (!barrier)
        return NULL;
    if (is_reduction)
        add_votes(warp, op, barrier);
    barrier->arrived += (uint32_t)__builtin_popcount(warp->mask);
    PtxGroup *group = ptx_warp_group(warp);
    group->pc = op;
    group->state = PTX_GROUP_AT_BARRIER;
    group->barrier = id;
    group->since = warp->groups->turns;
    if (is_complete(warp->block, barrier))
        release(warp->block, id);
    warp->event = PTX_EVENT_WAIT;
    return NULL;
}

static const PtxOp *bar_sync(PtxWarp *warp, const PtxOp *op)
{
    return wait_at(warp, op, false);
}

static const PtxOp *bar_red(PtxWarp *warp, const PtxOp *op)
{
    return wait_at(warp, op, true);
}

static const PtxOp *bar_sync_aligned(PtxWarp *warp, const PtxOp *op)
{
    note_divergence(warp, op);
    return wait_at(warp, op, false);
}

static const PtxOp *bar_red_aligned(PtxWarp *warp, const PtxOp *op)
{
    note_divergence(warp, op);
    return wait_at(warp, op, true);
}

static const PtxOp *bar_arrive_aligned(PtxWarp *warp, const PtxOp *op)
{
    note_divergence(warp, op);
    return bar_arrive(warp, op);
}

const PtxHandlerRow ptx_barrier_handlers[] = {
    {"bar_sync", bar_sync},
    {"bar_arrive", bar_arrive},
    {"bar_red", bar_red},
    {"bar_sync_aligned", bar_sync_aligned},
    {"bar_arrive_aligned", bar_arrive_aligned},
    {"bar_red_aligned", bar_red_aligned},
    {NULL, NULL},
};
