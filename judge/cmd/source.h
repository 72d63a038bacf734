/* A contestant's file in memory: a source to judge, or an input of one's own. */
#ifndef GAVEL_CMD_SOURCE_H
#define GAVEL_CMD_SOURCE_H

#include "base/buffer.h"
#include "gavel/judge.h"

/* More than the judge will ever accept as a source, so that "too large" is its verdict and not our refusal. */
#define SOURCE_MAX_BYTES ((size_t)256 << 20)

typedef struct Source {
    const char *name; /* base name; points into the path */
    const Language *language;
    Buffer content;
} Source;

/* Reads `path`; the language is `language_word` (an id) or, if that is NULL, what the file's name says. */
bool source_read(const char *path, const char *language_word, Source *ret_source, Error *error) MUST_CHECK;
void source_done(Source *source);
#define auto_source __attribute__((cleanup(source_done)))

/* The whole of a file, or of standard input for "-". */
bool source_read_input(const char *path, Buffer *content, Error *error) MUST_CHECK;

/* "c, cpp, python3". Owned by `arena`. */
const char *source_language_list(Arena *arena);

/* By id; ERROR_INPUT names the known ones. */
bool source_language(const char *id, const Language **ret_language, Error *error) MUST_CHECK;

/* A job for this source with everything else at its default. */
JudgeJob source_job(const Source *source, const Problem *problem);

#endif
