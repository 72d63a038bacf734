/* Hostile PTX through the whole machine: parsed, decoded, laid out, and each entry run for a moment. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "gavel/ptx.h"

enum { BUDGET = 20000, ENTRIES_MAX = 4, PARAMETER_BYTES_MAX = 4096 };

static void run_entry(PtxMachine *machine, const PtxEntry *entry)
{
    if (entry->parameter_bytes > PARAMETER_BYTES_MAX)
        return;
    uint64_t *parameters = calloc(PARAMETER_BYTES_MAX / sizeof(uint64_t), sizeof *parameters);
    const uint64_t address = ptx_machine_allocate(machine, PARAMETER_BYTES_MAX);
    Error error = {0};
    PtxLaunchResult result;
    if (!parameters)
        abort();
    for (size_t i = 0; i < PARAMETER_BYTES_MAX / sizeof *parameters; i++)
        parameters[i] = address;
    const PtxLaunchPlan plan = {
        .entry = entry, .grid = {2, 1, 1}, .block = {40, 1, 1}, .dynamic_shared_bytes = 256, .parameters = parameters};
    if (!ptx_launch(machine, &plan, &result, &error))
        error_clear(&error);
    free(parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const PtxConfig config = {.memory_cap_bytes = 1 << 20,
                                     .thread_instruction_budget = BUDGET,
                                     .output_cap_bytes = 256,
                                     .counts_blocks = true};
    Error error = {0};
    PtxMachine *machine = ptx_machine_new(&config, &error);
    if (!machine)
        abort();
    const PtxModule *module = ptx_module_load(machine, "fuzz", data, size, &error);
    for (size_t i = 0; module && i < ptx_module_entry_count(module) && i < ENTRIES_MAX; i++)
        run_entry(machine, ptx_module_entry(module, i));
    error_clear(&error);
    ptx_machine_free(machine);
    return 0;
}
