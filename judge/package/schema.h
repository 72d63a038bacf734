/* What a YAML mapping may contain, as a table: one row a key, with its type, place, range and versions.
 *
 * The same row reads a value, checks it and makes the key known; so a key that no row names is unknown, and the
 * schema's context says whether that is an error (gavel.yaml) or a warning (files that other tools extend too). */
#ifndef GAVEL_PACKAGE_SCHEMA_H
#define GAVEL_PACKAGE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "package/list.h"
#include "package/yaml.h"

typedef enum SchemaType {
    SCHEMA_KNOWN,   /* known, not used by us */
    SCHEMA_SECTION, /* known, read elsewhere; must be a mapping or a list */
    SCHEMA_TEXT,    /* const char * */
    SCHEMA_COUNT,   /* whole number in [low, high], stored times `unit` as int64_t */
    SCHEMA_SECONDS, /* decimal in [low, high], stored as int64_t nanoseconds */
    SCHEMA_REAL,    /* decimal in [low, high]: double */
    SCHEMA_BOOLEAN, /* bool */
    SCHEMA_BYTES,   /* whole number of bytes, or "N MiB" (B, KiB, GiB): int64_t */
    SCHEMA_CHOICE,  /* a word of `choices`, stored as its index: int */
    SCHEMA_WORDS,   /* a list of scalars, or one string split at white space: const char ** */
    SCHEMA_MAP,     /* a mapping read by `nested` into the struct at `offset` */
    SCHEMA_CUSTOM,  /* `handler` reads it */
} SchemaType;

typedef struct SchemaContext {
    Arena *arena;
    List *warnings;
    bool is_strict;   /* an unknown key is an error */
    unsigned version; /* bit of the version that is read; 0: versions do not matter */
    const char *version_name;
} SchemaContext;

/* `target` is the whole struct that the schema fills. */
typedef bool SchemaHandler(const SchemaContext *context, const YamlNode *node, void *target, Error *error);

typedef struct Schema Schema;

typedef struct SchemaField {
    const char *key;
    SchemaType type;
    size_t offset;
    double low, high;
    int64_t unit;
    const char *const *choices; /* NULL-terminated */
    const Schema *nested;
    SchemaHandler *handler;
    unsigned versions; /* bits of the versions that know the key; 0: all */
} SchemaField;

struct Schema {
    const SchemaField *fields;
    size_t count;
    SchemaHandler *other; /* reads the keys that no row names; NULL: they are unknown */
};

#define schema_of(field_array)                                                                                         \
    {                                                                                                                  \
        .fields = (field_array), .count = sizeof(field_array) / sizeof *(field_array)                                  \
    }

/* Reads `mapping` into `target`, which holds the defaults. A null value leaves the default. A key of another version
 * is read as that version means it, with a warning: ignoring it would silently change the problem. */
bool schema_read(const SchemaContext *context, const Schema *schema, const YamlNode *mapping, void *target,
                 Error *error) MUST_CHECK;

/* A scalar's text; an error at the value if it is not a scalar. `what` names it: "'name' must be a string". */
bool schema_text(const YamlNode *node, const char *what, const char **ret_text, Error *error) MUST_CHECK;

/* A list of scalars, or a string split at white space, appended to a list of const char *. */
bool schema_words(const YamlNode *node, const char *what, List *words, Error *error) MUST_CHECK;

/* Index of `word` in the NULL-terminated `choices`, or an error at the node that lists them. */
bool schema_choice(const YamlNode *node, const char *what, const char *word, const char *const *choices, int *ret_index,
                   Error *error) MUST_CHECK;

#endif
