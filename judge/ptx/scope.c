#include "ptx/scope.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum { FIRST_SLOTS = 1024 };

static uint64_t mix(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t ptx_scopes_hash(const PtxScopes *scopes, const void *data, size_t size)
{
    const char *at = data;
    uint64_t hash = scopes->seed ^ size;
    while (size > 0) {
        uint64_t word = 0;
        const size_t bytes = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, bytes);
        hash = mix(hash ^ UINT64_C(0x9E3779B97F4A7C15), word ^ scopes->seed);
        at += bytes;
        size -= bytes;
    }
    return hash ^ hash >> 32;
}

static uint64_t new_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
        seed = (uint64_t)time(NULL); /* early at boot: an unguessed seed only guards speed */
    return seed | 1;
}

void ptx_scopes_init(PtxScopes *scopes, Arena *arena)
{
    *scopes = (PtxScopes){.arena = arena, .seed = new_seed(), .mask = FIRST_SLOTS - 1};
    scopes->slots = arena_new_array(arena, PtxName *, FIRST_SLOTS);
}

void ptx_scopes_done(PtxScopes *scopes)
{
    buffer_done(&scopes->stack);
}

static PtxName **slot_of(const PtxScopes *scopes, uint64_t hash, const char *text, size_t length)
{
    uint32_t i = (uint32_t)hash & scopes->mask;
    for (;; i = (i + 1) & scopes->mask) {
        const PtxName *name = scopes->slots[i];
        if (!name || (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0))
            return &scopes->slots[i];
    }
}

static void grow(PtxScopes *scopes)
{
    PtxName **old = scopes->slots;
    const uint32_t old_count = scopes->mask + 1;
    scopes->mask = 2 * old_count - 1;
    scopes->slots = arena_new_array(scopes->arena, PtxName *, (size_t)2 * old_count);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i])
            *slot_of(scopes, old[i]->hash, old[i]->text, old[i]->length) = old[i];
}

PtxName *ptx_scopes_name(PtxScopes *scopes, const char *text, size_t length)
{
    const uint64_t hash = ptx_scopes_hash(scopes, text, length);
    PtxName **slot = slot_of(scopes, hash, text, length);
    if (*slot)
        return *slot;
    PtxName *name = arena_alloc(scopes->arena, sizeof *name);
    *name = (PtxName){.text = arena_bytes(scopes->arena, text, length), .hash = hash, .length = (uint32_t)length};
    *slot = name;
    if (++scopes->name_count > scopes->mask / 2)
        grow(scopes);
    return name;
}

/* ---- the stack of local symbols ---------------------------------------------------------------------------------- */

static PtxSymbol *symbols(const PtxScopes *scopes)
{
    return (PtxSymbol *)(void *)scopes->stack.data;
}

static uint32_t height(const PtxScopes *scopes)
{
    return (uint32_t)(scopes->stack.size / sizeof(PtxSymbol));
}

bool ptx_scopes_open(PtxScopes *scopes)
{
    if (scopes->depth == PTX_SCOPES_MAX)
        return false;
    scopes->marks[scopes->depth++] = height(scopes);
    return true;
}

void ptx_scopes_close(PtxScopes *scopes)
{
    assert(scopes->depth > 0);
    const uint32_t mark = scopes->marks[--scopes->depth];
    for (uint32_t i = height(scopes); i > mark; i--)
        symbols(scopes)[i - 1].name->local = symbols(scopes)[i - 1].shadowed;
    scopes->stack.size = mark * sizeof(PtxSymbol);
}

bool ptx_scopes_declare(PtxScopes *scopes, PtxName *name, PtxSymbol symbol, PtxPlace *ret_place)
{
    if (name->local && symbols(scopes)[name->local - 1].depth == scopes->depth) {
        *ret_place = symbols(scopes)[name->local - 1].place;
        return false;
    }
    symbol.name = name;
    symbol.depth = scopes->depth;
    symbol.shadowed = name->local;
    buffer_append(&scopes->stack, &symbol, sizeof symbol);
    if (!scopes->stack.has_failed)
        name->local = height(scopes);
    return true;
}

PtxSymbol ptx_scopes_find(const PtxScopes *scopes, const PtxName *name)
{
    if (name->local)
        return symbols(scopes)[name->local - 1];
    if (name->variable)
        return (PtxSymbol){.kind = PTX_SYMBOL_VARIABLE, .variable = name->variable, .place = name->variable->place};
    if (name->function)
        return (PtxSymbol){.kind = PTX_SYMBOL_FUNCTION, .function = name->function, .place = name->function->place};
    return (PtxSymbol){.kind = PTX_SYMBOL_NONE};
}

bool ptx_scopes_label(const PtxScopes *scopes, const PtxName *name, uint32_t *ret_index)
{
    const PtxSymbol *symbol = name->local ? &symbols(scopes)[name->local - 1] : NULL;
    if (!symbol || symbol->kind != PTX_SYMBOL_LABEL || symbol->depth != scopes->depth)
        return false;
    *ret_index = symbol->index;
    return true;
}
