/* Programs of the problem's author: built through the cache, run in profile `author`. */
#ifndef GAVEL_CORE_AUTHOR_H
#define GAVEL_CORE_AUTHOR_H

#include "core/run.h"

/* Builds; a program that does not compile is ERROR_INPUT with the head of the compiler's message. `what` names its
 * role in messages ("output validator"). */
bool author_build(Judge *judge, const Problem *problem, const char *path, const char *what, const CancelToken *cancel,
                  Arena *arena, Program *ret_program, Error *error) MUST_CHECK;

/* How a run ended, for people: "exit code 1", "time limit of 60 s exceeded", "signal 6 (aborted)". */
const char *author_what(const SandboxResult *result, Arena *arena);

/* The head of standard error, printable, without white space at its end; "" if there is none. */
const char *author_message(const SandboxResult *result, Arena *arena);

/* Path of the solution that answers inputs, or NULL: gavel.yaml's, else the marked or first accepted submission. */
const char *author_model_path(const Problem *problem);

#endif
