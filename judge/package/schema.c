/* A reader for each type, found by the row's type. */
#include "package/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "package/suggest.h"

typedef struct Reading {
    const SchemaContext *context;
    const SchemaField *field;
    const YamlNode *node;
    void *target; /* the whole struct */
    Error *error;
} Reading;

static void *place_of(const Reading *reading)
{
    return (char *)reading->target + reading->field->offset;
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

bool schema_text(const YamlNode *node, const char *what, const char **ret_text, Error *error)
{
    if (node->kind != YAML_KIND_SCALAR)
        return yaml_error(node, error, "'%s' must be a string", what);
    *ret_text = node->text;
    return true;
}

static bool read_text(const Reading *reading)
{
    return schema_text(reading->node, reading->field->key, place_of(reading), reading->error);
}

static bool read_count(const Reading *reading)
{
    const SchemaField *field = reading->field;
    int64_t value;
    if (!yaml_integer(reading->node, &value))
        return yaml_error(reading->node, reading->error, "'%s' must be a whole number", field->key);
    if ((double)value < field->low || (double)value > field->high)
        return yaml_error(reading->node, reading->error, "'%s' must be between %.0f and %.0f", field->key, field->low,
                          field->high);
    *(int64_t *)place_of(reading) = value * field->unit;
    return true;
}

static bool read_decimal(const Reading *reading, double *ret_value)
{
    const SchemaField *field = reading->field;
    if (!yaml_decimal(reading->node, ret_value))
        return yaml_error(reading->node, reading->error, "'%s' must be a number", field->key);
    if (*ret_value < field->low || *ret_value > field->high)
        return yaml_error(reading->node, reading->error, "'%s' must be between %g and %g", field->key, field->low,
                          field->high);
    return true;
}

static bool read_seconds(const Reading *reading)
{
    double seconds;
    if (!read_decimal(reading, &seconds))
        return false;
    *(int64_t *)place_of(reading) = llround(seconds * 1e9);
    return true;
}

static bool read_real(const Reading *reading)
{
    return read_decimal(reading, place_of(reading));
}

static bool read_boolean(const Reading *reading)
{
    if (!yaml_boolean(reading->node, place_of(reading)))
        return yaml_error(reading->node, reading->error, "'%s' must be true or false", reading->field->key);
    return true;
}

typedef struct ByteUnit {
    const char *name;
    int64_t bytes;
} ByteUnit;

static const ByteUnit byte_units[] = {{"", 1}, {"B", 1}, {"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

static int64_t byte_unit(const char *name)
{
    for (size_t i = 0; i < sizeof byte_units / sizeof *byte_units; i++)
        if (strcmp(byte_units[i].name, name) == 0)
            return byte_units[i].bytes;
    return 0;
}

static bool read_bytes(const Reading *reading)
{
    enum { MAX_DIGITS = 15 }; /* a petabyte: far beyond any limit, far below overflow */
    const char *text = "";
    if (!schema_text(reading->node, reading->field->key, &text, reading->error))
        return false;
    size_t digits = strspn(text, "0123456789");
    int64_t unit = byte_unit(text + digits + strspn(text + digits, " "));
    double value = digits && digits <= MAX_DIGITS ? strtod(text, NULL) * (double)unit : 0;
    if (!digits || !unit)
        return yaml_error(reading->node, reading->error, "'%s' must be a number of bytes, or one with a unit: 1024 MiB",
                          reading->field->key);
    if (value < reading->field->low || value > reading->field->high)
        return yaml_error(reading->node, reading->error, "'%s' must be between %.0f and %.0f bytes",
                          reading->field->key, reading->field->low, reading->field->high);
    *(int64_t *)place_of(reading) = (int64_t)value;
    return true;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

bool schema_choice(const YamlNode *node, const char *what, const char *word, const char *const *choices, int *ret_index,
                   Error *error)
{
    auto_buffer Buffer list = {0};
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], word) == 0)
            return *ret_index = i, true;
        buffer_format(&list, "%s%s", i ? ", " : "", choices[i]);
    }
    return yaml_error(node, error, "'%s' can't be '%s'; it is one of: %s", what, word, buffer_text(&list));
}

static bool read_choice(const Reading *reading)
{
    const char *word = "";
    return schema_text(reading->node, reading->field->key, &word, reading->error) &&
           schema_choice(reading->node, reading->field->key, word, reading->field->choices, place_of(reading),
                         reading->error);
}

bool schema_words(const YamlNode *node, const char *what, List *words, Error *error)
{
    if (node->kind == YAML_KIND_MAPPING)
        return yaml_error(node, error, "'%s' must be a list or a string", what);
    if (node->kind == YAML_KIND_SCALAR) {
        list_add_words(words, node->text);
        return true;
    }
    yaml_each (item, node) {
        const char *text = "";
        if (!schema_text(item, what, &text, error))
            return false;
        list_add_string(words, text);
    }
    return true;
}

static bool read_words(const Reading *reading)
{
    List words = list_of(reading->context->arena, const char *);
    if (!schema_words(reading->node, reading->field->key, &words, reading->error))
        return false;
    *(const char ***)place_of(reading) = list_strings(&words);
    return true;
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

static bool read_known(const Reading *reading)
{
    (void)reading; /* any value will do */
    return true;
}

static bool read_section(const Reading *reading)
{
    return reading->node->kind != YAML_KIND_SCALAR ||
           yaml_error(reading->node, reading->error, "'%s' must be a mapping or a list", reading->field->key);
}

static bool read_map(const Reading *reading)
{
    if (reading->node->kind != YAML_KIND_MAPPING)
        return yaml_error(reading->node, reading->error, "'%s' must be a mapping", reading->field->key);
    return schema_read(reading->context, reading->field->nested, reading->node, place_of(reading), reading->error);
}

static bool read_custom(const Reading *reading)
{
    return reading->field->handler(reading->context, reading->node, reading->target, reading->error);
}

static bool (*const readers[])(const Reading *reading) = {
    [SCHEMA_KNOWN] = read_known,     [SCHEMA_SECTION] = read_section, [SCHEMA_TEXT] = read_text,
    [SCHEMA_COUNT] = read_count,     [SCHEMA_SECONDS] = read_seconds, [SCHEMA_REAL] = read_real,
    [SCHEMA_BOOLEAN] = read_boolean, [SCHEMA_BYTES] = read_bytes,     [SCHEMA_CHOICE] = read_choice,
    [SCHEMA_WORDS] = read_words,     [SCHEMA_MAP] = read_map,         [SCHEMA_CUSTOM] = read_custom,
};
_Static_assert(sizeof readers / sizeof *readers == SCHEMA_CUSTOM + 1, "a reader for each type");

static const SchemaField *find_field(const Schema *schema, const char *key)
{
    for (size_t i = 0; i < schema->count; i++)
        if (strcmp(schema->fields[i].key, key) == 0)
            return &schema->fields[i];
    return NULL;
}

static bool unknown_key(const SchemaContext *context, const Schema *schema, const YamlNode *node, Error *error)
{
    const char **known = arena_new_array(context->arena, const char *, schema->count + 1);
    for (size_t i = 0; i < schema->count; i++)
        known[i] = schema->fields[i].key;
    const char *hint = suggest(context->arena, node->key, known);
    if (context->is_strict)
        return yaml_key_error(node, error, "unknown key '%s'%s", node->key, hint);
    yaml_warn(node, context->warnings, "unknown key '%s' is ignored%s", node->key, hint);
    return true;
}

static void warn_of_version(const SchemaContext *context, const SchemaField *field, const YamlNode *node)
{
    if (field->versions && context->version && !(field->versions & context->version))
        yaml_warn(node, context->warnings, "'%s' is not a key of format %s; it is read as other versions mean it",
                  field->key, context->version_name);
}

static bool read_key(const SchemaContext *context, const Schema *schema, const YamlNode *node, void *target,
                     Error *error)
{
    const SchemaField *field = find_field(schema, node->key);
    if (!field)
        return schema->other ? schema->other(context, node, target, error) : unknown_key(context, schema, node, error);
    warn_of_version(context, field, node);
    Reading reading = {context, field, node, target, error};
    return yaml_is_null(node) || readers[field->type](&reading);
}

bool schema_read(const SchemaContext *context, const Schema *schema, const YamlNode *mapping, void *target,
                 Error *error)
{
    if (yaml_is_null(mapping))
        return true;
    if (mapping->kind != YAML_KIND_MAPPING)
        return yaml_error(mapping, error, "a mapping of keys to values is expected here");
    yaml_each (node, mapping)
        if (!read_key(context, schema, node, target, error))
            return false;
    return true;
}
