#include "ptx/collective.h"

#include <string.h>

/* What the members bring and get. */
typedef struct Exchange {
    uint32_t members;
    uint64_t a[PTX_WARP_LANES];
    uint32_t b[PTX_WARP_LANES], c[PTX_WARP_LANES];
    uint64_t result[PTX_WARP_LANES];
    uint32_t predicate;       /* a bit a lane */
    uint32_t inactive_source; /* lanes that read a lane which isn't a member */
} Exchange;

typedef void Compute(Exchange *exchange);

/* How an operation finds its operands: which of the slots is the member mask, and whether sources and results are
 * predicates. */
typedef struct Collective {
    const char *name;
    Compute *compute;
    char members; /* letter of the source that is the member mask */
    bool is_predicate_source, is_wide_source;
    bool is_predicate_result, has_result;
} Collective;

static uint32_t source_slot(const PtxOp *op, char letter)
{
    return letter == 'a' ? op->a : letter == 'b' ? op->b : letter == 'c' ? op->c : op->e;
}

/* ---- what each computes ------------------------------------------------------------------------------------ */

/* PTX ISA 9.7.9.6: c holds the segment mask in bits 8..12 and the clamp value in bits 0..4. */
static int shuffle_source(uint32_t lane, uint32_t b, uint32_t c, char mode, bool *ret_is_valid)
{
    const int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), delta = (int)(b & 31), self = (int)lane;
    const int max_lane = (self & segment) | (clamp & ~segment), min_lane = self & segment;
    int from;
    switch (mode) {
    case 'u':
        from = self - delta;
        *ret_is_valid = from >= max_lane;
        break;
    case 'd':
        from = self + delta;
        *ret_is_valid = from <= max_lane;
        break;
    case 'b':
        from = self ^ delta;
        *ret_is_valid = from <= max_lane;
        break;
    default: from = min_lane | (delta & ~segment); *ret_is_valid = from <= max_lane;
    }
    return *ret_is_valid ? from : self;
}

static void shuffle(Exchange *exchange, char mode)
{
    for (PTX_EACH_LANE(lane, exchange->members)) {
        bool is_valid;
        const int from = shuffle_source(lane, exchange->b[lane], exchange->c[lane], mode, &is_valid) & 31;
        exchange->predicate |= (uint32_t)is_valid << lane;
        if (exchange->members >> from & 1)
            exchange->result[lane] = exchange->a[from];
        else
            exchange->inactive_source |= 1u << lane; /* undefined: zero here */
    }
}

static void shfl_up(Exchange *exchange)
{
    shuffle(exchange, 'u');
}
static void shfl_down(Exchange *exchange)
{
    shuffle(exchange, 'd');
}
static void shfl_bfly(Exchange *exchange)
{
    shuffle(exchange, 'b');
}
static void shfl_idx(Exchange *exchange)
{
    shuffle(exchange, 'i');
}

static uint32_t holding(const Exchange *exchange)
{
    uint32_t holds = 0;
    for (PTX_EACH_LANE(lane, exchange->members))
        holds |= (uint32_t)(exchange->a[lane] != 0) << lane;
    return holds;
}

static void fill_results(Exchange *exchange, uint64_t value)
{
    for (int lane = 0; lane < PTX_WARP_LANES; lane++)
        exchange->result[lane] = value;
}

static void vote_all(Exchange *exchange)
{
    fill_results(exchange, holding(exchange) == exchange->members);
}
static void vote_any(Exchange *exchange)
{
    fill_results(exchange, holding(exchange) != 0);
}
static void vote_uni(Exchange *exchange)
{
    const uint32_t holds = holding(exchange);
    fill_results(exchange, holds == exchange->members || holds == 0);
}
static void vote_ballot(Exchange *exchange)
{
    fill_results(exchange, holding(exchange));
}

static uint32_t equal_lanes(const Exchange *exchange, uint32_t lane)
{
    uint32_t equal = 0;
    for (PTX_EACH_LANE(other, exchange->members))
        equal |= (uint32_t)(exchange->a[other] == exchange->a[lane]) << other;
    return equal;
}

static void match_any(Exchange *exchange)
{
    for (PTX_EACH_LANE(lane, exchange->members))
        exchange->result[lane] = equal_lanes(exchange, lane);
}

static void match_all(Exchange *exchange)
{
    const uint32_t first = (uint32_t)__builtin_ctz(exchange->members);
    const bool is_same = equal_lanes(exchange, first) == exchange->members;
    fill_results(exchange, is_same ? exchange->members : 0);
    exchange->predicate = is_same ? UINT32_MAX : 0;
}

#define REDUX(name, type, initial, step)                                                                               \
    static void name(Exchange *exchange)                                                                               \
    {                                                                                                                  \
        type total = (initial);                                                                                        \
        for (PTX_EACH_LANE(lane, exchange->members)) {                                                                 \
            const type x = (type)exchange->a[lane];                                                                    \
            total = (step);                                                                                            \
        }                                                                                                              \
        fill_results(exchange, (uint32_t)total);                                                                       \
    }
REDUX(redux_add, uint32_t, 0, total + x)
REDUX(redux_and, uint32_t, UINT32_MAX, total &x)
REDUX(redux_or, uint32_t, 0, total | x)
REDUX(redux_xor, uint32_t, 0, total ^ x)
REDUX(redux_min_u32, uint32_t, UINT32_MAX, x < total ? x : total)
REDUX(redux_max_u32, uint32_t, 0, x > total ? x : total)
REDUX(redux_min_s32, int32_t, INT32_MAX, x < total ? x : total)
REDUX(redux_max_s32, int32_t, INT32_MIN, x > total ? x : total)

static void elect(Exchange *exchange)
{
    const uint32_t leader = (uint32_t)__builtin_ctz(exchange->members);
    fill_results(exchange, leader);
    exchange->predicate = 1u << leader;
}

static void bar_warp(Exchange *exchange)
{
    (void)exchange;
}

static const Collective collectives[] = {
    {"shfl_up", shfl_up, 'e', false, false, false, true},
    {"shfl_down", shfl_down, 'e', false, false, false, true},
    {"shfl_bfly", shfl_bfly, 'e', false, false, false, true},
    {"shfl_idx", shfl_idx, 'e', false, false, false, true},
    {"vote_all", vote_all, 'b', true, false, true, true},
    {"vote_any", vote_any, 'b', true, false, true, true},
    {"vote_uni", vote_uni, 'b', true, false, true, true},
    {"vote_ballot", vote_ballot, 'b', true, false, false, true},
    {"match_any_b32", match_any, 'b', false, false, false, true},
    {"match_any_b64", match_any, 'b', false, true, false, true},
    {"match_all_b32", match_all, 'b', false, false, false, true},
    {"match_all_b64", match_all, 'b', false, true, false, true},
    {"redux_add", redux_add, 'b', false, false, false, true},
    {"redux_and", redux_and, 'b', false, false, false, true},
    {"redux_or", redux_or, 'b', false, false, false, true},
    {"redux_xor", redux_xor, 'b', false, false, false, true},
    {"redux_min_u32", redux_min_u32, 'b', false, false, false, true},
    {"redux_max_u32", redux_max_u32, 'b', false, false, false, true},
    {"redux_min_s32", redux_min_s32, 'b', false, false, false, true},
    {"redux_max_s32", redux_max_s32, 'b', false, false, false, true},
    {"elect", elect, 'a', false, false, false, true},
    {"bar_warp_sync", bar_warp, 'a', false, false, false, false},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* ---- bringing and taking ----------------------------------------------------------------------------------- */

static const uint32_t *words(const uint8_t *registers, uint32_t slot)
{
    return (const uint32_t *)(const void *)(registers + slot);
}

static void bring(Exchange *exchange, const Collective *self, const PtxOp *op, const uint8_t *registers, uint32_t lanes)
{
    for (PTX_EACH_LANE(lane, lanes)) {
        if (self->is_predicate_source)
            exchange->a[lane] = (*words(registers, op->a) >> lane & 1) ^ (op->flags & PTX_FLAG_NEGATE_A ? 1 : 0);
        else if (self->is_wide_source)
            exchange->a[lane] = ((const uint64_t *)(const void *)(registers + op->a))[lane];
        else
            exchange->a[lane] = words(registers, op->a)[lane];
        exchange->b[lane] = op->b ? words(registers, op->b)[lane] : 0;
        exchange->c[lane] = op->c ? words(registers, op->c)[lane] : 0;
    }
}

static void take_predicate(uint8_t *registers, uint32_t slot, uint32_t lanes, uint32_t bits)
{
    uint32_t *word = (uint32_t *)(void *)(registers + slot);
    *word = (*word & ~lanes) | (bits & lanes);
}

static void take(const Exchange *exchange, const Collective *self, const PtxOp *op, uint8_t *registers, uint32_t lanes)
{
    if (self->is_predicate_result) {
        uint32_t bits = 0;
        for (PTX_EACH_LANE(lane, lanes))
            bits |= (uint32_t)(exchange->result[lane] & 1) << lane;
        take_predicate(registers, op->d, lanes, bits);
    } else if (self->has_result) {
        for (PTX_EACH_LANE(lane, lanes))
            ((uint32_t *)(void *)(registers + op->d))[lane] = (uint32_t)exchange->result[lane];
    }
    if (op->flags & PTX_FLAG_HAS_Q)
        take_predicate(registers, op->q, lanes, exchange->predicate);
}

/* ---- waiting for each other -------------------------------------------------------------------------------- */

static const Collective *collective_of(const PtxOp *op)
{
    return &collectives[op->imm2];
}

/* All members are here, in groups AT_LANES with this mask or in `lanes` of the current group: the operation happens. */
static void perform(PtxWarp *warp, const PtxOp *op, uint32_t lanes, uint32_t members)
{
    const Collective *self = collective_of(op);
    Exchange exchange;
    memset(&exchange, 0, sizeof exchange);
    exchange.members = members & warp->live;
    PtxGroups *groups = warp->groups;
    bring(&exchange, self, op, warp->frame, lanes);
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->items[i].state == PTX_GROUP_AT_LANES && groups->items[i].members == members)
            bring(&exchange, collective_of(groups->items[i].pc), groups->items[i].pc, groups->items[i].frame->registers,
                  groups->items[i].mask);
    self->compute(&exchange);
    take(&exchange, self, op, warp->frame, lanes);
    if (exchange.inactive_source)
        ptx_finding(warp, op, (unsigned)__builtin_ctz(exchange.inactive_source), PTX_FINDING_INACTIVE_SOURCE);
    for (uint32_t i = 0; i < groups->count; i++) {
        PtxGroup *group = &groups->items[i];
        if (group->state != PTX_GROUP_AT_LANES || group->members != members)
            continue;
        take(&exchange, collective_of(group->pc), group->pc, group->frame->registers, group->mask);
        group->state = PTX_GROUP_READY;
        group->pc++;
    }
}

static uint32_t waiting_lanes(const PtxWarp *warp, uint32_t members)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->groups->count; i++)
        if (warp->groups->items[i].state == PTX_GROUP_AT_LANES && warp->groups->items[i].members == members)
            lanes |= warp->groups->items[i].mask;
    return lanes;
}

/* Lanes of the current group whose member mask is that of `lane`. */
static uint32_t lanes_with_mask(const uint32_t *masks, uint32_t lanes, uint32_t mask)
{
    uint32_t same = 0;
    for (PTX_EACH_LANE(lane, lanes))
        same |= (uint32_t)(masks[lane] == mask) << lane;
    return same;
}

static const PtxOp *refuse_mask(PtxWarp *warp, const PtxOp *op, uint32_t lane, uint32_t members)
{
    return ptx_trap(warp, op, lane, PTX_TRAP_SYNC_MASK, 0,
                    "lane %u executes it with the member mask 0x%08x, which lacks it", lane, members);
}

/* The lanes wait as a group until the other members come. True: all lanes of the current group wait now. */
static bool wait_for_members(PtxWarp *warp, const PtxOp *op, uint32_t lanes, uint32_t members)
{
    PtxGroup *group = ptx_warp_group(warp);
    const bool is_whole = lanes == group->mask;
    if (!is_whole)
        group = ptx_warp_split(warp, lanes, op);
    group->pc = op;
    group->state = PTX_GROUP_AT_LANES;
    group->members = members;
    group->since = warp->groups->turns;
    return is_whole;
}

static const PtxOp *collective(PtxWarp *warp, const PtxOp *op)
{
    const Collective *self = collective_of(op);
    uint32_t masks[PTX_WARP_LANES];
    memcpy(masks, ptx_slot(warp, source_slot(op, self->members)), sizeof masks);
    uint32_t left = warp->mask;
    while (left) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left), members = masks[lane];
        const uint32_t lanes = lanes_with_mask(masks, left, members);
        if (lanes & ~members)
            return refuse_mask(warp, op, (uint32_t)__builtin_ctz(lanes & ~members), members);
        left &= ~lanes;
        if (((lanes | waiting_lanes(warp, members)) & members & warp->live) == (members & warp->live)) {
            perform(warp, op, lanes, members);
        } else if (wait_for_members(warp, op, lanes, members)) {
            warp->event = PTX_EVENT_WAIT;
            return NULL;
        }
    }
    return op + 1;
}

void ptx_collective_recheck(PtxWarp *warp)
{
    PtxGroups *groups = warp->groups;
    for (uint32_t i = 0; i < groups->count; i++) {
        PtxGroup *group = &groups->items[i];
        if (group->state != PTX_GROUP_AT_LANES)
            continue;
        const uint32_t members = group->members;
        if ((waiting_lanes(warp, members) & warp->live) != (members & warp->live))
            continue;
        const uint32_t current = groups->current, mask = group->mask;
        const PtxOp *op = group->pc;
        group->state = PTX_GROUP_READY; /* it brings its own values below, as the current group would */
        groups->current = i;
        ptx_warp_load_group(warp);
        perform(warp, op, mask, members);
        group->pc = op + 1;
        groups->current = current;
    }
}

/* ---- activemask -------------------------------------------------------------------------------------------- */

static const PtxOp *activemask(PtxWarp *warp, const PtxOp *op)
{
    if (warp->mask != warp->live)
        ptx_finding(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_FINDING_ACTIVE_MASK);
    for (PTX_EACH_LANE(lane, warp->mask))
        ptx_set_u32(warp, op->d, lane, warp->mask);
    return op + 1;
}

const PtxHandlerRow ptx_collective_handlers[] = {
    {"collective", collective},
    {"activemask", activemask},
    {NULL, NULL},
};

int ptx_collective_find(const char *name)
{
    for (int i = 0; i < COLLECTIVES; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return i;
    return -1;
}
