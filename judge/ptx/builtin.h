/* Functions that the device's run-time library brings: vprintf, __assertfail, malloc, free. */
#ifndef GAVEL_PTX_BUILTIN_H
#define GAVEL_PTX_BUILTIN_H

#include "ptx/exec.h"

/* Calls the builtin for the executing lanes. False: a trap was
 * recorded (there is no function of that name, a pointer is bad, an assertion failed). */
bool ptx_builtin_call(PtxWarp *warp, const PtxOp *op, const PtxCall *call);

#endif
