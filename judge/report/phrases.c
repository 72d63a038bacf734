/* The phrase table and its filling in. Arguments are texts, so that a translation may order them as it needs. */
#include "report/phrases.h"

#include <assert.h>

static const struct {
    const char *english, *chinese;
} phrases[PHRASE_COUNT] = {
#define PHRASE(name, english, chinese) [PHRASE_##name] = {english, chinese},
#include "report/phrases.def"
#undef PHRASE
};

const char *phrase_text(Phrase phrase, bool is_chinese)
{
    return is_chinese ? phrases[phrase].chinese : phrases[phrase].english;
}

void phrase_append(Buffer *out, Phrase phrase, bool is_chinese, const char *const *arguments, size_t argument_count)
{
    for (const char *at = phrase_text(phrase, is_chinese); *at; at++) {
        if (at[0] != '{' || at[1] < '1' || at[1] > '9' || at[2] != '}') {
            buffer_char(out, *at);
            continue;
        }
        size_t index = (size_t)(at[1] - '1');
        assert(index < argument_count);
        if (index < argument_count)
            buffer_string(out, arguments[index]);
        at += 2;
    }
}
