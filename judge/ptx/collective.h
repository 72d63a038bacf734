/* Operations of several lanes of a warp: shfl, vote, match, redux, elect, bar.warp.sync (PTX ISA 9.7.9, 9.7.13). Lanes
 * named in the member mask wait for each other, wherever in the program they are. */
#ifndef GAVEL_PTX_COLLECTIVE_H
#define GAVEL_PTX_COLLECTIVE_H

#include "ptx/warp.h"

/* After lanes have exited: operations that waited for them go on. */
void ptx_collective_recheck(PtxWarp *warp);

/* Number of the operation called `name` ("shfl_up", "redux_add"), for op->imm2 of the handler "collective"; -1: none.
 */
int ptx_collective_find(const char *name);

#endif
