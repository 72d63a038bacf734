/* problem.yaml: one table of keys for all versions, then the rules between keys. */
#include "package/metadata.h"

#include <stddef.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)

/* ---- versions ---------------------------------------------------------------------------------------------------- */

typedef struct VersionRow {
    const char *name;
    ProblemFormat format;
    bool has_no_scoring;
} VersionRow;

static const VersionRow version_rows[] = {
    {"legacy", PROBLEM_FORMAT_LEGACY, false},         {"2023-07", PROBLEM_FORMAT_2023_07, false},
    {"2025-09", PROBLEM_FORMAT_2025_09, false},       {"legacy-icpc", PROBLEM_FORMAT_LEGACY, true},
    {"2023-07-draft", PROBLEM_FORMAT_2023_07, false}, {"2025-09-draft", PROBLEM_FORMAT_2025_09, false},
};
enum { VERSION_COUNT = sizeof version_rows / sizeof *version_rows };

const char *metadata_format_name(ProblemFormat format)
{
    return version_rows[format].name; /* the first rows are in the enum's order */
}

static bool read_version(const YamlNode *root, const VersionRow **ret_version, Error *error)
{
    const YamlNode *node = yaml_get(root, "problem_format_version");
    *ret_version = &version_rows[0]; /* a package that does not say is legacy */
    if (!node || yaml_is_null(node))
        return true;
    const char *names[VERSION_COUNT + 1] = {NULL}, *name = NULL;
    for (size_t i = 0; i < VERSION_COUNT; i++)
        names[i] = version_rows[i].name;
    int index = 0;
    if (!schema_text(node, node->key, &name, error) || !schema_choice(node, node->key, name, names, &index, error))
        return false;
    *ret_version = &version_rows[index];
    return true;
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* Words of a list and the bits that each stands for; bits above the traits are looked at only here. */
typedef struct TraitWord {
    const char *word;
    unsigned bits;
} TraitWord;

enum { WORD_PASS_FAIL = 1 << 8, WORD_DEFAULT = 1 << 9, WORD_CUSTOM = 1 << 10, WORD_SCORE = 1 << 11, TRAIT_MASK = 0xff };

static const TraitWord type_words[] = {
    {"pass-fail", WORD_PASS_FAIL},
    {"scoring", PROBLEM_SCORING},
    {"interactive", PROBLEM_INTERACTIVE},
    {"multi-pass", PROBLEM_MULTI_PASS},
    {"submit-answer", PROBLEM_SUBMIT_ANSWER},
    {NULL, 0},
};

static const TraitWord validation_words[] = {
    {"default", WORD_DEFAULT},
    {"custom", WORD_CUSTOM},
    {"interactive", PROBLEM_INTERACTIVE},
    {"score", WORD_SCORE},
    {"multi-pass", PROBLEM_MULTI_PASS},
    {NULL, 0},
};

static bool read_trait_words(const SchemaContext *context, const YamlNode *node, const TraitWord *table,
                             unsigned *ret_bits, Error *error)
{
    List words = list_of(context->arena, const char *);
    const char *names[8] = {NULL};
    for (size_t i = 0; table[i].word; i++)
        names[i] = table[i].word;
    if (!schema_words(node, node->key, &words, error))
        return false;
    *ret_bits = 0;
    for (const char **word = list_strings(&words); *word; word++) {
        int index = 0;
        if (!schema_choice(node, node->key, *word, names, &index, error))
            return false;
        *ret_bits |= table[index].bits;
    }
    return true;
}

typedef struct Conflict {
    unsigned one, others;
    const char *text;
} Conflict;

static const Conflict conflicts[] = {
    {WORD_PASS_FAIL, PROBLEM_SCORING, "'pass-fail' and 'scoring' exclude each other"},
    {PROBLEM_SUBMIT_ANSWER, PROBLEM_MULTI_PASS, "'submit-answer' and 'multi-pass' exclude each other"},
    {PROBLEM_SUBMIT_ANSWER, PROBLEM_INTERACTIVE, "'submit-answer' and 'interactive' exclude each other"},
    {WORD_DEFAULT, WORD_CUSTOM, "'default' and 'custom' exclude each other"},
    {WORD_DEFAULT, PROBLEM_INTERACTIVE | PROBLEM_MULTI_PASS | WORD_SCORE,
     "'default' validation can't be interactive, multi-pass or scoring"},
};

static bool refuse_conflicts(const YamlNode *node, unsigned bits, Error *error)
{
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++)
        if ((bits & conflicts[i].one) && (bits & conflicts[i].others))
            return yaml_error(node, error, "%s", conflicts[i].text);
    return true;
}

static bool read_type(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Metadata *metadata = target;
    unsigned bits;
    if (!read_trait_words(context, node, type_words, &bits, error) || !refuse_conflicts(node, bits, error))
        return false;
    metadata->traits |= bits & TRAIT_MASK;
    return true;
}

static bool read_validation(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Metadata *metadata = target;
    unsigned bits;
    if (!read_trait_words(context, node, validation_words, &bits, error) || !refuse_conflicts(node, bits, error))
        return false;
    if (!(bits & (WORD_DEFAULT | WORD_CUSTOM)))
        return yaml_error(node, error, "'validation' must be 'default' or start with 'custom'");
    metadata->is_validation_custom = bits & WORD_CUSTOM;
    metadata->traits |= bits & TRAIT_MASK;
    return true;
}

bool metadata_is_chinese(const char *language)
{
    return strncmp(language, "zh", 2) == 0 && (language[2] == '\0' || language[2] == '-' || language[2] == '_');
}

static bool read_name(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Metadata *metadata = target;
    List languages = list_of(context->arena, const char *);
    const char *first = NULL;
    if (node->kind != YAML_KIND_MAPPING)
        return schema_text(node, node->key, &metadata->title, error);
    yaml_each (name, node) {
        const char *title = NULL;
        if (!schema_text(name, name->key, &title, error))
            return false;
        list_add_string(&languages, name->key);
        first = first ? first : title;
        if (strcmp(name->key, "en") == 0)
            metadata->title = title;
        else if (metadata_is_chinese(name->key))
            metadata->title_zh = title;
    }
    metadata->title = metadata->title ? metadata->title : first;
    metadata->title_languages = list_strings(&languages);
    return true;
}

/* "Full Name <mail>" -> "Full Name": addresses are not for showing. */
static const char *without_address(Arena *arena, const char *person)
{
    size_t length = strcspn(person, "<");
    while (length && person[length - 1] == ' ')
        length--;
    return length ? arena_bytes(arena, person, length) : person;
}

/* A person is "Full Name <mail>" or a mapping with a name; a list of them becomes "A, B". */
static bool read_people(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    Metadata *metadata = target;
    if (node->kind == YAML_KIND_SEQUENCE) {
        yaml_each (person, node)
            if (!read_people(context, person, target, error))
                return false;
        return true;
    }
    const YamlNode *name = node->kind == YAML_KIND_MAPPING ? yaml_get(node, "name") : node;
    const char *text = NULL;
    if (!name)
        return yaml_error(node, error, "a person needs a 'name'");
    if (!schema_text(name, "name", &text, error))
        return false;
    text = without_address(context->arena, text);
    metadata->author = metadata->author ? arena_format(context->arena, "%s, %s", metadata->author, text) : text;
    return true;
}

static bool read_credits(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    static const SchemaField fields[] = {
        {.key = "authors", .type = SCHEMA_CUSTOM, .handler = read_people},
        {.key = "contributors"},
        {.key = "testers"},
        {.key = "translators"},
        {.key = "packagers"},
        {.key = "acknowledgements"},
    };
    static const Schema schema = schema_of(fields);
    if (node->kind != YAML_KIND_MAPPING)
        return read_people(context, node, target, error);
    return schema_read(context, &schema, node, target, error);
}

static bool read_license(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    static const char *const known[] = {"unknown",  "public domain", "cc0",        "cc by",
                                        "cc by-sa", "educational",   "permission", NULL};
    Metadata *metadata = target;
    if (!schema_text(node, node->key, &metadata->license, error))
        return false;
    for (size_t i = 0; known[i]; i++)
        if (strcmp(known[i], metadata->license) == 0)
            return true;
    yaml_warn(node, context->warnings, "'%s' is not a licence that the format knows", metadata->license);
    return true;
}

/* What we read over, but whose loss may change how submissions fare. */
static bool warn_unsupported(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)target, (void)error;
    bool is_default = node->kind == YAML_KIND_SCALAR && strcmp(node->text, "all") == 0;
    if (!is_default)
        yaml_warn(node, context->warnings, "'%s' has no effect here", node->key);
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

#define LIMIT(member) .offset = offsetof(ProblemLimits, member)
/* More than any machine has, and small enough that no product overflows. */
#define MEBIBYTES .type = SCHEMA_COUNT, .low = 1, .high = 1 << 24, .unit = (int64_t)MIB
#define SECONDS   .type = SCHEMA_SECONDS, .low = 0.001, .high = 1e6
#define FACTOR    .type = SCHEMA_REAL, .low = 1, .high = 1000

static const SchemaField multiplier_fields[] = {
    {.key = "ac_to_time_limit", FACTOR, LIMIT(ac_to_time_limit)},
    {.key = "time_limit_to_tle", FACTOR, LIMIT(time_limit_to_tle)},
};
static const Schema multiplier_schema = schema_of(multiplier_fields);

static const SchemaField limit_fields[] = {
    {.key = "time_limit", SECONDS, LIMIT(time_ns)},
    {.key = "time_resolution", SECONDS, LIMIT(time_resolution_ns)},
    {.key = "time_multiplier", FACTOR, LIMIT(ac_to_time_limit), .versions = IN_LEGACY},
    {.key = "time_safety_margin", FACTOR, LIMIT(time_limit_to_tle), .versions = IN_LEGACY},
    {.key = "time_multipliers", .type = SCHEMA_MAP, .nested = &multiplier_schema, .versions = IN_NEWER},
    {.key = "memory", MEBIBYTES, LIMIT(memory_bytes)},
    {.key = "output", MEBIBYTES, LIMIT(output_bytes)},
    {.key = "code", .type = SCHEMA_COUNT, .low = 1, .high = 1 << 24, .unit = 1024, LIMIT(code_bytes)},
    {.key = "compilation_time", SECONDS, LIMIT(compilation_time_ns)},
    {.key = "compilation_memory", MEBIBYTES, LIMIT(compilation_memory_bytes)},
    {.key = "validation_time", SECONDS, LIMIT(validation_time_ns)},
    {.key = "validation_memory", MEBIBYTES, LIMIT(validation_memory_bytes)},
    {.key = "validation_output", MEBIBYTES, LIMIT(validation_output_bytes)},
    {.key = "validation_passes"}, /* for multi-pass problems, which are only read */
};
static const Schema limit_schema = schema_of(limit_fields);

#define FIELD(member)     .offset = offsetof(Metadata, member)
#define HANDLED(function) .type = SCHEMA_CUSTOM, .handler = function

static const SchemaField metadata_fields[] = {
    {.key = "problem_format_version"}, /* read first, by read_version */
    {.key = "type", HANDLED(read_type)},
    {.key = "validation", HANDLED(read_validation), .versions = IN_DRAFTS},
    {.key = "validator_flags", .type = SCHEMA_WORDS, FIELD(validator_flags), .versions = IN_DRAFTS},
    {.key = "grading", .versions = IN_DRAFTS},
    {.key = "name", HANDLED(read_name)},
    {.key = "uuid", .type = SCHEMA_TEXT, FIELD(uuid)},
    {.key = "version"},
    {.key = "author", HANDLED(read_people), .versions = IN_DRAFTS},
    {.key = "credits", HANDLED(read_credits), .versions = IN_NEWER},
    {.key = "source"},
    {.key = "source_url", .versions = IN_DRAFTS},
    {.key = "license", HANDLED(read_license)},
    {.key = "rights_owner"},
    {.key = "embargo_until", .versions = IN_NEWER},
    {.key = "keywords", .type = SCHEMA_WORDS, FIELD(keywords)},
    {.key = "limits", .type = SCHEMA_MAP, .nested = &limit_schema, FIELD(limits)},
    {.key = "languages", HANDLED(warn_unsupported), .versions = IN_NEWER},
    {.key = "allow_file_writing", .versions = IN_NEWER}, /* the sandbox's own files are scratch in any case */
    {.key = "constants", HANDLED(warn_unsupported), .versions = IN_NEWER},
    {.key = "libraries", .versions = IN_LEGACY},
};
static const Schema metadata_schema = schema_of(metadata_fields);

/* ---- rules between keys ------------------------------------------------------------------------------------------ */

static const ProblemLimits default_limits = {
    .time_resolution_ns = 1000000000,
    .ac_to_time_limit = 2,
    .time_limit_to_tle = 1.5,
    .memory_bytes = 2048LL << 20,
    .output_bytes = 8 << 20,
    .code_bytes = 128 << 10,
    .compilation_time_ns = 60000000000,
    .compilation_memory_bytes = 2048LL << 20,
    .validation_time_ns = 60000000000,
    .validation_memory_bytes = 2048LL << 20,
    .validation_output_bytes = 8 << 20,
};

static Metadata defaults(const SchemaContext *context, const VersionRow *version, const YamlNode *root)
{
    Metadata metadata = {.root = root, .format = version->format, .version = version->name, .limits = default_limits};
    List none = list_of(context->arena, const char *);
    metadata.keywords = metadata.validator_flags = list_strings(&none);
    if (version->format == PROBLEM_FORMAT_LEGACY) {
        metadata.limits.ac_to_time_limit = 5;
        metadata.limits.time_limit_to_tle = 2;
    }
    return metadata;
}

/* The same limit under its old and its new name: nobody can say which was meant. */
static bool check_multipliers(const YamlNode *limits, Error *error)
{
    static const char *const pairs[][2] = {{"time_multiplier", "ac_to_time_limit"},
                                           {"time_safety_margin", "time_limit_to_tle"}};
    const YamlNode *newer = yaml_get(limits, "time_multipliers");
    for (size_t i = 0; newer && i < sizeof pairs / sizeof *pairs; i++) {
        const YamlNode *old = yaml_get(limits, pairs[i][0]);
        if (old && yaml_get(newer, pairs[i][1]))
            return yaml_key_error(old, error, "'%s' and 'time_multipliers: %s' are the same limit", pairs[i][0],
                                  pairs[i][1]);
    }
    return true;
}

static bool check_limits(const Metadata *metadata, Error *error)
{
    const YamlNode *limits = yaml_get(metadata->root, "limits");
    const YamlNode *time_limit = limits ? yaml_get(limits, "time_limit") : NULL;
    if (limits && !check_multipliers(limits, error))
        return false;
    if (metadata->format == PROBLEM_FORMAT_2025_09 && time_limit &&
        metadata->limits.time_ns % metadata->limits.time_resolution_ns != 0)
        return yaml_error(time_limit, error, "'time_limit' must be a multiple of 'time_resolution' (%g s)",
                          (double)metadata->limits.time_resolution_ns / 1e9);
    return true;
}

static bool check_traits(const Metadata *metadata, const VersionRow *version, List *warnings, Error *error)
{
    const YamlNode *type = yaml_get(metadata->root, "type");
    if (type && version->has_no_scoring && (metadata->traits & PROBLEM_SCORING))
        return yaml_error(type, error, "format %s has no scoring problems", version->name);
    unsigned both = PROBLEM_SUBMIT_ANSWER | PROBLEM_INTERACTIVE;
    if (type && (metadata->traits & both) == both)
        return yaml_error(type, error, "a submit-answer problem can't be interactive");
    if (type && type->kind == YAML_KIND_SEQUENCE && metadata->format == PROBLEM_FORMAT_LEGACY)
        yaml_warn(type, warnings, "a list of types is not known to format %s", version->name);
    return true;
}

static void warn_of_missing(const Metadata *metadata, List *warnings)
{
    static const char *const required[] = {"name", "uuid"};
    for (size_t i = 0; metadata->format == PROBLEM_FORMAT_2025_09 && i < sizeof required / sizeof *required; i++)
        if (!yaml_get(metadata->root, required[i]))
            list_format(warnings, "%s:1: format 2025-09 requires '%s'", metadata->root->file, required[i]);
}

bool metadata_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings,
                    Metadata *ret_metadata, Error *error)
{
    const YamlNode *root;
    const VersionRow *version;
    if (!yaml_parse(arena, file, text, size, &root, error) || !read_version(root, &version, error))
        return false;
    SchemaContext context = {
        .arena = arena, .warnings = warnings, .version = 1U << version->format, .version_name = version->name};
    Metadata metadata = defaults(&context, version, root);
    if (!schema_read(&context, &metadata_schema, root, &metadata, error) || !check_limits(&metadata, error) ||
        !check_traits(&metadata, version, warnings, error))
        return false;
    warn_of_missing(&metadata, warnings);
    metadata.limits.stack_bytes = metadata.limits.memory_bytes;
    *ret_metadata = metadata;
    return true;
}
