/* Collecting the files of a build.
 *
 * A lone submission lies in the jail under a name of ours, so that renaming it does not change the artifact; messages
 * get the contestant's name back. Beside files of the package it keeps its own name where that is a harmless one,
 * since a driver may want to import it. */
#include "core/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"

enum { FILE_MAX_BYTES = 64 * 1024 * 1024, FILE_MAX_COUNT = 1000, DIRECTORY_MAX_DEPTH = 8 };

/* ---- the set -------------------------------------------------------------------------------------------------- */

static SourceFile *set_find(SourceSet *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->files[i].name, name) == 0)
            return &set->files[i];
    return NULL;
}

/* A name that is there already is replaced: include/<language> goes over include/default. */
static bool set_add(SourceSet *set, Arena *arena, const char *name, const void *data, size_t size, Error *error)
{
    SourceFile *file = set_find(set, name);
    if (!file && set->count == FILE_MAX_COUNT)
        return error_input(error, "more than %d files", FILE_MAX_COUNT);
    if (!file && set->count == set->capacity) {
        size_t capacity = set->capacity ? 2 * set->capacity : 8;
        SourceFile *files = arena_new_array(arena, SourceFile, capacity);
        if (set->count > 0)
            memcpy(files, set->files, set->count * sizeof *files);
        set->files = files;
        set->capacity = capacity;
    }
    if (!file)
        file = &set->files[set->count++];
    *file = (SourceFile){.name = name, .data = data, .size = size};
    return true;
}

static bool add_file(SourceSet *set, Arena *arena, const char *path, const char *name, Error *error)
{
    auto_buffer Buffer content = {0};
    if (!fd_read_file(path, FILE_MAX_BYTES, &content, error))
        return false;
    const char *data = arena_bytes(arena, buffer_text(&content), content.size);
    return set_add(set, arena, arena_string(arena, name), data, content.size, error);
}

/* ---- directories ---------------------------------------------------------------------------------------------- */

static int is_wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__pycache__") != 0;
}

static bool add_directory(SourceSet *set, Arena *arena, const char *path, const char *prefix, int depth, Error *error);

static bool add_path(SourceSet *set, Arena *arena, const char *path, const char *name, int depth, Error *error)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return error_system_input(error, "cannot open %s", path);
    if (!S_ISDIR(status.st_mode))
        return add_file(set, arena, path, name, error);
    if (depth == DIRECTORY_MAX_DEPTH)
        return error_input(error, "%s: nested more than %d directories deep", path, DIRECTORY_MAX_DEPTH);
    return add_directory(set, arena, path, arena_format(arena, "%s/", name), depth + 1, error);
}

/* Sorted, so that the same directory gives the same cache key everywhere. */
static bool add_directory(SourceSet *set, Arena *arena, const char *path, const char *prefix, int depth, Error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_wanted, alphasort);
    if (count < 0)
        return error_system_input(error, "cannot list %s", path);
    bool is_added = true;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        is_added = is_added && add_path(set, arena, arena_format(arena, "%s/%s", path, name),
                                        arena_format(arena, "%s%s", prefix, name), depth, error);
        free(entries[i]);
    }
    free(entries);
    return is_added;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* ---- submissions ---------------------------------------------------------------------------------------------- */

static bool name_is_harmless(const char *name, const Language *language)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t length = strlen(name);
    return length > 0 && length < 100 && name[0] != '-' && name[0] != '.' && strspn(name, letters) == length &&
           language_has_file(language, name);
}

/* The package's driver starts the program if it has one. */
static const char *find_main(SourceSet *set, Arena *arena, const char *fallback)
{
    static const char *const names[] = {"__main__", "main"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = arena_format(arena, "%s%s", names[i], set->language->extensions[0]);
        if (set_find(set, name))
            return name;
    }
    return fallback;
}

static bool add_includes(SourceSet *set, const Problem *problem, Arena *arena, Error *error)
{
    const char *const places[] = {"default", set->language->id};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = arena_format(arena, "%s/include/%s", problem->directory, places[i]);
        if (is_directory(path) && !add_directory(set, arena, path, "", 0, error))
            return error_wrap(error, "include files of the package");
    }
    return true;
}

static const char *name_beside_includes(SourceSet *includes, const char *name, Arena *arena)
{
    const Language *language = includes->language;
    if (name_is_harmless(name, language) && !set_find(includes, name))
        return name;
    const char *own = arena_format(arena, "submission%s", language->extensions[0]);
    return set_find(includes, own) ? arena_format(arena, "contestant%s", language->extensions[0]) : own;
}

bool source_from_submission(const Problem *problem, const Language *language, const char *name, const void *data,
                            size_t size, Arena *arena, SourceSet *ret_set, Error *error)
{
    SourceSet set = {.language = language, .shown_name = arena_string(arena, name)};
    if (!add_includes(&set, problem, arena, error))
        return false;
    set.jail_name = set.count == 0 ? language->source_name : name_beside_includes(&set, set.shown_name, arena);
    set.entry = find_main(&set, arena, set.jail_name);
    if (!set_add(&set, arena, set.jail_name, data ? data : "", size, error))
        return false;
    *ret_set = set;
    return true;
}

/* ---- authors' programs ---------------------------------------------------------------------------------------- */

/* The language with most files; the table's order decides between equals. */
static const Language *majority_language(const SourceSet *set)
{
    const Language *best = NULL, *language;
    size_t best_count = 0;
    for (size_t l = 0; (language = language_at(l)); l++) {
        size_t count = 0;
        for (size_t i = 0; i < set->count; i++)
            count += language_has_file(language, set->files[i].name);
        if (count > best_count) {
            best = language;
            best_count = count;
        }
    }
    return best;
}

static const char *first_of_language(const SourceSet *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (language_has_file(set->language, set->files[i].name))
            return set->files[i].name;
    return NULL;
}

static bool has_languages_only(SourceSet *set, const char *path, Error *error)
{
    set->language = majority_language(set);
    if (set_find(set, "build") || set_find(set, "run"))
        return error_input(error, "%s: programs with their own build or run script are not supported", path);
    if (!set->language)
        return error_input(error, "%s: no file in a language that is known here (C, C++, Python 3)", path);
    return true;
}

/* A lone file is named like a lone submission: a solution that is judged and that answers inputs is built once. */
static bool add_lone_file(SourceSet *set, Arena *arena, const char *path, Error *error)
{
    const Language *language = language_by_file_name(path);
    const char *slash = strrchr(path, '/');
    set->shown_name = arena_string(arena, slash ? slash + 1 : path);
    return add_file(set, arena, path, language ? language->source_name : set->shown_name, error);
}

bool source_from_path(const char *path, Arena *arena, SourceSet *ret_set, Error *error)
{
    SourceSet set = {0};
    bool is_added =
        is_directory(path) ? add_directory(&set, arena, path, "", 0, error) : add_lone_file(&set, arena, path, error);
    if (!is_added || !has_languages_only(&set, path, error))
        return false;
    set.jail_name = first_of_language(&set);
    set.shown_name = set.shown_name ? set.shown_name : set.jail_name;
    set.entry = find_main(&set, arena, set.jail_name);
    *ret_set = set;
    return true;
}
