/* Line by line into a sorted array. */
#include "package/lock.h"

#include <stdlib.h>
#include <string.h>

#include "package/tree.h"

enum { HEX_DIGITS = 64 };

static int compare_entries(const void *left, const void *right)
{
    return strcmp(((const LockEntry *)left)->name, ((const LockEntry *)right)->name);
}

/* sha256sum puts two spaces, or a space and a star for binary mode, between the hash and the name. */
static bool parse_line(Arena *arena, char *line, LockEntry *ret_entry)
{
    if (strspn(line, "0123456789abcdef") != HEX_DIGITS || line[HEX_DIGITS] != ' ' ||
        (line[HEX_DIGITS + 1] != ' ' && line[HEX_DIGITS + 1] != '*') || !tree_is_path(line + HEX_DIGITS + 2))
        return false;
    ret_entry->sha256 = arena_bytes(arena, line, HEX_DIGITS);
    ret_entry->name = line + HEX_DIGITS + 2;
    return true;
}

static bool refuse_duplicates(const Lock *lock, Error *error)
{
    const LockEntry *entries = lock->entries.items;
    for (size_t i = 1; i < lock->entries.count; i++)
        if (strcmp(entries[i - 1].name, entries[i].name) == 0)
            return error_input(error, "%s:%d: %s is listed twice", lock->file,
                               entries[i].line > entries[i - 1].line ? entries[i].line : entries[i - 1].line,
                               entries[i].name);
    return true;
}

bool lock_parse(Arena *arena, const char *file, const char *text, size_t size, Lock *ret_lock, Error *error)
{
    Lock lock = {.file = file, .entries = list_of(arena, LockEntry)};
    char *rest = arena_bytes(arena, text, size);
    if (strlen(rest) != size)
        return error_input(error, "%s:1: not a text file", file);
    for (int number = 1; rest; number++) {
        char *line = strsep(&rest, "\n");
        LockEntry entry = {.line = number};
        if (*line == '\0')
            continue;
        if (!parse_line(arena, line, &entry))
            return error_input(error, "%s:%d: expected '<64 hexadecimal digits>  <name>'", file, number);
        *(LockEntry *)list_add(&lock.entries) = entry;
    }
    if (lock.entries.count)
        qsort(lock.entries.items, lock.entries.count, sizeof(LockEntry), compare_entries);
    *ret_lock = lock;
    return refuse_duplicates(&lock, error);
}

const char *lock_find(const Lock *lock, const char *name)
{
    LockEntry wanted = {.name = name};
    const LockEntry *entry =
        lock->entries.count ? bsearch(&wanted, lock->entries.items, lock->entries.count, sizeof wanted, compare_entries)
                            : NULL;
    return entry ? entry->sha256 : NULL;
}
