/* The writer behind --json. */
#include "json.h"

#include <inttypes.h>
#include <string.h>

static void write_escaped(FILE *file, const char *text);

static void begin(JsonWriter *writer, const char *key)
{
    if (writer->needs_comma)
        fputc(',', writer->file);
    writer->needs_comma = true;
    if (!key)
        return;
    write_escaped(writer->file, key);
    fputc(':', writer->file);
}

/* Length of the valid UTF-8 sequence at `at`, 0 if there is none. Overlong forms and surrogates are not valid. */
static size_t sequence_length(const unsigned char *at)
{
    if (*at < 0x80)
        return 1;
    size_t length = *at >= 0xf0 && *at <= 0xf4 ? 4 : *at >= 0xe0 && *at < 0xf0 ? 3 : *at >= 0xc2 && *at < 0xe0 ? 2 : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool is_overlong = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90);
    bool is_out_of_range = (*at == 0xed && at[1] >= 0xa0) || (*at == 0xf4 && at[1] >= 0x90);
    return is_overlong || is_out_of_range ? 0 : length;
}

static void write_escaped(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = sequence_length(at);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(file, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else
            fwrite(at, 1, length, file);
        at += length ? length : 1;
    }
    fputc('"', file);
}

void json_open(JsonWriter *writer, const char *key, char bracket)
{
    begin(writer, key);
    fputc(bracket, writer->file);
    writer->needs_comma = false;
}

void json_close(JsonWriter *writer, char bracket)
{
    fputc(bracket, writer->file);
    writer->needs_comma = true;
}

void json_string(JsonWriter *writer, const char *key, const char *text)
{
    begin(writer, key);
    if (text)
        write_escaped(writer->file, text);
    else
        fputs("null", writer->file);
}

void json_number(JsonWriter *writer, const char *key, int64_t number)
{
    begin(writer, key);
    fprintf(writer->file, "%" PRId64, number);
}

void json_known(JsonWriter *writer, const char *key, int64_t number)
{
    if (number >= 0)
        json_number(writer, key, number);
    else
        json_string(writer, key, NULL);
}

void json_bool(JsonWriter *writer, const char *key, bool value)
{
    begin(writer, key);
    fputs(value ? "true" : "false", writer->file);
}
