/* What kernels print: device printf, with its formats read by us (a kernel's text never becomes a format of the host's)
 * and its amount capped. */
#ifndef GAVEL_PTX_CONSOLE_H
#define GAVEL_PTX_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct PtxConsole {
    FILE *output;                      /* NULL: dropped */
    uint64_t cap_bytes, written_bytes; /* wanted ones; those past the cap are not written */
} PtxConsole;

/* One conversion: flags, width and precision are kept within small bounds. */
typedef struct PtxFormat {
    char flags[8];
    int width, precision; /* -1: absent */
    char letter;
    uint32_t argument_bytes; /* of its argument; 0: none (an unknown letter) */
} PtxFormat;

/* Reads the conversion at **format (a '%') and moves past it. */
void ptx_format_read(const char **format, PtxFormat *ret_format);

/* Writes a value as the conversion says; `text` is the string for %s. */
void ptx_console_format(PtxConsole *console, const PtxFormat *format, uint64_t value, const char *text);
void ptx_console_write(PtxConsole *console, const char *text, size_t size);

#endif
