/* The instructions that the machine knows: one row of opcodes.def a form. Parser, verifier, decoder, disassembler,
 * coverage report and generated tests all read these rows.
 *
 * pattern   mnemonic and dotted parts in their order: ".word" stands there, "{.a|.b}" may stand there, "<.a|.b>" must
 * be one of them, "$T" "$U" "$V" is a type of the row's lists; ".*" at the end stands for any parts (refusals). Groups
 * are numbered from 1 for the handler's name. types
 * "T=u16,u32 U=f32": what the variables stand for; "" if there are none operands  one word each, "role:type" (see
 * PtxRole); a row matches only if the operands have this form handler   name of the handler with variables: $T $U $V
 * name of the type ("s32"), $N $M $O their plain names ("u32"), $Z $Y memory class of T and U ("u8" "s8" "u16" "s16"
 * "b32" "b64" "b128"), $1..$9 word of that group with
 *           "." and "::" dropped ("none" if absent). NULL: refused, and `meaning` says why
 * meaning   what it does, as a formula
 * Rows are tried from the first to the last of a mnemonic: fast special forms stand before general ones. */
#ifndef GAVEL_PTX_OPCODE_H
#define GAVEL_PTX_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/syntax.h"

typedef enum PtxFamily {
    PTX_FAMILY_MOVE,
    PTX_FAMILY_INTEGER,
    PTX_FAMILY_BITS,
    PTX_FAMILY_FLOAT,
    PTX_FAMILY_HALF,
    PTX_FAMILY_CONVERT,
    PTX_FAMILY_COMPARE,
    PTX_FAMILY_MEMORY,
    PTX_FAMILY_ATOMIC,
    PTX_FAMILY_CONTROL,
    PTX_FAMILY_WARP,
    PTX_FAMILY_ASYNC,
    PTX_FAMILY_TENSOR,
    PTX_FAMILY_REFUSED,
    PTX_FAMILY_COUNT
} PtxFamily;

typedef struct PtxOpcode {
    const char *pattern, *types, *operands;
    PtxFamily family;
    const char *handler, *meaning;
} PtxOpcode;

extern const PtxOpcode ptx_opcodes[];
extern const size_t ptx_opcode_count;

/* Name of a family in lower case, for reports. */
const char *ptx_family_name(PtxFamily family);

/* Where an operand goes: the first letter of its word.
 *   d       destination register            -> op->d      (with "[]": vector, its slots in order -> op->slots)
 *   q       second destination, `d|q`       -> op->q      ("d:T|q:pred"; "d:T|q:pred?" if it may be absent)
 *   a b c e sources, registers or constants -> op->a ..   (with "[]": vector -> op->slots, after those before it)
 *   i       constant known at load          -> op->imm
 *   A       address                         -> op->a base, op->imm offset, op->address
 *   B       a second address (cp.async)     -> op->b base, op->imm2 offset, op->address2
 *   C       a third, of shared memory       -> op->c base, op->q offset (32 bits), op->vector its PtxAddress
 *   L       label;  F function;  P (list);  X anything: control rows look at the operands themselves
 * Type: T U V, "wT" twice as wide as T, "nT" half as wide, or a name. After the type: "+" the register may be wider
 * than the type (ld, st, cvt), "?" may be absent, "[]" a {vector} whose length is that of .v2 .v4 .v8, or any if none,
 * "[4]" of just so many. `_` as a destination is a scratch slot. */
typedef struct PtxRole {
    char letter;
    PtxType type;
    bool may_be_wider, is_optional, is_vector, is_second; /* is_second: joined to the one before by | */
    uint8_t vector_count;                                 /* 0: any */
} PtxRole;

enum { PTX_ROLES_MAX = 12, PTX_CHOICES_MAX = 12 };

typedef struct PtxOpcodeMatch {
    const PtxOpcode *opcode;
    PtxType types[3];                     /* T U V */
    const char *choices[PTX_CHOICES_MAX]; /* word that stood for each group, without the first dot; NULL if absent */
    PtxRole roles[PTX_ROLES_MAX];
    uint32_t role_count;
} PtxOpcodeMatch;

/* The rows of each mnemonic, for matching; built once per load, in the arena. */
typedef struct PtxOpcodeIndex PtxOpcodeIndex;
PtxOpcodeIndex *ptx_opcode_index_new(Arena *arena);

/* Hash of the words of our own tables: FNV-1a (Fowler, Noll, Vo). Names in a module's text have a seeded one. */
uint32_t ptx_word_hash(const char *text, size_t length);

/* The first row that fits the instruction. False: none; `ret_message` (size bytes) then says what is unknown about it.
 */
bool ptx_opcode_match(const PtxOpcodeIndex *index, const PtxInstruction *instruction, PtxOpcodeMatch *ret_match,
                      char *ret_message, size_t size);

/* Writes the handler's name for this match; false if the row is a refusal or the name is longer than size - 1. */
bool ptx_opcode_handler_name(const PtxOpcodeMatch *match, char *ret_name, size_t size);

#endif
