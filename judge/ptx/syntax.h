/* A PTX module as it is written: what the parser makes and everything else reads.
 *
 * Names are resolved here already: a register is an index into its function's table, a variable or function a pointer,
 * a label an instruction index. Instructions whose opcode nobody knows are kept like any other. All of it lives in the
 * module's arena; texts are terminated copies. Grammar and meaning: PTX ISA 9.0. */
#ifndef GAVEL_PTX_SYNTAX_H
#define GAVEL_PTX_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ptx/type.h"

/* A place in the PTX text, both from 1; 0 when unknown. */
typedef struct PtxPlace {
    uint32_t line, column;
} PtxPlace;

/* What `.loc` says of the CUDA source: index into PtxSyntax.files (0: unknown), line, column. With `inlined_at`, the
 * place of the call that this was inlined at; outermost last. */
typedef struct PtxSourceLocation {
    uint32_t file, line, column;
    const struct PtxSourceLocation *inlined_at; /* NULL: not inlined */
} PtxSourceLocation;

typedef enum PtxSpace {
    PTX_SPACE_NONE, /* generic */
    PTX_SPACE_REG,
    PTX_SPACE_SREG,
    PTX_SPACE_CONST,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM,
    PTX_SPACE_SHARED,
    PTX_SPACE_TEX,
} PtxSpace;

/* ---- variables --------------------------------------------------------------------------------------------- */

/* One initialiser that is the address of something, put into `bytes` bytes at `offset` of the variable's image, after
 * `shift` bits to the right (mask operators such as 0xff00(name)). */
typedef struct PtxRelocation {
    uint64_t offset;
    uint32_t bytes, shift;
    const struct PtxVariable *variable; /* NULL: a function's address */
    const struct PtxFunction *function;
    int64_t addend;
    bool is_generic; /* generic(name) */
} PtxRelocation;

typedef struct PtxVariable {
    const char *name;
    PtxPlace place;
    PtxSpace space;
    PtxType type;
    uint32_t vector;        /* 1, 2, 4 or 8 */
    uint64_t element_count; /* product of the dimensions; 1 for a scalar */
    uint64_t size_bytes;    /* 0 for an extern array without a length (dynamic shared memory) */
    uint32_t align_bytes;
    bool is_extern, is_visible, is_weak, is_array;
    bool is_unsized;      /* `name[]` */
    bool is_pointer;      /* a parameter with .ptr */
    const uint8_t *image; /* size_bytes bytes of initial value, or NULL for zeros */
    PtxRelocation *relocations;
    size_t relocation_count;
    uint32_t index; /* position among its owner's variables or parameters */
} PtxVariable;

typedef struct PtxRegister {
    const char *name; /* "%r12" */
    PtxType type;
    uint32_t vector; /* 1; 2 or 4 for a `.reg .v4 .f32 %v`, of which an operand names a component */
} PtxRegister;

/* ---- instructions ------------------------------------------------------------------------------------------ */

typedef enum PtxOperandKind {
    PTX_OPERAND_REGISTER, /* .index, .component, .is_negated (!p) */
    PTX_OPERAND_SPECIAL,  /* .special with .component: %tid.x */
    PTX_OPERAND_INTEGER,  /* .integer; is_negated never set, the value is folded */
    PTX_OPERAND_FLOAT,    /* .integer = bits: 32 of them if is_single (0f...), else 64 (0d... or decimal) */
    PTX_OPERAND_VARIABLE, /* the address of .variable + .offset, in its own space */
    PTX_OPERAND_FUNCTION, /* .function */
    PTX_OPERAND_LABEL,    /* .index: instruction that follows the label */
    PTX_OPERAND_TABLE,    /* .table: a .branchtargets, .calltargets or .callprototype by name */
    PTX_OPERAND_ADDRESS,  /* [items[0] + offset]; items[0] is a REGISTER, VARIABLE or INTEGER; more items for tensors */
    PTX_OPERAND_VECTOR,   /* {items...} */
    PTX_OPERAND_PAIR,     /* items[0] | items[1]: the two destinations of setp, shfl ... */
    PTX_OPERAND_LIST,     /* (items...): results and arguments of call */
    PTX_OPERAND_SINK,     /* _ */
    PTX_OPERAND_STRING,   /* "text" of .pragma, as .text */
} PtxOperandKind;

typedef struct PtxOperand {
    PtxOperandKind kind;
    PtxPlace place;
    bool is_negated; /* !p */
    bool is_single;
    uint8_t component; /* 0..3 for .x .y .z .w (or .r .g .b .a); 0 otherwise */
    uint32_t index;
    uint64_t integer;
    int64_t offset;
    const char *special; /* "tid", "laneid", "clock64", "envreg2", "pm0"...: without % and component */
    const struct PtxVariable *variable;
    const struct PtxFunction *function;
    const struct PtxTable *table;
    const char *text; /* REGISTER of a video instruction (v...): its selector, "b0", "h1" ..., or NULL */
    struct PtxOperand *items;
    uint32_t item_count;
} PtxOperand;

enum { PTX_MODIFIERS_MAX = 20 };

/* `@!%p1 ld.global.v4.f32 {...}, [...];` */
typedef struct PtxInstruction {
    PtxPlace place;
    const PtxSourceLocation *location;        /* the .loc in force, or NULL */
    const char *mnemonic;                     /* "ld"; for `cp.async...` it is "cp" and "async" the first modifier */
    const char *modifiers[PTX_MODIFIERS_MAX]; /* "global", "v4", "f32", "L2::128B": all dotted parts, in order */
    uint32_t modifier_count;
    bool is_guarded, is_guard_negated;
    uint32_t guard; /* register index */
    PtxOperand *operands;
    uint32_t operand_count;
} PtxInstruction;

/* .branchtargets L1, L2;  .calltargets f, g;  .callprototype (...) _ (...); */
typedef struct PtxTable {
    const char *name;
    uint32_t *labels; /* instruction indices */
    const struct PtxFunction **functions;
    uint32_t count;
    const struct PtxFunction *prototype; /* parameters and results only; NULL if this is no prototype */
} PtxTable;

/* ---- functions and module ---------------------------------------------------------------------------------- */

typedef struct PtxFunction {
    const char *name;
    PtxPlace place;
    bool is_entry, is_extern, is_visible, is_weak, is_noreturn;
    bool has_body;
    PtxVariable **parameters; /* space PARAM or REG */
    uint32_t parameter_count;
    PtxVariable **results;
    uint32_t result_count;
    PtxRegister *registers; /* of all scopes, parameterised names expanded; an inner scope's %r1 is another register */
    uint32_t register_count;
    PtxVariable **variables; /* of all scopes: LOCAL, SHARED, PARAM, also GLOBAL and CONST */
    uint32_t variable_count;
    PtxInstruction *instructions;
    uint32_t instruction_count;
    const char **label_names; /* label_names[i] stands before instruction label_targets[i], in order of targets */
    uint32_t *label_targets;  /* may equal instruction_count */
    uint32_t label_count;
    uint32_t max_threads[3], required_threads[3]; /* .maxntid, .reqntid; zeros: absent */
    uint32_t min_blocks, max_registers;           /* .minnctapersm, .maxnreg */
    bool uses_clusters;                           /* .explicitcluster, .reqnctapercluster, .maxclusterrank */
    uint32_t index;                               /* position among the module's functions */
} PtxFunction;

typedef struct PtxSyntax {
    Arena *arena;
    const char *name;                      /* of the file, for messages */
    uint32_t version_major, version_minor; /* .version 9.0 */
    const char *target;                    /* "sm_90a" */
    uint32_t address_bits;                 /* 64; 32 is refused */
    const char **files;                    /* by .file index; files[0] is NULL; gaps are NULL */
    uint32_t file_count;
    PtxVariable **variables; /* module scope */
    uint32_t variable_count;
    PtxFunction **functions; /* a declaration that is defined later is one function */
    uint32_t function_count;
} PtxSyntax;

/* Why a text is not PTX. */
typedef struct PtxSyntaxError {
    PtxPlace place;
    char message[240];
} PtxSyntaxError;

/* Parses `size` bytes of PTX text (no terminator needed; bytes after a NUL are ignored). Everything is allocated in
 * `arena`, which must outlive the result. NULL: `ret_error` says where and why. Bounded: nesting, counts and sizes have
 * limits that are refused by name, so that hostile text can't exhaust memory (text <= 64 MiB, instructions <= 1 M,
 * registers per function <= 1 M, array size <= 4 GiB, images <= 256 MiB in all; see parser.h). Source: PTX ISA 9.0,
 * chapters 4 to 7 and 11. */
PtxSyntax *ptx_parse(Arena *arena, const char *name, const char *text, size_t size, PtxSyntaxError *ret_error);

/* The function or module variable of that name, or NULL. */
PtxFunction *ptx_syntax_function(const PtxSyntax *syntax, const char *name);
PtxVariable *ptx_syntax_variable(const PtxSyntax *syntax, const char *name);

#endif
