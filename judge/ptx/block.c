#include "ptx/block.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/async.h"
#include "ptx/barrier.h"

/* ---- memory ------------------------------------------------------------------------------------------------ */

static uint32_t thread_count(const PtxLaunch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static uint64_t align64(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static uint64_t warp_bytes(const PtxProgramFunction *entry)
{
    return align64(entry->frame_bytes) + align64((uint64_t)entry->local_bytes * PTX_WARP_LANES) +
           align64((uint64_t)entry->parameter_bytes * PTX_WARP_LANES);
}

static uint64_t shared_bytes(const PtxLaunch *launch)
{
    return (uint64_t)launch->dynamic_shared_begin + launch->dynamic_shared_bytes;
}

uint64_t ptx_block_bytes(const PtxLaunch *launch)
{
    const uint64_t warps = (thread_count(launch) + PTX_WARP_LANES - 1) / PTX_WARP_LANES;
    return sizeof(PtxBlock) + warps * (warp_bytes(launch->entry) + sizeof(PtxWarp) + sizeof(PtxGroups)) +
           shared_bytes(launch) + PTX_SHARED_GUARD;
}

static void init_frame(PtxFrame *frame, const PtxLaunch *launch, uint8_t *memory)
{
    const PtxProgramFunction *entry = launch->entry;
    frame->function = entry;
    frame->registers = memory;
    frame->local = memory + align64(entry->frame_bytes);
    frame->parameters = frame->local + align64((uint64_t)entry->local_bytes * PTX_WARP_LANES);
    memcpy(frame->registers, entry->frame_image, entry->frame_bytes);
    for (uint32_t lane = 0; entry->copies_parameters && lane < PTX_WARP_LANES; lane++)
        memcpy(frame->parameters + (size_t)lane * entry->parameter_bytes, launch->parameters,
               entry->entry_parameter_bytes);
}

static void init_warp(PtxBlock *block, uint32_t index, const PtxLaunch *launch, PtxWorker *worker,
                      const PtxThreadIndex *threads)
{
    PtxWarp *warp = &block->warps[index];
    const uint32_t left = block->thread_count - index * PTX_WARP_LANES;
    warp->block = block;
    warp->worker = worker;
    warp->launch = launch;
    warp->index = index;
    warp->existing = left >= PTX_WARP_LANES ? UINT32_MAX : (1u << left) - 1;
    warp->thread_index = threads[index];
}

PtxBlock *ptx_block_new(const PtxLaunch *launch, PtxWorker *worker, const PtxThreadIndex *threads, Error *error)
{
    PtxBlock *block = calloc(1, sizeof *block);
    if (!block) {
        error_fault(error, "no memory for a block");
        return NULL;
    }
    block->thread_count = thread_count(launch);
    block->warp_count = (block->thread_count + PTX_WARP_LANES - 1) / PTX_WARP_LANES;
    block->shared_bytes = (uint32_t)shared_bytes(launch);
    const uint64_t frames = warp_bytes(launch->entry);
    block->warps = calloc(block->warp_count, sizeof *block->warps);
    block->barriers = calloc(PTX_BARRIERS, sizeof *block->barriers);
    PtxGroups *groups = calloc(block->warp_count, sizeof *groups);
    block->shared = aligned_alloc(64, align64(block->shared_bytes + (uint64_t)PTX_SHARED_GUARD));
    uint8_t *memory = aligned_alloc(64, frames * block->warp_count);
    if (!block->warps || !groups || !block->barriers || !block->shared || !memory) {
        error_fault(error, "no memory for a block of %u threads", block->thread_count);
        free(groups);
        free(memory);
        free(block->warps);
        block->warps = NULL;
        ptx_block_free(block);
        return NULL;
    }
    memset(memory, 0, frames * block->warp_count);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        init_warp(block, i, launch, worker, threads);
        block->warps[i].groups = &groups[i];
        init_frame(&groups[i].entry, launch, memory + i * frames);
    }
    return block;
}

void ptx_block_free(PtxBlock *block)
{
    if (!block)
        return;
    ptx_async_end_block(block);
    if (block->warps) {
        for (uint32_t i = 0; i < block->warp_count; i++)
            ptx_frames_free(block->warps[i].groups);
        free(block->warps[0].groups->entry.registers);
        free(block->warps[0].groups);
    }
    free(block->warps);
    free(block->barriers);
    free(block->shared);
    free(block);
}

/* ---- life -------------------------------------------------------------------------------------------------- */

static void start_warp(PtxWarp *warp)
{
    PtxGroups *groups = warp->groups;
    warp->live = warp->existing;
    warp->carry = 0;
    groups->entry.owners = warp->existing;
    groups->items[0] = (PtxGroup){.pc = warp->launch->entry->ops, .frame = &groups->entry, .mask = warp->existing};
    groups->count = 1;
    groups->current = 0;
    groups->is_boosted = false;
}

void ptx_block_start(PtxBlock *block, const PtxLaunch *launch, uint64_t linear_index)
{
    ptx_async_end_block(block);
    block->linear_index = linear_index;
    block->index[0] = (uint32_t)(linear_index % launch->grid[0]);
    block->index[1] = (uint32_t)(linear_index / launch->grid[0] % launch->grid[1]);
    block->index[2] = (uint32_t)(linear_index / launch->grid[0] / launch->grid[1]);
    block->live_threads = block->thread_count;
    memset(block->shared, 0, block->shared_bytes + (size_t)PTX_SHARED_GUARD);
    memset(block->barriers, 0, PTX_BARRIERS * sizeof *block->barriers);
    for (uint32_t i = 0; i < block->warp_count; i++)
        start_warp(&block->warps[i]);
}

PtxBlockOutcome ptx_block_run(PtxBlock *block)
{
    bool is_any_left = false, has_any_run = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        PtxWarp *warp = &block->warps[i];
        if (warp->groups->count == 0)
            continue;
        switch (ptx_warp_run(warp)) {
        case PTX_WARP_DONE: has_any_run = true; break;
        case PTX_WARP_TURN: is_any_left = has_any_run = true; break;
        case PTX_WARP_BLOCKED:
            is_any_left = true;
            has_any_run |= warp->groups->turns != warp->groups->turns_seen;
            break;
        case PTX_WARP_TRAPPED: return PTX_BLOCK_TRAPPED;
        }
        warp->groups->turns_seen = warp->groups->turns;
    }
    if (!is_any_left)
        return PTX_BLOCK_DONE;
    return has_any_run ? PTX_BLOCK_TURN : PTX_BLOCK_DEADLOCK;
}
