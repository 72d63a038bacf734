/* Markdown lightly rendered for a terminal. */
#ifndef GAVEL_CMD_MARKDOWN_H
#define GAVEL_CMD_MARKDOWN_H

#include <stdbool.h>
#include <stdio.h>

/* `text` must be printable already (report_printable). Without colour it stays readable as it was written. */
void markdown_print(const char *text, bool has_colour, FILE *stream);

#endif
