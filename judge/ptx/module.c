#include "ptx/module.h"

#include <string.h>

#include "ptx/fatbin.h"

enum { TEXT_BYTES_MAX = 256 << 20 };

static bool is_elf(const void *data, size_t size)
{
    return size >= 4 && memcmp(data, "\177ELF", 4) == 0;
}

bool ptx_module_text(Arena *arena, const void *data, size_t size, const char **ret_text, size_t *ret_size, Error *error)
{
    PtxFatbin fatbin;
    *ret_text = data;
    *ret_size = size;
    if (is_elf(data, size)) {
        if (!ptx_fatbin_read_elf(arena, data, size, TEXT_BYTES_MAX, &fatbin, error))
            return false;
    } else if (ptx_fatbin_is(data, size)) {
        if (!ptx_fatbin_read(arena, data, size, TEXT_BYTES_MAX, &fatbin, error))
            return false;
    } else {
        return true;
    }
    const PtxFatbinEntry *chosen = ptx_fatbin_choose(&fatbin);
    if (!chosen)
        return error_input(error, "it holds no PTX, only machine code: compile with -arch=compute_90 -code=compute_90");
    *ret_text = chosen->text;
    *ret_size = chosen->text_size;
    return true;
}

static void describe_parameters(PtxModule *module, const PtxFunction *function, PtxEntry *entry)
{
    PtxParameter *parameters = arena_new_array(module->arena, PtxParameter, (size_t)function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const PtxVariable *variable = function->parameters[i];
        const uint32_t natural = ptx_type_row(variable->type)->bytes;
        parameters[i] = (PtxParameter){.name = variable->name,
                                       .type = ptx_type_row(variable->type)->name,
                                       .offset = (uint32_t)ptx_layout_place(&module->layout, variable),
                                       .size_bytes = (uint32_t)variable->size_bytes,
                                       .align_bytes = variable->align_bytes ? variable->align_bytes : natural};
    }
    entry->parameters = parameters;
    entry->parameter_count = function->parameter_count;
}

static void describe_entry(PtxModule *module, const PtxProgramFunction *function)
{
    PtxEntry *entry = &module->entries[module->entry_count];
    *entry = (PtxEntry){.name = function->syntax->name,
                        .parameter_bytes = function->entry_parameter_bytes,
                        .static_shared_bytes = function->static_shared_bytes,
                        .local_bytes = function->local_bytes,
                        .instruction_count = function->syntax->instruction_count,
                        .unknown_count = function->unknown_count};
    memcpy(entry->max_threads, function->syntax->max_threads, sizeof entry->max_threads);
    memcpy(entry->required_threads, function->syntax->required_threads, sizeof entry->required_threads);
    describe_parameters(module, function->syntax, entry);
    module->entry_functions[module->entry_count++] = function;
}

static void describe_entries(PtxModule *module)
{
    const size_t count = (size_t)module->program->function_count + 1;
    module->entries = arena_new_array(module->arena, PtxEntry, count);
    module->entry_functions = arena_new_array(module->arena, const PtxProgramFunction *, count);
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->program->functions[i].syntax->is_entry && module->program->functions[i].syntax->has_body)
            describe_entry(module, &module->program->functions[i]);
}

static bool load(PtxModule *module, PtxMemory *memory, const PtxExecutor *executor, bool counts_blocks,
                 const char *name, const void *data, size_t size, Error *error)
{
    const char *text;
    PtxSyntaxError wrong;
    if (!ptx_module_text(module->arena, data, size, &text, &size, error))
        return error_wrap(error, "%s", name);
    module->syntax = ptx_parse(module->arena, arena_string(module->arena, name), text, size, &wrong);
    if (!module->syntax)
        return error_input(error, "%s:%u:%u: %s", name, wrong.place.line, wrong.place.column, wrong.message);
    if (!ptx_layout_init(&module->layout, module->arena, module->syntax, memory, error))
        return error_wrap(error, "%s", name);
    module->opcodes = ptx_opcode_index_new(module->arena);
    module->handlers = ptx_handler_index_new(module->arena, executor);
    module->unknown = ptx_handler_find(module->handlers, "unknown");
    const PtxDecodeContext context = {.arena = module->arena,
                                      .opcodes = module->opcodes,
                                      .handlers = module->handlers,
                                      .layout = &module->layout,
                                      .counts_blocks = counts_blocks};
    module->program = ptx_decode(&context, module->syntax);
    describe_entries(module);
    return true;
}

PtxModule *ptx_module_new(PtxMemory *memory, const PtxExecutor *executor, bool counts_blocks, const char *name,
                          const void *data, size_t size, Error *error)
{
    Arena *arena = arena_new();
    PtxModule *module = arena_alloc(arena, sizeof *module);
    module->arena = arena;
    if (load(module, memory, executor, counts_blocks, name, data, size, error))
        return module;
    arena_free(arena);
    return NULL;
}

void ptx_module_release(PtxModule *module, PtxMemory *memory)
{
    ptx_layout_release(&module->layout, memory);
    arena_free(module->arena);
}

size_t ptx_module_entry_count(const PtxModule *module)
{
    return module->entry_count;
}

const PtxEntry *ptx_module_entry(const PtxModule *module, size_t index)
{
    return index < module->entry_count ? &module->entries[index] : NULL;
}

const PtxEntry *ptx_module_find_entry(const PtxModule *module, const char *name)
{
    for (size_t i = 0; i < module->entry_count; i++)
        if (strcmp(module->entries[i].name, name) == 0)
            return &module->entries[i];
    return NULL;
}

bool ptx_module_variable(const PtxModule *module, const char *name, uint64_t *ret_address, uint64_t *ret_size_bytes)
{
    const PtxVariable *variable = ptx_syntax_variable(module->syntax, name);
    if (!variable || (variable->space != PTX_SPACE_GLOBAL && variable->space != PTX_SPACE_CONST))
        return false;
    *ret_address = ptx_layout_place(&module->layout, variable);
    *ret_size_bytes = variable->size_bytes;
    return true;
}
