/* The side channels of the time limit, from before problem.yaml had a key for it: domjudge-problem.ini, then
 * .timelimit. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "package/decimal_text.h"
#include "package/package.h"

enum { MAX_SIDE_BYTES = 64 * 1024 };
#define MAX_SECONDS 1e6

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length && isspace((unsigned char)text[length - 1]); length--)
        text[length - 1] = '\0';
    return text;
}

static bool parse_seconds(const char *file, int line, const char *text, int64_t *ret_ns, Error *error)
{
    double seconds = decimal_text_matches(text) ? strtod(text, NULL) : 0;
    if (!(seconds > 0 && seconds <= MAX_SECONDS))
        return error_input(error, "%s:%d: '%s' is not a time limit in seconds", file, line, text);
    *ret_ns = llround(seconds * 1e9);
    return true;
}

/* .timelimit: nothing but the number. */
static bool parse_timelimit(const char *file, char *text, int64_t *ret_ns, int *ret_line, Error *error)
{
    *ret_line = 1;
    return parse_seconds(file, 1, trim(text), ret_ns, error);
}

static char *without_quotes(char *text)
{
    size_t length = strlen(text);
    if (length < 2 || (*text != '"' && *text != '\'') || text[length - 1] != *text)
        return text;
    text[length - 1] = '\0';
    return text + 1;
}

/* domjudge-problem.ini: key = value lines, of which only timelimit matters here. */
static bool parse_ini(const char *file, char *text, int64_t *ret_ns, int *ret_line, Error *error)
{
    for (int number = 1; text; number++) {
        char *value = strsep(&text, "\n"), *key = strsep(&value, "=");
        if (!value || strcmp(trim(key), "timelimit") != 0)
            continue;
        *ret_line = number;
        return parse_seconds(file, number, without_quotes(trim(value)), ret_ns, error);
    }
    return true;
}

typedef struct SideChannel {
    const char *name;
    bool (*parse)(const char *file, char *text, int64_t *ret_ns, int *ret_line, Error *error);
} SideChannel;

/* By precedence. */
static const SideChannel channels[] = {{"domjudge-problem.ini", parse_ini}, {".timelimit", parse_timelimit}};

static bool read_channel(Package *package, const SideChannel *channel, Error *error)
{
    const TreeEntry *file = tree_find_file(&package->tree.top, channel->name);
    auto_buffer Buffer content = {0};
    int64_t *limit_ns = &package->model.limits.time_ns, found_ns = 0;
    int line = 0;
    if (!file)
        return true;
    const char *shown = tree_shown(&package->tree, file);
    if (!tree_read(&package->tree, file, MAX_SIDE_BYTES, &content, error) ||
        !channel->parse(shown, arena_string(package->model.arena, buffer_text(&content)), &found_ns, &line, error))
        return false;
    if (found_ns && *limit_ns && found_ns != *limit_ns)
        list_format(&package->warnings, "%s:%d: the time limit of %g s is ignored, since %g s is given elsewhere",
                    shown, line, (double)found_ns / 1e9, (double)*limit_ns / 1e9);
    if (!*limit_ns)
        *limit_ns = found_ns;
    return true;
}

bool time_limit_load(Package *package, Error *error)
{
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (!read_channel(package, &channels[i], error))
            return false;
    return true;
}
