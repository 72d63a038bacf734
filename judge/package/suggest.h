/* "Did you mean ...": the words closest to a mistyped one. */
#ifndef GAVEL_PACKAGE_SUGGEST_H
#define GAVEL_PACKAGE_SUGGEST_H

#include "base/arena.h"

/* "; did you mean 'islands'?" for up to three of the NULL-terminated `words` that are close to `word`, or "". */
const char *suggest(Arena *arena, const char *word, const char *const *words);

#endif
