/* Blocks of growing size in a list; a large request gets a block of its own. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {
    struct Block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
} Block;

struct Arena {
    Block *blocks;
};

enum { BLOCK_BYTES = 16 * 1024 };

static void *allocate_or_die(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        (void)fputs("gavel: out of memory\n", stderr); /* nothing left to report a failed report to */
        abort();
    }
    return memory;
}

Arena *arena_new(void)
{
    return allocate_or_die(sizeof(Arena));
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    for (Block *block = arena->blocks; block;) {
        Block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

static Block *add_block(Arena *arena, size_t size)
{
    size_t block_size = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    Block *block = allocate_or_die(sizeof(Block) + block_size);
    block->size = block_size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *arena_alloc(Arena *arena, size_t size)
{
    assert(size < SIZE_MAX / 2);
    size_t rounded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    Block *block = arena->blocks;
    if (!block || block->size - block->used < rounded)
        block = add_block(arena, rounded);
    void *memory = block->data + block->used;
    block->used += rounded;
    return memory;
}

char *arena_bytes(Arena *arena, const void *data, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

char *arena_string(Arena *arena, const char *text)
{
    return text ? arena_bytes(arena, text, strlen(text)) : NULL;
}

char *arena_format(Arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    char *text = arena_alloc(arena, (size_t)length + 1);
    (void)vsnprintf(text, (size_t)length + 1, format, again); /* same arguments, same length */
    va_end(again);
    return text;
}
