/* A growable byte buffer, always terminated. Running out of memory or passing `limit` makes it fail for good: the
 * error is sticky, so that a caller appends freely and asks once at the end. */
#ifndef GAVEL_BASE_BUFFER_H
#define GAVEL_BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Buffer {
    char *data; /* NULL until the first append; then terminated at data[size] */
    size_t size;
    size_t capacity;
    size_t limit; /* 0: none */
    bool has_failed;
} Buffer;

void buffer_append(Buffer *buffer, const void *data, size_t size);
void buffer_string(Buffer *buffer, const char *text);
void buffer_char(Buffer *buffer, char character);
void buffer_format(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vformat(Buffer *buffer, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* The text so far, "" if empty; never NULL. Valid until the next append. */
const char *buffer_text(const Buffer *buffer);

/* Frees the memory and empties the buffer; `limit` stays. */
void buffer_done(Buffer *buffer);
#define auto_buffer __attribute__((cleanup(buffer_done)))

#endif
