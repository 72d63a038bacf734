/* Doubling growth with a sticky failure. */
#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(Buffer *buffer, size_t more)
{
    if (buffer->has_failed)
        return false;
    if (more > SIZE_MAX / 4 || buffer->size > SIZE_MAX / 4 || (buffer->limit && buffer->size + more > buffer->limit))
        return buffer->has_failed = true, false;
    size_t needed = buffer->size + more + 1;
    if (needed <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (!data)
        return buffer->has_failed = true, false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(Buffer *buffer, const void *data, size_t size)
{
    if (!reserve(buffer, size))
        return;
    if (size)
        memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void buffer_string(Buffer *buffer, const char *text)
{
    buffer_append(buffer, text, strlen(text));
}

void buffer_char(Buffer *buffer, char character)
{
    buffer_append(buffer, &character, 1);
}

void buffer_vformat(Buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        buffer->has_failed = true;
    else if (reserve(buffer, (size_t)length)) {
        (void)vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, again); /* length is known */
        buffer->size += (size_t)length;
    }
    va_end(again);
}

void buffer_format(Buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vformat(buffer, format, arguments);
    va_end(arguments);
}

const char *buffer_text(const Buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

void buffer_done(Buffer *buffer)
{
    free(buffer->data);
    *buffer = (Buffer){.limit = buffer->limit};
}
