/* Levenshtein distance over one row; a word is close when about a third of it would have to change. */
#include "package/suggest.h"

#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"

enum { MAX_WORD = 64, MAX_SUGGESTIONS = 3 };

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Both words are at most MAX_WORD long. */
static size_t distance(const char *left, const char *right)
{
    size_t width = strlen(right), row[MAX_WORD + 1];
    for (size_t i = 0; i <= width; i++)
        row[i] = i;
    for (size_t i = 0; left[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t changed = diagonal + (left[i] != right[j]);
            diagonal = row[j + 1];
            row[j + 1] = smallest(row[j] + 1, diagonal + 1, changed);
        }
    }
    return row[width];
}

static bool is_close(const char *word, const char *candidate, size_t tolerated)
{
    size_t length = strlen(word), other = strlen(candidate);
    size_t gap = length > other ? length - other : other - length;
    return other <= MAX_WORD && gap <= tolerated && distance(word, candidate) <= tolerated;
}

const char *suggest(Arena *arena, const char *word, const char *const *words)
{
    const char *best[MAX_SUGGESTIONS];
    size_t found = 0, length = strlen(word), most = 1 + length / 4;
    if (length == 0 || length > MAX_WORD)
        return "";
    for (size_t tolerated = 0; tolerated <= most && !found; tolerated++)
        for (size_t i = 0; words[i] && found < MAX_SUGGESTIONS; i++)
            if (is_close(word, words[i], tolerated))
                best[found++] = words[i];
    if (!found)
        return "";
    auto_buffer Buffer text = {0};
    for (size_t i = 0; i < found; i++)
        buffer_format(&text, "%s'%s'", i == 0 ? "" : i + 1 == found ? " or " : ", ", best[i]);
    return arena_format(arena, "; did you mean %s?", buffer_text(&text));
}
