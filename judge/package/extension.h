/* gavel.yaml: what Kattis packages lack. Needs nothing but the text; whether the files that it names exist is for the
 * loader to check. */
#ifndef GAVEL_PACKAGE_EXTENSION_H
#define GAVEL_PACKAGE_EXTENSION_H

#include "gavel/problem.h"
#include "package/list.h"
#include "package/yaml.h"

/* `verdicts:` one row. */
typedef struct ExtensionVerdict {
    const YamlNode *node; /* its key is the submission's name, "run_time_error/deep.c" */
    Verdict verdict;
} ExtensionVerdict;

typedef struct Extension {
    const YamlNode *root;   /* NULL: the package has no gavel.yaml */
    int feedback;           /* FeedbackPolicy */
    const char *model;      /* as written, or NULL */
    int64_t stack_bytes;    /* 0: not given */
    const char *difficulty; /* or NULL */
    List verdicts;          /* of ExtensionVerdict */
    const char *generator;  /* path below the package, or NULL */
    List tests;             /* of GeneratedTest, without hashes */
} Extension;

/* Parses gavel.yaml; an unknown key is an error. `file` is the name in messages. */
bool extension_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings,
                     Extension *ret_extension, Error *error) MUST_CHECK;

/* The node of a value at the root or, with `section`, inside a section; for messages. NULL if absent. */
const YamlNode *extension_node(const Extension *extension, const char *section, const char *key);

#endif
