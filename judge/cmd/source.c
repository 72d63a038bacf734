/* Reading what a contestant points at, with one clear sentence for each way it can be unusable. */
#include "cmd/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

const char *source_language_list(Arena *arena)
{
    const char *list = "";
    const Language *language;
    for (size_t i = 0; (language = language_at(i)); i++)
        list = arena_format(arena, "%s%s%s", list, i ? ", " : "", language_id(language));
    return list;
}

bool source_language(const char *id, const Language **ret_language, Error *error)
{
    auto_arena Arena *arena = arena_new();
    const Language *language = language_by_id(id);
    if (!language)
        return error_input(error, "unknown language '%s' (known: %s)", id, source_language_list(arena));
    *ret_language = language;
    return true;
}

static bool language_from_name(const char *name, const Language **ret_language, Error *error)
{
    auto_arena Arena *arena = arena_new();
    const Language *language = language_by_file_name(name);
    if (!language)
        return error_input(error, "cannot tell the language of %s from its name; say --language with one of %s", name,
                           source_language_list(arena));
    *ret_language = language;
    return true;
}

bool source_read(const char *path, const char *language_word, Source *ret_source, Error *error)
{
    const char *slash = strrchr(path, '/');
    Source source = {.name = slash ? slash + 1 : path};
    bool is_read = fd_read_file(path, SOURCE_MAX_BYTES, &source.content, error) &&
                   (language_word ? source_language(language_word, &source.language, error)
                                  : language_from_name(source.name, &source.language, error));
    if (!is_read) {
        source_done(&source);
        return false;
    }
    *ret_source = source;
    return true;
}

void source_done(Source *source)
{
    buffer_done(&source->content);
}

static bool read_standard_input(Buffer *content, Error *error)
{
    char chunk[64 * 1024];
    ssize_t got;
    while ((got = read(STDIN_FILENO, chunk, sizeof chunk)) > 0) {
        buffer_append(content, chunk, (size_t)got);
        if (content->has_failed || content->size > SOURCE_MAX_BYTES)
            return error_input(error, "standard input is larger than %zu bytes", SOURCE_MAX_BYTES);
    }
    return got == 0 || error_system_input(error, "cannot read standard input");
}

bool source_read_input(const char *path, Buffer *content, Error *error)
{
    bool is_standard_input = strcmp(path, "-") == 0;
    return is_standard_input ? read_standard_input(content, error)
                             : fd_read_file(path, SOURCE_MAX_BYTES, content, error);
}

JudgeJob source_job(const Source *source, const Problem *problem)
{
    return (JudgeJob){
        .problem = problem,
        .source_name = source->name,
        .source = buffer_text(&source->content),
        .source_size = source->content.size,
        .language = source->language,
    };
}
