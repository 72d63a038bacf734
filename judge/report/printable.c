/* Untrusted bytes made safe to print: a submission's output must neither move the reader's cursor nor hide what makes
 * it wrong, so what cannot be seen (a byte order mark, a no-break space) is escaped as well. */
#include "base/buffer.h"
#include "gavel/report.h"
#include "report/utf8.h"

static void append_escaped(Buffer *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        buffer_format(out, "\\x%02X", (unsigned)(unsigned char)bytes[i]);
}

/* Appends the character at `text` and returns how many bytes it took. Tabs go the way of newlines: they lay out text
 * of several lines, and are named in text of one line. */
static size_t append_character(Buffer *out, const char *text, size_t size, bool keep_newlines)
{
    uint32_t code_point = 0;
    size_t length = utf8_decode(text, size, &code_point);
    if (!length)
        append_escaped(out, text, length = 1);
    else if (code_point == '\n' || code_point == '\t')
        buffer_string(out, keep_newlines ? (code_point == '\n' ? "\n" : "\t") : (code_point == '\n' ? "\\n" : "\\t"));
    else if (!utf8_is_visible(code_point))
        append_escaped(out, text, length);
    else
        buffer_append(out, text, length);
    return length;
}

/* Where to cut at max_bytes without halving a character. */
static size_t cut_size(const char *data, size_t size, size_t max_bytes)
{
    if (size <= max_bytes)
        return size;
    uint32_t code_point;
    for (size_t start = max_bytes; start > 0 && max_bytes - start < 4; start--)
        if (((unsigned char)data[start] & 0xC0) != 0x80) {
            size_t length = utf8_decode(data + start, size - start, &code_point);
            return length > max_bytes - start ? start : max_bytes;
        }
    return max_bytes;
}

const char *report_printable(Arena *arena, const void *data, size_t size, size_t max_bytes, bool keep_newlines)
{
    const char *text = data;
    auto_buffer Buffer out = {0};
    size = cut_size(text, size, max_bytes);
    for (size_t i = 0; i < size;)
        i += append_character(&out, text + i, size - i, keep_newlines);
    return arena_bytes(arena, buffer_text(&out), out.size);
}
