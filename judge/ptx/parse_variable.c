/* Declarations of variables, registers and parameters (PTX ISA 9.0, 5.1 to 5.4). */
#include <inttypes.h>
#include <string.h>

#include "ptx/parser.h"

/* ---- what stands before the name --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    PtxSpace space;
} spaces[] = {
    {"reg", PTX_SPACE_REG},     {"param", PTX_SPACE_PARAM}, {"shared", PTX_SPACE_SHARED}, {"global", PTX_SPACE_GLOBAL},
    {"const", PTX_SPACE_CONST}, {"local", PTX_SPACE_LOCAL}, {"sreg", PTX_SPACE_SREG},     {"tex", PTX_SPACE_TEX},
};

PtxSpace ptx_token_space(const PtxToken *token)
{
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_token_is(token, PTX_TOKEN_DOTTED, spaces[i].name))
            return spaces[i].space;
    return PTX_SPACE_NONE;
}

/* What all names of a declaration share. */
typedef struct Declaration {
    PtxSpace space;
    PtxType type;
    uint32_t vector, align_bytes;
    bool is_pointer;
} Declaration;

static bool parse_align(PtxParser *parser, uint32_t *ret_align)
{
    const PtxPlace place = parser->token.place;
    uint64_t align = 0;
    if (!ptx_parse_number(parser, "an alignment", UINT64_C(1) << 30, &align))
        return false;
    if (align == 0 || (align & (align - 1)) != 0)
        return ptx_parser_fail(parser, place, "an alignment is a power of two, not %" PRIu64, align);
    *ret_align = (uint32_t)align;
    return true;
}

bool ptx_parse_attribute(PtxParser *parser)
{
    if (!ptx_parser_expect(parser, '('))
        return false;
    do {
        if (!ptx_parser_accept_dotted(parser, "managed") && !ptx_parser_accept_dotted(parser, "unified"))
            return ptx_parser_expected(parser, "`.managed` or `.unified`");
        if (ptx_parser_accept(parser, '(')) {
            do {
                uint64_t identifier;
                if (!ptx_parse_integer(parser, &identifier))
                    return false;
            } while (ptx_parser_accept(parser, ','));
            if (!ptx_parser_expect(parser, ')'))
                return false;
        }
    } while (ptx_parser_accept(parser, ','));
    return ptx_parser_expect(parser, ')');
}

/* `.ptr .space .align N`: says where a parameter points to. */
static bool parse_pointee(PtxParser *parser, Declaration *declaration)
{
    uint32_t align;
    declaration->is_pointer = true;
    if (ptx_token_space(&parser->token) != PTX_SPACE_NONE)
        ptx_parser_advance(parser);
    return !ptx_parser_accept_dotted(parser, "align") || parse_align(parser, &align);
}

static uint32_t vector_length(const PtxToken *token)
{
    static const struct {
        const char *name;
        uint32_t length;
    } rows[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx_token_is(token, PTX_TOKEN_DOTTED, rows[i].name))
            return rows[i].length;
    return 0;
}

/* A type or a vector, the words that have no syntax of their own. */
static bool parse_type_word(PtxParser *parser, Declaration *declaration)
{
    const uint32_t vector = vector_length(&parser->token);
    const PtxType type = vector ? PTX_TYPE_NONE : ptx_type_find(parser->token.text, parser->token.length);
    if (vector && declaration->vector == 1)
        declaration->vector = vector;
    else if (type != PTX_TYPE_NONE && declaration->type == PTX_TYPE_NONE)
        declaration->type = type;
    else
        return ptx_parser_expected(parser, "a type or a name");
    ptx_parser_advance(parser);
    return true;
}

static bool parse_specifier(PtxParser *parser, Declaration *declaration)
{
    if (ptx_parser_accept_dotted(parser, "align"))
        return parse_align(parser, &declaration->align_bytes);
    if (ptx_parser_accept_dotted(parser, "attribute"))
        return ptx_parse_attribute(parser);
    if (ptx_parser_accept_dotted(parser, "ptr"))
        return parse_pointee(parser, declaration);
    return parse_type_word(parser, declaration);
}

/* `.const[3]`: banks of old PTX; there is one now. */
static bool skip_bank(PtxParser *parser)
{
    uint64_t bank;
    return !ptx_parser_accept(parser, '[') ||
           (ptx_parse_number(parser, "a constant bank", 10, &bank) && ptx_parser_expect(parser, ']'));
}

static bool parse_specifiers(PtxParser *parser, Declaration *declaration)
{
    const PtxPlace place = parser->token.place;
    *declaration = (Declaration){.space = ptx_token_space(&parser->token), .vector = 1};
    if (declaration->space == PTX_SPACE_NONE)
        return ptx_parser_expected(parser, "a state space");
    ptx_parser_advance(parser);
    if (!skip_bank(parser))
        return false;
    while (parser->token.kind == PTX_TOKEN_DOTTED)
        if (!parse_specifier(parser, declaration))
            return false;
    if (declaration->type == PTX_TYPE_NONE)
        return ptx_parser_fail(parser, place, "a declaration without a type");
    if (declaration->type == PTX_TYPE_PRED && declaration->space != PTX_SPACE_REG)
        return ptx_parser_fail(parser, place, "a predicate can only be a register");
    if (declaration->space == PTX_SPACE_REG && declaration->vector > 4)
        return ptx_parser_fail(parser, place, "a register has at most four components");
    if (declaration->space == PTX_SPACE_SREG)
        return ptx_parser_fail(parser, place, "special registers are predefined");
    return true;
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static bool add_register(PtxParser *parser, const Declaration *declaration, PtxName *name, PtxPlace place)
{
    const PtxRegister reg = {.name = name->text, .type = declaration->type, .vector = declaration->vector};
    const PtxSymbol symbol = {.kind = PTX_SYMBOL_REGISTER,
                              .place = place,
                              .index = (uint32_t)(parser->body.registers.size / sizeof(PtxRegister))};
    if (symbol.index >= PTX_REGISTERS_MAX)
        return ptx_parser_fail(parser, place, "more than %d registers in a function", PTX_REGISTERS_MAX);
    return ptx_parser_charge(parser, &parser->register_total, 1, PTX_MODULE_REGISTERS_MAX, "registers in a module") &&
           ptx_parser_push(parser, &parser->body.registers, &reg, sizeof reg) &&
           ptx_parser_declare(parser, name, symbol);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static bool is_in_function(const PtxParser *parser)
{
    return parser->scopes.depth > 0;
}

static bool has_external_size(const PtxVariable *variable)
{
    return variable->is_extern || variable->space == PTX_SPACE_PARAM;
}

/* `[2][3]`, the first perhaps empty: that one is given as 0. */
static bool parse_dimensions(PtxParser *parser, PtxVariable *variable, uint64_t *dimensions, uint32_t *ret_count)
{
    uint32_t count = 0;
    while (ptx_parser_accept(parser, '[')) {
        if (count == PTX_DIMENSIONS_MAX)
            return ptx_parser_fail(parser, variable->place, "an array of more than %d dimensions", PTX_DIMENSIONS_MAX);
        const PtxPlace place = parser->token.place;
        dimensions[count] = 0;
        if (!(count == 0 && ptx_parser_at(parser, ']')) && !ptx_parse_integer(parser, &dimensions[count]))
            return false;
        if (count > 0 && dimensions[count] == 0)
            return ptx_parser_fail(parser, place, "only the first dimension may be left out");
        count++;
        if (!ptx_parser_expect(parser, ']'))
            return false;
    }
    variable->is_array = count > 0;
    variable->is_unsized = count > 0 && dimensions[0] == 0;
    *ret_count = count;
    return true;
}

bool ptx_variable_set_size(PtxParser *parser, PtxVariable *variable, const uint64_t *dimensions, uint32_t count)
{
    uint64_t elements = 1, bytes = 0;
    bool is_too_large = false;
    for (uint32_t i = variable->is_unsized; i < count; i++)
        is_too_large = is_too_large || __builtin_mul_overflow(elements, dimensions[i], &elements);
    const uint64_t element_bytes = (uint64_t)ptx_type_row(variable->type)->bytes * variable->vector;
    is_too_large = is_too_large || __builtin_mul_overflow(elements, element_bytes, &bytes);
    if (is_too_large || bytes > PTX_ARRAY_BYTES_MAX)
        return ptx_parser_fail(parser, variable->place, "`%.40s` is larger than 4 GiB", variable->name);
    variable->element_count = variable->is_unsized ? 0 : elements;
    variable->size_bytes = variable->is_unsized ? 0 : bytes;
    return true;
}

static bool check_initialiser(PtxParser *parser, const PtxVariable *variable)
{
    if (variable->space != PTX_SPACE_GLOBAL && variable->space != PTX_SPACE_CONST && variable->space != PTX_SPACE_TEX)
        return ptx_parser_fail(parser, parser->token.place, "only .global and .const variables have initial values");
    if (variable->is_extern)
        return ptx_parser_fail(parser, parser->token.place, "an .extern variable has no initial value");
    return true;
}

/* Dimensions, size and initial value of a variable whose name is known. */
static bool parse_shape(PtxParser *parser, PtxVariable *variable)
{
    uint64_t dimensions[PTX_DIMENSIONS_MAX + 1];
    uint32_t count;
    if (!parse_dimensions(parser, variable, dimensions, &count) ||
        !ptx_variable_set_size(parser, variable, dimensions, count))
        return false;
    if (ptx_parser_at(parser, '=')) {
        if (!check_initialiser(parser, variable))
            return false;
        ptx_parser_advance(parser);
        if (!ptx_parse_initializer(parser, variable, dimensions, count))
            return false;
    }
    if (variable->is_unsized && !has_external_size(variable))
        return ptx_parser_fail(parser, variable->place, "`%.40s` has no length", variable->name);
    return true;
}

static PtxVariable *new_variable(PtxParser *parser, const Declaration *declaration, unsigned linkage,
                                 const PtxName *name, PtxPlace place)
{
    PtxVariable *variable = arena_alloc(parser->arena, sizeof *variable);
    const uint32_t natural = ptx_type_row(declaration->type)->bytes * declaration->vector;
    *variable = (PtxVariable){
        .name = name->text,
        .place = place,
        .space = declaration->space,
        .type = declaration->type,
        .vector = declaration->vector,
        .align_bytes = declaration->align_bytes ? declaration->align_bytes
                       : natural                ? natural
                                                : 1,
        .is_extern = (linkage & PTX_LINKAGE_EXTERN) != 0,
        .is_visible = (linkage & PTX_LINKAGE_VISIBLE) != 0,
        .is_weak = (linkage & (PTX_LINKAGE_WEAK | PTX_LINKAGE_COMMON)) != 0,
        .is_pointer = declaration->is_pointer,
    };
    return variable;
}

static bool charge_variable(PtxParser *parser)
{
    return ptx_parser_charge(parser, &parser->variable_total, 1, PTX_MODULE_VARIABLES_MAX, "variables in a module");
}

/* An .extern declaration and the definition are one variable: whoever names it already keeps its pointer. */
static bool add_to_module(PtxParser *parser, PtxName *name, PtxVariable *variable)
{
    PtxVariable *known = name->variable;
    if (name->function || (known && !known->is_extern && !variable->is_extern))
        return ptx_parser_fail(parser, variable->place, "`%.40s` is declared already, in line %" PRIu32, name->text,
                               known ? known->place.line : name->function->place.line);
    if (known) {
        const PtxVariable *wins = variable->is_extern ? known : variable;
        const uint32_t index = known->index;
        if (known->type != variable->type || known->space != variable->space || known->vector != variable->vector)
            return ptx_parser_fail(parser, variable->place, "`%.40s` is declared differently in line %" PRIu32,
                                   name->text, known->place.line);
        *known = *wins;
        known->index = index;
        return true;
    }
    variable->index = (uint32_t)(parser->variables.size / sizeof variable);
    name->variable = variable;
    return ptx_parser_push(parser, &parser->variables, &variable, sizeof(PtxVariable *));
}

static bool add_variable(PtxParser *parser, PtxName *name, PtxVariable *variable)
{
    if (!is_in_function(parser))
        return add_to_module(parser, name, variable);
    const PtxSymbol symbol = {.kind = PTX_SYMBOL_VARIABLE, .place = variable->place, .variable = variable};
    variable->index = (uint32_t)(parser->body.variables.size / sizeof variable);
    return ptx_parser_push(parser, &parser->body.variables, &variable, sizeof(PtxVariable *)) &&
           ptx_parser_declare(parser, name, symbol);
}

/* ---- declarators ------------------------------------------------------------------------------------------------- */

static bool declare_one(PtxParser *parser, const Declaration *declaration, unsigned linkage, PtxName *name,
                        PtxPlace place)
{
    if (declaration->space == PTX_SPACE_REG)
        return add_register(parser, declaration, name, place);
    PtxVariable *variable = new_variable(parser, declaration, linkage, name, place);
    return charge_variable(parser) && parse_shape(parser, variable) && add_variable(parser, name, variable);
}

/* `%r<100>`: %r0 to %r99. */
static bool declare_numbered(PtxParser *parser, const Declaration *declaration, unsigned linkage, const PtxToken *stem)
{
    uint64_t count;
    char text[256];
    if (stem->length > sizeof text - 8)
        return ptx_parser_fail(parser, stem->place, "the name of numbered variables is too long");
    if (!ptx_parse_number(parser, "a number of variables", PTX_REGISTERS_MAX, &count) ||
        !ptx_parser_expect(parser, '>'))
        return false;
    memcpy(text, stem->text, stem->length);
    for (uint32_t i = 0; i < count; i++) {
        char digits[8];
        size_t length = 0;
        for (uint32_t rest = i; rest > 0 || length == 0; rest /= 10)
            digits[length++] = (char)('0' + rest % 10);
        for (size_t k = 0; k < length; k++)
            text[stem->length + k] = digits[length - 1 - k];
        PtxName *name = ptx_scopes_name(&parser->scopes, text, stem->length + length);
        if (!declare_one(parser, declaration, linkage, name, stem->place))
            return false;
    }
    return true;
}

static bool parse_declarator(PtxParser *parser, const Declaration *declaration, unsigned linkage)
{
    const PtxToken stem = parser->token;
    PtxName *name;
    if (stem.kind != PTX_TOKEN_NAME)
        return ptx_parser_expected(parser, "a name");
    ptx_parser_advance(parser);
    if (ptx_parser_accept(parser, '<'))
        return declare_numbered(parser, declaration, linkage, &stem);
    name = ptx_scopes_name(&parser->scopes, stem.text, stem.length);
    return declare_one(parser, declaration, linkage, name, stem.place);
}

bool ptx_parse_variables(PtxParser *parser, unsigned linkage)
{
    Declaration declaration;
    const PtxPlace place = parser->token.place;
    if (!parse_specifiers(parser, &declaration))
        return false;
    const bool is_of_function = declaration.space == PTX_SPACE_REG || declaration.space == PTX_SPACE_PARAM ||
                                declaration.space == PTX_SPACE_LOCAL;
    if (!is_in_function(parser) && is_of_function)
        return ptx_parser_fail(parser, place, "registers, parameters and .local variables belong into functions");
    do {
        if (!parse_declarator(parser, &declaration, linkage))
            return false;
    } while (ptx_parser_accept(parser, ','));
    return ptx_parser_expect(parser, ';');
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

static bool declare_parameter(PtxParser *parser, const Declaration *declaration, PtxName *name, PtxVariable *variable)
{
    const PtxSymbol symbol = {.kind = PTX_SYMBOL_VARIABLE, .place = variable->place, .variable = variable};
    if (strcmp(name->text, "_") == 0) /* of a declaration: it names nothing */
        return true;
    if (declaration->space == PTX_SPACE_REG)
        return add_register(parser, declaration, name, variable->place);
    return ptx_parser_declare(parser, name, symbol);
}

/* NULL: there is none. */
static PtxVariable *parse_parameter(PtxParser *parser, bool is_prototype)
{
    Declaration declaration;
    const PtxPlace start = parser->token.place;
    if (!parse_specifiers(parser, &declaration))
        return NULL;
    const PtxPlace place = parser->token.place;
    if (declaration.space != PTX_SPACE_PARAM && declaration.space != PTX_SPACE_REG)
        ptx_parser_record(parser, start, "a parameter is .param or .reg");
    else if (parser->token.kind != PTX_TOKEN_NAME)
        ptx_parser_record_expected(parser, "a name");
    if (parser->has_failed || !charge_variable(parser))
        return NULL;
    PtxName *name = ptx_parser_intern(parser);
    ptx_parser_advance(parser);
    PtxVariable *variable = new_variable(parser, &declaration, 0, name, place);
    const bool is_read =
        parse_shape(parser, variable) && (is_prototype || declare_parameter(parser, &declaration, name, variable));
    return is_read ? variable : NULL;
}

static bool add_parameter(PtxParser *parser, bool is_prototype, Buffer *list)
{
    PtxVariable *variable = parse_parameter(parser, is_prototype);
    if (!variable)
        return false;
    variable->index = (uint32_t)(list->size / sizeof variable);
    return ptx_parser_push(parser, list, &variable, sizeof(PtxVariable *));
}

bool ptx_parse_parameters(PtxParser *parser, bool is_prototype, PtxVariable ***ret_variables, uint32_t *ret_count)
{
    Buffer list = {0};
    bool is_read = ptx_parser_expect(parser, '(');
    if (is_read && !ptx_parser_at(parser, ')')) {
        do {
            is_read = add_parameter(parser, is_prototype, &list);
        } while (is_read && ptx_parser_accept(parser, ','));
    }
    is_read = is_read && ptx_parser_expect(parser, ')');
    *ret_variables = ptx_parser_keep(parser, list.data, list.size);
    *ret_count = (uint32_t)(list.size / sizeof(PtxVariable *));
    buffer_done(&list);
    return is_read;
}
