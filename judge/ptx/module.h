/* A module in a machine: syntax, program, and what its users may know of its entries. */
#ifndef GAVEL_PTX_MODULE_H
#define GAVEL_PTX_MODULE_H

#include "gavel/ptx.h"
#include "ptx/decode.h"
#include "ptx/layout.h"

struct PtxModule {
    PtxMachine *machine;
    PtxModule *next;
    Arena *arena;
    const PtxSyntax *syntax;
    const PtxProgram *program;
    PtxLayout layout;
    const PtxOpcodeIndex *opcodes;
    const PtxHandlerIndex *handlers;
    PtxHandler unknown; /* the handler of instructions that trap */
    PtxEntry *entries;
    const PtxProgramFunction **entry_functions;
    size_t entry_count;
};

PtxModule *ptx_module_new(PtxMemory *memory, const PtxExecutor *executor, bool counts_blocks, const char *name,
                          const void *data, size_t size, Error *error) MUST_CHECK;
void ptx_module_release(PtxModule *module, PtxMemory *memory);

/* The PTX text in `data`: itself, or the chosen entry of the fat binary or ELF object that it is. In the arena unless
 * it is `data` itself. */
bool ptx_module_text(Arena *arena, const void *data, size_t size, const char **ret_text, size_t *ret_size,
                     Error *error) MUST_CHECK;

#endif
