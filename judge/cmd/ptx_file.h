/* A PTX file in a machine of its own, as all of `gavel ptx` begins. */
#ifndef GAVEL_CMD_PTX_FILE_H
#define GAVEL_CMD_PTX_FILE_H

#include "base/error.h"
#include "gavel/ptx.h"

/* Reads PTX text, a fat binary or an object that holds one. The machine is the caller's to free, and set also if
 * loading then fails. NULL: ERROR_INPUT says what is wrong with the file, ERROR_FAULT with the machine. */
const PtxModule *ptx_file_load(const char *path, const PtxConfig *config, PtxMachine **ret_machine,
                               Error *error) MUST_CHECK;

#endif
