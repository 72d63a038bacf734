/* Reading the compiler's messages. */
#ifndef GAVEL_CORE_DIAGNOSTICS_H
#define GAVEL_CORE_DIAGNOSTICS_H

#include "base/arena.h"
#include "gavel/report.h"

enum { DIAGNOSTIC_MAX = 50 };

/* Finds the messages in a log that is already printable: "FILE:LINE:COLUMN: error: TEXT" and the linker's, which
 * name no place and are put down to `default_file`. */
void diagnostics_parse(const char *log, const char *default_file, Arena *arena, Diagnostic **ret_diagnostics,
                       size_t *ret_count);

/* The log with the file's name in the jail replaced by the contestant's wherever it stands as a file name, and with
 * the random names of temporary object files made equal. */
const char *diagnostics_restore_names(const char *log, const char *jail_name, const char *shown_name, Arena *arena);

#endif
