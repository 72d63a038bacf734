/* The compiler's messages as data. All languages of the table speak gcc's format. */
#include "core/diagnostics.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fd.h"

typedef struct LevelWord {
    const char *word;
    DiagnosticLevel level;
} LevelWord;

static const LevelWord level_words[] = {
    {"fatal error: ", DIAGNOSTIC_ERROR},
    {"error: ", DIAGNOSTIC_ERROR},
    {"warning: ", DIAGNOSTIC_WARNING},
    {"note: ", DIAGNOSTIC_NOTE},
    {"sorry, unimplemented: ", DIAGNOSTIC_ERROR},
    {"internal compiler error: ", DIAGNOSTIC_ERROR},
};

/* What a linker says without a line number; the submission is built without debug information. */
static const char *const linker_texts[] = {"undefined reference to ", "multiple definition of "};

static const char *skip_level(const char *text, DiagnosticLevel *ret_level)
{
    for (size_t i = 0; i < sizeof level_words / sizeof *level_words; i++) {
        size_t length = strlen(level_words[i].word);
        if (strncmp(text, level_words[i].word, length) == 0) {
            *ret_level = level_words[i].level;
            return text + length;
        }
    }
    return NULL;
}

/* ":12" -> 12, and moves past it; false leaves *text alone. */
static bool take_number(const char **text, int *ret_number)
{
    if (**text != ':' || !isdigit((unsigned char)(*text)[1]))
        return false;
    char *end;
    long number = strtol(*text + 1, &end, 10);
    *ret_number = number > INT_MAX ? INT_MAX : (int)number;
    *text = end;
    return true;
}

/* FILE:LINE[:COLUMN]: LEVEL: TEXT, where FILE may itself contain colons: the first place that fits is taken. */
static bool parse_compiler_line(const char *line, Arena *arena, Diagnostic *ret_diagnostic)
{
    for (const char *colon = strchr(line, ':'); colon && colon > line; colon = strchr(colon + 1, ':')) {
        Diagnostic found = {0};
        const char *rest = colon;
        if (take_number(&rest, &found.line))
            (void)take_number(&rest, &found.column); /* no column is no fault */
        if (strncmp(rest, ": ", 2) != 0)
            continue;
        const char *text = skip_level(rest + 2, &found.level);
        if (!text)
            continue;
        found.file = arena_bytes(arena, line, (size_t)(colon - line));
        found.text = arena_string(arena, text);
        *ret_diagnostic = found;
        return true;
    }
    return false;
}

static bool parse_linker_line(const char *line, const char *default_file, Arena *arena, Diagnostic *ret_diagnostic)
{
    for (size_t i = 0; i < sizeof linker_texts / sizeof *linker_texts; i++) {
        const char *text = strstr(line, linker_texts[i]);
        if (!text)
            continue;
        *ret_diagnostic =
            (Diagnostic){.level = DIAGNOSTIC_ERROR, .file = default_file, .text = arena_string(arena, text)};
        return true;
    }
    return false;
}

void diagnostics_parse(const char *log, const char *default_file, Arena *arena, Diagnostic **ret_diagnostics,
                       size_t *ret_count)
{
    Diagnostic *found = arena_new_array(arena, Diagnostic, DIAGNOSTIC_MAX);
    size_t count = 0;
    auto_free char *copy = strdup(log);
    char *rest = copy;
    for (char *line; count < DIAGNOSTIC_MAX && (line = strsep(&rest, "\n"));)
        if (parse_compiler_line(line, arena, &found[count]) ||
            parse_linker_line(line, default_file, arena, &found[count]))
            count++;
    *ret_diagnostics = found;
    *ret_count = count;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static bool is_name_character(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == '-' || character == '.' ||
           character == '/';
}

/* Before it no character of a longer name, after it what follows a file name in messages. */
static bool stands_as_name(const char *log, const char *place, size_t length)
{
    char after = place[length];
    return (place == log || !is_name_character(place[-1])) &&
           (after == ':' || after == ',' || after == '\'' || after == '"' || after == '\n' || after == '\0');
}

/* "/tmp/ccAbC123.o" -> "/tmp/prog.o": the length of a temporary name of gcc, or 0. */
static size_t temporary_name_length(const char *place)
{
    static const char start[] = "/tmp/cc";
    enum { RANDOM = 6 };
    size_t length = sizeof start - 1 + RANDOM;
    if (strncmp(place, start, sizeof start - 1) != 0)
        return 0;
    for (size_t i = sizeof start - 1; i < length; i++)
        if (!isalnum((unsigned char)place[i]))
            return 0;
    return strncmp(place + length, ".o", 2) == 0 ? length : 0;
}

const char *diagnostics_restore_names(const char *log, const char *jail_name, const char *shown_name, Arena *arena)
{
    size_t name_length = strlen(jail_name), skipped;
    auto_buffer Buffer restored = {0};
    for (const char *place = log; *place;) {
        if (strncmp(place, jail_name, name_length) == 0 && stands_as_name(log, place, name_length)) {
            buffer_string(&restored, shown_name);
            place += name_length;
        } else if ((skipped = temporary_name_length(place)) > 0) {
            buffer_string(&restored, "/tmp/prog");
            place += skipped;
        } else {
            buffer_char(&restored, *place++);
        }
    }
    return arena_bytes(arena, buffer_text(&restored), restored.size);
}
