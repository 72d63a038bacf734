/* libyaml's events into nodes, by recursion over at most MAX_DEPTH levels. */
#include "package/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/fd.h"
#include "package/decimal_text.h"

enum { MAX_BYTES = 1024 * 1024, MAX_DEPTH = 32, MAX_NODES = 50000 };

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static bool fail_at(Error *error, const char *file, int line, int column, const char *format, va_list arguments)
{
    auto_free char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        return text = NULL, error_fault(error, "out of memory");
    return error_input(error, "%s:%d:%d: %s", file, line, column, text);
}

bool yaml_error(const YamlNode *node, Error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail_at(error, node->file, node->line, node->column, format, arguments); /* always false */
    va_end(arguments);
    return false;
}

bool yaml_key_error(const YamlNode *node, Error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail_at(error, node->file, node->key ? node->key_line : node->line,
                  node->key ? node->key_column : node->column, format, arguments); /* always false */
    va_end(arguments);
    return false;
}

void yaml_warn(const YamlNode *node, List *warnings, const char *format, ...)
{
    auto_free char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    list_format(warnings, "%s:%d: %s", node->file, node->key ? node->key_line : node->line, text ? text : format);
}

/* ---- events into nodes ------------------------------------------------------------------------------------------- */

typedef struct Reader {
    yaml_parser_t parser;
    Arena *arena;
    const char *file;
    size_t node_count;
} Reader;

static void event_cleanup(yaml_event_t *event)
{
    yaml_event_delete(event);
}
#define auto_event __attribute__((cleanup(event_cleanup)))

static bool syntax_error(const Reader *reader, Error *error)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "unreadable YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        return error_fault(error, "out of memory");
    if (parser->error == YAML_READER_ERROR)
        return error_input(error, "%s:%zu:1: %s (byte %zu)", reader->file, parser->mark.line + 1, problem,
                           parser->problem_offset);
    return error_input(error, "%s:%zu:%zu: %s%s%s", reader->file, parser->problem_mark.line + 1,
                       parser->problem_mark.column + 1, parser->context ? parser->context : "",
                       parser->context ? ": " : "", problem);
}

/* The event must be zeroed: it is deleted by scope whether or not it was filled. */
static bool next_event(Reader *reader, yaml_event_t *ret_event, Error *error)
{
    return yaml_parser_parse(&reader->parser, ret_event) || syntax_error(reader, error);
}

static bool has_control_character(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f)
            return true;
    }
    return false;
}

static bool read_scalar(Reader *reader, const yaml_event_t *event, YamlNode *node, Error *error)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (has_control_character(text, length))
        return yaml_error(node, error, "a control character in a string");
    node->text = arena_bytes(reader->arena, text, length);
    node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return true;
}

static bool read_node(Reader *reader, const yaml_event_t *event, int depth, YamlNode *node, Error *error);

static bool read_children(Reader *reader, yaml_event_type_t end, int depth, YamlNode *parent, Error *error);

static const unsigned char *event_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor;
    case YAML_ALIAS_EVENT: return event->data.alias.anchor;
    default: return NULL;
    }
}

static void place(const Reader *reader, const yaml_event_t *event, YamlNode *node)
{
    node->file = reader->file;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
}

static bool read_node(Reader *reader, const yaml_event_t *event, int depth, YamlNode *node, Error *error)
{
    place(reader, event, node);
    if (event_anchor(event))
        return yaml_error(node, error, "anchors and aliases are not allowed here");
    if (depth > MAX_DEPTH)
        return yaml_error(node, error, "nested more than %d levels deep", MAX_DEPTH);
    if (++reader->node_count > MAX_NODES)
        return yaml_error(node, error, "more than %d values", MAX_NODES);
    switch (event->type) {
    case YAML_SCALAR_EVENT: return read_scalar(reader, event, node, error);
    case YAML_SEQUENCE_START_EVENT:
        node->kind = YAML_KIND_SEQUENCE;
        return read_children(reader, YAML_SEQUENCE_END_EVENT, depth + 1, node, error);
    case YAML_MAPPING_START_EVENT:
        node->kind = YAML_KIND_MAPPING;
        return read_children(reader, YAML_MAPPING_END_EVENT, depth + 1, node, error);
    default: return yaml_error(node, error, "a value is expected here");
    }
}

/* Reads the key that `event` starts into `child`, and leaves the event of its value in `event`. */
static bool read_key(Reader *reader, yaml_event_t *event, int depth, YamlNode *child, Error *error)
{
    YamlNode key = {0};
    if (!read_node(reader, event, depth, &key, error))
        return false;
    if (key.kind != YAML_KIND_SCALAR)
        return yaml_error(&key, error, "a key must be a string");
    child->key = key.text;
    child->key_line = key.line;
    child->key_column = key.column;
    yaml_event_delete(event);
    return next_event(reader, event, error);
}

static int compare_keys(const void *left, const void *right)
{
    const YamlNode *a = *(const YamlNode *const *)left, *b = *(const YamlNode *const *)right;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->key_line > b->key_line) - (a->key_line < b->key_line);
}

/* Sorts instead of comparing all pairs: a hostile file may have tens of thousands of keys. */
static bool refuse_duplicates(const Reader *reader, const YamlNode *mapping, Error *error)
{
    const YamlNode **sorted = arena_new_array(reader->arena, const YamlNode *, mapping->child_count + 1);
    size_t count = 0;
    yaml_each (child, mapping)
        sorted[count++] = child;
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
            return yaml_key_error(sorted[i], error, "key '%s' is given twice (first in line %d)", sorted[i]->key,
                                  sorted[i - 1]->key_line);
    return true;
}

static bool read_children(Reader *reader, yaml_event_type_t end, int depth, YamlNode *parent, Error *error)
{
    const YamlNode **tail = &parent->children;
    for (;; parent->child_count++) {
        auto_event yaml_event_t event = {0};
        if (!next_event(reader, &event, error))
            return false;
        if (event.type == end)
            break;
        YamlNode *child = arena_alloc(reader->arena, sizeof *child);
        if (parent->kind == YAML_KIND_MAPPING && !read_key(reader, &event, depth, child, error))
            return false;
        if (!read_node(reader, &event, depth, child, error))
            return false;
        *tail = child;
        tail = &child->next;
    }
    return parent->kind != YAML_KIND_MAPPING || refuse_duplicates(reader, parent, error);
}

/* The document's root, or a null scalar where there is no document at all. */
static bool read_root(Reader *reader, YamlNode *root, Error *error)
{
    auto_event yaml_event_t stream = {0}, document = {0}, first = {0}, end = {0}, after = {0};
    if (!next_event(reader, &stream, error) || !next_event(reader, &document, error))
        return false;
    if (document.type == YAML_STREAM_END_EVENT) {
        *root = (YamlNode){.file = reader->file, .line = 1, .column = 1, .text = ""};
        return true;
    }
    if (!next_event(reader, &first, error) || !read_node(reader, &first, 0, root, error) ||
        !next_event(reader, &end, error) || !next_event(reader, &after, error))
        return false;
    if (after.type == YAML_STREAM_END_EVENT)
        return true;
    YamlNode second = {0};
    place(reader, &after, &second);
    return yaml_error(&second, error, "only one document is allowed");
}

bool yaml_parse(Arena *arena, const char *file, const char *text, size_t size, const YamlNode **ret_root, Error *error)
{
    if (size > MAX_BYTES)
        return error_input(error, "%s:1:1: larger than %d bytes", file, MAX_BYTES);
    Reader reader = {.arena = arena, .file = file};
    if (!yaml_parser_initialize(&reader.parser))
        return error_fault(error, "out of memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, size);
    YamlNode *root = arena_alloc(arena, sizeof *root);
    bool is_read = read_root(&reader, root, error);
    yaml_parser_delete(&reader.parser);
    if (is_read)
        *ret_root = root;
    return is_read;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

const YamlNode *yaml_get(const YamlNode *mapping, const char *key)
{
    if (mapping->kind != YAML_KIND_MAPPING)
        return NULL;
    yaml_each (child, mapping)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

bool yaml_is_null(const YamlNode *node)
{
    static const char *const words[] = {"", "~", "null", NULL};
    return node->kind == YAML_KIND_SCALAR && !node->is_quoted && is_one_of(node->text, words);
}

bool yaml_boolean(const YamlNode *node, bool *ret_value)
{
    static const char *const yes[] = {"yes", "y", "true", "on", NULL}, *const no[] = {"no", "n", "false", "off", NULL};
    if (node->kind != YAML_KIND_SCALAR || node->is_quoted)
        return false;
    *ret_value = is_one_of(node->text, yes);
    return *ret_value || is_one_of(node->text, no);
}

bool yaml_integer(const YamlNode *node, int64_t *ret_value)
{
    if (node->kind != YAML_KIND_SCALAR || node->text[strspn(node->text, "+-0123456789")] != '\0')
        return false;
    char *end;
    errno = 0;
    long long value = strtoll(node->text, &end, 10);
    if (errno || end == node->text || *end)
        return false;
    *ret_value = value;
    return true;
}

bool yaml_decimal(const YamlNode *node, double *ret_value)
{
    if (node->kind != YAML_KIND_SCALAR || !decimal_text_matches(node->text))
        return false;
    *ret_value = strtod(node->text, NULL);
    return *ret_value <= 1e300 && *ret_value >= -1e300;
}
