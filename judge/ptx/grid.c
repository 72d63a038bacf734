#include "ptx/grid.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/block.h"
#include "ptx/console.h"

enum {
    PATIENCE_ROUNDS = 64, /* turns of all resident blocks without one ending, before another block is let in */
    RESIDENT_MAX = 4096,
    WORKERS_MAX = 256,
};
#define RESIDENT_BYTES_MAX (UINT64_C(1) << 30)
#define BUDGET_SLICE       (INT64_C(1) << 28)

/* Shared by the workers of one launch. */
typedef struct PtxScheduler {
    const PtxGridPlan *plan;
    PtxThreadIndex *threads;
    uint64_t block_count;
    atomic_uint_fast64_t next_block;
    atomic_int_fast64_t budget_left;
    atomic_bool is_stopped;
    pthread_mutex_t lock; /* of the trap */
    PtxTrap trap;
    uint64_t trap_block;
} PtxScheduler;

typedef struct GridWorker {
    PtxWorker worker;
    PtxTrap trap;
    PtxScheduler *scheduler;
    PtxFindings findings;
    PtxConsole console;
    PtxBlock *resident[RESIDENT_MAX];
    uint32_t resident_count;
    PtxBlock *spare; /* a block's memory for reuse */
    pthread_t thread;
    Error error;
} GridWorker;

bool ptx_worker_refill(PtxWorker *worker)
{
    PtxScheduler *scheduler = worker->scheduler;
    const int64_t missing = -worker->budget;
    const int64_t left = atomic_fetch_sub(&scheduler->budget_left, BUDGET_SLICE + missing);
    if (left <= missing)
        return false;
    worker->budget = left - missing < BUDGET_SLICE ? left - missing : BUDGET_SLICE;
    return true;
}

/* ---- resident blocks --------------------------------------------------------------------------------------- */

static PtxBlock *block_memory(GridWorker *self)
{
    PtxBlock *block = self->spare;
    self->spare = NULL;
    const PtxLaunch *launch = &self->scheduler->plan->launch;
    return block ? block : ptx_block_new(launch, &self->worker, self->scheduler->threads, &self->error);
}

static bool may_admit(const GridWorker *self)
{
    const PtxLaunch *launch = &self->scheduler->plan->launch;
    return self->resident_count < RESIDENT_MAX &&
           (self->resident_count == 0 || (self->resident_count + 1) * ptx_block_bytes(launch) <= RESIDENT_BYTES_MAX);
}

/* Lets the next block of the grid in; false if there is none, or no room. */
static bool admit(GridWorker *self)
{
    PtxScheduler *scheduler = self->scheduler;
    if (!may_admit(self))
        return false;
    const uint64_t index = atomic_fetch_add(&scheduler->next_block, 1);
    if (index >= scheduler->block_count)
        return false;
    PtxBlock *block = block_memory(self);
    if (!block) {
        atomic_store(&scheduler->is_stopped, true);
        return false;
    }
    ptx_block_start(block, &scheduler->plan->launch, index);
    self->resident[self->resident_count++] = block;
    return true;
}

static void retire(GridWorker *self, uint32_t index)
{
    PtxBlock *block = self->resident[index];
    memmove(&self->resident[index], &self->resident[index + 1],
            (--self->resident_count - index) * sizeof *self->resident); /* the order of blocks stays */
    if (self->spare)
        ptx_block_free(block);
    else
        self->spare = block;
}

/* ---- traps ------------------------------------------------------------------------------------------------- */

/* The launch's trap is that of the block with the lowest index among those that trapped. */
static void stop_with_trap(GridWorker *self, const PtxBlock *block)
{
    PtxScheduler *scheduler = self->scheduler;
    pthread_mutex_lock(&scheduler->lock);
    if (scheduler->trap.kind == PTX_TRAP_NONE || block->linear_index < scheduler->trap_block) {
        scheduler->trap = self->trap;
        scheduler->trap_block = block->linear_index;
    }
    pthread_mutex_unlock(&scheduler->lock);
    atomic_store(&scheduler->is_stopped, true);
}

/* Nobody in the block can go on: the report stands at the first group that waits. */
static void trap_deadlock(GridWorker *self, PtxBlock *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        PtxWarp *warp = &block->warps[i];
        if (warp->groups->count == 0)
            continue;
        warp->groups->current = 0;
        const PtxGroup *group = &warp->groups->items[0];
        ptx_trap(warp, group->pc, (unsigned)__builtin_ctz(group->mask), PTX_TRAP_DEADLOCK, 0,
                 "%u threads of the block wait and none can go on", block->live_threads);
        break;
    }
    ptx_describe_waiting(block, self->scheduler->plan->launch.program->syntax, self->trap.waiting,
                         sizeof self->trap.waiting);
}

/* ---- workers ----------------------------------------------------------------------------------------------- */

/* One turn for each resident block. Returns whether one of them ended. */
static bool run_round(GridWorker *self)
{
    bool has_ended = false;
    for (uint32_t i = 0; i < self->resident_count; i++) {
        PtxBlock *block = self->resident[i];
        const PtxBlockOutcome outcome = ptx_block_run(block);
        if (outcome == PTX_BLOCK_DEADLOCK)
            trap_deadlock(self, block);
        if (outcome == PTX_BLOCK_DEADLOCK || outcome == PTX_BLOCK_TRAPPED) {
            stop_with_trap(self, block);
            return true;
        }
        if (outcome == PTX_BLOCK_DONE) {
            retire(self, i--);
            has_ended = true;
        }
    }
    return has_ended;
}

static void run_blocks(GridWorker *self)
{
    PtxScheduler *scheduler = self->scheduler;
    uint32_t patience = PATIENCE_ROUNDS;
    while (scheduler->plan->launch.is_cooperative && admit(self))
        continue;
    while (!atomic_load_explicit(&scheduler->is_stopped, memory_order_relaxed)) {
        if (self->resident_count == 0 && !admit(self))
            return;
        if (run_round(self)) {
            patience = PATIENCE_ROUNDS;
        } else if (--patience == 0) {
            (void)admit(self);
            patience = PATIENCE_ROUNDS;
        }
    }
}

static void *worker_main(void *argument)
{
    GridWorker *self = argument;
    run_blocks(self);
    for (uint32_t i = 0; i < self->resident_count; i++)
        ptx_block_free(self->resident[i]);
    ptx_block_free(self->spare);
    return NULL;
}

static bool init_worker(GridWorker *self, PtxScheduler *scheduler)
{
    const PtxGridPlan *plan = scheduler->plan;
    const uint32_t counters = plan->launch.program->counter_count;
    self->scheduler = scheduler;
    self->console = (PtxConsole){.output = plan->output, .cap_bytes = plan->output_cap_bytes};
    self->worker.scheduler = scheduler;
    self->worker.launch = &plan->launch;
    self->worker.arena = arena_new();
    self->worker.trap = &self->trap;
    self->worker.findings = &self->findings;
    self->worker.console = &self->console;
    if (!plan->launch.counts_blocks)
        return true;
    self->worker.block_executions = calloc((size_t)counters + 1, sizeof(uint64_t));
    self->worker.block_lanes = calloc((size_t)counters + 1, sizeof(uint64_t));
    return self->worker.block_executions && self->worker.block_lanes;
}

/* Findings and traps name texts of the worker's arena: they are copied into the plan's. */
static void keep_texts(PtxWhere *where, Arena *arena)
{
    where->instruction = arena_string(arena, where->instruction);
}

static void collect_counters(const GridWorker *self, const PtxGridPlan *plan, PtxGridResult *result)
{
    const uint32_t counters = plan->launch.program->counter_count;
    if (!self->worker.block_executions || !self->worker.block_lanes)
        return;
    if (!result->block_executions) {
        result->block_executions = arena_new_array(plan->arena, uint64_t, (size_t)counters + 1);
        result->block_lanes = arena_new_array(plan->arena, uint64_t, (size_t)counters + 1);
    }
    for (uint32_t i = 0; i < counters; i++) {
        result->block_executions[i] += self->worker.block_executions[i];
        result->block_lanes[i] += self->worker.block_lanes[i];
    }
}

static void collect(GridWorker *self, const PtxGridPlan *plan, PtxGridResult *result)
{
    result->thread_instructions += self->worker.thread_instructions;
    result->warp_instructions += self->worker.warp_instructions;
    result->output_bytes += self->console.written_bytes;
    for (size_t i = 0; i < self->findings.count; i++)
        keep_texts(&self->findings.rows[i].where, plan->arena);
    ptx_findings_merge(&result->findings, &self->findings);
    collect_counters(self, plan, result);
}

static void done_worker(GridWorker *self)
{
    ptx_findings_clear(&self->findings);
    free(self->worker.block_executions);
    free(self->worker.block_lanes);
    arena_free(self->worker.arena);
    error_clear(&self->error);
}

/* ---- a launch ---------------------------------------------------------------------------------------------- */

static PtxThreadIndex *thread_indices(const PtxLaunch *launch)
{
    const uint32_t *size = launch->block;
    const uint32_t threads = size[0] * size[1] * size[2], warps = (threads + PTX_WARP_LANES - 1) / PTX_WARP_LANES;
    PtxThreadIndex *ret = calloc(warps, sizeof *ret);
    for (uint32_t i = 0; ret && i < warps * PTX_WARP_LANES; i++) {
        uint32_t(*warp)[PTX_WARP_LANES] = ret[i / PTX_WARP_LANES];
        const uint32_t lane = i % PTX_WARP_LANES;
        warp[0][lane] = i % size[0];
        warp[1][lane] = i / size[0] % size[1];
        warp[2][lane] = i / size[0] / size[1];
    }
    return ret;
}

static bool run_workers(GridWorker *workers, uint32_t count, Error *error)
{
    uint32_t started = 1;
    for (; started < count; started++)
        if (pthread_create(&workers[started].thread, NULL, worker_main, &workers[started]) != 0)
            break; /* fewer workers do the same work */
    worker_main(&workers[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].error.kind == ERROR_NONE)
            continue;
        *error = workers[i].error;
        workers[i].error = (Error){0};
        return false;
    }
    return true;
}

bool ptx_grid_run(const PtxGridPlan *plan, PtxGridResult *ret_result, Error *error)
{
    const uint32_t wanted = plan->launch.worker_count ? plan->launch.worker_count : 1;
    const uint32_t count = wanted < WORKERS_MAX ? wanted : WORKERS_MAX;
    PtxScheduler scheduler = {
        .plan = plan,
        .threads = thread_indices(&plan->launch),
        .block_count = (uint64_t)plan->launch.grid[0] * plan->launch.grid[1] * plan->launch.grid[2],
    };
    atomic_init(&scheduler.budget_left, plan->budget < INT64_MAX / 2 ? (int64_t)plan->budget : INT64_MAX / 2);
    pthread_mutex_init(&scheduler.lock, NULL);
    GridWorker *workers = calloc(count, sizeof *workers);
    bool is_right = scheduler.threads && workers;
    *ret_result = (PtxGridResult){0};
    for (uint32_t i = 0; workers && i < count; i++)
        is_right &= init_worker(&workers[i], &scheduler);
    if (!is_right)
        error_fault(error, "no memory for a launch");
    else
        is_right = run_workers(workers, count, error);
    for (uint32_t i = 0; workers && i < count; i++) {
        collect(&workers[i], plan, ret_result);
        if (scheduler.trap.kind != PTX_TRAP_NONE)
            keep_texts(&scheduler.trap.where, plan->arena);
    }
    ret_result->trap = scheduler.trap;
    for (uint32_t i = 0; workers && i < count; i++)
        done_worker(&workers[i]);
    free(workers);
    free(scheduler.threads);
    pthread_mutex_destroy(&scheduler.lock);
    return is_right;
}
