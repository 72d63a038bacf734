/* YAML into a small tree that remembers where everything stood.
 *
 * Stricter than YAML: one document, no anchors or aliases, no duplicate keys, keys are plain strings, no control
 * characters inside strings, at most 1 MiB, 32 levels and 50 000 nodes. So a tree is never larger than its text, and
 * every complaint about a value can say FILE:LINE:COLUMN. */
#ifndef GAVEL_PACKAGE_YAML_H
#define GAVEL_PACKAGE_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "package/list.h"

typedef enum YamlKind { YAML_KIND_SCALAR, YAML_KIND_SEQUENCE, YAML_KIND_MAPPING } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlNode {
    YamlKind kind;
    const char *file; /* as messages name it */
    int line, column; /* from 1 */
    const char *key;  /* of a mapping's child, else NULL */
    int key_line, key_column;
    const char *text; /* of a scalar */
    bool is_quoted;   /* a quoted scalar is a string, whatever it looks like */
    const YamlNode *children, *next;
    size_t child_count;
};

#define yaml_each(child, parent) for (const YamlNode *child = (parent)->children; child; child = child->next)

/* Parses `size` bytes. An empty document is a null scalar. */
bool yaml_parse(Arena *arena, const char *file, const char *text, size_t size, const YamlNode **ret_root,
                Error *error) MUST_CHECK;

/* The child with this key, or NULL. */
const YamlNode *yaml_get(const YamlNode *mapping, const char *key);

/* An unquoted empty, ~ or null scalar: as if the key were absent. */
bool yaml_is_null(const YamlNode *node);

/* Scalars read as values; false if the text is not one. Booleans are YAML 1.1's: yes, no, on, off, true, false, y, n.
 * A decimal is the format's own grammar (sign? digits with a point, exponent?): no hexadecimal, inf or nan. */
bool yaml_boolean(const YamlNode *node, bool *ret_value) MUST_CHECK;
bool yaml_integer(const YamlNode *node, int64_t *ret_value) MUST_CHECK;
bool yaml_decimal(const YamlNode *node, double *ret_value) MUST_CHECK;

/* ERROR_INPUT "FILE:LINE:COLUMN: text" at a value, or at its key. Return false. */
bool yaml_error(const YamlNode *node, Error *error, const char *format, ...) PRINTF_LIKE(3, 4);
bool yaml_key_error(const YamlNode *node, Error *error, const char *format, ...) PRINTF_LIKE(3, 4);

/* Adds "FILE:LINE: text" to a list of warnings; the line is the key's where there is one. */
void yaml_warn(const YamlNode *node, List *warnings, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
