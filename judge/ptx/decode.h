/* From syntax to program: every function into fixed records, with frames laid out and names gone. */
#ifndef GAVEL_PTX_DECODE_H
#define GAVEL_PTX_DECODE_H

#include "base/arena.h"
#include "ptx/exec.h"
#include "ptx/layout.h"
#include "ptx/opcode.h"
#include "ptx/program.h"

/* Handlers by name: those of one executor and those that are the same for all. */
typedef struct PtxHandlerIndex PtxHandlerIndex;
PtxHandlerIndex *ptx_handler_index_new(Arena *arena, const PtxExecutor *executor);
PtxHandler ptx_handler_find(const PtxHandlerIndex *index, const char *name);    /* NULL: none */
const char *ptx_handler_name(const PtxHandlerIndex *index, PtxHandler handler); /* a search: for people */

typedef struct PtxDecodeContext {
    Arena *arena; /* of the program */
    const PtxOpcodeIndex *opcodes;
    const PtxHandlerIndex *handlers;
    const PtxLayout *layout;
    bool counts_blocks;
} PtxDecodeContext;

/* Decodes all functions. An instruction that can't be decoded becomes one that traps and says why: decoding never
 * fails. The syntax must outlive the program. */
PtxProgram *ptx_decode(const PtxDecodeContext *context, const PtxSyntax *syntax);

#endif
