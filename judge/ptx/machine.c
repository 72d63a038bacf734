/* The machine as its users see it: memory, modules, launches. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gavel/ptx.h"

#include "ptx/decode.h"
#include "ptx/executor.h"
#include "ptx/fatbin.h"
#include "ptx/grid.h"
#include "ptx/module.h"

static const uint64_t memory_cap_default = UINT64_C(4) << 30, budget_default = UINT64_C(20000000000),
                      output_cap_default = 1 << 20;

struct PtxMachine {
    PtxConfig config;
    const PtxExecutor *executor;
    PtxMemory memory;
    PtxModule *modules; /* a list */
    Arena *arena;       /* of the last launch's result */
    PtxFindings findings;
};

/* ---- machine ----------------------------------------------------------------------------------------------- */

static uint64_t or_default(uint64_t value, uint64_t otherwise)
{
    return value ? value : otherwise;
}

PtxMachine *ptx_machine_new(const PtxConfig *config, Error *error)
{
    const PtxExecutor *executor = ptx_executor_find(config->executor, error);
    if (!executor)
        return NULL;
    PtxMachine *machine = calloc(1, sizeof *machine);
    if (!machine) {
        error_fault(error, "no memory for a machine");
        return NULL;
    }
    machine->config = *config;
    machine->config.executor = executor->name;
    machine->executor = executor;
    if (!ptx_memory_init(&machine->memory, or_default(config->memory_cap_bytes, memory_cap_default), error)) {
        free(machine);
        return NULL;
    }
    machine->arena = arena_new();
    return machine;
}

void ptx_machine_free(PtxMachine *machine)
{
    if (!machine)
        return;
    while (machine->modules)
        ptx_module_free(machine->modules);
    ptx_findings_clear(&machine->findings);
    arena_free(machine->arena);
    ptx_memory_done(&machine->memory);
    free(machine);
}

const char *ptx_machine_executor(const PtxMachine *machine)
{
    return machine->executor->name;
}

uint64_t ptx_machine_allocate(PtxMachine *machine, uint64_t size_bytes)
{
    return size_bytes ? ptx_memory_allocate(&machine->memory, size_bytes, NULL, false) : 0;
}

bool ptx_machine_free_memory(PtxMachine *machine, uint64_t address)
{
    return ptx_memory_free(&machine->memory, address);
}

bool ptx_machine_write(PtxMachine *machine, uint64_t address, const void *data, uint64_t size_bytes)
{
    return ptx_memory_write(&machine->memory, address, data, size_bytes);
}

bool ptx_machine_read(const PtxMachine *machine, uint64_t address, void *ret_data, uint64_t size_bytes)
{
    return ptx_memory_read(&machine->memory, address, ret_data, size_bytes);
}

bool ptx_machine_set(PtxMachine *machine, uint64_t address, uint8_t value, uint64_t size_bytes)
{
    return ptx_memory_set(&machine->memory, address, value, size_bytes);
}

bool ptx_machine_copy(PtxMachine *machine, uint64_t to, uint64_t from, uint64_t size_bytes)
{
    return ptx_memory_copy(&machine->memory, to, from, size_bytes);
}

bool ptx_machine_writers(const PtxMachine *machine, uint64_t address, uint64_t size_bytes, uint64_t *ret_kernel,
                         uint64_t *ret_host, uint64_t *ret_nobody)
{
    return ptx_memory_writers(&machine->memory, address, size_bytes, ret_kernel, ret_host, ret_nobody);
}

/* ---- modules ----------------------------------------------------------------------------------------------- */

PtxModule *ptx_module_load(PtxMachine *machine, const char *name, const void *data, size_t size, Error *error)
{
    PtxModule *module =
        ptx_module_new(&machine->memory, machine->executor, machine->config.counts_blocks, name, data, size, error);
    if (!module)
        return NULL;
    module->machine = machine;
    module->next = machine->modules;
    machine->modules = module;
    return module;
}

void ptx_module_free(PtxModule *module)
{
    if (!module)
        return;
    for (PtxModule **link = &module->machine->modules; *link; link = &(*link)->next) {
        if (*link == module) {
            *link = module->next;
            break;
        }
    }
    ptx_module_release(module, &module->machine->memory);
}

/* ---- launches ---------------------------------------------------------------------------------------------- */

static const PtxModule *module_of(const PtxMachine *machine, const PtxEntry *entry, size_t *ret_index)
{
    for (const PtxModule *module = machine->modules; module; module = module->next) {
        if (entry >= module->entries && entry < module->entries + module->entry_count) {
            *ret_index = (size_t)(entry - module->entries);
            return module;
        }
    }
    return NULL;
}

static bool refuse(PtxTrap *trap, const PtxEntry *entry, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(PtxTrap *trap, const PtxEntry *entry, const char *format, ...)
{
    va_list arguments;
    *trap = (PtxTrap){.kind = PTX_TRAP_LAUNCH, .where.function = entry->name};
    va_start(arguments, format);
    vsnprintf(trap->message, sizeof trap->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Limits of compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). */
enum {
    BLOCK_THREADS_MAX = 1024,
    SHARED_BYTES_MAX = 227 << 10,
    SM_THREADS_MAX = 2048,
    SM_BLOCKS_MAX = 32,
    SM_SHARED_BYTES = 228 << 10,
    BLOCK_SHARED_RESERVED = 1 << 10
};
static const uint64_t grid_max[3] = {INT32_MAX, 65535, 65535}, block_max[3] = {1024, 1024, 64};

static bool dimensions_are_right(const PtxLaunchPlan *plan, PtxTrap *trap)
{
    for (int axis = 0; axis < 3; axis++) {
        if (plan->grid[axis] == 0 || plan->grid[axis] > grid_max[axis])
            return refuse(trap, plan->entry, "the grid has %u blocks along %c; 1 to %llu are possible",
                          plan->grid[axis], "xyz"[axis], (unsigned long long)grid_max[axis]);
        if (plan->block[axis] == 0 || plan->block[axis] > block_max[axis])
            return refuse(trap, plan->entry, "the block has %u threads along %c; 1 to %llu are possible",
                          plan->block[axis], "xyz"[axis], (unsigned long long)block_max[axis]);
    }
    const uint64_t threads = (uint64_t)plan->block[0] * plan->block[1] * plan->block[2];
    if (threads > BLOCK_THREADS_MAX)
        return refuse(trap, plan->entry, "the block has %llu threads; %d are possible", (unsigned long long)threads,
                      (int)BLOCK_THREADS_MAX);
    return true;
}

static bool bounds_are_kept(const PtxLaunchPlan *plan, PtxTrap *trap)
{
    const PtxEntry *entry = plan->entry;
    const uint64_t threads = (uint64_t)plan->block[0] * plan->block[1] * plan->block[2];
    uint64_t max = 1;
    for (int axis = 0; axis < 3; axis++) {
        max *= entry->max_threads[axis] ? entry->max_threads[axis] : 1;
        if (entry->required_threads[0] &&
            plan->block[axis] != (entry->required_threads[axis] ? entry->required_threads[axis] : 1))
            return refuse(trap, entry, "the kernel requires blocks of %u x %u x %u threads", entry->required_threads[0],
                          entry->required_threads[1] ? entry->required_threads[1] : 1,
                          entry->required_threads[2] ? entry->required_threads[2] : 1);
    }
    if (entry->max_threads[0] && threads > max)
        return refuse(trap, entry, "the block has %llu threads; the kernel was compiled for at most %llu",
                      (unsigned long long)threads, (unsigned long long)max);
    return true;
}

static bool resources_are_there(const PtxLaunchPlan *plan, PtxTrap *trap)
{
    const uint64_t shared = (uint64_t)plan->entry->static_shared_bytes + plan->dynamic_shared_bytes;
    if (shared > SHARED_BYTES_MAX)
        return refuse(trap, plan->entry, "the block needs %llu bytes of shared memory; %d are possible",
                      (unsigned long long)shared, (int)SHARED_BYTES_MAX);
    if (!plan->is_cooperative)
        return true;
    const uint64_t threads = (uint64_t)plan->block[0] * plan->block[1] * plan->block[2];
    uint64_t per_sm = SM_THREADS_MAX / ((threads + PTX_WARP_LANES - 1) / PTX_WARP_LANES * PTX_WARP_LANES);
    per_sm = per_sm < SM_BLOCKS_MAX ? per_sm : SM_BLOCKS_MAX;
    const uint64_t by_shared = SM_SHARED_BYTES / (shared + BLOCK_SHARED_RESERVED);
    per_sm = per_sm < by_shared ? per_sm : by_shared;
    const uint64_t blocks = (uint64_t)plan->grid[0] * plan->grid[1] * plan->grid[2];
    if (blocks > per_sm * PTX_SM_COUNT)
        return refuse(trap, plan->entry, "a cooperative launch of %llu blocks; %llu fit on the device at once",
                      (unsigned long long)blocks, (unsigned long long)per_sm * PTX_SM_COUNT);
    return true;
}

static void describe_blocks(PtxMachine *machine, const PtxModule *module, const PtxGridResult *grid,
                            PtxLaunchResult *ret)
{
    const PtxProgram *program = module->program;
    if (!grid->block_executions)
        return;
    PtxBlockCount *blocks = arena_new_array(machine->arena, PtxBlockCount, (size_t)program->counter_count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < program->counter_count; i++) {
        if (grid->block_executions[i] == 0)
            continue;
        const PtxProgramFunction *function = program->counter_functions[i];
        const PtxBasicBlock *block = &function->blocks[program->counter_blocks[i]];
        const PtxWhere where = ptx_where(program->syntax, function->syntax, block->first_instruction, machine->arena);
        blocks[count++] = (PtxBlockCount){.function = where.function,
                                          .ptx_line = where.ptx_line,
                                          .line = where.line,
                                          .file = where.file,
                                          .instruction_count = block->instruction_count,
                                          .executions = grid->block_executions[i],
                                          .lanes = grid->block_lanes[i]};
    }
    ret->blocks = blocks;
    ret->block_count = count;
}

static PtxGridPlan grid_plan(PtxMachine *machine, const PtxLaunchPlan *plan, const PtxModule *module, size_t index)
{
    const PtxProgramFunction *entry = module->entry_functions[index];
    PtxGridPlan ret = {
        .launch = {.machine = machine,
                   .memory = &machine->memory,
                   .program = module->program,
                   .entry = entry,
                   .parameters = plan->parameters,
                   .dynamic_shared_bytes = plan->dynamic_shared_bytes,
                   .dynamic_shared_begin =
                       plan->dynamic_shared_bytes ? entry->dynamic_shared_begin : entry->static_shared_bytes,
                   .is_cooperative = plan->is_cooperative,
                   .counts_blocks = machine->config.counts_blocks,
                   .worker_count = machine->config.worker_count},
        .budget = or_default(machine->config.thread_instruction_budget, budget_default),
        .output_cap_bytes = or_default(machine->config.output_cap_bytes, output_cap_default),
        .output = plan->output,
        .arena = machine->arena,
    };
    memcpy(ret.launch.grid, plan->grid, sizeof plan->grid);
    memcpy(ret.launch.block, plan->block, sizeof plan->block);
    return ret;
}

enum { GRID_WORKSPACE_BYTES = 256 };

static bool run_grid(PtxMachine *machine, PtxGridPlan *plan, PtxGridResult *ret, Error *error)
{
    if (plan->launch.is_cooperative)
        plan->launch.grid_workspace =
            ptx_memory_allocate(&machine->memory, GRID_WORKSPACE_BYTES, "grid barrier", false);
    const bool is_run = ptx_grid_run(plan, ret, error);
    if (plan->launch.grid_workspace)
        (void)ptx_memory_free(&machine->memory, plan->launch.grid_workspace);
    return is_run;
}

bool ptx_launch(PtxMachine *machine, const PtxLaunchPlan *plan, PtxLaunchResult *ret_result, Error *error)
{
    size_t index = 0;
    const PtxModule *module = module_of(machine, plan->entry, &index);
    if (!module)
        return error_fault(error, "launch of an entry that belongs to no module of this machine");
    arena_free(machine->arena);
    machine->arena = arena_new();
    ptx_findings_clear(&machine->findings);
    *ret_result = (PtxLaunchResult){0};
    if (!dimensions_are_right(plan, &ret_result->trap) || !bounds_are_kept(plan, &ret_result->trap) ||
        !resources_are_there(plan, &ret_result->trap))
        return true;
    PtxGridPlan grid = grid_plan(machine, plan, module, index);
    PtxGridResult result;
    const bool is_run = run_grid(machine, &grid, &result, error);
    machine->findings = result.findings;
    if (!is_run)
        return false;
    ret_result->trap = result.trap;
    ret_result->thread_instructions = result.thread_instructions;
    ret_result->warp_instructions = result.warp_instructions;
    ret_result->output_bytes = result.output_bytes;
    ret_result->findings = machine->findings.rows;
    ret_result->finding_count = machine->findings.count;
    describe_blocks(machine, module, &result, ret_result);
    return true;
}
