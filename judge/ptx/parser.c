/* The parser's standing: its token, its first error, its limits. */
#include "ptx/parser.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ptx_parser_record(PtxParser *parser, PtxPlace place, const char *format, ...)
{
    if (parser->has_failed)
        return;
    parser->has_failed = true;
    parser->error->place = place;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments); /* may be cut */
    va_end(arguments);
}

void ptx_parser_record_expected(PtxParser *parser, const char *what)
{
    const char *dot = parser->token.kind == PTX_TOKEN_DOTTED ? "." : "";
    if (parser->token.kind == PTX_TOKEN_END)
        ptx_parser_record(parser, parser->token.place, "%s expected, but the text ends", what);
    else
        ptx_parser_record(parser, parser->token.place, "%s expected, not `%s%.*s`", what, dot,
                          PTX_TOKEN_TEXT(parser->token));
}

void ptx_parser_advance(PtxParser *parser)
{
    if (parser->token.kind == PTX_TOKEN_BROKEN)
        return;
    ptx_lexer_next(&parser->lexer, &parser->token);
    if (parser->token.kind == PTX_TOKEN_BROKEN)
        ptx_parser_record(parser, parser->token.place, "%s", parser->token.text); /* the caller meets the token */
}

bool ptx_parser_at(const PtxParser *parser, uint32_t symbol)
{
    return parser->token.kind == PTX_TOKEN_SYMBOL && parser->token.symbol == symbol;
}

bool ptx_parser_accept(PtxParser *parser, uint32_t symbol)
{
    if (!ptx_parser_at(parser, symbol))
        return false;
    ptx_parser_advance(parser);
    return true;
}

bool ptx_parser_expect(PtxParser *parser, uint32_t symbol)
{
    const char text[] = {'`', (char)symbol, '`', '\0'};
    return ptx_parser_accept(parser, symbol) || ptx_parser_expected(parser, text);
}

bool ptx_parser_accept_dotted(PtxParser *parser, const char *word)
{
    if (!ptx_token_is(&parser->token, PTX_TOKEN_DOTTED, word))
        return false;
    ptx_parser_advance(parser);
    return true;
}

PtxName *ptx_parser_intern(PtxParser *parser)
{
    return ptx_scopes_name(&parser->scopes, parser->token.text, parser->token.length);
}

bool ptx_parser_name(PtxParser *parser, const char *what, PtxName **ret_name)
{
    if (parser->token.kind != PTX_TOKEN_NAME || ptx_token_is(&parser->token, PTX_TOKEN_NAME, "_"))
        return ptx_parser_expected(parser, what);
    *ret_name = ptx_parser_intern(parser);
    ptx_parser_advance(parser);
    return true;
}

bool ptx_parser_enter(PtxParser *parser)
{
    if (parser->nesting >= PTX_NESTING_MAX)
        return ptx_parser_fail(parser, parser->token.place, "nested more than %d levels deep", PTX_NESTING_MAX);
    parser->nesting++;
    return true;
}

void ptx_parser_leave(PtxParser *parser)
{
    assert(parser->nesting > 0);
    parser->nesting--;
}

bool ptx_parser_charge(PtxParser *parser, uint64_t *total, uint64_t more, uint64_t limit, const char *what)
{
    if (more > limit || *total > limit - more)
        return ptx_parser_fail(parser, parser->token.place, "more than %" PRIu64 " %s", limit, what);
    *total += more;
    return true;
}

bool ptx_parser_check_names(PtxParser *parser)
{
    return parser->scopes.name_count <= PTX_MODULE_NAMES_MAX ||
           ptx_parser_fail(parser, parser->token.place, "more than %d names in a module", PTX_MODULE_NAMES_MAX);
}

bool ptx_parser_push(PtxParser *parser, Buffer *list, const void *item, size_t size)
{
    buffer_append(list, item, size);
    return !list->has_failed || ptx_parser_fail(parser, parser->token.place, "out of memory");
}

void *ptx_parser_keep(PtxParser *parser, const void *data, size_t size)
{
    if (size == 0)
        return NULL;
    return memcpy(arena_alloc(parser->arena, size), data, size);
}

bool ptx_parser_declare(PtxParser *parser, PtxName *name, PtxSymbol symbol)
{
    PtxPlace place;
    if (!ptx_scopes_declare(&parser->scopes, name, symbol, &place))
        return ptx_parser_fail(parser, symbol.place, "`%.40s` is declared already, in line %" PRIu32, name->text,
                               place.line);
    return !parser->scopes.stack.has_failed || ptx_parser_fail(parser, symbol.place, "out of memory");
}
