/* Calls and returns: frames that lanes enter together and leave when they come to a return. PTX ISA 7.1, 9.7.12. */
#include <stdlib.h>
#include <string.h>

#include "ptx/builtin.h"
#include "ptx/warp.h"

/* ---- frames ------------------------------------------------------------------------------------------------ */

static uint64_t frame_size(const PtxProgramFunction *function)
{
    return (uint64_t)function->frame_bytes +
           (uint64_t)(function->local_bytes + function->parameter_bytes) * PTX_WARP_LANES;
}

static PtxFrame *reused_frame(PtxGroups *groups, const PtxProgramFunction *function)
{
    for (PtxFrame **link = &groups->free_frames; *link; link = &(*link)->next_free) {
        PtxFrame *frame = *link;
        if (frame->function != function)
            continue;
        *link = frame->next_free;
        return frame;
    }
    return NULL;
}

static PtxFrame *new_frame(PtxGroups *groups, const PtxProgramFunction *function)
{
    PtxFrame *frame = reused_frame(groups, function);
    if (frame)
        return frame;
    const uint64_t bytes = frame_size(function);
    if (groups->stack_bytes + bytes > PTX_STACK_BYTES_MAX)
        return NULL;
    frame = calloc(1, sizeof *frame);
    uint8_t *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!frame || !memory) {
        free(frame);
        free(memory);
        return NULL;
    }
    memset(memory, 0, bytes);
    memcpy(memory, function->frame_image, function->frame_bytes);
    groups->stack_bytes += bytes;
    frame->registers = memory;
    frame->local = memory + function->frame_bytes;
    frame->parameters = frame->local + (size_t)function->local_bytes * PTX_WARP_LANES;
    frame->function = function;
    return frame;
}

void ptx_frames_free(PtxGroups *groups)
{
    while (groups->free_frames) {
        PtxFrame *frame = groups->free_frames;
        groups->free_frames = frame->next_free;
        free(frame->registers);
        free(frame);
    }
    for (uint32_t i = 0; i < groups->count; i++) { /* a trap left lanes inside of calls */
        for (PtxFrame *frame = groups->items[i].frame; frame && frame->caller;) {
            PtxFrame *caller = frame->caller;
            frame->owners &= ~groups->items[i].mask;
            if (frame->owners == 0) {
                free(frame->registers);
                free(frame);
            }
            frame = caller;
        }
    }
    groups->count = 0;
}

static void retire_frame(PtxGroups *groups, PtxFrame *frame)
{
    frame->next_free = groups->free_frames;
    groups->free_frames = frame;
}

/* ---- arguments and results --------------------------------------------------------------------------------- */

typedef struct Side {
    const PtxFrame *frame;
    const PtxPlacement *places;
} Side;

static uint8_t *lane_place(const Side *side, uint32_t index, uint32_t lane)
{
    const PtxFrame *frame = side->frame;
    return ptx_placement(&side->places[index], frame->registers, frame->parameters, frame->function->parameter_bytes,
                         lane);
}

static void copy_places(const Side *to, const Side *from, uint32_t count, uint32_t lanes)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bytes =
            to->places[i].bytes < from->places[i].bytes ? to->places[i].bytes : from->places[i].bytes;
        for (PTX_EACH_LANE(lane, lanes))
            memcpy(lane_place(to, i, lane), lane_place(from, i, lane), bytes);
    }
}

/* ---- call -------------------------------------------------------------------------------------------------- */

static const PtxOp *enter(PtxWarp *warp, const PtxOp *op, const PtxProgramFunction *callee)
{
    PtxGroup *group = ptx_warp_group(warp);
    PtxFrame *caller = group->frame;
    PtxFrame *frame = caller->depth < PTX_CALL_DEPTH_MAX ? new_frame(warp->groups, callee) : NULL;
    if (!frame)
        return ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_STACK, 0, "%u calls are nested",
                        caller->depth);
    frame->caller = caller;
    frame->call = op->call;
    frame->return_to = op + 1;
    frame->owners = warp->mask;
    frame->depth = caller->depth + 1;
    const Side to = {frame, callee->parameters}, from = {caller, op->call->arguments};
    copy_places(&to, &from, op->call->argument_count, warp->mask);
    group->frame = frame;
    ptx_warp_load_group(warp);
    return callee->ops;
}

static const PtxOp *call(PtxWarp *warp, const PtxOp *op)
{
    return enter(warp, op, op->call->callee);
}

/* The function whose address the slot holds in `lane`, with as many parameters as the call brings; NULL after a trap.
 */
static const PtxProgramFunction *indirect_callee(PtxWarp *warp, const PtxOp *op, uint32_t lane)
{
    const PtxProgram *program = warp->launch->program;
    const uint64_t address = ptx_lane_u64(warp, op->call->target, lane),
                   index = (address - PTX_FUNCTION_BASE) / PTX_FUNCTION_STEP;
    if (address < PTX_FUNCTION_BASE || index >= program->function_count || address % PTX_FUNCTION_STEP != 0) {
        ptx_trap(warp, op, lane, PTX_TRAP_CALL, address, "0x%llx is not a function's address",
                 (unsigned long long)address);
        return NULL;
    }
    const PtxProgramFunction *callee = &program->functions[index];
    if (callee->syntax->is_entry || !callee->syntax->has_body ||
        callee->syntax->parameter_count != op->call->argument_count ||
        callee->syntax->result_count != op->call->result_count) {
        ptx_trap(warp, op, lane, PTX_TRAP_CALL, address, "'%s' can't be called like this", callee->syntax->name);
        return NULL;
    }
    return callee;
}

/* Lanes that call the same function go together; the others stay at the call as a group of their own. */
static const PtxOp *call_indirect(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t first = (uint32_t)__builtin_ctz(warp->mask);
    const PtxProgramFunction *callee = indirect_callee(warp, op, first);
    if (!callee)
        return NULL;
    uint32_t others = 0;
    for (PTX_EACH_LANE(lane, warp->mask))
        if (ptx_lane_u64(warp, op->call->target, lane) != ptx_lane_u64(warp, op->call->target, first))
            others |= 1u << lane;
    if (others)
        ptx_warp_split(warp, others, op);
    return enter(warp, op, callee);
}

static const PtxOp *call_builtin(PtxWarp *warp, const PtxOp *op)
{
    return ptx_builtin_call(warp, op, op->call) ? op + 1 : NULL;
}

/* ---- return ------------------------------------------------------------------------------------------------ */

static const PtxOp *leave_function(PtxWarp *warp, const PtxOp *op)
{
    (void)op;
    PtxGroup *group = ptx_warp_group(warp);
    PtxFrame *frame = group->frame;
    const Side to = {frame->caller, frame->call->results}, from = {frame, frame->function->results};
    copy_places(&to, &from, frame->call->result_count, warp->mask);
    frame->owners &= ~warp->mask;
    group->frame = frame->caller;
    group->pc = frame->return_to;
    if (frame->owners == 0)
        retire_frame(warp->groups, frame);
    ptx_warp_load_group(warp);
    return group->pc;
}

const PtxHandlerRow ptx_call_handlers[] = {
    {"call", call}, {"call_indirect", call_indirect}, {"call_builtin", call_builtin}, {"return", leave_function},
    {NULL, NULL},
};
