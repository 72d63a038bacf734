/* `.loc file line column, function_name label, inlined_at file line column`: the places of the CUDA source. The place
 * after inlined_at is the latest .loc with these numbers, which may have been inlined itself. */
#include <string.h>

#include "ptx/parser.h"

typedef struct Key {
    uint32_t file, line, column;
} Key;

struct PtxLocationEntry {
    Key key;
    uint32_t depth; /* of inlining */
    const PtxSourceLocation *location;
};

enum { FIRST_SLOTS = 256 };

static struct PtxLocationEntry *entry_of(const PtxParser *parser, Key key)
{
    const PtxLocations *locations = &parser->locations;
    uint32_t i = (uint32_t)ptx_scopes_hash(&parser->scopes, &key, sizeof key) & (locations->size - 1);
    while (locations->slots[i].location && memcmp(&locations->slots[i].key, &key, sizeof key) != 0)
        i = (i + 1) & (locations->size - 1);
    return &locations->slots[i];
}

static void make_room(PtxParser *parser)
{
    PtxLocations *locations = &parser->locations;
    const PtxLocations old = *locations;
    if (locations->count < locations->size / 2)
        return;
    locations->size = old.size ? 2 * old.size : FIRST_SLOTS;
    locations->slots = arena_new_array(parser->arena, struct PtxLocationEntry, locations->size);
    for (uint32_t i = 0; i < old.size; i++)
        if (old.slots[i].location)
            *entry_of(parser, old.slots[i].key) = old.slots[i];
}

/* The location of these numbers. The outer places of a chain that is longer than any compiler makes are left out. */
static const PtxSourceLocation *locate(PtxParser *parser, Key key, const Key *outer)
{
    const PtxSourceLocation *inlined_at = NULL;
    uint32_t depth = 0;
    if (outer) {
        inlined_at = locate(parser, *outer, NULL);
        depth = entry_of(parser, *outer)->depth + 1;
    }
    make_room(parser);
    struct PtxLocationEntry *entry = entry_of(parser, key);
    if (entry->location && (!outer || entry->location->inlined_at == inlined_at))
        return entry->location;
    PtxSourceLocation *location = arena_alloc(parser->arena, sizeof *location);
    *location = (PtxSourceLocation){.file = key.file, .line = key.line, .column = key.column};
    location->inlined_at = depth < PTX_INLINE_DEPTH_MAX ? inlined_at : NULL;
    parser->locations.count += entry->location == NULL;
    *entry = (struct PtxLocationEntry){key, location->inlined_at ? depth : 0, location};
    return location;
}

static bool parse_key(PtxParser *parser, Key *ret)
{
    uint64_t file, line, column;
    if (!ptx_parse_number(parser, "a file index", PTX_FILES_MAX - 1, &file) ||
        !ptx_parse_number(parser, "a line", UINT32_MAX, &line) ||
        !ptx_parse_number(parser, "a column", UINT32_MAX, &column))
        return false;
    if (file > parser->locations.file_max)
        parser->locations.file_max = (uint32_t)file;
    *ret = (Key){(uint32_t)file, (uint32_t)line, (uint32_t)column};
    return true;
}

/* `function_name label + offset`: for debuggers. */
static bool skip_function_name(PtxParser *parser)
{
    PtxName *label;
    int64_t offset = 0;
    ptx_parser_advance(parser);
    return ptx_parser_name(parser, "a label", &label) && ptx_parse_offset(parser, &offset);
}

bool ptx_parse_location(PtxParser *parser)
{
    Key key, outer;
    bool is_inlined = false;
    if (!parse_key(parser, &key))
        return false;
    while (ptx_parser_accept(parser, ',')) {
        if (ptx_token_is(&parser->token, PTX_TOKEN_NAME, "function_name")) {
            if (!skip_function_name(parser))
                return false;
        } else if (ptx_token_is(&parser->token, PTX_TOKEN_NAME, "inlined_at")) {
            ptx_parser_advance(parser);
            if (!parse_key(parser, &outer))
                return false;
            is_inlined = true;
        } else {
            return ptx_parser_expected(parser, "`function_name` or `inlined_at`");
        }
    }
    parser->body.location = locate(parser, key, is_inlined ? &outer : NULL);
    return true;
}
