/* Fuzz entry of report_printable: whatever the bytes, the text is valid UTF-8, holds nothing invisible, and stays as it
 * is when made printable again. The first byte chooses where to cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gavel/report.h"
#include "report/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(Arena *arena, const uint8_t *data, size_t size, size_t max_bytes, bool keep_newlines)
{
    const char *text = report_printable(arena, data, size, max_bytes, keep_newlines);
    size_t length = strlen(text), step;
    uint32_t code_point = 0;
    for (size_t i = 0; i < length; i += step) {
        step = utf8_decode(text + i, length - i, &code_point);
        require(step > 0);
        require(utf8_is_visible(code_point) || (keep_newlines && (code_point == '\n' || code_point == '\t')));
    }
    require(strcmp(text, report_printable(arena, text, length, SIZE_MAX, keep_newlines)) == 0);
    require(utf8_is_valid(text) && utf8_text_columns(text) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    auto_arena Arena *arena = arena_new();
    check(arena, data + 1, size - 1, SIZE_MAX, false);
    check(arena, data + 1, size - 1, data[0], true);
    return 0;
}
