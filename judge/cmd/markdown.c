/* Headings and code stand out, emphasis loses its marks, formulas lose their dollars; everything else is left as the
 * author laid it out. A real Markdown reader comes with the web page; in a terminal the source is already a good view.
 */
#include "cmd/markdown.h"

#include <string.h>

typedef struct Painter {
    FILE *stream;
    bool has_colour;
    bool is_in_fence;
} Painter;

static const char bold[] = "\x1b[1m", cyan[] = "\x1b[36m", plain[] = "\x1b[0m";

static void paint(const Painter *painter, const char *colour)
{
    if (painter->has_colour)
        fputs(colour, painter->stream);
}

/* One row a kind of inline span: what it is enclosed in and how it looks. Longest mark first. */
static const struct Span {
    const char *mark;
    const char *colour;
} spans[] = {
    {"**", bold},
    {"`", cyan},
    {"$", cyan},
};

static const struct Span *span_at(const char *text, const char *end, const char **ret_close)
{
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        size_t length = strlen(spans[i].mark);
        if ((size_t)(end - text) <= length || memcmp(text, spans[i].mark, length) != 0)
            continue;
        const char *close = memmem(text + length, (size_t)(end - text) - length, spans[i].mark, length);
        if (!close || close == text + length)
            continue;
        *ret_close = close;
        return &spans[i];
    }
    return NULL;
}

static void print_inline(const Painter *painter, const char *text, const char *end)
{
    while (text < end) {
        const char *close;
        const struct Span *span = span_at(text, end, &close);
        if (!span) {
            fputc(*text++, painter->stream);
            continue;
        }
        size_t length = strlen(span->mark);
        paint(painter, span->colour);
        fwrite(text + length, 1, (size_t)(close - text) - length, painter->stream);
        paint(painter, plain);
        text = close + length;
    }
}

static void print_heading(const Painter *painter, const char *text, const char *end)
{
    text += strspn(text, "#");
    text += strspn(text, " ");
    paint(painter, bold);
    fwrite(text, 1, (size_t)(end - text), painter->stream);
    paint(painter, plain);
}

static void print_line(Painter *painter, const char *text, const char *end)
{
    bool is_fence = end - text >= 3 && memcmp(text, "```", 3) == 0;
    if (is_fence) {
        painter->is_in_fence = !painter->is_in_fence;
        return;
    }
    if (painter->is_in_fence)
        fprintf(painter->stream, "    %.*s", (int)(end - text), text);
    else if (*text == '#')
        print_heading(painter, text, end);
    else
        print_inline(painter, text, end);
    fputc('\n', painter->stream);
}

void markdown_print(const char *text, bool has_colour, FILE *stream)
{
    Painter painter = {.stream = stream, .has_colour = has_colour};
    while (*text) {
        const char *end = strchrnul(text, '\n');
        print_line(&painter, text, end);
        text = *end ? end + 1 : end;
    }
}
