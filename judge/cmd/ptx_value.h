/* Arguments of `gavel ptx run`: scalars and buffers written on the command line, and buffers printed. */
#ifndef GAVEL_CMD_PTX_VALUE_H
#define GAVEL_CMD_PTX_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "gavel/ptx.h"

typedef struct PtxValueType PtxValueType; /* "u32", "f64" ...: a row of a table */

typedef struct PtxArgument {
    const PtxValueType *type;
    bool is_buffer;
    uint64_t count; /* elements of a buffer */
    uint8_t *bytes; /* the scalar, or the buffer's initial content */
    uint64_t size_bytes;
    uint64_t address; /* of the buffer on the device */
} PtxArgument;

/* Reads "TYPE:VALUE" or "buffer:TYPE:COUNT[:zero|iota|fill=VALUE|random=SEED|file=PATH]". ERROR_INPUT says what is
 * wrong. */
bool ptx_argument_parse(Arena *arena, const char *text, PtxArgument *ret_argument, Error *error) MUST_CHECK;

/* Allocates and fills a buffer on the device. */
bool ptx_argument_place(PtxMachine *machine, PtxArgument *argument, Error *error) MUST_CHECK;

/* Prints the first `count` elements of a buffer as they are on the device now, separated by spaces. */
bool ptx_argument_print(const PtxMachine *machine, const PtxArgument *argument, uint64_t count, FILE *stream,
                        Error *error) MUST_CHECK;

#endif
