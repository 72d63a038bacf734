#include "ptx/warp.h"

#include <assert.h>
#include <stdlib.h>

#include "ptx/barrier.h"
#include "ptx/collective.h"

void ptx_warp_load_group(PtxWarp *warp)
{
    const PtxGroup *group = ptx_warp_group(warp);
    const PtxFrame *frame = group->frame;
    warp->frame = frame->registers;
    warp->local = frame->local;
    warp->parameters = frame->parameters;
    warp->local_stride = frame->function->local_bytes;
    warp->parameter_stride = frame->function->parameter_bytes;
    warp->mask = group->mask;
    warp->keep = frame->owners & ~group->mask;
}

static void set_turn_limit(PtxGroups *groups)
{
    groups->limit = groups->count > 1 ? PTX_GROUP_QUANTUM : PTX_WARP_QUANTUM;
}

PtxGroup *ptx_warp_split(PtxWarp *warp, uint32_t mask, const PtxOp *pc)
{
    PtxGroups *groups = warp->groups;
    PtxGroup *from = ptx_warp_group(warp);
    assert(mask && mask != from->mask && (mask & ~from->mask) == 0 && groups->count < PTX_WARP_LANES);
    PtxGroup *group = &groups->items[groups->count++];
    *group = (PtxGroup){.pc = pc, .frame = from->frame, .mask = mask, .since = groups->turns};
    from->mask &= ~mask;
    if (groups->limit > groups->back_edges + PTX_GROUP_QUANTUM)
        groups->limit = groups->back_edges + PTX_GROUP_QUANTUM;
    ptx_warp_load_group(warp);
    return group;
}

static void remove_group(PtxGroups *groups, uint32_t index)
{
    const uint32_t last = --groups->count;
    groups->items[index] = groups->items[last];
    if (groups->current == last)
        groups->current = index;
}

void ptx_warp_drop_group(PtxWarp *warp)
{
    remove_group(warp->groups, warp->groups->current);
}

void ptx_groups_join(PtxGroups *groups, uint32_t into)
{
    for (uint32_t i = groups->count; i-- > 0;) {
        PtxGroup *self = &groups->items[into], *other = &groups->items[i];
        if (i == into || i == groups->current || other->state != PTX_GROUP_READY || other->pc != self->pc ||
            other->frame != self->frame)
            continue;
        self->mask |= other->mask;
        remove_group(groups, i);
        if (into == groups->count) /* it was the last one, which has taken the free place */
            into = i;
    }
}

void ptx_warp_exit_lanes(PtxWarp *warp, uint32_t mask)
{
    for (PtxFrame *frame = ptx_warp_group(warp)->frame; frame; frame = frame->caller)
        frame->owners &= ~mask;
    warp->live &= ~mask;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(mask);
}

/* Whether a group at (depth, pc) goes before another. */
static bool comes_first(const PtxGroup *a, const PtxGroup *b)
{
    if (a->frame->depth != b->frame->depth)
        return a->frame->depth > b->frame->depth;
    return a->pc < b->pc;
}

const PtxOp *ptx_warp_meet(PtxWarp *warp, const PtxOp *op)
{
    PtxGroups *groups = warp->groups;
    PtxGroup *self = ptx_warp_group(warp);
    self->pc = op;
    ptx_groups_join(groups, groups->current);
    if (groups->count == 1)
        groups->is_boosted = false;
    ptx_warp_load_group(warp);
    if (groups->is_boosted)
        return op;
    self = ptx_warp_group(warp);
    for (uint32_t i = 0; i < groups->count; i++) {
        if (i == groups->current || groups->items[i].state != PTX_GROUP_READY || !comes_first(&groups->items[i], self))
            continue;
        self->since = groups->turns;
        warp->event = PTX_EVENT_SWITCH;
        return NULL;
    }
    return op;
}

const PtxOp *ptx_warp_turn_over(PtxWarp *warp, const PtxOp *target)
{
    PtxGroups *groups = warp->groups;
    PtxGroup *self = ptx_warp_group(warp);
    self->pc = target;
    self->since = ++groups->turns;
    groups->back_edges = 0;
    groups->wants_switch = true;
    warp->event = PTX_EVENT_SWITCH;
    return NULL;
}

/* The ready group that comes first, or (if the turn is over) the one that has waited longest; -1: none is ready. */
static int choose_group(const PtxGroups *groups, bool is_by_waiting)
{
    int best = -1;
    for (uint32_t i = 0; i < groups->count; i++) {
        const PtxGroup *group = &groups->items[i];
        if (group->state != PTX_GROUP_READY)
            continue;
        if (best < 0 ||
            (is_by_waiting ? group->since < groups->items[best].since : comes_first(group, &groups->items[best])))
            best = (int)i;
    }
    return best;
}

static bool start_group(PtxWarp *warp, bool is_by_waiting)
{
    PtxGroups *groups = warp->groups;
    const int chosen = choose_group(groups, is_by_waiting);
    if (chosen < 0)
        return false;
    groups->is_boosted = is_by_waiting && groups->count > 1;
    groups->current = (uint32_t)chosen;
    groups->turns++;
    set_turn_limit(groups);
    ptx_warp_load_group(warp);
    return true;
}

PtxWarpOutcome ptx_warp_run(PtxWarp *warp)
{
    PtxGroups *groups = warp->groups;
    bool is_turn_over = false;
    groups->back_edges = 0;
    uint32_t turns_left = PTX_WARP_QUANTUM / PTX_GROUP_QUANTUM;
    while (start_group(warp, is_turn_over)) {
        const PtxOp *op = ptx_warp_group(warp)->pc;
        warp->event = PTX_EVENT_NONE;
        groups->wants_switch = false;
        while (op)
            op = op->run(warp, op);
        if (warp->event == PTX_EVENT_TRAP)
            return PTX_WARP_TRAPPED;
        is_turn_over = groups->wants_switch;
        if (is_turn_over && (groups->count == 1 || --turns_left == 0))
            return PTX_WARP_TURN;
    }
    return groups->count == 0 ? PTX_WARP_DONE : PTX_WARP_BLOCKED;
}
