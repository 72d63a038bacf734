/* The body of a function: scopes, labels, tables of targets, instructions (PTX ISA 9.0, 4.2, 9 and 11.6 to 11.8). */
#include <string.h>

#include "ptx/parser.h"

/* ---- scopes and labels ------------------------------------------------------------------------------------------- */

static uint32_t instruction_count(const PtxParser *parser)
{
    return (uint32_t)(parser->body.instructions.size / sizeof(PtxInstruction));
}

static bool open_scope(PtxParser *parser)
{
    if (!ptx_scopes_open(&parser->scopes))
        return ptx_parser_fail(parser, parser->token.place, "more than %d scopes inside each other", PTX_SCOPES_MAX);
    parser->body.pending_marks[parser->scopes.depth] = parser->body.pending.size;
    return true;
}

/* Labels that were named in the innermost scope, or in one within it, and that it has. The others stay pending. */
static void resolve_labels(PtxParser *parser)
{
    Buffer *list = &parser->body.pending;
    const size_t mark = parser->body.pending_marks[parser->scopes.depth] / sizeof(PtxPendingLabel);
    const size_t count = list->size / sizeof(PtxPendingLabel);
    PtxPendingLabel *pending = (PtxPendingLabel *)(void *)list->data;
    size_t kept = mark;
    for (size_t i = mark; i < count; i++)
        if (!ptx_scopes_label(&parser->scopes, pending[i].name, pending[i].target))
            pending[kept++] = pending[i];
    list->size = kept * sizeof *pending;
}

static void close_scope(PtxParser *parser)
{
    resolve_labels(parser);
    ptx_scopes_close(&parser->scopes);
}

static bool define_label(PtxParser *parser, PtxName *name, PtxPlace place)
{
    const uint32_t target = instruction_count(parser);
    const PtxSymbol symbol = {.kind = PTX_SYMBOL_LABEL, .place = place, .index = target};
    return ptx_parser_charge(parser, &parser->label_total, 1, PTX_MODULE_LABELS_MAX, "labels in a module") &&
           ptx_parser_push(parser, &parser->body.label_names, &name->text, sizeof name->text) &&
           ptx_parser_push(parser, &parser->body.label_targets, &target, sizeof target) &&
           ptx_parser_declare(parser, name, symbol);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static bool parse_branch_targets(PtxParser *parser, PtxTable *table)
{
    const size_t first = parser->body.pending.size;
    do {
        PtxPendingLabel pending = {.place = parser->token.place};
        PtxName *name;
        if (!ptx_parser_name(parser, "a label", &name))
            return false;
        pending.name = name;
        if (!ptx_parser_charge(parser, &parser->label_total, 1, PTX_MODULE_LABELS_MAX, "labels in a module") ||
            !ptx_parser_push(parser, &parser->body.pending, &pending, sizeof pending))
            return false;
        table->count++;
    } while (ptx_parser_accept(parser, ','));
    table->labels = arena_new_array(parser->arena, uint32_t, table->count);
    PtxPendingLabel *pending = (PtxPendingLabel *)(void *)(parser->body.pending.data + first);
    for (uint32_t i = 0; i < table->count; i++)
        pending[i].target = &table->labels[i];
    return true;
}

static bool parse_call_target(PtxParser *parser, Buffer *list)
{
    const PtxPlace place = parser->token.place;
    PtxName *name;
    if (!ptx_parser_name(parser, "a function", &name) ||
        !ptx_parser_charge(parser, &parser->label_total, 1, PTX_MODULE_LABELS_MAX, "labels in a module"))
        return false;
    if (!name->function)
        return ptx_parser_fail(parser, place, "`%.40s` is no function declared before", name->text);
    return ptx_parser_push(parser, list, &name->function, sizeof(PtxFunction *));
}

static bool parse_call_targets(PtxParser *parser, PtxTable *table)
{
    Buffer list = {0};
    bool is_read;
    do {
        is_read = parse_call_target(parser, &list);
    } while (is_read && ptx_parser_accept(parser, ','));
    table->count = (uint32_t)(list.size / sizeof(PtxFunction *));
    table->functions = ptx_parser_keep(parser, list.data, list.size);
    buffer_done(&list);
    return is_read;
}

static bool parse_call_prototype(PtxParser *parser, PtxTable *table)
{
    PtxFunction *prototype;
    if (!ptx_parse_prototype(parser, &prototype))
        return false;
    table->prototype = prototype;
    return true;
}

static const struct {
    const char *name;
    bool (*parse)(PtxParser *parser, PtxTable *table);
} tables[] = {
    {"branchtargets", parse_branch_targets},
    {"calltargets", parse_call_targets},
    {"callprototype", parse_call_prototype},
};

/* After `name:`: a label, or the name of the table that follows. */
static bool parse_labelled(PtxParser *parser, PtxName *name, PtxPlace place)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!ptx_parser_accept_dotted(parser, tables[i].name))
            continue;
        PtxTable *table = arena_alloc(parser->arena, sizeof *table);
        const PtxSymbol symbol = {.kind = PTX_SYMBOL_TABLE, .place = place, .table = table};
        table->name = name->text;
        return tables[i].parse(parser, table) && ptx_parser_expect(parser, ';') &&
               ptx_parser_declare(parser, name, symbol);
    }
    return define_label(parser, name, place);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static bool parse_modifiers(PtxParser *parser, PtxInstruction *instruction)
{
    while (parser->token.kind == PTX_TOKEN_DOTTED) {
        if (instruction->modifier_count == PTX_MODIFIERS_MAX)
            return ptx_parser_fail(parser, parser->token.place, "more than %d modifiers", PTX_MODIFIERS_MAX);
        instruction->modifiers[instruction->modifier_count++] = ptx_parser_intern(parser)->text;
        ptx_parser_advance(parser);
    }
    return true;
}

/* The mnemonic has been read. */
static bool parse_instruction(PtxParser *parser, PtxInstruction *instruction, const PtxName *mnemonic)
{
    instruction->mnemonic = mnemonic->text;
    instruction->location = parser->body.location;
    return ptx_parser_charge(parser, &parser->instruction_total, 1, PTX_MODULE_INSTRUCTIONS_MAX,
                             "instructions in a module") &&
           parse_modifiers(parser, instruction) && ptx_parse_operands(parser, instruction) &&
           ptx_parser_push(parser, &parser->body.instructions, instruction, sizeof *instruction);
}

/* `@p` or `@!p`, then the instruction. */
static bool parse_guarded(PtxParser *parser)
{
    PtxInstruction instruction = {.place = parser->token.place, .is_guarded = true};
    PtxName *name, *mnemonic;
    ptx_parser_advance(parser);
    instruction.is_guard_negated = ptx_parser_accept(parser, '!');
    const PtxPlace place = parser->token.place;
    if (!ptx_parser_name(parser, "a predicate", &name))
        return false;
    const PtxSymbol symbol = ptx_scopes_find(&parser->scopes, name);
    const PtxRegister *registers = (const PtxRegister *)(const void *)parser->body.registers.data;
    if (symbol.kind != PTX_SYMBOL_REGISTER || registers[symbol.index].type != PTX_TYPE_PRED ||
        registers[symbol.index].vector != 1)
        return ptx_parser_fail(parser, place, "`%.40s` is no predicate", name->text);
    instruction.guard = symbol.index;
    return ptx_parser_name(parser, "an instruction", &mnemonic) && parse_instruction(parser, &instruction, mnemonic);
}

static bool parse_named_statement(PtxParser *parser)
{
    PtxInstruction instruction = {.place = parser->token.place};
    PtxName *name;
    if (!ptx_parser_name(parser, "a statement", &name))
        return false;
    if (ptx_parser_accept(parser, ':'))
        return parse_labelled(parser, name, instruction.place);
    return parse_instruction(parser, &instruction, name);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

bool ptx_parse_pragma(PtxParser *parser)
{
    do {
        if (parser->token.kind != PTX_TOKEN_STRING)
            return ptx_parser_expected(parser, "a string");
        ptx_parser_advance(parser);
    } while (ptx_parser_accept(parser, ','));
    return ptx_parser_expect(parser, ';');
}

static bool parse_directive(PtxParser *parser)
{
    if (ptx_parser_accept_dotted(parser, "loc"))
        return ptx_parse_location(parser);
    if (ptx_token_space(&parser->token) != PTX_SPACE_NONE)
        return ptx_parse_variables(parser, 0);
    if (ptx_parser_accept_dotted(parser, "pragma"))
        return ptx_parse_pragma(parser);
    return ptx_parser_fail(parser, parser->token.place, "the directive `.%.*s` is not known in a function",
                           PTX_TOKEN_TEXT(parser->token));
}

static bool parse_statement(PtxParser *parser)
{
    if (parser->token.kind == PTX_TOKEN_DOTTED)
        return parse_directive(parser);
    if (ptx_parser_at(parser, '@'))
        return parse_guarded(parser);
    return parse_named_statement(parser);
}

/* Statements up to the `}` of the function, which is passed. */
static bool parse_statements(PtxParser *parser)
{
    const uint32_t outermost = parser->scopes.depth;
    for (;;) {
        if (ptx_parser_accept(parser, '{')) {
            if (!open_scope(parser))
                return false;
        } else if (ptx_parser_accept(parser, '}')) {
            if (parser->scopes.depth == outermost)
                return true;
            close_scope(parser);
        } else if (!parse_statement(parser) || !ptx_parser_check_names(parser)) {
            return false;
        }
    }
}

static bool check_labels(PtxParser *parser)
{
    const PtxPendingLabel *pending = (const PtxPendingLabel *)(const void *)parser->body.pending.data;
    resolve_labels(parser);
    return parser->body.pending.size == 0 ||
           ptx_parser_fail(parser, pending->place, "`%.40s` is not declared, nor a label that can be reached from here",
                           pending->name->text);
}

static void keep_body(PtxParser *parser, PtxFunction *function)
{
    const PtxBody *body = &parser->body;
    function->has_body = true;
    function->registers = ptx_parser_keep(parser, body->registers.data, body->registers.size);
    function->register_count = (uint32_t)(body->registers.size / sizeof(PtxRegister));
    function->variables = ptx_parser_keep(parser, body->variables.data, body->variables.size);
    function->variable_count = (uint32_t)(body->variables.size / sizeof(PtxVariable *));
    function->instructions = ptx_parser_keep(parser, body->instructions.data, body->instructions.size);
    function->instruction_count = instruction_count(parser);
    function->label_names = ptx_parser_keep(parser, body->label_names.data, body->label_names.size);
    function->label_targets = ptx_parser_keep(parser, body->label_targets.data, body->label_targets.size);
    function->label_count = (uint32_t)(body->label_targets.size / sizeof(uint32_t));
}

bool ptx_parse_body(PtxParser *parser, PtxFunction *function)
{
    parser->body.pending_marks[parser->scopes.depth] = 0;
    if (!ptx_parser_expect(parser, '{') || !parse_statements(parser) || !check_labels(parser))
        return false;
    keep_body(parser, function);
    return true;
}
