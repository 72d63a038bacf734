/* The format's grammar of a decimal number: sign? (d*.d+ | d+. | d+) ((e|E) sign? d+)?, and nothing else. */
#ifndef GAVEL_PACKAGE_DECIMAL_TEXT_H
#define GAVEL_PACKAGE_DECIMAL_TEXT_H

#include <stdbool.h>

/* Does the whole text match? Needs no locale, and knows neither hexadecimal nor inf and nan, unlike strtod. */
bool decimal_text_matches(const char *text);

#endif
