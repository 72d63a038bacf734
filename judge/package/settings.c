/* One table for groups and tests of all versions. Flags of the default validator are checked where they are given, so
 * that the error has a line. */
#include "package/settings.h"

#include <stddef.h>

#include "package/schema.h"
#include "package/validator_flags.h"

/* What a handler fills. */
typedef struct SettingsReading {
    Settings settings;
    const SettingsContext *context;
} SettingsReading;

static bool parse_flags(const SettingsContext *context, const YamlNode *node, Settings *settings, Error *error)
{
    auto_error Error inner = {0};
    if (!context->has_default_validator ||
        validator_flags_parse(settings->validator_args, &settings->validator_flags, &inner))
        return true;
    return node ? yaml_error(node, error, "%s", error_text(&inner)) : error_input(error, "%s", error_text(&inner));
}

/* The flags of problem.yaml, then those of the node: "prepended", as the legacy text says. */
static bool set_args(const SchemaContext *schema_context, const YamlNode *node, SettingsReading *reading, Error *error)
{
    List args = list_of(schema_context->arena, const char *);
    for (const char **flag = reading->context->metadata->validator_flags; *flag; flag++)
        list_add_string(&args, *flag);
    if (!schema_words(node, node->key, &args, error))
        return false;
    reading->settings.validator_args = list_strings(&args);
    return parse_flags(reading->context, node, &reading->settings, error);
}

static bool read_args(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    return set_args(context, node, target, error);
}

/* Legacy: a string for all validators, or a mapping of validators to strings, of which one can be used. */
static bool read_flags(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    if (node->kind != YAML_KIND_MAPPING)
        return set_args(context, node, target, error);
    if (node->child_count > 1)
        yaml_warn(node, context->warnings, "only the flags of the first validator are used");
    return !node->children || set_args(context, node->children, target, error);
}

static bool refuse_in_pass_fail(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    const SettingsReading *reading = target;
    (void)context;
    if (reading->context->metadata->traits & PROBLEM_SCORING)
        return true;
    return yaml_key_error(node, error, "'%s' is for scoring problems only", node->key);
}

static const char *const on_reject_words[] = {"break", "continue", NULL};

#define SETTING(member)   .offset = offsetof(SettingsReading, settings.member)
#define HANDLED(function) .type = SCHEMA_CUSTOM, .handler = function

static const SchemaField settings_fields[] = {
    {.key = "on_reject", .type = SCHEMA_CHOICE, .choices = on_reject_words, SETTING(on_reject), .versions = IN_DRAFTS},
    {.key = "output_validator_flags", HANDLED(read_flags), .versions = IN_DRAFTS},
    {.key = "output_validator_args", HANDLED(read_args), .versions = IN_NEWER},
    {.key = "args", .type = SCHEMA_WORDS, SETTING(program_args), .versions = IN_NEWER},
    {.key = "description", .type = SCHEMA_TEXT, SETTING(description), .versions = IN_NEWER},
    {.key = "hint", .type = SCHEMA_TEXT, SETTING(hint), .versions = IN_NEWER},
    {.key = "max_score", HANDLED(refuse_in_pass_fail), .versions = IN_NEWER},
    {.key = "score_aggregation", HANDLED(refuse_in_pass_fail), .versions = IN_NEWER},
    {.key = "require_pass", HANDLED(refuse_in_pass_fail), .versions = IN_NEWER},
    /* for scoring, validating and showing: not used by the judge of pass-fail problems */
    {.key = "static_validation_score", .versions = IN_NEWER},
    {.key = "full_feedback", .versions = IN_NEWER},
    {.key = "input_validator_args", .versions = IN_NEWER},
    {.key = "static_validator_args", .versions = IN_NEWER},
    {.key = "input_visualizer_args", .versions = IN_NEWER},
    {.key = "output_visualizer_args", .versions = IN_NEWER},
    {.key = "grading", .versions = IN_DRAFTS},
    {.key = "grader_flags", .versions = IN_DRAFTS},
    {.key = "input_validator_flags", .versions = IN_DRAFTS},
    {.key = "accept_score", .versions = IN_DRAFTS},
    {.key = "reject_score", .versions = IN_DRAFTS},
    {.key = "range", .versions = IN_DRAFTS},
};
static const Schema settings_schema = schema_of(settings_fields);

bool settings_default(const SettingsContext *context, Settings *ret_settings, Error *error)
{
    List none = list_of(context->arena, const char *);
    Settings settings = {.validator_args = context->metadata->validator_flags, .program_args = list_strings(&none)};
    if (!parse_flags(context, yaml_get(context->metadata->root, "validator_flags"), &settings, error))
        return false;
    *ret_settings = settings;
    return true;
}

bool settings_parse(const SettingsContext *context, const char *file, const char *text, size_t size,
                    const Settings *inherited, Settings *ret_settings, Error *error)
{
    const YamlNode *root;
    SchemaContext schema_context = {.arena = context->arena,
                                    .warnings = context->warnings,
                                    .version = 1U << context->metadata->format,
                                    .version_name = context->metadata->version};
    SettingsReading reading = {.settings = *inherited, .context = context};
    reading.settings.description = reading.settings.hint = NULL;
    if (!yaml_parse(context->arena, file, text, size, &root, error) ||
        !schema_read(&schema_context, &settings_schema, root, &reading, error))
        return false;
    *ret_settings = reading.settings;
    return true;
}
