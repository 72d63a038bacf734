/* Packages along a search path. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "package/package.h"
#include "package/suggest.h"

static bool is_package(Arena *arena, const char *directory)
{
    struct stat status;
    return stat(arena_format(arena, "%s/problem.yaml", directory), &status) == 0 && S_ISREG(status.st_mode);
}

/* The entries of a search path, empty ones left out. */
static const char **path_entries(Arena *arena, const char *search_path)
{
    List entries = list_of(arena, const char *);
    char *rest = arena_string(arena, search_path ? search_path : "");
    for (char *entry; (entry = strsep(&rest, ":"));)
        if (*entry)
            list_add_string(&entries, entry);
    return list_strings(&entries);
}

static void close_directory(DIR **stream)
{
    if (*stream)
        (void)closedir(*stream); /* only read */
}

/* Hidden names are never problems: "." and ".." least of all. */
static void add_packages(Arena *arena, const char *entry, List *directories)
{
    __attribute__((cleanup(close_directory))) DIR *stream = opendir(entry);
    if (!stream)
        return; /* a search path may name places that do not exist on this machine */
    for (const struct dirent *item; (item = readdir(stream));) {
        const char *directory = arena_format(arena, "%s/%s", entry, item->d_name);
        if (*item->d_name != '.' && is_package(arena, directory))
            list_add_string(directories, directory);
    }
}

static const char *base_name(const char *directory)
{
    return strrchr(directory, '/') + 1; /* directories here are "ENTRY/NAME" */
}

typedef struct Found {
    const char *directory, *name;
    size_t order; /* place along the search path */
} Found;

static int compare_found(const void *left, const void *right)
{
    const Found *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* By name; of equal names the one that comes first along the search path. */
static void find_all(Arena *arena, const char *search_path, List *ret_found)
{
    List directories = list_of(arena, const char *);
    for (const char **entry = path_entries(arena, search_path); *entry; entry++)
        add_packages(arena, *entry, &directories);
    Found *all = arena_new_array(arena, Found, directories.count + 1);
    for (size_t i = 0; i < directories.count; i++) {
        const char *directory = ((const char **)directories.items)[i];
        /* the order within one entry does not matter: its names differ */
        all[i] = (Found){directory, base_name(directory), i};
    }
    qsort(all, directories.count, sizeof *all, compare_found);
    for (size_t i = 0; i < directories.count; i++)
        if (i == 0 || strcmp(all[i - 1].name, all[i].name) != 0)
            *(Found *)list_add(ret_found) = all[i];
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static const char **copy_strings(Arena *arena, const char *const *strings)
{
    List copies = list_of(arena, const char *);
    for (; *strings; strings++)
        list_add_string(&copies, arena_string(arena, *strings));
    return list_strings(&copies);
}

static void summarise(Arena *arena, const Problem *problem, ProblemSummary *summary)
{
    summary->title = arena_string(arena, problem->title);
    summary->title_zh = arena_string(arena, problem->title_zh);
    summary->difficulty = arena_string(arena, problem->difficulty);
    summary->keywords = copy_strings(arena, problem->keywords);
}

static bool list_one(Arena *arena, const Found *found, ProblemSummary *ret_summary, Error *error)
{
    static const char *const no_keywords[] = {NULL};
    Problem *problem;
    auto_error Error inner = {0};
    *ret_summary = (ProblemSummary){.name = found->name, .title = found->name, .directory = found->directory};
    if (package_load(found->directory, NULL, PACKAGE_WITHOUT_HASHES, &problem, &inner)) {
        summarise(arena, problem, ret_summary);
        problem_free(problem);
        return true;
    }
    if (inner.kind != ERROR_INPUT)
        return error_fault(error, "%s: %s", found->directory, error_text(&inner));
    ret_summary->error = arena_string(arena, error_text(&inner));
    ret_summary->keywords = copy_strings(arena, no_keywords);
    return true;
}

bool bank_list(const char *search_path, Arena *arena, ProblemSummary **ret_list, size_t *ret_count, Error *error)
{
    List found = list_of(arena, Found);
    find_all(arena, search_path, &found);
    ProblemSummary *list = arena_new_array(arena, ProblemSummary, found.count + 1);
    for (size_t i = 0; i < found.count; i++)
        if (!list_one(arena, (const Found *)found.items + i, &list[i], error))
            return false;
    *ret_list = list;
    *ret_count = found.count;
    return true;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static bool no_problem(const char *search_path, const char *name, Arena *arena, Error *error)
{
    List found = list_of(arena, Found), names = list_of(arena, const char *);
    find_all(arena, search_path, &found);
    for (size_t i = 0; i < found.count; i++)
        list_add_string(&names, ((const Found *)found.items)[i].name);
    const char *hint = suggest(arena, name, list_strings(&names));
    if (*hint)
        return error_input(error, "no problem '%s'%s", name, hint);
    return error_input(error, "no problem '%s' along the search path '%s'", name, search_path ? search_path : "");
}

bool bank_find(const char *search_path, const char *name, Arena *arena, const char **ret_directory, Error *error)
{
    if (strchr(name, '/') || (*name && is_package(arena, name))) {
        *ret_directory = arena_string(arena, name);
        return true;
    }
    for (const char **entry = path_entries(arena, search_path); *entry && tree_is_name(name); entry++) {
        const char *directory = arena_format(arena, "%s/%s", *entry, name);
        if (is_package(arena, directory)) {
            *ret_directory = directory;
            return true;
        }
    }
    return no_problem(search_path, name, arena, error);
}
