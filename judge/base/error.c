/* The error value: one formatted message that grows a prefix at each layer. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char out_of_memory[] = "out of memory while describing an error";

static char *format_message(const char *format, va_list arguments)
{
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0)
        message = strdup(out_of_memory);
    return message;
}

static bool fill(Error *error, ErrorKind kind, int system_errno, const char *format, va_list arguments)
{
    if (!error)
        return false;
    error_clear(error);
    error->kind = kind;
    error->system_errno = system_errno;
    error->message = format_message(format, arguments);
    if (!system_errno || !error->message)
        return false;
    char *longer = NULL;
    if (asprintf(&longer, "%s: %s", error->message, strerror(system_errno)) >= 0) {
        free(error->message);
        error->message = longer;
    }
    return false;
}

#define DEFINE_FILLER(name, kind, errno_value)                                                                         \
    bool name(Error *error, const char *format, ...)                                                                   \
    {                                                                                                                  \
        int saved_errno = (errno_value);                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        fill(error, kind, saved_errno, format, arguments);                                                             \
        va_end(arguments);                                                                                             \
        return false;                                                                                                  \
    }

DEFINE_FILLER(error_fault, ERROR_FAULT, 0)
DEFINE_FILLER(error_input, ERROR_INPUT, 0)
DEFINE_FILLER(error_system, ERROR_FAULT, errno)
DEFINE_FILLER(error_system_input, ERROR_INPUT, errno)

bool error_wrap(Error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    char *prefix = format_message(format, arguments);
    va_end(arguments);
    char *longer = NULL;
    if (prefix && asprintf(&longer, "%s: %s", prefix, error_text(error)) >= 0) {
        free(error->message);
        error->message = longer;
    }
    free(prefix);
    return false;
}

const char *error_text(const Error *error)
{
    return error && error->message ? error->message : "no error";
}

void error_clear(Error *error)
{
    free(error->message);
    *error = (Error){0};
}
