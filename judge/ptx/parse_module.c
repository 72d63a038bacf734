/* A module: what stands outside of functions (PTX ISA 9.0, 11.1, 11.7, 11.9). */
#include <inttypes.h>
#include <string.h>

#include "ptx/parser.h"

/* ---- directives -------------------------------------------------------------------------------------------------- */

static bool number_of(const char *text, size_t length, uint32_t *ret)
{
    uint32_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > 9999)
            return false;
        value = value * 10 + (uint32_t)(text[i] - '0');
    }
    *ret = value;
    return length > 0;
}

/* `9.0`: two numbers, not a fraction. */
static bool parse_version(PtxParser *parser)
{
    const PtxToken token = parser->token;
    const char *dot = token.kind == PTX_TOKEN_NUMBER ? memchr(token.text, '.', token.length) : NULL;
    if (!dot)
        return ptx_parser_expected(parser, "a version such as 9.0");
    const size_t length = (size_t)(dot - token.text);
    if (!number_of(token.text, length, &parser->syntax->version_major) ||
        !number_of(dot + 1, token.length - length - 1, &parser->syntax->version_minor))
        return ptx_parser_expected(parser, "a version such as 9.0");
    ptx_parser_advance(parser);
    return true;
}

/* `.target sm_90a, debug`: the first counts. */
static bool parse_target(PtxParser *parser)
{
    do {
        if (parser->token.kind != PTX_TOKEN_NAME)
            return ptx_parser_expected(parser, "a target such as sm_90");
        if (!parser->syntax->target)
            parser->syntax->target = ptx_parser_intern(parser)->text;
        ptx_parser_advance(parser);
    } while (ptx_parser_accept(parser, ','));
    return true;
}

static bool parse_address_size(PtxParser *parser)
{
    const PtxPlace place = parser->token.place;
    uint64_t bits;
    if (!ptx_parse_number(parser, "an address size", 64, &bits))
        return false;
    return bits == 64 || ptx_parser_fail(parser, place, "addresses of %" PRIu64 " bits: only 64 are supported", bits);
}

/* `.file 1 "x.cu", time, size` */
static bool parse_file(PtxParser *parser)
{
    uint64_t index, ignored;
    if (!ptx_parse_number(parser, "a file index", PTX_FILES_MAX - 1, &index))
        return false;
    if (parser->token.kind != PTX_TOKEN_STRING)
        return ptx_parser_expected(parser, "a file name");
    const char *name = ptx_parser_intern(parser)->text, *none = NULL;
    while (parser->files.size <= index * sizeof name)
        if (!ptx_parser_push(parser, &parser->files, &none, sizeof(const char *)))
            return false;
    memcpy(parser->files.data + index * sizeof name, &name, sizeof(const char *));
    ptx_parser_advance(parser);
    while (ptx_parser_accept(parser, ','))
        if (!ptx_parse_number(parser, "a number", UINT64_MAX, &ignored))
            return false;
    return true;
}

/* `.section .debug_info { ... }`: DWARF for debuggers. */
static bool skip_section(PtxParser *parser)
{
    if (parser->token.kind != PTX_TOKEN_DOTTED && parser->token.kind != PTX_TOKEN_NAME)
        return ptx_parser_expected(parser, "the name of a section");
    ptx_parser_advance(parser);
    if (!ptx_parser_expect(parser, '{'))
        return false;
    while (!ptx_parser_at(parser, '}')) {
        if (parser->token.kind == PTX_TOKEN_END || parser->token.kind == PTX_TOKEN_BROKEN)
            return ptx_parser_expected(parser, "the `}` of a section");
        ptx_parser_advance(parser);
    }
    ptx_parser_advance(parser);
    return true;
}

typedef struct Alias {
    PtxFunction *alias, *function;
    PtxPlace place;
} Alias;

static bool parse_function_name(PtxParser *parser, PtxFunction **ret_function)
{
    const PtxPlace place = parser->token.place;
    PtxName *name;
    if (!ptx_parser_name(parser, "a function", &name))
        return false;
    *ret_function = name->function;
    return *ret_function || ptx_parser_fail(parser, place, "`%.40s` is no function declared before", name->text);
}

/* `.alias f, g;`: f, which has no body, is g. Done at the end, when g has its body. */
static bool parse_alias(PtxParser *parser)
{
    Alias alias = {.place = parser->token.place};
    return parse_function_name(parser, &alias.alias) && ptx_parser_expect(parser, ',') &&
           parse_function_name(parser, &alias.function) && ptx_parser_expect(parser, ';') &&
           ptx_parser_push(parser, &parser->aliases, &alias, sizeof alias);
}

static const struct {
    const char *name;
    bool (*parse)(PtxParser *parser);
} directives[] = {
    {"file", parse_file},   {"section", skip_section}, {"pragma", ptx_parse_pragma},
    {"alias", parse_alias}, {"target", parse_target},  {"address_size", parse_address_size},
};

static const struct {
    const char *name;
    PtxLinkage linkage;
} linkages[] = {
    {"visible", PTX_LINKAGE_VISIBLE},
    {"extern", PTX_LINKAGE_EXTERN},
    {"weak", PTX_LINKAGE_WEAK},
    {"common", PTX_LINKAGE_COMMON},
};

static bool parse_linkage(PtxParser *parser, unsigned *linkage)
{
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) {
        if (ptx_parser_accept_dotted(parser, linkages[i].name)) {
            *linkage |= linkages[i].linkage;
            return true;
        }
    }
    return false;
}

/* A variable or function with what is said of its visibility. */
static bool parse_object(PtxParser *parser)
{
    unsigned linkage = 0;
    while (parse_linkage(parser, &linkage))
        continue;
    while (ptx_parser_accept_dotted(parser, "attribute"))
        if (!ptx_parse_attribute(parser))
            return false;
    if (ptx_token_space(&parser->token) != PTX_SPACE_NONE)
        return ptx_parse_variables(parser, linkage);
    if (ptx_token_is(&parser->token, PTX_TOKEN_DOTTED, "entry") ||
        ptx_token_is(&parser->token, PTX_TOKEN_DOTTED, "func"))
        return ptx_parse_function(parser, linkage);
    return ptx_parser_fail(parser, parser->token.place, "the directive `.%.*s` is not known here",
                           PTX_TOKEN_TEXT(parser->token));
}

static bool parse_directive(PtxParser *parser)
{
    if (parser->token.kind != PTX_TOKEN_DOTTED)
        return ptx_parser_expected(parser, "a directive");
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (ptx_parser_accept_dotted(parser, directives[i].name))
            return directives[i].parse(parser);
    return parse_object(parser);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool resolve_aliases(PtxParser *parser)
{
    const Alias *aliases = (const Alias *)(const void *)parser->aliases.data;
    for (size_t i = 0; i < parser->aliases.size / sizeof *aliases; i++) {
        PtxFunction *alias = aliases[i].alias;
        const PtxFunction *function = aliases[i].function;
        if (alias->has_body || !function->has_body)
            return ptx_parser_fail(parser, aliases[i].place, "`.alias` names a function without a body, then one with");
        const PtxFunction known = *alias;
        *alias = *function;
        alias->name = known.name;
        alias->place = known.place;
        alias->index = known.index;
        alias->is_visible = known.is_visible;
        alias->is_weak = known.is_weak;
    }
    return true;
}

/* Every file that a .loc named has an entry, perhaps NULL. */
static bool complete_files(PtxParser *parser)
{
    const char *none = NULL;
    while (parser->files.size <= parser->locations.file_max * sizeof none)
        if (!ptx_parser_push(parser, &parser->files, &none, sizeof(const char *)))
            return false;
    memcpy(parser->files.data, &none, sizeof(const char *)); /* 0 is nobody's */
    return true;
}

static void keep_module(PtxParser *parser)
{
    PtxSyntax *syntax = parser->syntax;
    syntax->files = ptx_parser_keep(parser, parser->files.data, parser->files.size);
    syntax->file_count = (uint32_t)(parser->files.size / sizeof(const char *));
    syntax->variables = ptx_parser_keep(parser, parser->variables.data, parser->variables.size);
    syntax->variable_count = (uint32_t)(parser->variables.size / sizeof(PtxVariable *));
    syntax->functions = ptx_parser_keep(parser, parser->functions.data, parser->functions.size);
    syntax->function_count = (uint32_t)(parser->functions.size / sizeof(PtxFunction *));
}

static bool parse_module(PtxParser *parser)
{
    ptx_parser_advance(parser);
    if (!ptx_parser_accept_dotted(parser, "version"))
        return ptx_parser_expected(parser, "`.version`, with which every PTX text begins,");
    if (!parse_version(parser))
        return false;
    while (parser->token.kind != PTX_TOKEN_END)
        if (!parse_directive(parser) || !ptx_parser_check_names(parser))
            return false;
    if (!parser->syntax->target)
        return ptx_parser_expected(parser, "`.target`");
    if (!resolve_aliases(parser) || !complete_files(parser))
        return false;
    keep_module(parser);
    return true;
}

static void parser_done(PtxParser *parser)
{
    Buffer *lists[] = {&parser->variables,         &parser->functions,        &parser->files,
                       &parser->aliases,           &parser->operands,         &parser->image,
                       &parser->relocations,       &parser->body.registers,   &parser->body.variables,
                       &parser->body.instructions, &parser->body.label_names, &parser->body.label_targets,
                       &parser->body.pending};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        buffer_done(lists[i]);
    ptx_scopes_done(&parser->scopes);
}

PtxSyntax *ptx_parse(Arena *arena, const char *name, const char *text, size_t size, PtxSyntaxError *ret_error)
{
    PtxSyntaxError error = {0};
    PtxParser parser = {.arena = arena, .error = &error};
    parser.syntax = arena_alloc(arena, sizeof *parser.syntax);
    *parser.syntax = (PtxSyntax){.arena = arena, .name = arena_string(arena, name), .address_bits = 64};
    ptx_scopes_init(&parser.scopes, arena);
    bool is_parsed = false;
    if (size > PTX_TEXT_BYTES_MAX) {
        ptx_parser_record(&parser, (PtxPlace){0}, "the text is larger than 64 MiB");
    } else {
        ptx_lexer_init(&parser.lexer, text, size);
        is_parsed = parse_module(&parser);
    }
    parser_done(&parser);
    if (is_parsed)
        return parser.syntax;
    if (ret_error)
        *ret_error = error;
    return NULL;
}

PtxFunction *ptx_syntax_function(const PtxSyntax *syntax, const char *name)
{
    for (uint32_t i = 0; i < syntax->function_count; i++)
        if (strcmp(syntax->functions[i]->name, name) == 0)
            return syntax->functions[i];
    return NULL;
}

PtxVariable *ptx_syntax_variable(const PtxSyntax *syntax, const char *name)
{
    for (uint32_t i = 0; i < syntax->variable_count; i++)
        if (strcmp(syntax->variables[i]->name, name) == 0)
            return syntax->variables[i];
    return NULL;
}
