/* The tables of one instruction set, in one place. */
#include "ptx/exec/lanes.h"

#define PTX_EXEC_FILE(name) extern const PtxHandlerRow PTX_NAME(name##_handlers)[];
#include "ptx/exec/files.def"
#undef PTX_EXEC_FILE

static const PtxHandlerRow *const tables[] = {
#define PTX_EXEC_FILE(name) PTX_NAME(name##_handlers),
#include "ptx/exec/files.def"
#undef PTX_EXEC_FILE
    NULL,
};

#define PTX_TEXT(name)        #name
#define PTX_EXPAND_TEXT(name) PTX_TEXT(name)

extern const PtxExecutor PTX_NAME(executor);
const PtxExecutor PTX_NAME(executor) = {.name = PTX_EXPAND_TEXT(PTX_ISA), .tables = tables};
