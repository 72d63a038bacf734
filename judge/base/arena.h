/* An arena: everything that belongs to one submission, request or package, freed in one place. */
#ifndef GAVEL_BASE_ARENA_H
#define GAVEL_BASE_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is allowed */

/* `size` zeroed bytes, aligned for any type. Never NULL: running out of memory ends the process with a message, since
 * no part of the judge can do its work without it. */
void *arena_alloc(Arena *arena, size_t size);
#define arena_new_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

/* Terminated copies owned by the arena. arena_string of NULL is NULL. */
char *arena_string(Arena *arena, const char *text);
char *arena_bytes(Arena *arena, const void *data, size_t size);
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void arena_cleanup(Arena **arena)
{
    arena_free(*arena);
}
#define auto_arena __attribute__((cleanup(arena_cleanup)))

#endif
