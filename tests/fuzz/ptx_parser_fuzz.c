/* Fuzz entry of the PTX parser: whatever the text, either an error has a place within it and a reason, or every index
 * and pointer of the result leads somewhere. The input is in memory of its own size. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int has_nonzero(const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (bytes[i])
            return 1;
    return 0;
}

static void check_variable(const PtxVariable *variable)
{
    require(variable->name != NULL && variable->align_bytes > 0);
    require((variable->align_bytes & (variable->align_bytes - 1)) == 0);
    const uint64_t bytes = (uint64_t)ptx_type_row(variable->type)->bytes * variable->vector;
    require(variable->size_bytes == bytes * variable->element_count);
    for (size_t i = 0; i < variable->relocation_count; i++) {
        const PtxRelocation *relocation = &variable->relocations[i];
        require(relocation->offset + relocation->bytes <= variable->size_bytes && relocation->shift < 64);
        require((relocation->variable != NULL) != (relocation->function != NULL));
    }
    if (variable->image)
        require(has_nonzero(variable->image, variable->size_bytes));
}

static void check_variables(PtxVariable *const *variables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        check_variable(variables[i]);
}

static void check_table(const PtxFunction *function, const PtxTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->labels)
            require(table->labels[i] <= function->instruction_count);
        else
            require(table->functions[i]->name != NULL);
    }
    require(table->count > 0 || table->prototype != NULL);
}

static void check_operand(const PtxFunction *function, const PtxOperand *operand)
{
    require(operand->place.line > 0 && operand->place.column > 0);
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        require(operand->index < function->register_count);
        require(operand->component < function->registers[operand->index].vector);
        break;
    case PTX_OPERAND_SPECIAL: require(operand->special[0] != '\0' && operand->component < 4); break;
    case PTX_OPERAND_VARIABLE: check_variable(operand->variable); break;
    case PTX_OPERAND_FUNCTION: require(operand->function->name != NULL); break;
    case PTX_OPERAND_LABEL: require(operand->index <= function->instruction_count); break;
    case PTX_OPERAND_TABLE: check_table(function, operand->table); break;
    case PTX_OPERAND_ADDRESS: require(operand->item_count > 0); break;
    case PTX_OPERAND_PAIR: require(operand->item_count == 2); break;
    default: break;
    }
    for (uint32_t i = 0; i < operand->item_count; i++)
        check_operand(function, &operand->items[i]);
}

static void check_instruction(const PtxSyntax *syntax, const PtxFunction *function, const PtxInstruction *instruction)
{
    require(instruction->mnemonic[0] != '\0' && instruction->modifier_count <= PTX_MODIFIERS_MAX);
    for (uint32_t i = 0; i < instruction->modifier_count; i++)
        require(instruction->modifiers[i][0] != '\0');
    if (instruction->is_guarded)
        require(function->registers[instruction->guard].type == PTX_TYPE_PRED);
    for (const PtxSourceLocation *at = instruction->location; at; at = at->inlined_at)
        require(at->file < syntax->file_count);
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        check_operand(function, &instruction->operands[i]);
}

static void check_function(const PtxSyntax *syntax, const PtxFunction *function)
{
    check_variables(function->parameters, function->parameter_count);
    check_variables(function->results, function->result_count);
    check_variables(function->variables, function->variable_count);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        check_instruction(syntax, function, &function->instructions[i]);
    for (uint32_t i = 0; i < function->label_count; i++) {
        require(function->label_names[i] != NULL && function->label_targets[i] <= function->instruction_count);
        require(i == 0 || function->label_targets[i - 1] <= function->label_targets[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_arena Arena *arena = arena_new();
    PtxSyntaxError error = {0};
    const PtxSyntax *syntax = ptx_parse(arena, "fuzz.ptx", (const char *)data, size, &error);
    if (!syntax) {
        require(error.message[0] != '\0' && error.place.line > 0 && error.place.line <= size + 1);
        return 0;
    }
    check_variables(syntax->variables, syntax->variable_count);
    for (uint32_t i = 0; i < syntax->variable_count; i++)
        require(syntax->variables[i]->index == i);
    for (uint32_t i = 0; i < syntax->function_count; i++) {
        require(syntax->functions[i]->index == i);
        check_function(syntax, syntax->functions[i]);
    }
    return 0;
}
