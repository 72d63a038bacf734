/* Runs the generated instruction tests on one executor of the machine.
 *
 *     run_ops --executor NAME DIRECTORY OUTPUT [FILE-PREFIX]
 *
 * OUTPUT gets the results of all files of DIRECTORY/manifest one after the other, as long as the manifest says. Entries
 * that trap are told on the standard output, a line "FILE ENTRY TRAP MESSAGE" each; their results stay 0xcd. */
#include "gavel/ptx.h"

#include "ops_manifest.h"

typedef struct Run {
    PtxMachine *machine;
    PtxModule *module;
    uint64_t input, output;
    FILE *stream;
} Run;

static void begin_file(void *context, const OpsFile *file)
{
    Run *run = context;
    auto_error Error error = {0};
    run->module = ptx_module_load(run->machine, file->name, file->ptx, file->ptx_size, &error);
    if (!run->module)
        printf("%s * load %s\n", file->name, error_text(&error));
    run->input = ptx_machine_allocate(run->machine, file->input_size + 1);
    run->output = ptx_machine_allocate(run->machine, file->output_size + 1);
    if (!run->input || !run->output || !ptx_machine_write(run->machine, run->input, file->input, file->input_size) ||
        !ptx_machine_set(run->machine, run->output, 0xcd, file->output_size))
        ops_fail("%s: no device memory", file->name);
}

static void run_entry(void *context, const OpsFile *file, const OpsEntry *entry)
{
    Run *run = context;
    if (!run->module)
        return;
    auto_error Error error = {0};
    uint64_t parameters[OPS_ADDRESSES_MAX];
    for (uint32_t i = 0; i < entry->address_count; i++)
        parameters[i] = (entry->kinds[i] == 'i' ? run->input : run->output) + entry->offsets[i];
    PtxLaunchPlan plan = {.entry = ptx_module_find_entry(run->module, entry->name),
                          .grid = {1, 1, 1},
                          .block = {entry->thread_count, 1, 1},
                          .parameters = parameters};
    PtxLaunchResult result;
    if (!plan.entry)
        printf("%s %s missing\n", file->name, entry->name);
    else if (!ptx_launch(run->machine, &plan, &result, &error))
        printf("%s %s error %s\n", file->name, entry->name, error_text(&error));
    else if (result.trap.kind != PTX_TRAP_NONE)
        printf("%s %s %s %s\n", file->name, entry->name, ptx_trap_word(result.trap.kind), result.trap.message);
}

static void end_file(void *context, const OpsFile *file)
{
    Run *run = context;
    void *results = malloc(file->output_size + 1);
    if (!results || !ptx_machine_read(run->machine, run->output, results, file->output_size) ||
        fwrite(results, 1, file->output_size, run->stream) != file->output_size)
        ops_fail("%s: cannot write results", file->name);
    free(results);
    ptx_module_free(run->module);
    if (!ptx_machine_free_memory(run->machine, run->input) || !ptx_machine_free_memory(run->machine, run->output))
        ops_fail("%s: cannot free device memory", file->name);
}

int main(int count, char **arguments)
{
    if (count < 5 || strcmp(arguments[1], "--executor") != 0)
        ops_fail("usage: run_ops --executor NAME DIRECTORY OUTPUT [FILE-PREFIX]");
    auto_error Error error = {0};
    const PtxConfig config = {.executor = arguments[2]};
    Run run = {.machine = ptx_machine_new(&config, &error), .stream = fopen(arguments[4], "wb")};
    if (!run.machine)
        ops_fail("%s", error_text(&error));
    if (!run.stream)
        ops_fail("%s: cannot write", arguments[4]);
    ops_visit(arguments[3], count > 5 ? arguments[5] : NULL,
              &(OpsVisitor){.begin = begin_file, .entry = run_entry, .end = end_file, .context = &run});
    ptx_machine_free(run.machine);
    return fclose(run.stream) == 0 ? 0 : 2;
}
