/* Tables of defaults and of words, and the schema of submissions.yaml. */
#include "package/expectation.h"

#include <stddef.h>
#include <string.h>

#include "package/glob.h"
#include "package/metadata.h"
#include "package/schema.h"

/* ---- directories ------------------------------------------------------------------------------------------------- */

typedef struct DirectoryRow {
    unsigned formats;
    ExpectationRule rule;
} DirectoryRow;

#define ROW(in_formats, name, permits, requires, time_bound)                                                           \
    {                                                                                                                  \
        in_formats,                                                                                                    \
        {                                                                                                              \
            .expectation = {.directory = name, .permitted = permits, .required = requires}, .bound = time_bound        \
        }                                                                                                              \
    }

static const DirectoryRow directory_rows[] = {
    ROW(IN_LEGACY, "accepted", BIT_AC, 0, BOUND_LOWER),
    ROW(IN_LEGACY, "partially_accepted", BIT_AC, 0, BOUND_NONE),
    ROW(IN_LEGACY, "wrong_answer", BIT_AC | BIT_WA, BIT_WA, BOUND_NONE),
    ROW(IN_LEGACY, "time_limit_exceeded", BIT_AC | BIT_TLE, BIT_TLE, BOUND_UPPER),
    ROW(IN_LEGACY, "run_time_error", BIT_AC | BIT_RTE, BIT_RTE, BOUND_NONE),
    ROW(IN_NEWER, "accepted", BIT_AC, 0, BOUND_BY_VERDICTS),
    ROW(IN_NEWER, "wrong_answer", BIT_AC | BIT_WA, BIT_WA, BOUND_BY_VERDICTS),
    ROW(IN_NEWER, "time_limit_exceeded", BIT_AC | BIT_TLE, BIT_TLE, BOUND_BY_VERDICTS),
    ROW(IN_NEWER, "run_time_error", BIT_AC | BIT_RTE, BIT_RTE, BOUND_BY_VERDICTS),
    ROW(IN_NEWER, "rejected", BIT_ANY, BIT_RTE | BIT_TLE | BIT_WA, BOUND_BY_VERDICTS),
    ROW(IN_NEWER, "brute_force", BIT_AC | BIT_RTE | BIT_TLE, BIT_RTE | BIT_TLE, BOUND_BY_VERDICTS),
};
enum { DIRECTORY_COUNT = sizeof directory_rows / sizeof *directory_rows };

const ExpectationRule *expectation_of_directory(ProblemFormat format, const char *directory)
{
    for (size_t i = 0; i < DIRECTORY_COUNT; i++)
        if ((directory_rows[i].formats & (1U << format)) &&
            strcmp(directory_rows[i].rule.expectation.directory, directory) == 0)
            return &directory_rows[i].rule;
    return NULL;
}

const char **expectation_directories(Arena *arena, ProblemFormat format)
{
    List names = list_of(arena, const char *);
    for (size_t i = 0; i < DIRECTORY_COUNT; i++)
        if (directory_rows[i].formats & (1U << format))
            list_add_string(&names, directory_rows[i].rule.expectation.directory);
    return list_strings(&names);
}

/* 2025-09: who may not be too slow bounds the limit from below, who must be too slow from above. */
bool expectation_is_lower_bound(const ExpectationRule *rule)
{
    return rule->bound == BOUND_LOWER || (rule->bound == BOUND_BY_VERDICTS && !(rule->expectation.permitted & BIT_TLE));
}

bool expectation_is_upper_bound(const ExpectationRule *rule)
{
    return rule->bound == BOUND_UPPER || (rule->bound == BOUND_BY_VERDICTS && rule->expectation.required == BIT_TLE);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct VerdictWord {
    const char *word;
    unsigned bit;
} VerdictWord;

static const VerdictWord kattis_words[] = {
    {"AC", BIT_AC}, {"WA", BIT_WA}, {"TLE", BIT_TLE}, {"RTE", BIT_RTE}, {NULL, 0}};

/* DOMjudge's words and their aliases. */
static const VerdictWord domjudge_words[] = {
    {"CORRECT", BIT_AC},
    {"ACCEPTED", BIT_AC},
    {"WRONG-ANSWER", BIT_WA},
    {"WRONG_ANSWER", BIT_WA},
    {"NO-OUTPUT", BIT_WA},
    {"TIMELIMIT", BIT_TLE},
    {"TIME_LIMIT_EXCEEDED", BIT_TLE},
    {"RUN-ERROR", BIT_RTE},
    {"RUN_TIME_ERROR", BIT_RTE},
    {"OUTPUT-LIMIT", BIT_RTE},
    {"OUTPUT_LIMIT", BIT_RTE},
    {"MEMORY-LIMIT", BIT_RTE},
    {"COMPILER-ERROR", BIT_CE},
    {"COMPILE_ERROR", BIT_CE},
    {NULL, 0},
};

static unsigned bit_of(const VerdictWord *table, const char *word, size_t length)
{
    for (; table->word; table++)
        if (strlen(table->word) == length && strncasecmp(table->word, word, length) == 0)
            return table->bit;
    return 0;
}

unsigned expectation_annotation(const char *text, size_t size)
{
    static const char marker[] = "@EXPECTED_RESULTS@:";
    const char *found = memmem(text, size, marker, sizeof marker - 1), *end = text + size;
    unsigned bits = 0;
    if (!found)
        return 0;
    for (const char *word = found + sizeof marker - 1; word < end && *word != '\n';) {
        const char *stop = word;
        while (stop < end && *stop != '\n' && *stop != ',' && *stop != ' ' && *stop != '\r')
            stop++;
        bits |= bit_of(domjudge_words, word, (size_t)(stop - word));
        word = stop < end && *stop != '\n' ? stop + 1 : stop;
    }
    return bits;
}

/* ---- submissions.yaml -------------------------------------------------------------------------------------------- */

static bool read_bits(const SchemaContext *context, const YamlNode *node, unsigned *ret_bits, Error *error)
{
    List words = list_of(context->arena, const char *);
    if (!schema_words(node, node->key, &words, error))
        return false;
    *ret_bits = 0;
    for (const char **word = list_strings(&words); *word; word++) {
        unsigned bit = bit_of(kattis_words, *word, strlen(*word));
        if (!bit)
            return yaml_error(node, error, "'%s' can't have '%s'; it is a list of AC, WA, TLE, RTE", node->key, *word);
        *ret_bits |= bit;
    }
    return true;
}

static bool read_permitted(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    return read_bits(context, node, &((ExpectationRule *)target)->expectation.permitted, error);
}

static bool read_required(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    return read_bits(context, node, &((ExpectationRule *)target)->expectation.required, error);
}

static bool read_bound(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    static const char *const words[] = {"lower", "upper", NULL};
    static const TimeBound bounds[] = {BOUND_LOWER, BOUND_UPPER};
    ExpectationRule *rule = target;
    const char *word = NULL;
    bool is_used;
    int index = 0;
    (void)context;
    if (yaml_boolean(node, &is_used)) {
        rule->bound = is_used ? BOUND_BY_VERDICTS : BOUND_NONE;
        return true;
    }
    if (!schema_text(node, node->key, &word, error) || !schema_choice(node, node->key, word, words, &index, error))
        return false;
    rule->bound = bounds[index];
    return true;
}

static bool warn_unused(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)target, (void)error;
    yaml_warn(node, context->warnings, "'%s' is not used: a submission's name says its language", node->key);
    return true;
}

/* Keys that no row names are globs of test cases. */
static bool read_other(const SchemaContext *context, const YamlNode *node, void *target, Error *error)
{
    (void)target;
    if (strncmp(node->key, "sample", 6) == 0 || strncmp(node->key, "secret", 6) == 0 || strpbrk(node->key, "*{/")) {
        yaml_warn(node, context->warnings,
                  "'%s': expectations for single test cases are not supported, and ignored; those for the whole "
                  "submission hold",
                  node->key);
        return true;
    }
    return yaml_key_error(node, error, "unknown key '%s'", node->key);
}

static const SchemaField rule_fields[] = {
    {.key = "permitted", .type = SCHEMA_CUSTOM, .handler = read_permitted},
    {.key = "required", .type = SCHEMA_CUSTOM, .handler = read_required},
    {.key = "message", .type = SCHEMA_TEXT, .offset = offsetof(ExpectationRule, expectation.message)},
    {.key = "use_for_time_limit", .type = SCHEMA_CUSTOM, .handler = read_bound},
    {.key = "model_solution", .type = SCHEMA_BOOLEAN, .offset = offsetof(ExpectationRule, is_model)},
    {.key = "language", .type = SCHEMA_CUSTOM, .handler = warn_unused},
    {.key = "entrypoint", .type = SCHEMA_CUSTOM, .handler = warn_unused},
    {.key = "authors"},
    {.key = "score"}, /* of scoring problems, which are only read */
};
static const Schema rule_schema = {rule_fields, sizeof rule_fields / sizeof *rule_fields, read_other};

/* A directory's own entry keeps the directory's verdicts where it gives none ("accepted: {authors: [A]}"); any other
 * glob adds only what it says. */
static ExpectationRule rule_before_keys(const char *glob)
{
    const ExpectationRule *directory = expectation_of_directory(PROBLEM_FORMAT_2025_09, glob);
    return directory ? *directory : (ExpectationRule){.expectation = {.directory = glob, .permitted = BIT_ANY}};
}

static bool read_rule(const SchemaContext *context, const YamlNode *node, List *rules, Error *error)
{
    List globs = list_of(context->arena, const char *);
    ExpectationRule rule = rule_before_keys(node->key);
    rule.node = node;
    if (!glob_expand(context->arena, node->key, &globs))
        return yaml_key_error(node, error, "'%s': the braces do not pair, or stand for too many names", node->key);
    rule.globs = list_strings(&globs);
    if (!schema_read(context, &rule_schema, node, &rule, error))
        return false;
    if (rule.expectation.required && !(rule.expectation.required & rule.expectation.permitted))
        return yaml_key_error(node, error, "'%s' requires only verdicts that it does not permit", node->key);
    *(ExpectationRule *)list_add(rules) = rule;
    return true;
}

bool expectation_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings, List *rules,
                       Error *error)
{
    const YamlNode *root;
    SchemaContext context = {.arena = arena, .warnings = warnings};
    if (!yaml_parse(arena, file, text, size, &root, error))
        return false;
    if (yaml_is_null(root))
        return true;
    if (root->kind != YAML_KIND_MAPPING)
        return yaml_error(root, error, "a mapping of globs to expectations is expected here");
    yaml_each (node, root)
        if (!read_rule(&context, node, rules, error))
            return false;
    return true;
}
