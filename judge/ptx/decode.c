/* Decoding: one pass over each function's blocks in their order, an instruction into one record or a few.
 *
 * An instruction becomes: records that bring its sources into the form that its row promises (a special register read
 * into scratch, a wide register narrowed), its own record, records that widen its results. A guarded instruction's
 * records each carry the guard. What waits or leaves and is guarded is branched around instead (flow.h). */
#include "ptx/decode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "ptx/async.h"
#include "ptx/collective.h"
#include "ptx/flow.h"
#include "ptx/special.h"
#include "ptx/warp.h"

/* ---- handlers by name -------------------------------------------------------------------------------------- */

struct PtxHandlerIndex {
    PtxHandlerRow *rows; /* open hash by name */
    uint32_t mask;
};

static PtxHandlerRow *handler_slot(const PtxHandlerIndex *index, const char *name)
{
    uint32_t slot = ptx_word_hash(name, strlen(name)) & index->mask;
    while (index->rows[slot].name && strcmp(index->rows[slot].name, name) != 0)
        slot = (slot + 1) & index->mask;
    return &index->rows[slot];
}

/* The same for every executor. */
static const PtxHandlerRow *const common_tables[] = {
    ptx_control_handlers,
    ptx_call_handlers,
    ptx_collective_handlers,
    ptx_barrier_handlers,
    ptx_special_handlers,
    ptx_async_handlers,
    NULL,
};

static size_t count_rows(const PtxHandlerRow *const *tables)
{
    size_t count = 0;
    for (; *tables; tables++)
        for (const PtxHandlerRow *row = *tables; row->name; row++)
            count++;
    return count;
}

static void add_rows(PtxHandlerIndex *index, const PtxHandlerRow *const *tables)
{
    for (; *tables; tables++)
        for (const PtxHandlerRow *row = *tables; row->name; row++)
            *handler_slot(index, row->name) = *row;
}

PtxHandlerIndex *ptx_handler_index_new(Arena *arena, const PtxExecutor *executor)
{
    const size_t count = count_rows(executor->tables) + count_rows(common_tables);
    size_t size = 16;
    while (size < 2 * count + 2)
        size *= 2;
    PtxHandlerIndex *index = arena_alloc(arena, sizeof *index);
    index->rows = arena_new_array(arena, PtxHandlerRow, size);
    index->mask = (uint32_t)(size - 1);
    add_rows(index, executor->tables);
    add_rows(index, common_tables);
    return index;
}

PtxHandler ptx_handler_find(const PtxHandlerIndex *index, const char *name)
{
    return handler_slot(index, name)->run;
}

const char *ptx_handler_name(const PtxHandlerIndex *index, PtxHandler handler)
{
    for (uint32_t i = 0; i <= index->mask; i++)
        if (index->rows[i].name && index->rows[i].run == handler)
            return index->rows[i].name;
    return NULL;
}

/* ---- state of one function's decoding ---------------------------------------------------------------------- */

typedef struct Constant {
    uint64_t value[2];
    uint32_t width, slot; /* bytes of a lane: 0 predicate, 4, 8, 16; slot 0: free entry */
} Constant;

typedef struct Fixup {
    uint32_t op, block; /* op->target is the first op of that block */
} Fixup;

typedef struct TableFixup {
    const PtxOp **target;
    uint32_t block;
} TableFixup;

enum { SCRATCH_CLASSES = 4, SCRATCH_MAX = 64 };

typedef struct Decoder {
    const PtxDecodeContext *context;
    Arena *scratch_arena;
    PtxProgram *program;
    PtxProgramFunction *ret;
    const PtxFunction *function;
    const PtxFunctionLayout *layout;
    const PtxFlow *flow;
    Buffer ops, fixups, table_fixups; /* of PtxOp, Fixup, TableFixup */
    Constant *constants;              /* open hash */
    uint32_t constant_mask, constant_count;
    uint64_t frame_bytes;
    uint32_t scratch_slots[SCRATCH_CLASSES][SCRATCH_MAX], scratch_used[SCRATCH_CLASSES];
    /* of the current instruction */
    const PtxInstruction *instruction;
    uint32_t instruction_index, block;
    uint8_t next_hint;
    char problem[200];
} Decoder;

static bool fail(Decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Decoder *decoder, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(decoder->problem, sizeof decoder->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- slots ------------------------------------------------------------------------------------------------- */

/* Bytes of a lane in a slot for a value of `bytes` in memory; 0 for a predicate. */
static uint32_t lane_bytes(PtxType type)
{
    return type == PTX_TYPE_PRED ? 0 : ptx_lane_bytes(ptx_type_row(type)->bytes);
}

static uint32_t new_slot(Decoder *decoder, uint32_t width)
{
    const uint64_t align = width ? 64 : 4;
    const uint64_t bytes = width ? (uint64_t)width * PTX_WARP_LANES : 4;
    const uint64_t at = (decoder->frame_bytes + align - 1) / align * align;
    decoder->frame_bytes = at + bytes;
    return (uint32_t)at;
}

static uint32_t scratch_slot(Decoder *decoder, uint32_t width)
{
    const uint32_t class = width == 0 ? 0 : width == 4 ? 1 : width == 8 ? 2 : 3;
    const uint32_t used = decoder->scratch_used[class]++;
    if (used >= SCRATCH_MAX)
        return new_slot(decoder, width);
    uint32_t *slot = &decoder->scratch_slots[class][used];
    if (*slot == 0)
        *slot = new_slot(decoder, width);
    return *slot;
}

static Constant *constant_entry(const Decoder *decoder, const uint64_t value[2], uint32_t width)
{
    uint64_t hash = (value[0] * UINT64_C(0x9E3779B97F4A7C15)) ^ (value[1] + width);
    uint32_t at = (uint32_t)(hash >> 29) & decoder->constant_mask;
    for (;; at = (at + 1) & decoder->constant_mask) {
        Constant *constant = &decoder->constants[at];
        if (constant->slot == 0 ||
            (constant->width == width && constant->value[0] == value[0] && constant->value[1] == value[1]))
            return constant;
    }
}

static void grow_constants(Decoder *decoder)
{
    Constant *old = decoder->constants;
    const uint32_t old_size = old ? decoder->constant_mask + 1 : 0;
    const uint32_t size = old_size ? old_size * 2 : 64;
    decoder->constants = arena_new_array(decoder->scratch_arena, Constant, size);
    decoder->constant_mask = size - 1;
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].slot)
            *constant_entry(decoder, old[i].value, old[i].width) = old[i];
}

static uint32_t constant_slot(Decoder *decoder, uint64_t low, uint64_t high, uint32_t width)
{
    const uint64_t value[2] = {low, high};
    if (2 * decoder->constant_count + 2 > decoder->constant_mask)
        grow_constants(decoder);
    Constant *constant = constant_entry(decoder, value, width);
    if (constant->slot == 0) {
        *constant = (Constant){.value = {low, high}, .width = width, .slot = new_slot(decoder, width)};
        decoder->constant_count++;
    }
    return constant->slot;
}

static void write_constant(uint8_t *image, const Constant *constant)
{
    if (constant->width == 0) {
        const uint32_t word = constant->value[0] ? UINT32_MAX : 0;
        memcpy(image + constant->slot, &word, sizeof word);
        return;
    }
    for (uint32_t lane = 0; lane < PTX_WARP_LANES; lane++)
        memcpy(image + constant->slot + (size_t)lane * constant->width, constant->value, constant->width);
}

static uint32_t register_slot(const Decoder *decoder, const PtxOperand *operand)
{
    const PtxRegister *reg = &decoder->function->registers[operand->index];
    const uint32_t width = lane_bytes(reg->type);
    return decoder->ret->register_slots[operand->index] + operand->component * (width ? width * PTX_WARP_LANES : 4);
}

/* ---- emitting ---------------------------------------------------------------------------------------------- */

static PtxOp *op_at(Decoder *decoder, uint32_t index)
{
    return (PtxOp *)(void *)decoder->ops.data + index;
}

static uint32_t op_count(const Decoder *decoder)
{
    return (uint32_t)(decoder->ops.size / sizeof(PtxOp));
}

static PtxOp new_op(const Decoder *decoder, PtxHandler run)
{
    return (PtxOp){.run = run, .instruction = decoder->instruction_index, .block = decoder->block};
}

static void emit(Decoder *decoder, const PtxOp *op)
{
    buffer_append(&decoder->ops, op, sizeof *op);
}

static PtxHandler find_handler(const Decoder *decoder, const char *name)
{
    return ptx_handler_find(decoder->context->handlers, name);
}

static bool emit_named(Decoder *decoder, const char *name, uint32_t d, uint32_t a, int64_t imm)
{
    PtxOp op = new_op(decoder, find_handler(decoder, name));
    if (!op.run)
        return fail(decoder, "the machine has no %s", name);
    op.d = d;
    op.a = a;
    op.imm = imm;
    emit(decoder, &op);
    return true;
}

static void emit_branch(Decoder *decoder, const char *handler, uint32_t guard, bool is_negated, uint32_t block)
{
    PtxOp op = new_op(decoder, find_handler(decoder, handler));
    assert(op.run);
    op.guard = guard;
    op.is_guard_negated = is_negated;
    const Fixup fixup = {op_count(decoder), block};
    buffer_append(&decoder->fixups, &fixup, sizeof fixup);
    emit(decoder, &op);
}

/* ---- sources ----------------------------------------------------------------------------------------------- */

static const char *special_handler(PtxSpecial special, uint32_t width)
{
    if (width == 0)
        return "special_pred";
    if (width == 8)
        return "special_u64";
    if (special >= PTX_SPECIAL_TID_X && special <= PTX_SPECIAL_TID_Z)
        return "special_tid";
    const bool differs =
        special == PTX_SPECIAL_LANEID || (special >= PTX_SPECIAL_LANEMASK_EQ && special <= PTX_SPECIAL_LANEMASK_GT);
    return differs ? "special_u32" : "special_uniform";
}

static bool special_source(Decoder *decoder, const PtxOperand *operand, uint32_t width, uint32_t *ret_slot)
{
    PtxSpecial special;
    PtxType type;
    if (!ptx_special_find(operand->special, operand->component, &special, &type))
        return fail(decoder, "the machine has no special register %%%s", operand->special);
    *ret_slot = scratch_slot(decoder, width);
    return emit_named(decoder, special_handler(special, width), *ret_slot, 0, special);
}

/* The value of a variable's name: its address in its own space. */
static bool address_source(Decoder *decoder, const PtxOperand *operand, uint32_t width, uint32_t *ret_slot)
{
    if (!ptx_variable_is_dynamic_shared(operand->variable)) {
        const uint64_t address =
            ptx_layout_place(decoder->context->layout, operand->variable) + (uint64_t)operand->offset;
        *ret_slot = constant_slot(decoder, width == 4 ? (uint32_t)address : address, 0, width);
        return true;
    }
    *ret_slot = scratch_slot(decoder, width);
    if (!emit_named(decoder, special_handler(PTX_SPECIAL_DYNAMIC_SHARED_BEGIN, width), *ret_slot, 0,
                    PTX_SPECIAL_DYNAMIC_SHARED_BEGIN))
        return false;
    if (operand->offset == 0)
        return true;
    PtxOp op = new_op(decoder, find_handler(decoder, width == 8 ? "add_u64" : "add_u32"));
    op.d = op.a = *ret_slot;
    op.b = constant_slot(decoder, (uint64_t)operand->offset, 0, width);
    emit(decoder, &op);
    return op.run != NULL;
}

static bool register_source(Decoder *decoder, const PtxRole *role, const PtxOperand *operand, uint32_t *ret_slot)
{
    const PtxRegister *reg = &decoder->function->registers[operand->index];
    const uint32_t has = ptx_type_row(reg->type)->bytes, wants = ptx_type_row(role->type)->bytes;
    *ret_slot = register_slot(decoder, operand);
    if (operand->text)
        return fail(decoder, "selectors of parts of a register (%s.%s) are not supported", reg->name, operand->text);
    if ((reg->type == PTX_TYPE_PRED) != (role->type == PTX_TYPE_PRED))
        return fail(decoder, "%s is not of the type that is wanted here", reg->name);
    if (has < wants || (has > wants && !role->may_be_wider))
        return fail(decoder, "%s has %u bits where %u are wanted", reg->name, has * 8, wants * 8);
    if (lane_bytes(reg->type) == lane_bytes(role->type))
        return true;
    const uint32_t wide = *ret_slot;
    *ret_slot = scratch_slot(decoder, 4);
    if (has != 8)
        return fail(decoder, "%s is too wide", reg->name);
    return emit_named(decoder, "narrow_64", *ret_slot, wide, 0);
}

static double float_operand(const PtxOperand *operand)
{
    if (operand->is_single) {
        const uint32_t bits = (uint32_t)operand->integer;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &operand->integer, sizeof value);
    return value;
}

/* Bits of a literal as a value of the type. A literal with an explicit width (0f, 0d) is taken as bits if it has that
 * width. */
static uint64_t literal_bits(const PtxOperand *operand, PtxType type)
{
    const PtxTypeRow *row = ptx_type_row(type);
    if (operand->kind == PTX_OPERAND_INTEGER)
        return row->bytes >= 8 || row->bytes == 0 ? operand->integer
                                                  : operand->integer & ((UINT64_C(1) << (8 * row->bytes)) - 1);
    if (row->bytes <= 4) {
        const float value = (float)float_operand(operand);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        return operand->is_single ? operand->integer : bits;
    }
    const double value = float_operand(operand);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool source(Decoder *decoder, const PtxRole *role, const PtxOperand *operand, uint32_t *ret_slot)
{
    const uint32_t width = lane_bytes(role->type);
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER: return register_source(decoder, role, operand, ret_slot);
    case PTX_OPERAND_SPECIAL: return special_source(decoder, operand, width, ret_slot);
    case PTX_OPERAND_VARIABLE: return address_source(decoder, operand, width, ret_slot);
    case PTX_OPERAND_FUNCTION:
        *ret_slot =
            constant_slot(decoder, PTX_FUNCTION_BASE + (uint64_t)operand->function->index * PTX_FUNCTION_STEP, 0, 8);
        return width == 8 || fail(decoder, "a function's address has 64 bits");
    case PTX_OPERAND_INTEGER:
    case PTX_OPERAND_FLOAT: {
        const bool is_negative = operand->kind == PTX_OPERAND_INTEGER && (int64_t)operand->integer < 0 && width == 16;
        *ret_slot = constant_slot(decoder, literal_bits(operand, role->type), is_negative ? UINT64_MAX : 0, width);
        return true;
    }
    case PTX_OPERAND_SINK: *ret_slot = 0; return true;
    default: return fail(decoder, "an operand is not a value");
    }
}

/* ---- destinations ------------------------------------------------------------------------------------------ */

typedef struct Widening {
    uint32_t narrow, slot;
    char handler[24];
} Widening;

enum { WIDENINGS_MAX = 16 };

typedef struct Results {
    Widening widenings[WIDENINGS_MAX];
    uint32_t count;
} Results;

/* The record after the instruction that brings a result into a register that is wider than it. Loads extend to a whole
 * 32-bit lane by themselves. */
static bool widen(Decoder *decoder, Results *results, PtxType type, uint32_t register_width, uint32_t slot,
                  uint32_t *ret_slot)
{
    if (results->count == WIDENINGS_MAX)
        return fail(decoder, "too many results are narrower than their registers");
    Widening *widening = &results->widenings[results->count++];
    const PtxTypeRow *row = ptx_type_row(type);
    *widening = (Widening){.narrow = scratch_slot(decoder, 4), .slot = slot};
    snprintf(widening->handler, sizeof widening->handler, "widen_%c%u_%u", row->class == PTX_CLASS_SIGNED ? 's' : 'u',
             (unsigned)(row->bytes * 8), (unsigned)(register_width * 8));
    *ret_slot = widening->narrow;
    return true;
}

static bool destination(Decoder *decoder, Results *results, const PtxRole *role, const PtxOperand *operand,
                        uint32_t *ret_slot)
{
    if (operand->kind == PTX_OPERAND_SINK) {
        *ret_slot = scratch_slot(decoder, lane_bytes(role->type));
        return true;
    }
    const PtxRegister *reg = &decoder->function->registers[operand->index];
    const uint32_t has = ptx_type_row(reg->type)->bytes, wants = ptx_type_row(role->type)->bytes;
    *ret_slot = register_slot(decoder, operand);
    if ((reg->type == PTX_TYPE_PRED) != (role->type == PTX_TYPE_PRED))
        return fail(decoder, "%s is not of the type that is written here", reg->name);
    if (has < wants || (has > wants && !role->may_be_wider))
        return fail(decoder, "%s has %u bits where %u are written", reg->name, has * 8, wants * 8);
    if (has <= wants || has == 2)
        return true;
    const bool is_load = strncmp(decoder->instruction->mnemonic, "ld", 2) == 0;
    if (has == 4 && is_load)
        return true;
    return has <= 8 ? widen(decoder, results, role->type, has, *ret_slot, ret_slot)
                    : fail(decoder, "%s is too wide", reg->name);
}

/* ---- addresses --------------------------------------------------------------------------------------------- */

typedef struct Address {
    uint32_t base;
    int64_t offset;
    PtxAddress kind;
} Address;

static bool variable_address(Decoder *decoder, const PtxOperand *base, PtxSpace space, Address *ret)
{
    const PtxVariable *variable = base->variable;
    ret->offset += base->offset + (space == PTX_SPACE_NONE ? (int64_t)ptx_window(variable->space) : 0);
    if (!ptx_variable_is_dynamic_shared(variable)) {
        ret->offset += (int64_t)ptx_layout_place(decoder->context->layout, variable);
        return true;
    }
    ret->kind = PTX_ADDRESS_64;
    ret->base = scratch_slot(decoder, 8);
    return emit_named(decoder, "special_u64", ret->base, 0, PTX_SPECIAL_DYNAMIC_SHARED_BEGIN);
}

static bool address(Decoder *decoder, const PtxOperand *operand, PtxSpace space, Address *ret)
{
    *ret = (Address){.offset = operand->offset};
    if (operand->item_count != 1)
        return fail(decoder, "the machine has no tensor or texture addresses");
    const PtxOperand *base = &operand->items[0];
    if (base->kind == PTX_OPERAND_VARIABLE)
        return variable_address(decoder, base, space, ret);
    if (base->kind == PTX_OPERAND_INTEGER) {
        ret->offset += (int64_t)base->integer;
        return true;
    }
    if (base->kind != PTX_OPERAND_REGISTER)
        return fail(decoder, "the address is neither a register nor a variable");
    const PtxRegister *reg = &decoder->function->registers[base->index];
    const uint32_t bytes = ptx_type_row(reg->type)->bytes;
    if (bytes != 4 && bytes != 8)
        return fail(decoder, "%s has %u bits and can't be an address", reg->name, bytes * 8);
    ret->base = register_slot(decoder, base);
    ret->kind = bytes == 8 ? PTX_ADDRESS_64 : PTX_ADDRESS_32;
    return true;
}

/* ---- one record from its row ------------------------------------------------------------------------------- */

typedef struct Roles {
    PtxOp op;
    Results results;
    uint32_t slots[64 + 8];
    uint32_t slot_count;
    bool has_constant;
} Roles;

static void apply_modifiers(const PtxInstruction *instruction, PtxOp *op)
{
    static const struct {
        const char *word;
        uint16_t offset, size;
        uint32_t value;
    } rows[] = {
#define PTX_MODIFIER(word, field, value) {word, offsetof(PtxOp, field), sizeof op->field, value},
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
    };
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        const char *word = instruction->modifiers[i];
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (word[0] != rows[k].word[0] || strcmp(word, rows[k].word) != 0)
                continue;
            uint8_t *field = (uint8_t *)op + rows[k].offset;
            if (rows[k].size == sizeof op->flags)
                op->flags |= rows[k].value;
            else
                *field = (uint8_t)rows[k].value;
            break;
        }
    }
}

static bool add_slot(Decoder *decoder, Roles *roles, uint32_t slot)
{
    if (roles->slot_count == sizeof roles->slots / sizeof *roles->slots)
        return fail(decoder, "too many registers in vectors");
    roles->slots[roles->slot_count++] = slot;
    return true;
}

static bool vector_role(Decoder *decoder, Roles *roles, const PtxRole *role, const PtxOperand *operand)
{
    for (uint32_t i = 0; i < operand->item_count; i++) {
        uint32_t slot;
        const bool is_right = role->letter == 'd'
                                  ? destination(decoder, &roles->results, role, &operand->items[i], &slot)
                                  : source(decoder, role, &operand->items[i], &slot);
        if (!is_right || !add_slot(decoder, roles, slot))
            return false;
    }
    return true;
}

static bool source_role(Decoder *decoder, Roles *roles, const PtxRole *role, const PtxOperand *operand)
{
    PtxOp *op = &roles->op;
    uint32_t *slot = role->letter == 'a'   ? &op->a
                     : role->letter == 'b' ? &op->b
                     : role->letter == 'c' ? &op->c
                                           : &op->e;
    if (operand->is_negated)
        op->flags |= role->letter == 'a'   ? PTX_FLAG_NEGATE_A
                     : role->letter == 'b' ? PTX_FLAG_NEGATE_B
                                           : PTX_FLAG_NEGATE_C;
    if (role->letter == 'c')
        op->flags |= PTX_FLAG_HAS_C;
    if (role->letter == 'e')
        op->flags |= PTX_FLAG_HAS_E;
    return source(decoder, role, operand, slot);
}

/* The third address of bulk copies has no fields of its own: base c, its kind where a vector's length stands, offset q.
 */
static void put_third_address(PtxOp *op, const Address *at)
{
    op->c = at->base;
    op->vector = (uint8_t)at->kind;
    op->q = (uint32_t)at->offset;
}

static bool address_role(Decoder *decoder, Roles *roles, const PtxRole *role, const PtxOperand *operand)
{
    Address at;
    PtxOp *op = &roles->op;
    if (!address(decoder, operand, role->letter == 'A' ? (PtxSpace)op->space : PTX_SPACE_GLOBAL, &at))
        return false;
    if (role->letter == 'C') {
        put_third_address(op, &at);
    } else if (role->letter == 'A') {
        op->a = at.base;
        op->imm = at.offset;
        op->address = (uint8_t)at.kind;
    } else {
        op->b = at.base;
        op->imm2 = at.offset;
        op->address2 = (uint8_t)at.kind;
    }
    return true;
}

static bool fill_role(Decoder *decoder, Roles *roles, const PtxRole *role, const PtxOperand *operand)
{
    if (role->is_vector)
        return vector_role(decoder, roles, role, operand);
    switch (role->letter) {
    case 'd': return destination(decoder, &roles->results, role, operand, &roles->op.d);
    case 'q':
        roles->op.flags |= PTX_FLAG_HAS_Q;
        return destination(decoder, &roles->results, role, operand, &roles->op.q);
    case 'A':
    case 'B':
    case 'C': return address_role(decoder, roles, role, operand);
    case 'i': roles->op.imm = (int64_t)operand->integer; return true;
    case 'X': return true;
    default: return source_role(decoder, roles, role, operand);
    }
}

static bool fill_roles(Decoder *decoder, const PtxOpcodeMatch *match, Roles *roles)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < match->role_count && next < decoder->instruction->operand_count; i++) {
        const PtxOperand *operand = &decoder->instruction->operands[next++];
        const bool has_second = i + 1 < match->role_count && match->roles[i + 1].is_second;
        const bool is_pair = operand->kind == PTX_OPERAND_PAIR;
        if (!fill_role(decoder, roles, &match->roles[i], is_pair ? &operand->items[0] : operand))
            return false;
        if (is_pair && !fill_role(decoder, roles, &match->roles[i + 1], &operand->items[1]))
            return false;
        i += has_second;
    }
    return true;
}

static void finish_roles(Decoder *decoder, Roles *roles)
{
    if (roles->slot_count) {
        uint32_t *slots = arena_new_array(decoder->context->arena, uint32_t, roles->slot_count);
        memcpy(slots, roles->slots, roles->slot_count * sizeof *slots);
        roles->op.slots = slots;
        roles->op.slot_count = (uint16_t)roles->slot_count;
    }
    emit(decoder, &roles->op);
}

static bool emit_widenings(Decoder *decoder, const Results *results)
{
    for (uint32_t i = 0; i < results->count; i++)
        if (!emit_named(decoder, results->widenings[i].handler, results->widenings[i].slot,
                        results->widenings[i].narrow, 0))
            return false;
    return true;
}

static bool decode_by_row(Decoder *decoder, const PtxOpcodeMatch *match, const char *name)
{
    Roles roles = {.op = new_op(decoder, find_handler(decoder, name))};
    const int collective = roles.op.run ? -1 : ptx_collective_find(name);
    if (collective >= 0) {
        roles.op.run = find_handler(decoder, "collective");
        roles.op.imm2 = collective;
    }
    if (!roles.op.run)
        return fail(decoder, "the machine does not implement this form (%s)", name);
    apply_modifiers(decoder->instruction, &roles.op);
    roles.op.type = (uint8_t)match->types[0];
    roles.op.type2 = (uint8_t)match->types[1];
    roles.op.type3 = (uint8_t)match->types[2];
    if (roles.op.space == PTX_SPACE_NONE && roles.op.vector == 0)
        roles.op.vector = 1;
    roles.op.hint = decoder->next_hint++;
    if (!fill_roles(decoder, match, &roles))
        return false;
    finish_roles(decoder, &roles);
    return emit_widenings(decoder, &roles.results);
}

/* ---- instructions that look at their operands themselves --------------------------------------------------- */

/* A name that begins with "@" in the handler column. */
typedef bool DecodeCustom(Decoder *decoder, const PtxOpcodeMatch *match);

static uint32_t guard_slot(const Decoder *decoder)
{
    return decoder->ret->register_slots[decoder->instruction->guard];
}

static uint32_t position_of(const Decoder *decoder, uint32_t instruction)
{
    const uint32_t block = decoder->flow->block_of[instruction];
    return block < decoder->flow->block_count ? decoder->flow->position[block] : decoder->flow->block_count;
}

static bool decode_branch(Decoder *decoder, const PtxOpcodeMatch *match)
{
    (void)match;
    const PtxOperand *target = &decoder->instruction->operands[0];
    if (target->kind != PTX_OPERAND_LABEL)
        return fail(decoder, "the target is not a label");
    const uint32_t block = position_of(decoder, target->index);
    const bool is_back = block <= decoder->block;
    if (decoder->instruction->is_guarded)
        emit_branch(decoder, is_back ? "branch_if_back" : "branch_if", guard_slot(decoder),
                    decoder->instruction->is_guard_negated, block);
    else
        emit_branch(decoder, is_back ? "branch_back" : "branch", 0, false, block);
    return true;
}

static bool decode_branch_table(Decoder *decoder, const PtxOpcodeMatch *match)
{
    (void)match;
    const PtxInstruction *instruction = decoder->instruction;
    const PtxTable *labels = instruction->operands[1].kind == PTX_OPERAND_TABLE ? instruction->operands[1].table : NULL;
    if (!labels || !labels->labels)
        return fail(decoder, "the second operand is not a .branchtargets table");
    PtxOp op = new_op(decoder, find_handler(decoder, "branch_table"));
    const PtxRole role = {.letter = 'a', .type = PTX_TYPE_U32};
    if (!source(decoder, &role, &instruction->operands[0], &op.a))
        return false;
    PtxBranchTable *table = arena_alloc(decoder->context->arena, sizeof *table);
    table->count = labels->count;
    table->targets = arena_new_array(decoder->context->arena, const PtxOp *, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        const TableFixup fixup = {&table->targets[i], position_of(decoder, labels->labels[i])};
        buffer_append(&decoder->table_fixups, &fixup, sizeof fixup);
    }
    op.table = table;
    emit(decoder, &op);
    return true;
}

static bool decode_leave(Decoder *decoder, const PtxOpcodeMatch *match)
{
    (void)match;
    const bool is_exit = decoder->function->is_entry || strcmp(decoder->instruction->mnemonic, "exit") == 0;
    return emit_named(decoder, is_exit ? "exit" : "return", 0, 0, 0);
}

static bool placement(Decoder *decoder, const PtxOperand *operand, const PtxVariable *declared, PtxPlacement *ret)
{
    if (operand->kind == PTX_OPERAND_VARIABLE && operand->variable->space == PTX_SPACE_PARAM) {
        *ret = (PtxPlacement){.at = (uint32_t)(ptx_layout_place(decoder->context->layout, operand->variable)),
                              .bytes = (uint32_t)operand->variable->size_bytes};
        return true;
    }
    const PtxType type = operand->kind == PTX_OPERAND_REGISTER ? decoder->function->registers[operand->index].type
                         : declared                            ? declared->type
                                                               : PTX_TYPE_B32;
    const PtxRole role = {.letter = 'a', .type = type};
    *ret = (PtxPlacement){.is_register = true, .bytes = ptx_type_row(type)->bytes};
    return source(decoder, &role, operand, &ret->at);
}

static bool placements(Decoder *decoder, const PtxOperand *list, PtxVariable *const *declared, uint32_t declared_count,
                       uint32_t *ret_count, const PtxPlacement **ret_places)
{
    const uint32_t count = list ? list->item_count : 0;
    if (count != declared_count)
        return fail(decoder, "the call has %u operands where %u are declared", count, declared_count);
    PtxPlacement *places = arena_new_array(decoder->context->arena, PtxPlacement, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!placement(decoder, &list->items[i], declared[i], &places[i]))
            return false;
    *ret_count = count;
    *ret_places = places;
    return true;
}

typedef struct CallOperands {
    const PtxOperand *results, *target, *arguments;
    const PtxTable *prototype;
} CallOperands;

/* call (results), target, (arguments), prototype: all but the target may be absent. */
static CallOperands call_operands(const PtxInstruction *instruction)
{
    CallOperands ret = {0};
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const PtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_LIST && !ret.target)
            ret.results = operand;
        else if (operand->kind == PTX_OPERAND_LIST)
            ret.arguments = operand;
        else if (operand->kind == PTX_OPERAND_TABLE)
            ret.prototype = operand->table;
        else
            ret.target = operand;
    }
    return ret;
}

static bool decode_call(Decoder *decoder, const PtxOpcodeMatch *match)
{
    (void)match;
    const CallOperands operands = call_operands(decoder->instruction);
    if (!operands.target)
        return fail(decoder, "the call has no target");
    PtxCall *call = arena_alloc(decoder->context->arena, sizeof *call);
    const bool is_direct = operands.target->kind == PTX_OPERAND_FUNCTION;
    if (is_direct) {
        call->declared = operands.target->function;
        call->callee = &decoder->program->functions[call->declared->index];
    } else {
        const PtxRole role = {.letter = 'a', .type = PTX_TYPE_U64};
        if (!source(decoder, &role, operands.target, &call->target))
            return false;
        if (!operands.prototype)
            return fail(decoder, "an indirect call needs a prototype or a table of targets");
        call->declared = operands.prototype->prototype ? operands.prototype->prototype
                         : operands.prototype->count   ? operands.prototype->functions[0]
                                                       : NULL;
        if (!call->declared)
            return fail(decoder, "the table of targets is empty");
    }
    if (!placements(decoder, operands.results, call->declared->results, call->declared->result_count,
                    &call->result_count, &call->results) ||
        !placements(decoder, operands.arguments, call->declared->parameters, call->declared->parameter_count,
                    &call->argument_count, &call->arguments))
        return false;
    PtxOp op = new_op(decoder, find_handler(decoder, !is_direct                 ? "call_indirect"
                                                     : call->declared->has_body ? "call"
                                                                                : "call_builtin"));
    op.call = call;
    emit(decoder, &op);
    return true;
}

static const struct {
    const char *name;
    DecodeCustom *decode;
} customs[] = {
    {"@branch", decode_branch},
    {"@table", decode_branch_table},
    {"@leave", decode_leave},
    {"@call", decode_call},
};

/* ---- parameters of an entry -------------------------------------------------------------------------------- */

/* The parameter that a load names directly, in an entry; else NULL. */
static const PtxVariable *loaded_parameter(const Decoder *decoder)
{
    const PtxInstruction *instruction = decoder->instruction;
    if (!decoder->function->is_entry || strcmp(instruction->mnemonic, "ld") != 0 || instruction->operand_count < 2)
        return NULL;
    const PtxOperand *operand = &instruction->operands[1];
    if (operand->kind != PTX_OPERAND_ADDRESS || operand->item_count != 1 ||
        operand->items[0].kind != PTX_OPERAND_VARIABLE)
        return NULL;
    const PtxVariable *variable = operand->items[0].variable;
    for (uint32_t i = 0; i < decoder->function->parameter_count; i++)
        if (decoder->function->parameters[i] == variable)
            return variable;
    return NULL;
}

static bool load_parameter(Decoder *decoder, const PtxOpcodeMatch *match, const PtxVariable *variable)
{
    static const char class_of[17][5] = {[1] = "u8", [2] = "u16", [4] = "b32", [8] = "b64", [16] = "b128"};
    const PtxInstruction *instruction = decoder->instruction;
    const PtxOperand *to = &instruction->operands[0];
    const PtxType type = match->types[0];
    const uint32_t bytes = ptx_type_row(type)->bytes, count = to->kind == PTX_OPERAND_VECTOR ? to->item_count : 1;
    const int64_t offset = (int64_t)ptx_layout_place(decoder->context->layout, variable) +
                           instruction->operands[1].offset + instruction->operands[1].items[0].offset;
    if (offset < 0 || (uint64_t)offset + (uint64_t)bytes * count > decoder->layout->entry_parameter_bytes)
        return fail(decoder, "the load lies outside of the kernel's parameters");
    char handler[24];
    const bool is_signed = ptx_type_row(type)->class == PTX_CLASS_SIGNED && bytes <= 2;
    snprintf(handler, sizeof handler, "ld_entry_%s", is_signed ? ptx_type_row(type)->name : class_of[bytes]);
    const PtxRole role = {.letter = 'd', .type = type, .may_be_wider = true};
    for (uint32_t i = 0; i < count; i++) {
        Results results = {0};
        uint32_t slot;
        const PtxOperand *element = to->kind == PTX_OPERAND_VECTOR ? &to->items[i] : to;
        if (!destination(decoder, &results, &role, element, &slot) ||
            !emit_named(decoder, handler, slot, 0, offset + (int64_t)i * bytes) || !emit_widenings(decoder, &results))
            return false;
    }
    return true;
}

/* mov from a special register goes straight into its destination. */
static bool is_special_move(const Decoder *decoder)
{
    const PtxInstruction *instruction = decoder->instruction;
    return strcmp(instruction->mnemonic, "mov") == 0 && instruction->operand_count == 2 &&
           instruction->operands[1].kind == PTX_OPERAND_SPECIAL &&
           instruction->operands[0].kind == PTX_OPERAND_REGISTER;
}

static bool decode_special_move(Decoder *decoder)
{
    const PtxOperand *from = &decoder->instruction->operands[1];
    const PtxRegister *reg = &decoder->function->registers[decoder->instruction->operands[0].index];
    PtxSpecial special;
    PtxType type;
    if (!ptx_special_find(from->special, from->component, &special, &type))
        return fail(decoder, "the machine has no special register %%%s", from->special);
    const uint32_t width = lane_bytes(reg->type);
    if (width == 16)
        return fail(decoder, "no special register has 128 bits");
    return emit_named(decoder, special_handler(special, width),
                      register_slot(decoder, &decoder->instruction->operands[0]), 0, special);
}

/* ---- one instruction --------------------------------------------------------------------------------------- */

static bool decode_matched(Decoder *decoder, const PtxOpcodeMatch *match)
{
    char name[96];
    if (!match->opcode->handler)
        return fail(decoder, "%s", match->opcode->meaning);
    if (!ptx_opcode_handler_name(match, name, sizeof name))
        return fail(decoder, "the machine does not implement this form");
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
        if (strcmp(name, customs[i].name) == 0)
            return customs[i].decode(decoder, match);
    const PtxVariable *parameter = loaded_parameter(decoder);
    if (parameter)
        return load_parameter(decoder, match, parameter);
    return decode_by_row(decoder, match, name);
}

static bool decode_known(Decoder *decoder)
{
    PtxOpcodeMatch match;
    if (is_special_move(decoder))
        return decode_special_move(decoder);
    if (!ptx_opcode_match(decoder->context->opcodes, decoder->instruction, &match, decoder->problem,
                          sizeof decoder->problem))
        return false;
    return decode_matched(decoder, &match);
}

static void emit_unknown(Decoder *decoder)
{
    PtxOp op = new_op(decoder, find_handler(decoder, "unknown"));
    op.text = arena_string(decoder->context->arena, decoder->problem);
    emit(decoder, &op);
    decoder->ret->unknown_count++;
}

static void guard_ops(Decoder *decoder, uint32_t first)
{
    const PtxHandler guard = find_handler(decoder, "guard");
    for (uint32_t i = first; i < op_count(decoder); i++) {
        PtxOp *op = op_at(decoder, i);
        op->guarded = op->run;
        op->run = guard;
        op->guard = guard_slot(decoder);
        op->is_guard_negated = decoder->instruction->is_guard_negated;
    }
}

static void decode_instruction(Decoder *decoder, uint32_t index)
{
    decoder->instruction_index = index;
    decoder->instruction = &decoder->function->instructions[index];
    memset(decoder->scratch_used, 0, sizeof decoder->scratch_used);
    const uint32_t first = op_count(decoder);
    const size_t fixups = decoder->fixups.size, table_fixups = decoder->table_fixups.size;
    if (!decode_known(decoder)) {
        decoder->ops.size = (size_t)first * sizeof(PtxOp);
        decoder->fixups.size = fixups;
        decoder->table_fixups.size = table_fixups;
        emit_unknown(decoder);
    }
    if (decoder->instruction->is_guarded && decoder->flow->kinds[index] == PTX_FLOW_PLAIN)
        guard_ops(decoder, first);
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static bool falls_through(const Decoder *decoder, const PtxFlowBlock *block)
{
    const uint32_t last_index = block->first + block->count - 1;
    const PtxInstruction *last = &decoder->function->instructions[last_index];
    const PtxFlowKind kind = decoder->flow->kinds[last_index];
    return !(kind == PTX_FLOW_LEAVE || kind == PTX_FLOW_TABLE || (kind == PTX_FLOW_BRANCH && !last->is_guarded));
}

/* The record at the head of a block: it counts, and is where diverged lanes meet. */
static void emit_head(Decoder *decoder, const PtxFlowBlock *block, uint32_t counter)
{
    PtxOp op = new_op(decoder, find_handler(decoder, decoder->context->counts_blocks ? "block_counted" : "block"));
    op.instruction = block->first;
    op.imm = block->count;
    op.imm2 = counter;
    emit(decoder, &op);
}

static void decode_block(Decoder *decoder, uint32_t position)
{
    const PtxFlowBlock *block = &decoder->flow->blocks[decoder->flow->order[position]];
    PtxBasicBlock *ret = &decoder->ret->blocks[position];
    *ret = (PtxBasicBlock){.first_op = op_count(decoder),
                           .first_instruction = block->first,
                           .instruction_count = block->count,
                           .counter = decoder->program->counter_count++};
    decoder->block = position;
    decoder->instruction_index = block->first;
    emit_head(decoder, block, ret->counter);
    const uint32_t next = position_of(decoder, block->first + block->count);
    if (block->is_skipped) {
        decoder->instruction = &decoder->function->instructions[block->first];
        emit_branch(decoder, next <= position ? "branch_if_back" : "branch_if", guard_slot(decoder),
                    !decoder->instruction->is_guard_negated, next);
    }
    for (uint32_t i = 0; i < block->count; i++)
        decode_instruction(decoder, block->first + i);
    if (falls_through(decoder, block) && next != position + 1)
        emit_branch(decoder, next <= position ? "branch_back" : "branch", 0, false, next);
    ret->op_count = op_count(decoder) - ret->first_op;
}

/* Running off the end is a return. */
static void emit_end(Decoder *decoder)
{
    decoder->block = decoder->flow->block_count;
    decoder->instruction_index = decoder->function->instruction_count ? decoder->function->instruction_count - 1 : 0;
    PtxOp op = new_op(decoder, find_handler(decoder, decoder->function->is_entry ? "exit" : "return"));
    emit(decoder, &op);
}

/* ---- functions --------------------------------------------------------------------------------------------- */

static void lay_out_registers(Decoder *decoder)
{
    const PtxFunction *function = decoder->function;
    decoder->frame_bytes = UINT64_C(16) * PTX_WARP_LANES; /* slot 0: zeros of any width */
    decoder->ret->register_slots =
        arena_new_array(decoder->context->arena, uint32_t, (size_t)function->register_count + 1);
    for (uint32_t i = 0; i < function->register_count; i++) {
        const PtxRegister *reg = &function->registers[i];
        const uint32_t width = lane_bytes(reg->type);
        decoder->ret->register_slots[i] = new_slot(decoder, width);
        for (uint32_t component = 1; component < reg->vector; component++)
            (void)new_slot(decoder, width);
    }
}

static void finish_frame(Decoder *decoder)
{
    PtxProgramFunction *ret = decoder->ret;
    ret->frame_bytes = (uint32_t)((decoder->frame_bytes + 63) / 64 * 64);
    uint8_t *image = arena_alloc(decoder->context->arena, ret->frame_bytes);
    for (uint32_t i = 0; decoder->constants && i <= decoder->constant_mask; i++)
        if (decoder->constants[i].slot)
            write_constant(image, &decoder->constants[i]);
    ret->frame_image = image;
}

static void apply_fixups(Decoder *decoder)
{
    const PtxOp *ops = decoder->ret->ops;
    const uint32_t end = decoder->ret->op_count - 1; /* emit_end's record */
    const Fixup *fixups = (const Fixup *)(const void *)decoder->fixups.data;
    for (size_t i = 0; i < decoder->fixups.size / sizeof *fixups; i++) {
        const uint32_t block = fixups[i].block;
        decoder->ret->ops[fixups[i].op].target =
            &ops[block < decoder->ret->block_count ? decoder->ret->blocks[block].first_op : end];
    }
    const TableFixup *tables = (const TableFixup *)(const void *)decoder->table_fixups.data;
    for (size_t i = 0; i < decoder->table_fixups.size / sizeof *tables; i++) {
        const uint32_t block = tables[i].block;
        *tables[i].target = &ops[block < decoder->ret->block_count ? decoder->ret->blocks[block].first_op : end];
    }
}

static void take_ops(Decoder *decoder)
{
    PtxProgramFunction *ret = decoder->ret;
    ret->op_count = op_count(decoder);
    ret->ops = arena_new_array(decoder->context->arena, PtxOp, ret->op_count);
    memcpy(ret->ops, decoder->ops.data, ret->op_count * sizeof(PtxOp));
    apply_fixups(decoder);
}

static void decode_function(const PtxDecodeContext *context, PtxProgram *program, const PtxFunction *function)
{
    auto_arena Arena *scratch = arena_new();
    Decoder decoder = {.context = context,
                       .scratch_arena = scratch,
                       .program = program,
                       .ret = &program->functions[function->index],
                       .function = function,
                       .layout = &context->layout->functions[function->index],
                       .flow = ptx_flow_new(scratch, function)};
    lay_out_registers(&decoder);
    decoder.ret->block_count = decoder.flow->block_count;
    decoder.ret->blocks = arena_new_array(context->arena, PtxBasicBlock, (size_t)decoder.flow->block_count + 1);
    for (uint32_t position = 0; position < decoder.flow->block_count; position++)
        decode_block(&decoder, position);
    emit_end(&decoder);
    take_ops(&decoder);
    finish_frame(&decoder);
    buffer_done(&decoder.ops);
    buffer_done(&decoder.fixups);
    buffer_done(&decoder.table_fixups);
}

static const PtxPlacement *declared_places(const PtxDecodeContext *context, const PtxProgramFunction *ret,
                                           PtxVariable *const *variables, uint32_t count)
{
    PtxPlacement *places = arena_new_array(context->arena, PtxPlacement, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++) {
        places[i].bytes = (uint32_t)variables[i]->size_bytes;
        places[i].is_register = variables[i]->space == PTX_SPACE_REG;
        places[i].at = (uint32_t)ptx_layout_place(context->layout, variables[i]);
        for (uint32_t k = 0; places[i].is_register && k < ret->syntax->register_count; k++)
            if (strcmp(ret->syntax->registers[k].name, variables[i]->name) == 0) {
                places[i].at = ret->register_slots[k];
                break;
            }
    }
    return places;
}

static void fill_facts(const PtxDecodeContext *context, PtxProgramFunction *ret, const PtxFunction *function)
{
    const PtxFunctionLayout *layout = &context->layout->functions[function->index];
    ret->syntax = function;
    ret->index = function->index;
    ret->local_bytes = layout->local_bytes;
    ret->parameter_bytes = layout->parameter_bytes;
    ret->entry_parameter_bytes = layout->entry_parameter_bytes;
    ret->static_shared_bytes = layout->static_shared_bytes;
    ret->dynamic_shared_begin = layout->dynamic_shared_begin;
    ret->copies_parameters = layout->copies_parameters;
}

static void index_counters(const PtxDecodeContext *context, PtxProgram *program)
{
    program->counter_functions =
        arena_new_array(context->arena, const PtxProgramFunction *, (size_t)program->counter_count + 1);
    program->counter_blocks = arena_new_array(context->arena, uint32_t, (size_t)program->counter_count + 1);
    for (uint32_t i = 0; i < program->function_count; i++) {
        const PtxProgramFunction *function = &program->functions[i];
        for (uint32_t block = 0; block < function->block_count; block++) {
            program->counter_functions[function->blocks[block].counter] = function;
            program->counter_blocks[function->blocks[block].counter] = block;
        }
    }
}

PtxProgram *ptx_decode(const PtxDecodeContext *context, const PtxSyntax *syntax)
{
    PtxProgram *program = arena_alloc(context->arena, sizeof *program);
    program->syntax = syntax;
    program->function_count = syntax->function_count;
    program->functions = arena_new_array(context->arena, PtxProgramFunction, (size_t)syntax->function_count + 1);
    for (uint32_t i = 0; i < syntax->function_count; i++)
        fill_facts(context, &program->functions[i], syntax->functions[i]);
    for (uint32_t i = 0; i < syntax->function_count; i++)
        if (syntax->functions[i]->has_body)
            decode_function(context, program, syntax->functions[i]);
    for (uint32_t i = 0; i < syntax->function_count; i++) {
        const PtxFunction *function = syntax->functions[i];
        PtxProgramFunction *ret = &program->functions[i];
        if (!function->has_body || function->is_entry)
            continue;
        ret->parameters = declared_places(context, ret, function->parameters, function->parameter_count);
        ret->results = declared_places(context, ret, function->results, function->result_count);
    }
    index_counters(context, program);
    return program;
}
