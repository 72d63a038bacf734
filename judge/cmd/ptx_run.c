/* gavel ptx run: one kernel of a PTX file, with arguments from the command line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/ptx_file.h"
#include "cmd/ptx_value.h"
#include "gavel/ptx.h"

typedef struct RunOptions {
    GlobalOptions global;
    const char *file, *kernel, *grid, *block, *executor;
    OptionList arguments, prints;
    OptionNumber shared, budget, workers, memory_mib;
    bool is_cooperative, is_json, has_counters;
} RunOptions;

/* Everything of one run; the machine is freed at its end. */
typedef struct Run {
    const RunOptions *options;
    Arena *arena;
    PtxMachine *machine;
    const PtxEntry *entry;
    PtxArgument *arguments;
    PtxLaunchPlan plan;
    PtxLaunchResult result;
    double elapsed_s;
} Run;

/* ---- preparing --------------------------------------------------------------------------------------------- */

/* "X", "X,Y" or "X,Y,Z" */
static bool parse_dimensions(const char *name, const char *text, uint32_t ret[3], Error *error)
{
    ret[0] = ret[1] = ret[2] = 1;
    for (int axis = 0; axis < 3; axis++) {
        char *end;
        const unsigned long value = strtoul(text, &end, 10);
        if (end == text || *text == '-' || value > UINT32_MAX || (*end && *end != ',') || (*end == ',' && axis == 2))
            return error_input(error, "--%s needs X, X,Y or X,Y,Z, not '%s'", name, text);
        ret[axis] = (uint32_t)value;
        if (!*end)
            return true;
        text = end + 1;
    }
    return true;
}

static bool load(Run *run, Error *error)
{
    const RunOptions *options = run->options;
    const PtxConfig config = {.executor = options->executor,
                              .memory_cap_bytes = options->memory_mib.value << 20,
                              .thread_instruction_budget = options->budget.value,
                              .worker_count = (uint32_t)options->workers.value,
                              .counts_blocks = options->has_counters};
    const PtxModule *module = ptx_file_load(options->file, &config, &run->machine, error);
    if (!module)
        return false;
    run->entry = options->kernel ? ptx_module_find_entry(module, options->kernel) : ptx_module_entry(module, 0);
    if (run->entry && (options->kernel || ptx_module_entry_count(module) == 1))
        return true;
    auto_buffer Buffer names = {0};
    for (size_t i = 0; i < ptx_module_entry_count(module); i++)
        buffer_format(&names, "%s %s", i ? "," : "", ptx_module_entry(module, i)->name);
    if (options->kernel)
        error_input(error, "%s has no kernel '%s'; it has%s", options->file, options->kernel,
                    names.size ? buffer_text(&names) : " none");
    else
        error_input(error, "%s: --kernel must name one of%s", options->file,
                    names.size ? buffer_text(&names) : " none");
    return false;
}

static bool place_arguments(Run *run, Error *error)
{
    const OptionList *given = &run->options->arguments;
    const PtxEntry *entry = run->entry;
    if (given->count != entry->parameter_count)
        return error_input(error, "%s takes %u arguments, not %zu", entry->name, entry->parameter_count, given->count);
    run->arguments = arena_new_array(run->arena, PtxArgument, given->count + 1);
    uint8_t *block = arena_alloc(run->arena, (size_t)entry->parameter_bytes + 1);
    for (size_t i = 0; i < given->count; i++) {
        PtxArgument *argument = &run->arguments[i];
        const PtxParameter *parameter = &entry->parameters[i];
        if (!ptx_argument_parse(run->arena, given->items[i], argument, error) ||
            !ptx_argument_place(run->machine, argument, error))
            return false;
        const uint64_t size = argument->is_buffer ? sizeof argument->address : argument->size_bytes;
        if (size != parameter->size_bytes)
            return error_input(error, "--arg %s has %" PRIu64 " bytes; parameter %zu of %s (.%s) has %u",
                               given->items[i], size, i, entry->name, parameter->type, parameter->size_bytes);
        memcpy(block + parameter->offset, argument->is_buffer ? (const void *)&argument->address : argument->bytes,
               size);
    }
    run->plan.parameters = block;
    return true;
}

static bool launch(Run *run, Error *error)
{
    struct timespec start, end;
    const RunOptions *options = run->options;
    run->plan.entry = run->entry;
    run->plan.dynamic_shared_bytes = (uint32_t)options->shared.value;
    run->plan.is_cooperative = options->is_cooperative;
    run->plan.output = options->is_json ? NULL : stdout;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    const bool is_run = ptx_launch(run->machine, &run->plan, &run->result, error);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    run->elapsed_s = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return is_run;
}

/* ---- telling ----------------------------------------------------------------------------------------------- */

static void print_where(const PtxWhere *where, const uint32_t block[3], const uint32_t thread[3])
{
    if (where->file || where->line)
        printf("  at %s:%u", where->file ? where->file : "?", where->line);
    printf("  %s, PTX %u:%u, in %s, block %u,%u,%u thread %u,%u,%u\n", where->instruction ? where->instruction : "",
           where->ptx_line, where->ptx_column, where->function, block[0], block[1], block[2], thread[0], thread[1],
           thread[2]);
}

static void print_trap(const PtxTrap *trap)
{
    printf("trap %s: %s\n  %s\n", ptx_trap_word(trap->kind), trap->message, ptx_trap_text(trap->kind));
    if (trap->kind != PTX_TRAP_LAUNCH)
        print_where(&trap->where, trap->block, trap->thread);
    if (*trap->waiting)
        fputs(trap->waiting, stdout);
}

static void print_counters(const PtxLaunchResult *result)
{
    for (size_t i = 0; i < result->block_count; i++) {
        const PtxBlockCount *block = &result->blocks[i];
        printf("block %-24s PTX line %5u  line %5u  %4u instructions  %12" PRIu64 " times  %5.1f lanes\n",
               block->function, block->ptx_line, block->line, block->instruction_count, block->executions,
               (double)block->lanes / (double)block->executions);
    }
}

static bool print_buffers(const Run *run, Error *error)
{
    for (size_t i = 0; i < run->options->prints.count; i++) {
        char *end;
        const char *text = run->options->prints.items[i];
        const unsigned long index = strtoul(text, &end, 10);
        const uint64_t count = *end == ':' ? strtoull(end + 1, &end, 10) : 16;
        if (end == text || *end || !run->arguments || index >= run->options->arguments.count ||
            !run->arguments[index].is_buffer)
            return error_input(
                error, "--print needs the number of a buffer argument (from 0), or NUMBER:COUNT, not '%s'", text);
        printf("arg %lu: ", index);
        if (!ptx_argument_print(run->machine, &run->arguments[index], count, stdout, error))
            return false;
    }
    return true;
}

static bool print_text(const Run *run, Error *error)
{
    const PtxLaunchResult *result = &run->result;
    if (result->trap.kind != PTX_TRAP_NONE)
        print_trap(&result->trap);
    for (size_t i = 0; i < result->finding_count; i++) {
        const PtxFinding *finding = &result->findings[i];
        printf("finding %s, %" PRIu64 " times: %s\n", ptx_finding_word(finding->kind), finding->count,
               ptx_finding_text(finding->kind));
        print_where(&finding->where, finding->block, finding->thread);
    }
    print_counters(result);
    if (!print_buffers(run, error))
        return false;
    if (!run->options->global.is_quiet)
        printf("%s: %" PRIu64 " thread-instructions in %.3f ms (%.2f G/s) on %s\n", run->entry->name,
               result->thread_instructions, 1e3 * run->elapsed_s,
               run->elapsed_s > 0 ? 1e-9 * (double)result->thread_instructions / run->elapsed_s : 0.0,
               ptx_machine_executor(run->machine));
    return true;
}

static json_t *where_value(const PtxWhere *where, const uint32_t block[3], const uint32_t thread[3])
{
    return json_pack("{s:s?, s:s?, s:i, s:i, s:s?, s:i, s:[i,i,i], s:[i,i,i]}", "function", where->function,
                     "instruction", where->instruction, "ptx_line", where->ptx_line, "ptx_column", where->ptx_column,
                     "file", where->file, "line", where->line, "block", block[0], block[1], block[2], "thread",
                     thread[0], thread[1], thread[2]);
}

static json_t *findings_value(const PtxLaunchResult *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->finding_count; i++) {
        const PtxFinding *finding = &result->findings[i];
        (void)json_array_append_new(list, json_pack("{s:s, s:I, s:o}", "kind", ptx_finding_word(finding->kind), "count",
                                                    (json_int_t)finding->count, "at",
                                                    where_value(&finding->where, finding->block, finding->thread)));
    }
    return list;
}

static bool print_json(const Run *run, Error *error)
{
    const PtxTrap *trap = &run->result.trap;
    json_t *trap_value = trap->kind == PTX_TRAP_NONE
                             ? json_null()
                             : json_pack("{s:s, s:s, s:I, s:s, s:o}", "kind", ptx_trap_word(trap->kind), "message",
                                         trap->message, "address", (json_int_t)trap->address, "waiting", trap->waiting,
                                         "at", where_value(&trap->where, trap->block, trap->thread));
    return json_write(json_pack("{s:i, s:s, s:s, s:o, s:o, s:I, s:I, s:f}", "schema", 1, "kernel", run->entry->name,
                                "executor", ptx_machine_executor(run->machine), "trap", trap_value, "findings",
                                findings_value(&run->result), "thread_instructions",
                                (json_int_t)run->result.thread_instructions, "warp_instructions",
                                (json_int_t)run->result.warp_instructions, "elapsed_s", run->elapsed_s),
                      stdout, error);
}

static bool run_kernel(Run *run, Error *error)
{
    const RunOptions *options = run->options;
    return parse_dimensions("grid", options->grid, run->plan.grid, error) &&
           parse_dimensions("block", options->block, run->plan.block, error) && load(run, error) &&
           place_arguments(run, error) && launch(run, error) &&
           (options->is_json ? print_json(run, error) : print_text(run, error));
}

static ExitCode run_ptx(Session *session, const void *raw_options)
{
    Run run = {.options = raw_options, .arena = session->arena};
    auto_error Error error = {0};
    const bool is_run = run_kernel(&run, &error);
    const ExitCode code = !is_run                                 ? session_fail(session, &error)
                          : run.result.trap.kind == PTX_TRAP_NONE ? EXIT_ALL_WELL
                                                                  : EXIT_FINDINGS;
    ptx_machine_free(run.machine);
    return code;
}

#define TEXT_ROW(text_name, member, placeholder, default_value, text)                                                  \
    {                                                                                                                  \
        .name = text_name, .type = OPTION_TEXT, .offset = offsetof(RunOptions, member), .value_name = placeholder,     \
        .default_text = default_value, .help = text                                                                    \
    }
#define NUMBER_ROW(text_name, member, placeholder, max, text)                                                          \
    {                                                                                                                  \
        .name = text_name, .type = OPTION_NUMBER, .offset = offsetof(RunOptions, member), .value_name = placeholder,   \
        .maximum = max, .help = text                                                                                   \
    }
#define LIST_ROW(text_name, member, placeholder, text)                                                                 \
    {                                                                                                                  \
        .name = text_name, .type = OPTION_LIST, .offset = offsetof(RunOptions, member), .value_name = placeholder,     \
        .help = text                                                                                                   \
    }

static const Option run_options[] = {
    TEXT_ROW("kernel", kernel, "NAME", NULL, "the entry to run; needed if the file has several"),
    TEXT_ROW("grid", grid, "X[,Y[,Z]]", "1", "blocks"),
    TEXT_ROW("block", block, "X[,Y[,Z]]", "32", "threads of a block"),
    LIST_ROW("arg", arguments, "ARG",
             "TYPE:VALUE, or buffer:TYPE:COUNT[:zero|iota|fill=V|random=SEED|file=PATH]; in order"),
    LIST_ROW("print", prints, "N[:COUNT]", "print buffer argument N (from 0) after the run"),
    NUMBER_ROW("shared", shared, "BYTES", UINT32_MAX, "dynamic shared memory"),
    NUMBER_ROW("budget", budget, "COUNT", 0, "thread-instructions before the run is stopped (default: 20e9)"),
    NUMBER_ROW("memory", memory_mib, "MIB", 1 << 20, "device memory (default: 4096)"),
    NUMBER_ROW("workers", workers, "COUNT", 256, "threads that run blocks (default: 1, which is deterministic)"),
    TEXT_ROW("executor", executor, "NAME", NULL, "avx512, avx2 or portable (default: the best that this CPU has)"),
    {.name = "cooperative",
     .type = OPTION_FLAG,
     .offset = offsetof(RunOptions, is_cooperative),
     .help = "keep all blocks resident, for grid-wide barriers"},
    {.name = "counters",
     .type = OPTION_FLAG,
     .offset = offsetof(RunOptions, has_counters),
     .help = "count executions and lanes of each basic block"},
    OPTION_ROW_JSON(RunOptions),
    {0},
};

const Verb verb_ptx_run = {
    .name = "ptx run",
    .summary = "run a kernel of a PTX file on the PTX machine",
    .options = run_options,
    .arguments = (const OptionArgument[]){{.name = "FILE",
                                           .offset = offsetof(RunOptions, file),
                                           .help = "PTX text, a fat binary, or an object that holds one"},
                                          {0}},
    .options_size = sizeof(RunOptions),
    .run = run_ptx,
    .notes = "Exit codes: 0 ran to its end, 1 trapped, 2 wrong usage or unreadable input.",
};
