/* Operands of instructions (PTX ISA 9.0, chapter 6). Lists of items are read onto a stack and kept once complete. */
#include <string.h>

#include "ptx/parser.h"

static bool parse_operand(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret);

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static bool push_operand(PtxParser *parser, const PtxOperand *operand, size_t base)
{
    if ((parser->operands.size - base) / sizeof *operand >= PTX_OPERAND_ITEMS_MAX)
        return ptx_parser_fail(parser, operand->place, "more than %d operands side by side", PTX_OPERAND_ITEMS_MAX);
    return ptx_parser_charge(parser, &parser->operand_total, 1, PTX_MODULE_OPERANDS_MAX, "operands in a module") &&
           ptx_parser_push(parser, &parser->operands, operand, sizeof *operand);
}

/* The operands above `base` leave the stack for the arena. */
static PtxOperand *pop_operands(PtxParser *parser, size_t base, uint32_t *ret_count)
{
    const size_t size = parser->operands.size - base;
    *ret_count = (uint32_t)(size / sizeof(PtxOperand));
    PtxOperand *operands = size ? ptx_parser_keep(parser, parser->operands.data + base, size) : NULL;
    parser->operands.size = base;
    return operands;
}

static void set_items(PtxParser *parser, PtxOperand *operand, size_t base)
{
    operand->items = pop_operands(parser, base, &operand->item_count);
}

/* Operands separated by commas up to `end`, which is passed; none is allowed. */
static bool parse_items(PtxParser *parser, const PtxInstruction *instruction, char end)
{
    const size_t base = parser->operands.size;
    if (ptx_parser_accept(parser, (unsigned char)end))
        return true;
    do {
        PtxOperand item;
        if (!parse_operand(parser, instruction, &item) || !push_operand(parser, &item, base))
            return false;
    } while (ptx_parser_accept(parser, ','));
    return ptx_parser_expect(parser, (unsigned char)end);
}

/* `{a, b}` and `(a, b)`; the bracket is the token. */
static bool parse_group(PtxParser *parser, const PtxInstruction *instruction, PtxOperandKind kind, char end,
                        PtxOperand *ret)
{
    const size_t base = parser->operands.size;
    ret->kind = kind;
    ptx_parser_advance(parser);
    if (!parse_items(parser, instruction, end))
        return false;
    set_items(parser, ret, base);
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Special registers, without the % (PTX ISA 9.0, chapter 10). */
static const struct {
    const char *name;
    uint8_t components;
} specials[] = {
    {"tid", 4},
    {"ntid", 4},
    {"ctaid", 4},
    {"nctaid", 4},
    {"clusterid", 4},
    {"nclusterid", 4},
    {"cluster_ctaid", 4},
    {"cluster_nctaid", 4},
    {"laneid", 1},
    {"warpid", 1},
    {"nwarpid", 1},
    {"smid", 1},
    {"nsmid", 1},
    {"gridid", 1},
    {"is_explicit_cluster", 1},
    {"cluster_ctarank", 1},
    {"cluster_nctarank", 1},
    {"lanemask_eq", 1},
    {"lanemask_le", 1},
    {"lanemask_lt", 1},
    {"lanemask_ge", 1},
    {"lanemask_gt", 1},
    {"clock", 1},
    {"clock_hi", 1},
    {"clock64", 1},
    {"globaltimer", 1},
    {"globaltimer_lo", 1},
    {"globaltimer_hi", 1},
    {"reserved_smem_offset_begin", 1},
    {"reserved_smem_offset_end", 1},
    {"reserved_smem_offset_cap", 1},
    {"total_smem_size", 1},
    {"aggr_smem_size", 1},
    {"dynamic_smem_size", 1},
    {"current_graph_exec", 1},
};

/* Those that are numbered: %pm0 to %pm7, %pm0_64 ... */
static const struct {
    const char *stem, *tail;
    uint8_t count;
} numbered_specials[] = {
    {"pm", "", 8},
    {"pm", "_64", 8},
    {"envreg", "", 32},
    {"reserved_smem_offset_", "", 2},
};

static bool is_numbered_special(const char *name)
{
    for (size_t i = 0; i < sizeof numbered_specials / sizeof *numbered_specials; i++) {
        const size_t length = strlen(numbered_specials[i].stem);
        if (strncmp(name, numbered_specials[i].stem, length) != 0)
            continue;
        unsigned number = 0, digits = 0;
        const char *at = name + length;
        for (; *at >= '0' && *at <= '9' && digits < 3; at++, digits++)
            number = number * 10 + (unsigned)(*at - '0');
        if (digits > 0 && number < numbered_specials[i].count && strcmp(at, numbered_specials[i].tail) == 0)
            return true;
    }
    return false;
}

/* How many components the special register `%name` has; 0: there is none of that name. */
static uint32_t special_components(const char *name)
{
    if (name[0] != '%')
        return 0;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (strcmp(specials[i].name, name + 1) == 0)
            return specials[i].components;
    return is_numbered_special(name + 1);
}

/* `.x`, `.r` ... after a vector of that many components. */
static bool parse_component(PtxParser *parser, uint32_t components, uint8_t *ret_component)
{
    static const char letters[] = "xyzwrgba";
    const PtxToken *token = &parser->token;
    const char *letter = token->length == 1 ? strchr(letters, token->text[0]) : NULL;
    if (!letter || (uint32_t)(letter - letters) % 4 >= components)
        return ptx_parser_expected(parser, "a component of the vector");
    *ret_component = (uint8_t)((letter - letters) % 4);
    ptx_parser_advance(parser);
    return true;
}

/* A vector that is named as a whole is the list of its components. */
static bool spread(PtxParser *parser, uint32_t components, PtxOperand *operand)
{
    const size_t base = parser->operands.size;
    PtxOperand item = *operand;
    for (uint32_t i = 0; i < components; i++) {
        item.component = (uint8_t)i;
        if (!push_operand(parser, &item, base))
            return false;
    }
    *operand = (PtxOperand){.kind = PTX_OPERAND_VECTOR, .place = item.place};
    set_items(parser, operand, base);
    return true;
}

static bool parse_vector_name(PtxParser *parser, uint32_t components, PtxOperand *ret)
{
    if (components == 1)
        return true;
    if (parser->token.kind == PTX_TOKEN_DOTTED)
        return parse_component(parser, components, &ret->component);
    return spread(parser, components, ret);
}

/* `a.b0`, `a.h1`, `a.b3210` of the video instructions. */
static void parse_selector(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    if (parser->token.kind != PTX_TOKEN_DOTTED || instruction->mnemonic[0] != 'v')
        return;
    ret->text = ptx_parser_intern(parser)->text;
    ptx_parser_advance(parser);
}

static const PtxRegister *register_at(const PtxParser *parser, uint32_t index)
{
    return (const PtxRegister *)(const void *)parser->body.registers.data + index;
}

static bool parse_register(PtxParser *parser, const PtxInstruction *instruction, uint32_t index, PtxOperand *ret)
{
    const PtxRegister *reg = register_at(parser, index);
    ret->kind = PTX_OPERAND_REGISTER;
    ret->index = index;
    if (reg->vector == 1)
        parse_selector(parser, instruction, ret);
    return parse_vector_name(parser, reg->vector, ret);
}

static bool parse_special(PtxParser *parser, const PtxName *name, PtxOperand *ret)
{
    const uint32_t components = special_components(name->text);
    if (components == 0)
        return ptx_parser_fail(parser, ret->place, "`%.40s` is no register that is declared or predefined", name->text);
    ret->kind = PTX_OPERAND_SPECIAL;
    ret->special = name->text + 1;
    return parse_vector_name(parser, components, ret);
}

/* `a[2]`: in a move the address of that element, elsewhere the element itself. */
static bool parse_element(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    const uint64_t bytes = (uint64_t)ptx_type_row(ret->variable->type)->bytes * ret->variable->vector;
    uint64_t index;
    ptx_parser_advance(parser);
    if (parser->token.kind == PTX_TOKEN_NAME && !ptx_constant_begins(parser))
        return ptx_parser_fail(parser, parser->token.place, "an array can only be indexed by a constant here");
    if (!ptx_parse_integer(parser, &index) || !ptx_parser_expect(parser, ']'))
        return false;
    const int64_t offset = (int64_t)(index * bytes);
    if (strcmp(instruction->mnemonic, "mov") == 0 || strcmp(instruction->mnemonic, "cvta") == 0) {
        ret->offset = offset;
        return true;
    }
    const size_t base = parser->operands.size;
    const PtxOperand item = *ret;
    *ret = (PtxOperand){.kind = PTX_OPERAND_ADDRESS, .place = item.place, .offset = offset};
    if (!push_operand(parser, &item, base))
        return false;
    set_items(parser, ret, base);
    return true;
}

/* A label may still come. It is told from other operands by `text`, until the instruction is in its place. */
static bool expect_label(PtxParser *parser, const PtxInstruction *instruction, const PtxName *name, PtxOperand *ret)
{
    if (strcmp(instruction->mnemonic, "call") == 0)
        return ptx_parser_fail(parser, ret->place, "`%.40s` is not declared", name->text);
    ret->kind = PTX_OPERAND_LABEL;
    ret->text = name->text;
    return true;
}

static bool parse_named(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    const PtxName *name = ptx_parser_intern(parser);
    const PtxSymbol symbol = ptx_scopes_find(&parser->scopes, name);
    ptx_parser_advance(parser);
    switch (symbol.kind) {
    case PTX_SYMBOL_REGISTER: return parse_register(parser, instruction, symbol.index, ret);
    case PTX_SYMBOL_FUNCTION:
        ret->kind = PTX_OPERAND_FUNCTION;
        ret->function = symbol.function;
        return true;
    case PTX_SYMBOL_TABLE:
        ret->kind = PTX_OPERAND_TABLE;
        ret->table = symbol.table;
        return true;
    case PTX_SYMBOL_VARIABLE:
        ret->kind = PTX_OPERAND_VARIABLE;
        ret->variable = symbol.variable;
        return ptx_parser_at(parser, '[') ? parse_element(parser, instruction, ret)
                                          : ptx_parse_offset(parser, &ret->offset);
    default:
        return name->text[0] == '%' ? parse_special(parser, name, ret) : expect_label(parser, instruction, name, ret);
    }
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool parse_constant(PtxParser *parser, PtxOperand *ret)
{
    PtxConstant constant;
    if (!ptx_parse_constant(parser, &constant))
        return false;
    const bool is_float = constant.kind == PTX_CONSTANT_SINGLE || constant.kind == PTX_CONSTANT_DOUBLE;
    ret->kind = is_float ? PTX_OPERAND_FLOAT : PTX_OPERAND_INTEGER;
    ret->is_single = constant.kind == PTX_CONSTANT_SINGLE;
    ret->integer = constant.bits;
    return true;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool parse_base(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    *ret = (PtxOperand){.place = parser->token.place};
    if (parser->token.kind != PTX_TOKEN_NAME || ptx_constant_begins(parser)) {
        if (!parse_constant(parser, ret))
            return false;
        return ret->kind == PTX_OPERAND_INTEGER ||
               ptx_parser_fail(parser, ret->place, "an address is no floating point number");
    }
    const PtxToken token = parser->token;
    if (!parse_named(parser, instruction, ret))
        return false;
    return ret->kind == PTX_OPERAND_REGISTER || ret->kind == PTX_OPERAND_VARIABLE ||
           ptx_parser_fail(parser, token.place, "`%.*s` is no register or variable to form an address with",
                           PTX_TOKEN_TEXT(token));
}

/* `[base + offset, more ...]`; after a generic address perhaps `.unified`, which promises what is true here anyway. */
static bool parse_address(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    const size_t base = parser->operands.size;
    PtxOperand item;
    ret->kind = PTX_OPERAND_ADDRESS;
    ptx_parser_advance(parser);
    if (!parse_base(parser, instruction, &item) || !ptx_parse_offset(parser, &ret->offset))
        return false;
    ret->offset = (int64_t)((uint64_t)ret->offset + (uint64_t)item.offset);
    item.offset = 0;
    if (!push_operand(parser, &item, base))
        return false;
    while (ptx_parser_accept(parser, ','))
        if (!parse_operand(parser, instruction, &item) || !push_operand(parser, &item, base))
            return false;
    if (!ptx_parser_expect(parser, ']'))
        return false;
    (void)ptx_parser_accept_dotted(parser, "unified"); /* optional */
    set_items(parser, ret, base);
    return true;
}

/* ---- one operand ------------------------------------------------------------------------------------------------- */

static bool can_be_negated(const PtxParser *parser, const PtxInstruction *instruction, uint32_t sign,
                           const PtxOperand *operand)
{
    if (operand->kind != PTX_OPERAND_REGISTER)
        return false;
    return sign == '!' ? register_at(parser, operand->index)->type == PTX_TYPE_PRED : instruction->mnemonic[0] == 'v';
}

/* `!p`, and `-a` of the video instructions: a register, else an operator of a constant. */
static bool parse_signed(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    const PtxLexer lexer = parser->lexer;
    const PtxToken sign = parser->token;
    ptx_parser_advance(parser);
    if (parser->token.kind != PTX_TOKEN_NAME || ptx_constant_begins(parser)) {
        parser->lexer = lexer; /* one token back */
        parser->token = sign;
        return parse_constant(parser, ret);
    }
    if (!parse_named(parser, instruction, ret))
        return false;
    if (!can_be_negated(parser, instruction, sign.symbol, ret))
        return ptx_parser_fail(parser, sign.place, "`%.*s` can't stand before this operand", PTX_TOKEN_TEXT(sign));
    ret->is_negated = true;
    return true;
}

static bool parse_single(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    const PtxToken *token = &parser->token;
    *ret = (PtxOperand){.place = token->place};
    if (ptx_token_is(token, PTX_TOKEN_NAME, "_")) {
        ret->kind = PTX_OPERAND_SINK;
        ptx_parser_advance(parser);
        return true;
    }
    if (token->kind == PTX_TOKEN_NAME && !ptx_constant_begins(parser))
        return parse_named(parser, instruction, ret);
    switch (token->symbol) {
    case '{': return parse_group(parser, instruction, PTX_OPERAND_VECTOR, '}', ret);
    case '[': return parse_address(parser, instruction, ret);
    case '!':
    case '-': return parse_signed(parser, instruction, ret);
    case '(':
        if (strcmp(instruction->mnemonic, "call") == 0)
            return parse_group(parser, instruction, PTX_OPERAND_LIST, ')', ret);
        return parse_constant(parser, ret);
    default: break;
    }
    if (token->kind == PTX_TOKEN_END || (token->kind == PTX_TOKEN_SYMBOL && !ptx_constant_begins(parser)))
        return ptx_parser_expected(parser, "an operand");
    return parse_constant(parser, ret);
}

static bool can_be_paired(const PtxOperand *operand)
{
    return operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_SINK;
}

/* `p|q` */
static bool parse_pair(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *operand)
{
    const size_t base = parser->operands.size;
    PtxOperand second;
    ptx_parser_advance(parser);
    if (!parse_single(parser, instruction, &second))
        return false;
    if (!can_be_paired(operand) || !can_be_paired(&second))
        return ptx_parser_fail(parser, second.place, "`|` joins two destinations");
    if (!push_operand(parser, operand, base) || !push_operand(parser, &second, base))
        return false;
    *operand = (PtxOperand){.kind = PTX_OPERAND_PAIR, .place = operand->place};
    set_items(parser, operand, base);
    return true;
}

static bool parse_operand(PtxParser *parser, const PtxInstruction *instruction, PtxOperand *ret)
{
    if (!ptx_parser_enter(parser))
        return false;
    bool is_read = parse_single(parser, instruction, ret);
    if (is_read && ptx_parser_at(parser, '|'))
        is_read = parse_pair(parser, instruction, ret);
    ptx_parser_leave(parser);
    return is_read;
}

/* ---- all operands ------------------------------------------------------------------------------------------------ */

/* Labels among operands, which now have their final place, wait for the end of their scope. */
static bool note_labels(PtxParser *parser, PtxOperand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        PtxOperand *operand = &operands[i];
        if (operand->kind == PTX_OPERAND_LABEL) {
            const PtxPendingLabel pending = {
                .name = ptx_scopes_name(&parser->scopes, operand->text, strlen(operand->text)),
                .place = operand->place,
                .target = &operand->index,
            };
            operand->text = NULL;
            if (!ptx_parser_push(parser, &parser->body.pending, &pending, sizeof pending))
                return false;
        }
        if (!note_labels(parser, operand->items, operand->item_count))
            return false;
    }
    return true;
}

bool ptx_parse_operands(PtxParser *parser, PtxInstruction *instruction)
{
    const size_t base = parser->operands.size;
    if (!parse_items(parser, instruction, ';'))
        return false;
    instruction->operands = pop_operands(parser, base, &instruction->operand_count);
    return note_labels(parser, instruction->operands, instruction->operand_count);
}
