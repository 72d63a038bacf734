/* Drawing primitives: paint, padding, cutting to columns. */
#include "report/canvas.h"

#include <string.h>

#include "report/utf8.h"

enum { WIDTH_DEFAULT = 80, WIDTH_MIN = 60 };

static const char *const escapes[] = {
    [PAINT_PLAIN] = "",
    [PAINT_GREEN] = "\033[1;32m",
    [PAINT_RED] = "\033[1;31m",
    [PAINT_YELLOW] = "\033[1;33m",
    [PAINT_MAGENTA] = "\033[1;35m",
    [PAINT_BOLD] = "\033[1m",
    [PAINT_DIM] = "\033[2m",
};

void canvas_init(Canvas *canvas, const TerminalStyle *style)
{
    int width = style->width > 0 ? style->width : WIDTH_DEFAULT;
    *canvas = (Canvas){
        .arena = arena_new(),
        .has_colour = style->has_colour,
        .is_chinese = style->is_chinese,
        .width = width < WIDTH_MIN ? WIDTH_MIN : width,
    };
}

void canvas_done(Canvas *canvas)
{
    buffer_done(&canvas->out);
    arena_free(canvas->arena);
}

Paint canvas_verdict_paint(Verdict verdict)
{
    static const Paint paints[] = {[COLOUR_GREEN] = PAINT_GREEN,
                                   [COLOUR_RED] = PAINT_RED,
                                   [COLOUR_YELLOW] = PAINT_YELLOW,
                                   [COLOUR_MAGENTA] = PAINT_MAGENTA};
    return paints[verdict_row(verdict)->colour];
}

const char *canvas_safe(Canvas *canvas, const char *text)
{
    return text ? report_printable(canvas->arena, text, strlen(text), SIZE_MAX, false) : "";
}

/* Bytes of the longest start of `text` that takes at most `columns`. */
static size_t fitting_bytes(const char *text, int columns)
{
    size_t size = strlen(text), at = 0;
    while (at < size) {
        uint32_t code_point = 0;
        size_t length = utf8_decode(text + at, size - at, &code_point);
        columns -= length ? utf8_columns(code_point) : 1;
        if (columns < 0)
            break;
        at += length ? length : 1;
    }
    return at;
}

const char *canvas_fit(Canvas *canvas, const char *safe_text, int columns)
{
    if (utf8_text_columns(safe_text) <= columns)
        return safe_text;
    size_t kept = fitting_bytes(safe_text, columns > 3 ? columns - 3 : 0);
    return arena_format(canvas->arena, "%.*s...", (int)kept, safe_text);
}

void canvas_draw(Canvas *canvas, Paint paint, const char *safe_text)
{
    bool is_painted = canvas->has_colour && paint != PAINT_PLAIN && *safe_text;
    if (is_painted)
        buffer_string(&canvas->out, escapes[paint]);
    buffer_string(&canvas->out, safe_text);
    if (is_painted)
        buffer_string(&canvas->out, "\033[0m");
}

void canvas_spaces(Canvas *canvas, int count)
{
    for (int i = 0; i < count; i++)
        buffer_char(&canvas->out, ' ');
}

void canvas_end_line(Canvas *canvas)
{
    buffer_char(&canvas->out, '\n');
}

void canvas_draw_lines(Canvas *canvas, const char *prefix, const char *text, size_t max_lines)
{
    int columns = canvas->width - utf8_text_columns(prefix);
    for (size_t count = 0; *text; count++) {
        size_t length = strcspn(text, "\n");
        bool is_cut = count == max_lines;
        const char *line = is_cut ? canvas_phrase(canvas, PHRASE_TEXT_CUT)
                                  : report_printable(canvas->arena, text, length, length, false);
        buffer_string(&canvas->out, prefix);
        canvas_draw(canvas, is_cut ? PAINT_DIM : PAINT_PLAIN, canvas_fit(canvas, line, columns));
        canvas_end_line(canvas);
        if (is_cut)
            return;
        text += length + (text[length] == '\n');
    }
}

const char *canvas_phrase_of(Canvas *canvas, Phrase phrase, const char *const *arguments, size_t argument_count)
{
    auto_buffer Buffer text = {0};
    phrase_append(&text, phrase, canvas->is_chinese, arguments, argument_count);
    return arena_bytes(canvas->arena, buffer_text(&text), text.size);
}
