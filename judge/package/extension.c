/* gavel.yaml's table of keys. */
#include "package/extension.h"

#include <stddef.h>
#include <string.h>

#include "base/buffer.h"
#include "package/schema.h"
#include "package/tree.h"

enum { EXTENSION_SCHEMA = 1 };

static const char *const feedback_words[] = {
    [FEEDBACK_VERDICT] = "verdict", [FEEDBACK_DIFFERENCE] = "difference", [FEEDBACK_INPUT] = "input", NULL};

const char *feedback_policy_word(FeedbackPolicy policy)
{
    return feedback_words[policy];
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static bool read_schema_number(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)context, (void)target;
    int64_t number;
    if (!yaml_integer(node, &number))
        return yaml_error(node, error, "'schema' must be a whole number");
    if (number != EXTENSION_SCHEMA)
        return yaml_error(node, error, "schema %lld is not known; this version of gavel reads schema %d",
                          (long long)number, EXTENSION_SCHEMA);
    return true;
}

static bool read_path(const YamlNode *node, const char **ret_path, Error *error)
{
    if (!schema_text(node, node->key, ret_path, error))
        return false;
    if (!tree_is_path(*ret_path))
        return yaml_error(node, error, "'%s' must be a path inside the package, not '%s'", node->key, *ret_path);
    return true;
}

static bool read_model(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)context;
    return read_path(node, &((Extension *)target)->model, error);
}

static bool read_generator(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)context;
    return read_path(node, &((Extension *)target)->generator, error);
}

static bool read_difficulty(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    static const char *const words[] = {"easy", "medium", "hard", NULL};
    Extension *extension = target;
    const char *word = NULL;
    int index = 0;
    (void)context;
    if (!schema_text(node, node->key, &word, error) || !schema_choice(node, node->key, word, words, &index, error))
        return false;
    extension->difficulty = words[index];
    return true;
}

static bool fail_verdict_word(const YamlNode *node, Error *error)
{
    auto_buffer Buffer words = {0};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        buffer_format(&words, " %s", verdict_row((Verdict)verdict)->word);
    return yaml_error(node, error, "'%s' is not a verdict; the verdicts are%s", node->text, buffer_text(&words));
}

static bool read_verdicts(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Extension *extension = target;
    (void)context;
    if (node->kind != YAML_KIND_MAPPING)
        return yaml_error(node, error, "'verdicts' must be a mapping of submissions to verdicts");
    yaml_each (item, node) {
        const char *word = NULL;
        ExtensionVerdict row = {.node = item};
        if (!tree_is_path(item->key))
            return yaml_key_error(item, error, "'%s' is not the name of a submission", item->key);
        if (!schema_text(item, item->key, &word, error))
            return false;
        if (!verdict_from_word(word, &row.verdict))
            return fail_verdict_word(item, error);
        *(ExtensionVerdict *)list_add(&extension->verdicts) = row;
    }
    return true;
}

static bool is_test_name(const char *name)
{
    return tree_is_path(name) && (strncmp(name, "secret/", 7) == 0 || strncmp(name, "sample/", 7) == 0) &&
           !tree_has_suffix(name, ".in") && !tree_has_suffix(name, ".ans");
}

static bool read_tests(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Extension *extension = target;
    if (node->kind != YAML_KIND_MAPPING)
        return yaml_error(node, error, "'tests' must be a mapping of test names to lists of arguments");
    yaml_each (item, node) {
        List args = list_of(context->arena, const char *);
        if (!is_test_name(item->key))
            return yaml_key_error(item, error, "'%s' is not a test name like secret/010-empty", item->key);
        if (item->kind != YAML_KIND_SEQUENCE)
            return yaml_error(item, error, "'%s' must be a list of arguments", item->key);
        if (!schema_words(item, item->key, &args, error))
            return false;
        *(GeneratedTest *)list_add(&extension->tests) = (GeneratedTest){.name = item->key, .args = list_strings(&args)};
    }
    return true;
}

static bool read_data(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    static const SchemaField fields[] = {
        {.key = "generator", .type = SCHEMA_CUSTOM, .handler = read_generator},
        {.key = "tests", .type = SCHEMA_CUSTOM, .handler = read_tests},
    };
    static const Schema schema = schema_of(fields);
    const Extension *extension = target;
    if (!schema_read(context, &schema, node, target, error))
        return false;
    if (extension->tests.count && !extension->generator)
        return yaml_key_error(node, error, "'data' has tests but no 'generator'");
    return true;
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SchemaField extension_fields[] = {
    {.key = "schema", .type = SCHEMA_CUSTOM, .handler = read_schema_number},
    {.key = "feedback", .type = SCHEMA_CHOICE, .offset = offsetof(Extension, feedback), .choices = feedback_words},
    {.key = "model", .type = SCHEMA_CUSTOM, .handler = read_model},
    {.key = "stack_bytes",
     .type = SCHEMA_BYTES,
     .offset = offsetof(Extension, stack_bytes),
     .low = 64 * 1024,
     .high = 1e13},
    {.key = "difficulty", .type = SCHEMA_CUSTOM, .handler = read_difficulty},
    {.key = "verdicts", .type = SCHEMA_CUSTOM, .handler = read_verdicts},
    {.key = "data", .type = SCHEMA_CUSTOM, .handler = read_data},
    /* read by the parts that judge them */
    {.key = "probe", .type = SCHEMA_SECTION},
    {.key = "cuda", .type = SCHEMA_SECTION},
    {.key = "interview", .type = SCHEMA_SECTION},
};
static const Schema extension_schema = schema_of(extension_fields);

bool extension_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings,
                     Extension *ret_extension, Error *error)
{
    const YamlNode *root;
    if (!yaml_parse(arena, file, text, size, &root, error))
        return false;
    SchemaContext context = {.arena = arena, .warnings = warnings, .is_strict = true};
    Extension extension = {
        .root = root, .verdicts = list_of(arena, ExtensionVerdict), .tests = list_of(arena, GeneratedTest)};
    const YamlNode *number = yaml_get(root, "schema");
    /* before all other keys, whose meaning hangs on it */
    if (root->kind == YAML_KIND_MAPPING && (!number || yaml_is_null(number)))
        return yaml_error(root, error, "'schema: %d' is missing", EXTENSION_SCHEMA);
    if (number && !read_schema_number(&context, number, &extension, error))
        return false;
    if (!schema_read(&context, &extension_schema, root, &extension, error))
        return false;
    *ret_extension = extension;
    return true;
}

const YamlNode *extension_node(const Extension *extension, const char *section, const char *key)
{
    const YamlNode *parent = extension->root && section ? yaml_get(extension->root, section) : extension->root;
    return parent ? yaml_get(parent, key) : NULL;
}
