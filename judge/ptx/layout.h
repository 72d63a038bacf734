/* Where variables lie: device addresses of .global and .const, offsets of .shared, .local and .param. */
#ifndef GAVEL_PTX_LAYOUT_H
#define GAVEL_PTX_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "ptx/memory.h"
#include "ptx/syntax.h"

/* Of one function; offsets of its variables are in the map. */
typedef struct PtxFunctionLayout {
    uint32_t local_bytes;     /* per lane, a multiple of 16 */
    uint32_t parameter_bytes; /* .param area per lane, a multiple of 16; of an entry only what calls need, and its own
                                 parameters if their address is taken */
    uint32_t entry_parameter_bytes; /* size of the launch's parameter block */
    uint32_t static_shared_bytes, dynamic_shared_begin;
    bool copies_parameters;
} PtxFunctionLayout;

typedef struct PtxLayout {
    struct PtxPlaceEntry *places; /* open hash: variable -> address or offset */
    uint32_t place_mask;
    PtxFunctionLayout *functions; /* by index */
    uint32_t function_count;
    uint64_t *allocations; /* device addresses that the module owns */
    uint32_t allocation_count;
} PtxLayout;

/* Lays everything out and allocates and fills the module's variables in device memory. False with ERROR_INPUT: the cap
 * is reached, or a variable refers to one that has no address. */
bool ptx_layout_init(PtxLayout *layout, Arena *arena, const PtxSyntax *syntax, PtxMemory *memory,
                     Error *error) MUST_CHECK;

/* Gives the module's device memory back. */
void ptx_layout_release(const PtxLayout *layout, PtxMemory *memory);

/* Device address of a .global or .const variable; offset of any other in its space. */
uint64_t ptx_layout_place(const PtxLayout *layout, const PtxVariable *variable);

/* True if `variable` is dynamic shared memory: its offset is known only at launch. */
bool ptx_variable_is_dynamic_shared(const PtxVariable *variable);

#endif
