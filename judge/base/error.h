/* Errors of ours or of the machine, and unreadable input: everything that is neither a verdict nor a bug.
 *
 * A function that can fail returns bool and takes an Error last: false means that the error is filled. Each layer that
 * adds meaning wraps it with what it was doing. A verdict is never an Error; a broken invariant is an assert. */
#ifndef GAVEL_BASE_ERROR_H
#define GAVEL_BASE_ERROR_H

#include <stdbool.h>

typedef enum ErrorKind {
    ERROR_NONE,
    ERROR_FAULT, /* ours or the machine's: judge error, exit code 3 */
    ERROR_INPUT, /* the caller gave something unusable (a missing file, malformed YAML): exit code 2 */
} ErrorKind;

typedef struct Error {
    ErrorKind kind;
    int system_errno;
    char *message; /* owned; NULL when nothing failed */
} Error;

#define MUST_CHECK                             __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_index, first_index) __attribute__((format(printf, format_index, first_index)))

/* Fill `error` (which must be empty or NULL) and return false, so that a caller can write `return error_input(...)`.
 * error_system appends ": " and strerror(errno) to the text. */
bool error_fault(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);
bool error_input(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);
bool error_system(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);
bool error_system_input(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "what: " before the message; kind and errno stay. Returns false. */
bool error_wrap(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* The message, or "no error"; never NULL. */
const char *error_text(const Error *error);

/* Frees the message and empties the error. */
void error_clear(Error *error);

#define auto_error __attribute__((cleanup(error_clear)))

#endif
