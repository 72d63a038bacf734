/* What the terminal view draws on: text in a language, with or without colours, and its width known. Everything drawn
 * is made printable first, wherever it came from: a report on a terminal never moves the reader's cursor. */
#ifndef GAVEL_REPORT_CANVAS_H
#define GAVEL_REPORT_CANVAS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "gavel/report.h"
#include "report/phrases.h"

typedef enum Paint { PAINT_PLAIN, PAINT_GREEN, PAINT_RED, PAINT_YELLOW, PAINT_MAGENTA, PAINT_BOLD, PAINT_DIM } Paint;

typedef struct Canvas {
    Buffer out;
    Arena *arena; /* for texts made on the way */
    bool has_colour, is_chinese;
    int width; /* columns, at least 60 */
} Canvas;

void canvas_init(Canvas *canvas, const TerminalStyle *style);
void canvas_done(Canvas *canvas);

Paint canvas_verdict_paint(Verdict verdict);

/* One line's worth of safe text for a NULL, untrusted or multi-line one. */
const char *canvas_safe(Canvas *canvas, const char *text);

/* A safe text cut to `columns`, "..." at its end if something is missing. */
const char *canvas_fit(Canvas *canvas, const char *safe_text, int columns);

void canvas_draw(Canvas *canvas, Paint paint, const char *safe_text);
void canvas_spaces(Canvas *canvas, int count);
void canvas_end_line(Canvas *canvas);

/* Each line of an untrusted text behind `prefix`, cut to the width; after max_lines a mark says that it was cut. */
void canvas_draw_lines(Canvas *canvas, const char *prefix, const char *text, size_t max_lines);

/* A phrase filled in; the arguments are safe texts. */
const char *canvas_phrase_of(Canvas *canvas, Phrase phrase, const char *const *arguments, size_t argument_count);
#define canvas_phrase(canvas, ...) CANVAS_PHRASE_PICK(canvas, __VA_ARGS__, NULL)
#define CANVAS_PHRASE_PICK(canvas, phrase, ...)                                                                        \
    canvas_phrase_of((canvas), (phrase), (const char *const[]){__VA_ARGS__},                                           \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *) - 1)

#endif
