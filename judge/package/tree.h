/* The package's files, listed once: what the other readers look things up in.
 *
 * Names that the format does not allow (a leading dot, spaces ...) are as if absent, and so are build products. A
 * symbolic link is followed only inside the package; one that leads out, nowhere or into itself is an error. */
#ifndef GAVEL_PACKAGE_TREE_H
#define GAVEL_PACKAGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "package/list.h"

typedef struct TreeEntry TreeEntry;
struct TreeEntry {
    const char *path; /* below the package: "data/secret/1.in"; "" for the package itself */
    const char *name; /* last component */
    bool is_directory;
    int64_t size;        /* of a file */
    const char *sha256;  /* of a file's content, once fingerprint_files has read it */
    TreeEntry *children; /* sorted by name, bytewise */
    size_t child_count;
};

typedef struct Tree {
    Arena *arena;
    const char *root;  /* absolute, without symbolic links */
    const char *shown; /* as the caller wrote it: what messages put before a path */
    TreeEntry top;
} Tree;

#define tree_each(child, directory)                                                                                    \
    for (const TreeEntry *child = (directory)->children;                                                               \
         (directory)->child_count && child < (directory)->children + (directory)->child_count; child++)

/* Lists `directory`. */
bool tree_scan(Arena *arena, const char *directory, List *warnings, Tree *ret_tree, Error *error) MUST_CHECK;

/* The entry at a path below `directory` ("secret/1.in"), or NULL. */
const TreeEntry *tree_find(const TreeEntry *directory, const char *path);

/* The same, but NULL too if it is not a directory, or not a file. */
const TreeEntry *tree_find_directory(const TreeEntry *directory, const char *path);
const TreeEntry *tree_find_file(const TreeEntry *directory, const char *path);

/* Absolute path of an entry, and the path that messages show. */
const char *tree_path(const Tree *tree, const TreeEntry *entry);
const char *tree_shown(const Tree *tree, const TreeEntry *entry);

/* Reads a file of the package whole; errors name the shown path. */
bool tree_read(const Tree *tree, const TreeEntry *file, size_t max_bytes, Buffer *buffer, Error *error) MUST_CHECK;

/* Does a name match the format's rule [a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}? */
bool tree_is_name(const char *name);

/* Is it a relative path of such names: no "..", nothing absolute, nothing empty? */
bool tree_is_path(const char *path);

/* Does `text` end in `suffix`, with something before it? */
bool tree_has_suffix(const char *text, const char *suffix);

#endif
