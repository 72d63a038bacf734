/* Interface words in English and Chinese (phrases.def). */
#ifndef GAVEL_REPORT_PHRASES_H
#define GAVEL_REPORT_PHRASES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

typedef enum Phrase {
#define PHRASE(name, english, chinese) PHRASE_##name,
#include "report/phrases.def"
#undef PHRASE
    PHRASE_COUNT
} Phrase;

const char *phrase_text(Phrase phrase, bool is_chinese);

/* Appends a phrase with {1}, {2} ... replaced by `arguments`. */
void phrase_append(Buffer *out, Phrase phrase, bool is_chinese, const char *const *arguments, size_t argument_count);

#endif
