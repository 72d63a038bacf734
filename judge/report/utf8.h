/* UTF-8 as the views need it: what is well formed, what is visible, and how many columns it takes on a terminal.
 * (wcwidth depends on the locale, which a static program does not have.) */
#ifndef GAVEL_REPORT_UTF8_H
#define GAVEL_REPORT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence (RFC 3629: shortest form, no surrogates) at `text`, 1 to 4, and its code point;
 * 0 if there is none. `size` is at least 1. */
size_t utf8_decode(const char *text, size_t size, uint32_t *ret_code_point);

/* Is a terminated text well formed? */
bool utf8_is_valid(const char *text);

/* False for what a reader cannot see or what moves the cursor: controls (C0, DEL, C1), line separators, zero-width and
 * bidirectional marks, the byte order mark, spaces that only look like one. The plain space is visible. */
bool utf8_is_visible(uint32_t code_point);

/* Columns of one code point (0, 1 or 2) and of a terminated text; an invalid byte counts as one. */
int utf8_columns(uint32_t code_point);
int utf8_text_columns(const char *text);

#endif
