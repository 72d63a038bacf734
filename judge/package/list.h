/* A growing array in an arena: what a loader collects before it knows how much there is. */
#ifndef GAVEL_PACKAGE_LIST_H
#define GAVEL_PACKAGE_LIST_H

#include <stddef.h>

#include "base/arena.h"

typedef struct List {
    Arena *arena;
    size_t item_size;
    void *items;
    size_t count, capacity;
} List;

#define list_of(list_arena, type) ((List){.arena = (list_arena), .item_size = sizeof(type)})

/* A new zeroed item at the end. Earlier item pointers become invalid. */
void *list_add(List *list);

/* For lists of const char *. list_format owns the text in the list's arena. */
void list_add_string(List *list, const char *text);
void list_format(List *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The strings so far as a NULL-terminated array of the arena; never NULL. */
const char **list_strings(const List *list);

/* The white-space separated words of `text`, appended to a list of const char *. */
void list_add_words(List *list, const char *text);

#endif
