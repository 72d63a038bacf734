/* Doubling growth; the arena keeps the outgrown arrays, at most as much again as the list itself. */
#include "package/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void grow(List *list)
{
    size_t capacity = list->capacity ? list->capacity * 2 : 8;
    void *items = arena_alloc(list->arena, capacity * list->item_size);
    if (list->count)
        memcpy(items, list->items, list->count * list->item_size);
    list->items = items;
    list->capacity = capacity;
}

void *list_add(List *list)
{
    if (list->count == list->capacity)
        grow(list);
    return (char *)list->items + list->item_size * list->count++;
}

void list_add_string(List *list, const char *text)
{
    *(const char **)list_add(list) = text;
}

void list_format(List *list, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(list->arena, (size_t)(length < 0 ? 0 : length) + 1);
    if (length > 0)
        (void)vsnprintf(text, (size_t)length + 1, format, again); /* same arguments, same length */
    va_end(again);
    list_add_string(list, text);
}

const char **list_strings(const List *list)
{
    const char **strings = arena_new_array(list->arena, const char *, list->count + 1);
    if (list->count)
        memcpy(strings, list->items, list->count * sizeof *strings);
    return strings;
}

void list_add_words(List *list, const char *text)
{
    static const char space[] = " \t\r\n\v\f";
    for (text += strspn(text, space); *text; text += strspn(text, space)) {
        size_t length = strcspn(text, space);
        list_add_string(list, arena_bytes(list->arena, text, length));
        text += length;
    }
}
