#include "ptx/layout.h"

#include <string.h>

#include "ptx/program.h"

struct PtxPlaceEntry {
    const PtxVariable *variable;
    uint64_t place;
};

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* ---- the map ----------------------------------------------------------------------------------------------- */

static uint32_t place_slot(const PtxLayout *layout, const PtxVariable *variable)
{
    uint32_t slot = (uint32_t)(((uintptr_t)variable >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & layout->place_mask;
    while (layout->places[slot].variable && layout->places[slot].variable != variable)
        slot = (slot + 1) & layout->place_mask;
    return slot;
}

static void set_place(PtxLayout *layout, const PtxVariable *variable, uint64_t place)
{
    layout->places[place_slot(layout, variable)] = (struct PtxPlaceEntry){variable, place};
}

uint64_t ptx_layout_place(const PtxLayout *layout, const PtxVariable *variable)
{
    return layout->places[place_slot(layout, variable)].place;
}

bool ptx_variable_is_dynamic_shared(const PtxVariable *variable)
{
    return variable->space == PTX_SPACE_SHARED && variable->is_unsized;
}

static void init_map(PtxLayout *layout, Arena *arena, const PtxSyntax *syntax)
{
    uint64_t count = syntax->variable_count;
    for (uint32_t i = 0; i < syntax->function_count; i++) {
        const PtxFunction *function = syntax->functions[i];
        count += (uint64_t)function->variable_count + function->parameter_count + function->result_count;
    }
    uint64_t size = 16;
    while (size < 2 * count + 2)
        size *= 2;
    layout->places = arena_new_array(arena, struct PtxPlaceEntry, size);
    layout->place_mask = (uint32_t)(size - 1);
}

/* ---- offsets ----------------------------------------------------------------------------------------------- */

/* Appends a variable to an area that is `used` bytes long; returns the new length. */
static uint64_t append(PtxLayout *layout, const PtxVariable *variable, uint64_t used)
{
    const uint64_t natural = ptx_type_row(variable->type)->bytes;
    const uint64_t align = variable->align_bytes ? variable->align_bytes : natural;
    used = align_up(used, align);
    set_place(layout, variable, used);
    return used + variable->size_bytes;
}

static uint64_t append_all(PtxLayout *layout, PtxVariable *const *variables, uint32_t count, PtxSpace space,
                           uint64_t used)
{
    for (uint32_t i = 0; i < count; i++)
        if (variables[i]->space == space && !ptx_variable_is_dynamic_shared(variables[i]))
            used = append(layout, variables[i], used);
    return used;
}

/* Whether an operand of the function is the address of one of its parameters (not merely a load from it). */
static bool takes_parameter_address(const PtxFunction *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        for (uint32_t k = 0; k < instruction->operand_count; k++) {
            const PtxOperand *operand = &instruction->operands[k];
            if (operand->kind == PTX_OPERAND_VARIABLE && operand->variable->space == PTX_SPACE_PARAM)
                return true;
        }
    }
    return false;
}

static void lay_out_parameters(PtxLayout *layout, const PtxFunction *function, PtxFunctionLayout *ret)
{
    uint64_t used = append_all(layout, function->parameters, function->parameter_count, PTX_SPACE_PARAM, 0);
    if (function->is_entry) {
        ret->entry_parameter_bytes = (uint32_t)used;
        ret->copies_parameters = used > 0 && takes_parameter_address(function);
        used = ret->copies_parameters ? used : 0;
    } else {
        used = append_all(layout, function->results, function->result_count, PTX_SPACE_PARAM, used);
    }
    used = append_all(layout, function->variables, function->variable_count, PTX_SPACE_PARAM, used);
    ret->parameter_bytes = (uint32_t)align_up(used, 16);
}

/* ---- shared memory ----------------------------------------------------------------------------------------- */

/* Shared variables of module scope, and of functions that any entry may call, lie at the same offset for every entry.
 */
static uint64_t lay_out_common_shared(PtxLayout *layout, const PtxSyntax *syntax)
{
    uint64_t used = append_all(layout, syntax->variables, syntax->variable_count, PTX_SPACE_SHARED, 0);
    for (uint32_t i = 0; i < syntax->function_count; i++)
        if (!syntax->functions[i]->is_entry)
            used = append_all(layout, syntax->functions[i]->variables, syntax->functions[i]->variable_count,
                              PTX_SPACE_SHARED, used);
    return used;
}

static bool operand_is_common(const PtxSyntax *syntax, const PtxOperand *operand)
{
    if (operand->kind == PTX_OPERAND_VARIABLE && operand->variable->space == PTX_SPACE_SHARED)
        return operand->variable->index < syntax->variable_count &&
               syntax->variables[operand->variable->index] == operand->variable &&
               !ptx_variable_is_dynamic_shared(operand->variable);
    for (uint32_t i = 0; i < operand->item_count; i++)
        if (operand_is_common(syntax, &operand->items[i]))
            return true;
    return false;
}

static bool needs_common_shared(const PtxSyntax *syntax, const PtxFunction *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        if (strcmp(instruction->mnemonic, "call") == 0)
            return true;
        for (uint32_t k = 0; k < instruction->operand_count; k++)
            if (operand_is_common(syntax, &instruction->operands[k]))
                return true;
    }
    return false;
}

static uint64_t dynamic_align(const PtxSyntax *syntax)
{
    uint64_t align = 16;
    for (uint32_t i = 0; i < syntax->variable_count; i++)
        if (ptx_variable_is_dynamic_shared(syntax->variables[i]) && syntax->variables[i]->align_bytes > align)
            align = syntax->variables[i]->align_bytes;
    return align;
}

static void lay_out_functions(PtxLayout *layout, Arena *arena, const PtxSyntax *syntax)
{
    const uint64_t common = lay_out_common_shared(layout, syntax);
    const uint64_t align = dynamic_align(syntax);
    layout->functions = arena_new_array(arena, PtxFunctionLayout, (size_t)syntax->function_count + 1);
    layout->function_count = syntax->function_count;
    for (uint32_t i = 0; i < syntax->function_count; i++) {
        const PtxFunction *function = syntax->functions[i];
        PtxFunctionLayout *ret = &layout->functions[i];
        lay_out_parameters(layout, function, ret);
        ret->local_bytes = (uint32_t)align_up(
            append_all(layout, function->variables, function->variable_count, PTX_SPACE_LOCAL, 0), 16);
        if (!function->is_entry)
            continue;
        const uint64_t base = common > 0 && needs_common_shared(syntax, function) ? common : 0;
        const uint64_t end = append_all(layout, function->variables, function->variable_count, PTX_SPACE_SHARED, base);
        ret->static_shared_bytes = (uint32_t)end;
        ret->dynamic_shared_begin = (uint32_t)align_up(end, align);
    }
}

/* ---- device memory ----------------------------------------------------------------------------------------- */

static bool is_device(const PtxVariable *variable)
{
    return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

static bool allocate(PtxLayout *layout, const PtxVariable *variable, PtxMemory *memory, Error *error)
{
    if (!is_device(variable))
        return true;
    const uint64_t size = variable->size_bytes ? variable->size_bytes : 1;
    const uint64_t address = ptx_memory_allocate(memory, size, variable->name, variable->space == PTX_SPACE_CONST);
    if (address == 0)
        return error_input(error, "variable '%s' of %llu bytes does not fit into the machine's memory", variable->name,
                           (unsigned long long)size);
    set_place(layout, variable, address);
    layout->allocations[layout->allocation_count++] = address;
    return true;
}

static uint64_t relocated_value(const PtxLayout *layout, const PtxRelocation *relocation)
{
    uint64_t value =
        relocation->function ? PTX_FUNCTION_BASE + (uint64_t)relocation->function->index * PTX_FUNCTION_STEP : 0;
    if (relocation->variable) {
        value = ptx_layout_place(layout, relocation->variable);
        if (relocation->is_generic && relocation->variable->space == PTX_SPACE_SHARED)
            value += PTX_SHARED_WINDOW;
    }
    return (value + (uint64_t)relocation->addend) >> (relocation->shift & 63);
}

static void fill(const PtxLayout *layout, const PtxVariable *variable, PtxMemory *memory)
{
    if (!is_device(variable))
        return;
    const uint64_t address = ptx_layout_place(layout, variable);
    if (variable->image)
        (void)ptx_memory_write(memory, address, variable->image, variable->size_bytes);
    for (size_t i = 0; i < variable->relocation_count; i++) {
        const PtxRelocation *relocation = &variable->relocations[i];
        const uint64_t value = relocated_value(layout, relocation);
        if (relocation->bytes <= sizeof value) /* outside of the variable: the parser refused it */
            (void)ptx_memory_write(memory, address + relocation->offset, &value, relocation->bytes);
    }
}

typedef bool VisitVariable(PtxLayout *layout, const PtxVariable *variable, PtxMemory *memory, Error *error);

static bool fill_visit(PtxLayout *layout, const PtxVariable *variable, PtxMemory *memory, Error *error)
{
    (void)error;
    fill(layout, variable, memory);
    return true;
}

static bool visit_variables(PtxLayout *layout, const PtxSyntax *syntax, PtxMemory *memory, VisitVariable *visit,
                            Error *error)
{
    for (uint32_t i = 0; i < syntax->variable_count; i++)
        if (!visit(layout, syntax->variables[i], memory, error))
            return false;
    for (uint32_t i = 0; i < syntax->function_count; i++)
        for (uint32_t k = 0; k < syntax->functions[i]->variable_count; k++)
            if (!visit(layout, syntax->functions[i]->variables[k], memory, error))
                return false;
    return true;
}

bool ptx_layout_init(PtxLayout *layout, Arena *arena, const PtxSyntax *syntax, PtxMemory *memory, Error *error)
{
    *layout = (PtxLayout){0};
    init_map(layout, arena, syntax);
    layout->allocations = arena_new_array(arena, uint64_t, (size_t)layout->place_mask + 1);
    lay_out_functions(layout, arena, syntax);
    if (visit_variables(layout, syntax, memory, allocate, error))
        return visit_variables(layout, syntax, memory, fill_visit, error);
    ptx_layout_release(layout, memory);
    return false;
}

void ptx_layout_release(const PtxLayout *layout, PtxMemory *memory)
{
    for (uint32_t i = 0; i < layout->allocation_count; i++)
        (void)ptx_memory_free(memory, layout->allocations[i]);
}
