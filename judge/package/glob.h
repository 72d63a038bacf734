/* Globs of submissions.yaml: `*` within one path component, and braces with alternatives. Nothing else is special. */
#ifndef GAVEL_PACKAGE_GLOB_H
#define GAVEL_PACKAGE_GLOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "package/list.h"

/* Appends the plain globs that the braces of `glob` stand for ("a{b,c}" -> "ab", "ac") to a list of const char *.
 * False with no error filled if braces do not pair or stand for too many. */
bool glob_expand(Arena *arena, const char *glob, List *globs) MUST_CHECK;

/* Does a glob without braces match the whole path? */
bool glob_matches(const char *glob, const char *path);

/* Does it match the path or one of its parents ("wrong_answer" matches "wrong_answer/a.c")? */
bool glob_matches_below(Arena *arena, const char *glob, const char *path);

#endif
