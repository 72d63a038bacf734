/* What went wrong on the first failing test, as far as the problem's policy lets it be seen: the model holds no more
 * than that, so this view shows all it finds. */
#include "report/failure.h"

#include <string.h>

#include "report/utf8.h"

enum { TEXT_LINES_MAX = 12, INDENT = 2, DEEPER = 4 };

/* A sentence behind the indent. */
static void draw_sentence(Canvas *canvas, const char *safe_text)
{
    canvas_spaces(canvas, INDENT);
    canvas_draw(canvas, PAINT_PLAIN, safe_text);
    canvas_end_line(canvas);
}

static void draw_text(Canvas *canvas, Phrase title, const char *text)
{
    if (!text || !*text)
        return;
    draw_sentence(canvas, canvas_phrase(canvas, title));
    canvas_draw_lines(canvas, "    | ", text, TEXT_LINES_MAX);
}

/* ---- the difference: two lines cut alike, and a caret where they part ------------------------------------------- */

/* Bytes that two safe texts have in common, in whole characters. */
static size_t common_bytes(const char *left, const char *right)
{
    size_t common = 0, length;
    uint32_t code_point;
    while (left[common] && (length = utf8_decode(left + common, strlen(left + common), &code_point)) &&
           strncmp(left + common, right + common, length) == 0)
        common += length;
    return common;
}

/* How many bytes of the common start to leave out, so that what stays of it takes at most `columns`. */
static size_t bytes_to_skip(Canvas *canvas, const char *text, size_t common, int columns)
{
    int excess = utf8_text_columns(arena_bytes(canvas->arena, text, common)) - columns;
    size_t skipped = 0;
    while (skipped < common && excess > 0) {
        uint32_t code_point = 0;
        skipped += utf8_decode(text + skipped, common - skipped, &code_point);
        excess -= utf8_columns(code_point);
    }
    return skipped;
}

typedef struct Window {
    size_t skipped; /* bytes of both sides left out in front, with "..." in their place */
    int columns;    /* for text */
    int label_columns;
} Window;

static void draw_side(Canvas *canvas, Phrase label_phrase, const char *text, const Window *window)
{
    const char *label = canvas_phrase(canvas, label_phrase);
    canvas_spaces(canvas, DEEPER);
    canvas_draw(canvas, PAINT_BOLD, label);
    canvas_spaces(canvas, window->label_columns - utf8_text_columns(label) + 2);
    if (!*text) {
        canvas_draw(canvas, PAINT_DIM, canvas_phrase(canvas, PHRASE_END_OF_TEXT));
    } else {
        canvas_draw(canvas, PAINT_DIM, window->skipped ? "..." : "");
        canvas_draw(canvas, PAINT_PLAIN,
                    canvas_fit(canvas, text + window->skipped, window->columns - (window->skipped ? 3 : 0)));
    }
    canvas_end_line(canvas);
}

static void draw_caret(Canvas *canvas, const char *text, size_t common, const Window *window)
{
    const char *before = arena_bytes(canvas->arena, text + window->skipped, common - window->skipped);
    canvas_spaces(canvas, DEEPER + window->label_columns + 2 + (window->skipped ? 3 : 0) + utf8_text_columns(before));
    canvas_draw(canvas, PAINT_RED, "^");
    canvas_end_line(canvas);
}

static int label_columns(Canvas *canvas)
{
    int expected = utf8_text_columns(canvas_phrase(canvas, PHRASE_EXPECTED));
    int got = utf8_text_columns(canvas_phrase(canvas, PHRASE_GOT));
    return expected > got ? expected : got;
}

static void draw_sides(Canvas *canvas, const char *expected, const char *got)
{
    size_t common = common_bytes(expected, got);
    Window window = {.label_columns = label_columns(canvas)};
    window.columns = canvas->width - DEEPER - window.label_columns - 2;
    if (utf8_text_columns(expected) > window.columns || utf8_text_columns(got) > window.columns)
        window.skipped = bytes_to_skip(canvas, got, common, window.columns / 2);
    draw_side(canvas, PHRASE_EXPECTED, expected, &window);
    draw_side(canvas, PHRASE_GOT, got, &window);
    if (*expected && *got && strcmp(expected, got) != 0)
        draw_caret(canvas, got, common, &window);
}

static void draw_difference(Canvas *canvas, const Difference *difference)
{
    if (!difference->is_present)
        return;
    const char *line = arena_format(canvas->arena, "%lld", (long long)difference->line);
    const char *column = arena_format(canvas->arena, "%lld", (long long)difference->column);
    const char *token = arena_format(canvas->arena, "%lld", (long long)difference->token_index);
    const char *what = canvas_safe(canvas, difference->what);
    draw_sentence(canvas, difference->token_index > 0
                              ? canvas_phrase(canvas, PHRASE_AT_TOKEN, line, column, token, what)
                              : canvas_phrase(canvas, PHRASE_AT_SPACE, line, column, what));
    draw_sides(canvas, canvas_safe(canvas, difference->expected), canvas_safe(canvas, difference->got));
}

/* ---- the rest --------------------------------------------------------------------------------------------------- */

static void draw_sanitizer(Canvas *canvas, const SanitizerReport *sanitizer)
{
    if (!sanitizer->is_present)
        return;
    const char *kind = canvas_safe(canvas, sanitizer->kind), *file = canvas_safe(canvas, sanitizer->file);
    const char *place = sanitizer->line > 0 ? arena_format(canvas->arena, "%s:%d", file, sanitizer->line) : file;
    const char *function = canvas_safe(canvas, sanitizer->function);
    if (!*place)
        draw_sentence(canvas, canvas_phrase(canvas, PHRASE_SANITIZER, kind));
    else if (!*function)
        draw_sentence(canvas, canvas_phrase(canvas, PHRASE_SANITIZER_AT, kind, place));
    else
        draw_sentence(canvas, canvas_phrase(canvas, PHRASE_SANITIZER_IN, kind, place, function));
}

static void draw_policy(Canvas *canvas, const char *policy)
{
    static const struct {
        const char *word;
        Phrase phrase;
    } rows[] = {
        {"sample", PHRASE_POLICY_SAMPLE},
        {"verdict", PHRASE_POLICY_VERDICT},
        {"difference", PHRASE_POLICY_DIFFERENCE},
        {"input", PHRASE_POLICY_INPUT},
    };
    for (size_t i = 0; policy && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(policy, rows[i].word) == 0) {
            canvas_spaces(canvas, INDENT);
            canvas_draw(canvas, PAINT_DIM, canvas_phrase(canvas, rows[i].phrase));
            canvas_end_line(canvas);
        }
}

static void draw_title(Canvas *canvas, const Report *report, const TestReport *test)
{
    const char *index = arena_format(canvas->arena, "%zu", report->failure.test_index + 1);
    const char *count = arena_format(canvas->arena, "%zu", report->test_count);
    const char *name = canvas_safe(canvas, test->name);
    canvas_end_line(canvas);
    canvas_draw(canvas, PAINT_BOLD, canvas_phrase(canvas, PHRASE_FIRST_FAILURE, name, index, count));
    canvas_end_line(canvas);
}

void failure_draw(Canvas *canvas, const Report *report)
{
    const FailureReport *failure = &report->failure;
    if (!failure->is_present || failure->test_index >= report->test_count)
        return;
    const TestReport *test = &report->tests[failure->test_index];
    draw_title(canvas, report, test);
    if (test->detail)
        draw_sentence(canvas, canvas_safe(canvas, test->detail));
    draw_sanitizer(canvas, &failure->sanitizer);
    if (test->hint)
        draw_sentence(canvas, canvas_phrase(canvas, PHRASE_HINT, canvas_safe(canvas, test->hint)));
    draw_difference(canvas, &failure->difference);
    draw_text(canvas, PHRASE_MESSAGE, failure->message);
    draw_text(canvas, PHRASE_JUDGE_MESSAGE, failure->judge_message);
    draw_text(canvas, PHRASE_INPUT, failure->input);
    draw_policy(canvas, failure->policy);
}
