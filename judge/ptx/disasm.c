/* A module told to people: every instruction's fate, and the program as it runs. */
#include <inttypes.h>
#include <string.h>

#include "ptx/executor.h"
#include "ptx/finding.h"
#include "ptx/module.h"

const char *ptx_executor_name(size_t index, bool *ret_is_usable)
{
    const PtxExecutor *executor = ptx_executor_at(index, ret_is_usable);
    return executor ? executor->name : NULL;
}

/* ---- facts ------------------------------------------------------------------------------------------------- */

/* By instruction of a function: the text of its trap, NULL if it is implemented. */
static const char **unknown_reasons(const PtxModule *module, const PtxProgramFunction *function, PtxHandler unknown)
{
    const char **reasons =
        arena_new_array(module->arena, const char *, (size_t)function->syntax->instruction_count + 1);
    for (uint32_t i = 0; i < function->op_count; i++) {
        const PtxOp *op = &function->ops[i];
        if (op->run == unknown || op->guarded == unknown)
            reasons[op->instruction] = op->text;
    }
    return reasons;
}

static const char *family_of(const PtxOpcodeIndex *index, const PtxInstruction *instruction)
{
    PtxOpcodeMatch match;
    char message[200];
    return ptx_opcode_match(index, instruction, &match, message, sizeof message) ? ptx_family_name(match.opcode->family)
                                                                                 : "unknown";
}

void ptx_module_visit(const PtxModule *module, void (*visit)(void *context, const PtxInstructionFact *fact),
                      void *context)
{
    for (uint32_t i = 0; i < module->program->function_count; i++) {
        const PtxProgramFunction *function = &module->program->functions[i];
        if (!function->syntax->has_body)
            continue;
        const char **reasons = unknown_reasons(module, function, module->unknown);
        for (uint32_t k = 0; k < function->syntax->instruction_count; k++) {
            const PtxInstructionFact fact = {
                .where = ptx_where(module->syntax, function->syntax, k, module->arena),
                .family = family_of(module->opcodes, &function->syntax->instructions[k]),
                .reason = reasons[k],
            };
            visit(context, &fact);
        }
    }
}

/* ---- the program ------------------------------------------------------------------------------------------- */

static void print_slots(const PtxOp *op, FILE *stream)
{
    static const char names[] = {'d', 'q', 'a', 'b', 'c', 'e'};
    const uint32_t slots[] = {op->d, op->q, op->a, op->b, op->c, op->e};
    for (size_t i = 0; i < sizeof names; i++)
        if (slots[i])
            fprintf(stream, " %c=%u", names[i], slots[i]);
    if (op->slot_count) {
        fputs(" slots=", stream);
        for (uint32_t i = 0; i < op->slot_count; i++)
            fprintf(stream, "%s%u", i ? "," : "", op->slots[i]);
    }
}

static void print_op(const PtxModule *module, const PtxProgramFunction *function, const PtxOp *op, FILE *stream)
{
    const PtxHandler run = op->guarded ? op->guarded : op->run;
    const char *name = ptx_handler_name(module->handlers, run);
    fprintf(stream, "  %5u  %-22s", (uint32_t)(op - function->ops), name ? name : "?");
    if (op->guarded)
        fprintf(stream, " @%s%u", op->is_guard_negated ? "!" : "", op->guard);
    print_slots(op, stream);
    if (name && strncmp(name, "branch", 6) == 0) {
        if (!op->guarded && op->guard)
            fprintf(stream, " @%s%u", op->is_guard_negated ? "!" : "", op->guard);
        if (strcmp(name, "branch_table") != 0)
            fprintf(stream, " -> %u", (uint32_t)(op->target - function->ops));
    } else if (run == module->unknown) {
        fprintf(stream, " (%s)", op->text);
    } else if (op->imm && !(name && strncmp(name, "call", 4) == 0)) {
        fprintf(stream, " imm=%" PRId64, op->imm);
    }
    fputc('\n', stream);
}

static void print_function(const PtxModule *module, const PtxProgramFunction *function, FILE *stream)
{
    fprintf(stream, "%s %s: %u blocks, %u records, frame %u bytes, local %u bytes a lane, shared %u bytes\n",
            function->syntax->is_entry ? "entry" : "func", function->syntax->name, function->block_count,
            function->op_count, function->frame_bytes, function->local_bytes, function->static_shared_bytes);
    uint32_t block = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < function->op_count; i++) {
        const PtxOp *op = &function->ops[i];
        if (block < function->block_count && function->blocks[block].first_op == i)
            fprintf(stream, " block %u\n", block++);
        if (op->instruction != last && op->instruction < function->syntax->instruction_count) {
            auto_arena Arena *arena = arena_new();
            const PtxWhere where = ptx_where(module->syntax, function->syntax, op->instruction, arena);
            fprintf(stream, "    ; %u:%u %s\n", where.ptx_line, where.ptx_column, where.instruction);
            last = op->instruction;
        }
        print_op(module, function, op, stream);
    }
}

void ptx_module_print(const PtxModule *module, FILE *stream)
{
    for (uint32_t i = 0; i < module->program->function_count; i++)
        if (module->program->functions[i].syntax->has_body)
            print_function(module, &module->program->functions[i], stream);
}
