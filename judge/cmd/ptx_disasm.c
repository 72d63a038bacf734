/* gavel ptx disasm: a module as the machine runs it. */
#include "cmd/command.h"
#include "cmd/ptx_file.h"

typedef struct DisasmOptions {
    GlobalOptions global;
    const char *file, *executor;
} DisasmOptions;

static bool print_file(const DisasmOptions *options, Error *error)
{
    PtxMachine *machine;
    const PtxConfig config = {.executor = options->executor, .counts_blocks = true};
    const PtxModule *module = ptx_file_load(options->file, &config, &machine, error);
    if (module)
        ptx_module_print(module, stdout);
    ptx_machine_free(machine);
    return module != NULL;
}

static ExitCode run_disasm(Session *session, const void *raw_options)
{
    auto_error Error error = {0};
    return print_file(raw_options, &error) ? EXIT_ALL_WELL : session_fail(session, &error);
}

static const Option disasm_options[] = {
    {.name = "executor",
     .type = OPTION_TEXT,
     .offset = offsetof(DisasmOptions, executor),
     .value_name = "NAME",
     .help = "avx512, avx2 or portable (default: the best that this CPU has)"},
    {0},
};

const Verb verb_ptx_disasm = {
    .name = "ptx disasm",
    .summary = "print PTX as the machine runs it: blocks, records, slots",
    .options = disasm_options,
    .arguments = (const OptionArgument[]){{.name = "FILE",
                                           .offset = offsetof(DisasmOptions, file),
                                           .help = "PTX text, a fat binary, or an object that holds one"},
                                          {0}},
    .options_size = sizeof(DisasmOptions),
    .run = run_disasm,
};
