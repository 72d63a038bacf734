/* Names of a PTX module and what they mean where the parser stands.
 *
 * Every word is kept once, so that a name is a pointer. A name can mean a variable or a function of the module, and, in
 * front of those, the innermost local symbol: a stack of local symbols that a closing scope takes down to its mark. */
#ifndef GAVEL_PTX_SCOPE_H
#define GAVEL_PTX_SCOPE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "ptx/syntax.h"

typedef struct PtxName {
    const char *text;
    uint64_t hash;
    uint32_t length;
    uint32_t local;        /* innermost local symbol, as position in the stack + 1; 0: none */
    PtxVariable *variable; /* of the module */
    PtxFunction *function;
} PtxName;

typedef enum PtxSymbolKind {
    PTX_SYMBOL_NONE, /* the name is not declared */
    PTX_SYMBOL_REGISTER,
    PTX_SYMBOL_VARIABLE,
    PTX_SYMBOL_LABEL,
    PTX_SYMBOL_TABLE,
    PTX_SYMBOL_FUNCTION,
} PtxSymbolKind;

typedef struct PtxSymbol {
    PtxSymbolKind kind;
    PtxPlace place;
    union {
        uint32_t index; /* of a register, or the instruction after a label */
        PtxVariable *variable;
        PtxTable *table;
        PtxFunction *function;
    };
    /* of the stack */
    PtxName *name;
    uint32_t depth, shadowed;
} PtxSymbol;

enum { PTX_SCOPES_MAX = 64 };

typedef struct PtxScopes {
    Arena *arena;
    uint64_t seed;   /* of the hash: nobody outside can make names collide */
    PtxName **slots; /* open addressing */
    uint32_t mask, name_count;
    Buffer stack; /* PtxSymbol */
    uint32_t depth;
    uint32_t marks[PTX_SCOPES_MAX]; /* height of the stack where each open scope began */
} PtxScopes;

void ptx_scopes_init(PtxScopes *scopes, Arena *arena);
void ptx_scopes_done(PtxScopes *scopes);

/* A hash that nobody outside can foresee. */
uint64_t ptx_scopes_hash(const PtxScopes *scopes, const void *data, size_t size);

/* The name of these bytes, made on first use; it lives in the arena. */
PtxName *ptx_scopes_name(PtxScopes *scopes, const char *text, size_t length);

/* False: too many are open. */
bool ptx_scopes_open(PtxScopes *scopes);
void ptx_scopes_close(PtxScopes *scopes);

/* Declares a local symbol in the innermost scope. False: the scope has it already, *ret_place says where. */
bool ptx_scopes_declare(PtxScopes *scopes, PtxName *name, PtxSymbol symbol, PtxPlace *ret_place);

/* What the name means here. */
PtxSymbol ptx_scopes_find(const PtxScopes *scopes, const PtxName *name);

/* The label of that name in the innermost scope; false: it has none. */
bool ptx_scopes_label(const PtxScopes *scopes, const PtxName *name, uint32_t *ret_index);

#endif
