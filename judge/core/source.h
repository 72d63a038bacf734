/* The files that a build is made from. */
#ifndef GAVEL_CORE_SOURCE_H
#define GAVEL_CORE_SOURCE_H

#include "core/language.h"

typedef struct SourceFile {
    const char *name; /* below /w: "main.c", "lib/graph.h" */
    const void *data;
    size_t size;
} SourceFile;

typedef struct SourceSet {
    const Language *language;
    SourceFile *files;
    size_t count, capacity;
    const char *entry;     /* the file that starts an interpreted program */
    const char *jail_name; /* what messages call the file that the contestant calls shown_name */
    const char *shown_name;
} SourceSet;

/* A submission: its bytes (borrowed), and the package's include/default and include/<language> laid over them. */
bool source_from_submission(const Problem *problem, const Language *language, const char *name, const void *data,
                            size_t size, Arena *arena, SourceSet *ret_set, Error *error) MUST_CHECK;

/* An author's program or solution: a file, or a directory in one language. ERROR_INPUT if it is neither. */
bool source_from_path(const char *path, Arena *arena, SourceSet *ret_set, Error *error) MUST_CHECK;

#endif
