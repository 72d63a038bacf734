/* A small JSON writer for the CLI, which may depend on libc only. One line, keys in the order of the calls. */
#ifndef SANDBOX_JSON_H
#define SANDBOX_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonWriter {
    FILE *file;
    bool needs_comma;
} JsonWriter;

/* `key` is NULL inside arrays and for the outermost value. */
void json_open(JsonWriter *writer, const char *key, char bracket); /* '{' or '[' */
void json_close(JsonWriter *writer, char bracket);                 /* '}' or ']' */
void json_string(JsonWriter *writer, const char *key,
                 const char *text); /* NULL: null. Bytes that are no UTF-8: U+FFFD */
void json_number(JsonWriter *writer, const char *key, int64_t number);
void json_known(JsonWriter *writer, const char *key, int64_t number); /* null if negative */
void json_bool(JsonWriter *writer, const char *key, bool value);

#endif
