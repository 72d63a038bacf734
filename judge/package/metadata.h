/* problem.yaml of all versions as one struct. Needs nothing but the text. */
#ifndef GAVEL_PACKAGE_METADATA_H
#define GAVEL_PACKAGE_METADATA_H

#include "gavel/problem.h"
#include "package/list.h"
#include "package/schema.h"

/* Bits for SchemaField.versions. */
enum {
    IN_LEGACY = 1 << PROBLEM_FORMAT_LEGACY,
    IN_2023_07 = 1 << PROBLEM_FORMAT_2023_07,
    IN_2025_09 = 1 << PROBLEM_FORMAT_2025_09,
    IN_DRAFTS = IN_LEGACY | IN_2023_07, /* removed in 2025-09 */
    IN_NEWER = IN_2023_07 | IN_2025_09,
};

typedef struct Metadata {
    const YamlNode *root;
    ProblemFormat format;
    const char *version; /* as written: "legacy-icpc", "2023-07-draft" */
    unsigned traits;
    bool is_validation_custom;    /* legacy `validation: custom ...` */
    const char **validator_flags; /* legacy, for all tests; NULL-terminated */
    const char *title, *title_zh; /* NULL: none given */
    const char **title_languages; /* of a `name` map; NULL-terminated */
    const char *uuid, *license, *author;
    const char **keywords;
    ProblemLimits limits; /* time_ns 0: not given here */
} Metadata;

/* Parses problem.yaml. `file` is the name in messages. */
bool metadata_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings,
                    Metadata *ret_metadata, Error *error) MUST_CHECK;

/* "legacy", "2023-07", "2025-09". */
const char *metadata_format_name(ProblemFormat format);

/* Is a language code Chinese ("zh", "zh-Hans", "zh_CN")? */
bool metadata_is_chinese(const char *language);

#endif
