/* Kernels and functions, and the prototypes of indirect calls (PTX ISA 9.0, 11.2 to 11.5, 7.1). */
#include <inttypes.h>
#include <string.h>

#include "ptx/parser.h"

/* ---- directives between the parameters and the body ----------------------------------------------------------------
 */

typedef enum Fact {
    FACT_IGNORED,
    FACT_MAX_THREADS,
    FACT_REQUIRED_THREADS,
    FACT_MIN_BLOCKS,
    FACT_MAX_REGISTERS,
    FACT_CLUSTERS,
    FACT_NORETURN,
} Fact;

static const struct {
    const char *name;
    Fact fact;
    uint8_t numbers; /* at most that many, separated by commas; one is needed unless this is 0 */
} facts[] = {
    {"maxntid", FACT_MAX_THREADS, 3},
    {"reqntid", FACT_REQUIRED_THREADS, 3},
    {"minnctapersm", FACT_MIN_BLOCKS, 1},
    {"maxnctapersm", FACT_IGNORED, 1},
    {"maxnreg", FACT_MAX_REGISTERS, 1},
    {"explicitcluster", FACT_CLUSTERS, 0},
    {"reqnctapercluster", FACT_CLUSTERS, 3},
    {"maxclusterrank", FACT_CLUSTERS, 1},
    {"blocksareclusters", FACT_CLUSTERS, 0},
    {"noreturn", FACT_NORETURN, 0},
    {"abi_preserve", FACT_IGNORED, 1},
    {"abi_preserve_control", FACT_IGNORED, 1},
    {"unique", FACT_IGNORED, 0},
};

static bool parse_numbers(PtxParser *parser, uint32_t max, uint32_t numbers[3])
{
    uint32_t count = 0;
    do {
        uint64_t number;
        if (!ptx_parse_number(parser, "a number", UINT32_MAX, &number))
            return false;
        numbers[count++] = (uint32_t)number;
    } while (count < max && ptx_parser_accept(parser, ','));
    return true;
}

static void set_fact(PtxFunction *function, Fact fact, const uint32_t numbers[3])
{
    switch (fact) {
    case FACT_MAX_THREADS: memcpy(function->max_threads, numbers, sizeof function->max_threads); break;
    case FACT_REQUIRED_THREADS: memcpy(function->required_threads, numbers, sizeof function->required_threads); break;
    case FACT_MIN_BLOCKS: function->min_blocks = numbers[0]; break;
    case FACT_MAX_REGISTERS: function->max_registers = numbers[0]; break;
    case FACT_CLUSTERS: function->uses_clusters = true; break;
    case FACT_NORETURN: function->is_noreturn = true; break;
    case FACT_IGNORED: break;
    }
}

static bool parse_fact(PtxParser *parser, PtxFunction *function)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (!ptx_parser_accept_dotted(parser, facts[i].name))
            continue;
        uint32_t numbers[3] = {1, 1, 1};
        if (facts[i].numbers && !parse_numbers(parser, facts[i].numbers, numbers))
            return false;
        set_fact(function, facts[i].fact, numbers);
        return true;
    }
    if (ptx_parser_accept_dotted(parser, "pragma"))
        return ptx_parse_pragma(parser);
    if (ptx_parser_accept_dotted(parser, "attribute"))
        return ptx_parse_attribute(parser);
    return ptx_parser_fail(parser, parser->token.place, "the directive `.%.*s` is not known before a function's body",
                           PTX_TOKEN_TEXT(parser->token));
}

static bool parse_facts(PtxParser *parser, PtxFunction *function)
{
    while (parser->token.kind == PTX_TOKEN_DOTTED)
        if (!parse_fact(parser, function))
            return false;
    return true;
}

/* ---- prototypes -------------------------------------------------------------------------------------------------- */

static bool parse_optional_parameters(PtxParser *parser, bool is_prototype, PtxVariable ***ret_list,
                                      uint32_t *ret_count)
{
    return !ptx_parser_at(parser, '(') || ptx_parse_parameters(parser, is_prototype, ret_list, ret_count);
}

bool ptx_parse_prototype(PtxParser *parser, PtxFunction **ret_prototype)
{
    PtxFunction *prototype = arena_alloc(parser->arena, sizeof *prototype);
    prototype->place = parser->token.place;
    prototype->name = "_";
    if (!parse_optional_parameters(parser, true, &prototype->results, &prototype->result_count))
        return false;
    if (parser->token.kind != PTX_TOKEN_NAME)
        return ptx_parser_expected(parser, "`_`");
    ptx_parser_advance(parser);
    if (!parse_optional_parameters(parser, true, &prototype->parameters, &prototype->parameter_count) ||
        !parse_facts(parser, prototype))
        return false;
    *ret_prototype = prototype;
    return true;
}

/* ---- declarations and definitions -------------------------------------------------------------------------------- */

static bool is_same_list(PtxVariable *const *a, uint32_t a_count, PtxVariable *const *b, uint32_t b_count)
{
    bool is_same = a_count == b_count;
    for (uint32_t i = 0; is_same && i < a_count; i++)
        is_same = a[i]->size_bytes == b[i]->size_bytes && a[i]->space == b[i]->space && a[i]->type == b[i]->type;
    return is_same;
}

/* Takes the place of the function that `header` declares; the one declared before if there is one. */
static PtxFunction *enter_function(PtxParser *parser, PtxName *name, const PtxFunction *header, bool has_body)
{
    PtxFunction *known = name->function;
    if (name->variable || (known && known->has_body && has_body) || (known && known->is_entry != header->is_entry)) {
        ptx_parser_record(parser, header->place, "`%.40s` is declared already, in line %" PRIu32, name->text,
                          known ? known->place.line : name->variable->place.line);
        return NULL;
    }
    if (known) {
        if (!is_same_list(known->parameters, known->parameter_count, header->parameters, header->parameter_count) ||
            !is_same_list(known->results, known->result_count, header->results, header->result_count)) {
            ptx_parser_record(parser, header->place, "`%.40s` has other parameters or results in line %" PRIu32,
                              name->text, known->place.line);
            return NULL;
        }
        return known;
    }
    PtxFunction *function = arena_alloc(parser->arena, sizeof *function);
    *function = *header;
    function->index = (uint32_t)(parser->functions.size / sizeof function);
    if (function->index >= PTX_MODULE_FUNCTIONS_MAX) {
        ptx_parser_record(parser, header->place, "more than %d functions in a module", PTX_MODULE_FUNCTIONS_MAX);
        return NULL;
    }
    name->function = function;
    return ptx_parser_push(parser, &parser->functions, &function, sizeof(PtxFunction *)) ? function : NULL;
}

/* A definition says more than the declaration before it, which may have said things of its own. */
static void merge_header(PtxFunction *function, PtxFunction header, bool has_body)
{
    const PtxFunction known = *function;
    if (has_body || !known.has_body) {
        header.index = known.index;
        *function = header;
    }
    function->is_visible = known.is_visible || header.is_visible;
    function->is_weak = known.is_weak || header.is_weak;
    function->is_noreturn = known.is_noreturn || header.is_noreturn;
    function->is_extern = (known.is_extern || header.is_extern) && !has_body && !known.has_body;
}

static bool parse_header(PtxParser *parser, PtxFunction *header, PtxName **ret_name)
{
    header->is_entry = ptx_parser_accept_dotted(parser, "entry");
    if (!header->is_entry && !ptx_parser_accept_dotted(parser, "func"))
        return ptx_parser_expected(parser, "`.entry` or `.func`");
    while (ptx_parser_accept_dotted(parser, "attribute"))
        if (!ptx_parse_attribute(parser))
            return false;
    if (!header->is_entry && !parse_optional_parameters(parser, false, &header->results, &header->result_count))
        return false;
    header->place = parser->token.place;
    if (!ptx_parser_name(parser, "the name of a function", ret_name))
        return false;
    header->name = (*ret_name)->text;
    return parse_optional_parameters(parser, false, &header->parameters, &header->parameter_count) &&
           parse_facts(parser, header);
}

static bool parse_in_scope(PtxParser *parser, unsigned linkage)
{
    PtxFunction header = {
        .is_extern = (linkage & PTX_LINKAGE_EXTERN) != 0,
        .is_visible = (linkage & PTX_LINKAGE_VISIBLE) != 0,
        .is_weak = (linkage & PTX_LINKAGE_WEAK) != 0,
    };
    PtxName *name;
    if (!parse_header(parser, &header, &name))
        return false;
    const bool has_body = ptx_parser_at(parser, '{');
    PtxFunction *function = enter_function(parser, name, &header, has_body);
    if (!function)
        return false;
    merge_header(function, header, has_body);
    return has_body ? ptx_parse_body(parser, function) : ptx_parser_expect(parser, ';');
}

static void clear_body(PtxBody *body)
{
    Buffer *lists[] = {&body->registers,   &body->variables,     &body->instructions,
                       &body->label_names, &body->label_targets, &body->pending};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lists[i]->size = 0;
    body->location = NULL;
}

bool ptx_parse_function(PtxParser *parser, unsigned linkage)
{
    clear_body(&parser->body);
    if (!ptx_scopes_open(&parser->scopes))
        return ptx_parser_fail(parser, parser->token.place, "more than %d scopes inside each other", PTX_SCOPES_MAX);
    const bool is_read = parse_in_scope(parser, linkage);
    while (parser->scopes.depth > 0) /* those that an error left open too */
        ptx_scopes_close(&parser->scopes);
    return is_read;
}
