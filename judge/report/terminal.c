/* The report for people: verdict first, then the compiler, the tests, the first failure, notes, and what the judging
 * stood on. A verdict is always written as words too, so that colour says nothing alone. */
#include <string.h>

#include "report/canvas.h"
#include "report/failure.h"
#include "report/table.h"
#include "report/units.h"
#include "report/utf8.h"

enum {
    DIAGNOSTICS_MAX = 20,
    LOG_LINES_MAX = 30,
    ROWS_MAX = 40,        /* with more tests, accepted ones with nothing to tell are summed up ... */
    ROWS_SHOWN_FIRST = 12 /* ... after these */
};

static const char *number(Canvas *canvas, size_t value)
{
    return arena_format(canvas->arena, "%zu", value);
}

/* ---- verdict ------------------------------------------------------------------------------------------------- */

/* Names of languages, which no translation changes; another id stands for itself. */
static const char *language_name(Canvas *canvas, const char *id)
{
    static const char *const names[][2] = {{"c", "C"}, {"cpp", "C++"}, {"python3", "Python 3"}, {"cuda", "CUDA"}};
    for (size_t i = 0; id && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(id, names[i][0]) == 0)
            return names[i][1];
    return canvas_safe(canvas, id);
}

/* "islands  bfs.c (C)", as far as it is known. */
static const char *subject(Canvas *canvas, const Report *report)
{
    const char *problem = canvas_safe(canvas, report->problem), *source = canvas_safe(canvas, report->source_name);
    const char *language = language_name(canvas, report->language);
    return arena_format(canvas->arena, "%s%s%s%s%s%s", problem, *problem && *source ? "  " : "", source,
                        *source && *language ? " (" : "", *source ? language : "", *source && *language ? ")" : "");
}

static void draw_verdict(Canvas *canvas, const Report *report)
{
    const VerdictRow *row = verdict_row(report->verdict);
    const char *text = canvas->is_chinese ? row->text_zh : row->text;
    const char *score = arena_format(canvas->arena, "%.6g/%.6g", report->score, report->score_max);
    int used = utf8_text_columns(row->word) + 2 + utf8_text_columns(text) + 3 + utf8_text_columns(score) + 3;
    canvas_draw(canvas, canvas_verdict_paint(report->verdict), row->word);
    canvas_spaces(canvas, 2);
    canvas_draw(canvas, PAINT_BOLD, text);
    canvas_spaces(canvas, 3);
    canvas_draw(canvas, PAINT_PLAIN, score);
    canvas_spaces(canvas, 3);
    canvas_draw(canvas, PAINT_PLAIN, canvas_fit(canvas, subject(canvas, report), canvas->width - used));
    canvas_end_line(canvas);
}

static void draw_judge_error(Canvas *canvas, const Report *report)
{
    if (!report->judge_error)
        return;
    canvas_draw(canvas, PAINT_PLAIN,
                canvas_phrase(canvas, PHRASE_JUDGE_FAILED, canvas_safe(canvas, report->judge_error)));
    canvas_end_line(canvas);
}

/* ---- compiler ------------------------------------------------------------------------------------------------ */

static void draw_diagnostic(Canvas *canvas, const Diagnostic *diagnostic)
{
    static const struct {
        Phrase phrase;
        Paint paint;
    } levels[] = {
        [DIAGNOSTIC_ERROR] = {PHRASE_DIAGNOSTIC_ERROR, PAINT_RED},
        [DIAGNOSTIC_WARNING] = {PHRASE_DIAGNOSTIC_WARNING, PAINT_YELLOW},
        [DIAGNOSTIC_NOTE] = {PHRASE_DIAGNOSTIC_NOTE, PAINT_DIM},
    };
    const char *place = canvas_safe(canvas, diagnostic->file);
    if (diagnostic->line > 0)
        place = arena_format(canvas->arena, "%s:%d", place, diagnostic->line);
    if (diagnostic->line > 0 && diagnostic->column > 0)
        place = arena_format(canvas->arena, "%s:%d", place, diagnostic->column);
    canvas_draw(canvas, PAINT_BOLD, place);
    canvas_draw(canvas, PAINT_PLAIN, *place ? ": " : "");
    canvas_draw(canvas, levels[diagnostic->level].paint, canvas_phrase(canvas, levels[diagnostic->level].phrase));
    canvas_draw(canvas, PAINT_PLAIN, ": ");
    canvas_draw(canvas, PAINT_PLAIN, canvas_safe(canvas, diagnostic->text));
    canvas_end_line(canvas);
}

static void draw_diagnostics(Canvas *canvas, const CompileReport *compile)
{
    size_t shown = compile->diagnostic_count < DIAGNOSTICS_MAX ? compile->diagnostic_count : DIAGNOSTICS_MAX;
    for (size_t i = 0; i < shown; i++)
        draw_diagnostic(canvas, &compile->diagnostics[i]);
    if (shown == compile->diagnostic_count)
        return;
    const char *rest = number(canvas, compile->diagnostic_count - shown);
    canvas_draw(canvas, PAINT_DIM, canvas_phrase(canvas, PHRASE_MORE_DIAGNOSTICS, rest));
    canvas_end_line(canvas);
}

static void draw_log(Canvas *canvas, const CompileReport *compile)
{
    if (!compile->log || !*compile->log)
        return;
    canvas_draw(canvas, PAINT_PLAIN, canvas_phrase(canvas, PHRASE_COMPILER_OUTPUT));
    canvas_end_line(canvas);
    canvas_draw_lines(canvas, "  | ", compile->log, LOG_LINES_MAX);
    if (!compile->is_log_cut)
        return;
    canvas_draw(canvas, PAINT_DIM, canvas_phrase(canvas, PHRASE_TEXT_CUT));
    canvas_end_line(canvas);
}

/* The log only where it is all there is: diagnostics say the same in order. */
static void draw_compile(Canvas *canvas, const Report *report)
{
    const CompileReport *compile = &report->compile;
    draw_diagnostics(canvas, compile);
    if (compile->has_succeeded || report->verdict != VERDICT_COMPILE_ERROR)
        return;
    if (compile->reason) {
        canvas_draw(canvas, PAINT_PLAIN, canvas_safe(canvas, compile->reason));
        canvas_end_line(canvas);
    }
    if (compile->diagnostic_count == 0)
        draw_log(canvas, compile);
}

/* ---- tests --------------------------------------------------------------------------------------------------- */

static const Attempt *deciding_attempt(const TestReport *test)
{
    static const Attempt unknown = {.cpu_ns = -1, .wall_ns = -1, .memory_peak_bytes = -1};
    return test->attempt_count ? &test->attempts[test->attempt_count - 1] : &unknown;
}

static bool is_slowest(const Report *report, size_t index)
{
    return report->slowest_index >= 0 && (size_t)report->slowest_index == index;
}

/* What is remarkable about a test: "slowest", "last of 2 runs", why another one than the first failed. */
static const char *remarks(Canvas *canvas, const Report *report, size_t index)
{
    const TestReport *test = &report->tests[index];
    bool is_first_failure = report->failure.is_present && report->failure.test_index == index;
    const char *parts[] = {
        is_slowest(report, index) && report->run_count > 1 ? canvas_phrase(canvas, PHRASE_SLOWEST) : "",
        test->attempt_count > 1 ? canvas_phrase(canvas, PHRASE_RUN_AGAIN, number(canvas, test->attempt_count)) : "",
        is_first_failure ? "" : canvas_safe(canvas, test->detail),
    };
    const char *text = "";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (*parts[i])
            text = arena_format(canvas->arena, "%s%s%s", text, *text ? canvas_phrase(canvas, PHRASE_SEPARATOR) : "",
                                parts[i]);
    return text;
}

static void add_header(Table *table, Canvas *canvas)
{
    const Cell cells[] = {
        {canvas_phrase(canvas, PHRASE_COLUMN_TEST), PAINT_DIM},
        {canvas_phrase(canvas, PHRASE_COLUMN_VERDICT), PAINT_DIM},
        {canvas_phrase(canvas, PHRASE_COLUMN_CPU), PAINT_DIM},
        {canvas_phrase(canvas, PHRASE_COLUMN_WALL), PAINT_DIM},
        {canvas_phrase(canvas, PHRASE_COLUMN_MEMORY), PAINT_DIM},
        {"", PAINT_PLAIN},
    };
    table_add(table, canvas, cells);
}

static void add_test(Table *table, Canvas *canvas, const Report *report, size_t index)
{
    const TestReport *test = &report->tests[index];
    const Attempt *attempt = deciding_attempt(test);
    const Cell cells[] = {
        {canvas_safe(canvas, test->name), PAINT_PLAIN},
        {verdict_row(test->verdict)->word, canvas_verdict_paint(test->verdict)},
        {units_time(canvas->arena, attempt->cpu_ns), PAINT_PLAIN},
        {units_time(canvas->arena, attempt->wall_ns), PAINT_PLAIN},
        {units_memory(canvas->arena, attempt->memory_peak_bytes), PAINT_PLAIN},
        {remarks(canvas, report, index), PAINT_DIM},
    };
    table_add(table, canvas, cells);
}

/* What is left out of the table, and what is said of it instead. */
typedef struct Rest {
    size_t accepted_count, not_run_count;
    int64_t cpu_max_ns, memory_max_bytes;
} Rest;

static bool is_plain(const Report *report, size_t index)
{
    const TestReport *test = &report->tests[index];
    return test->verdict == VERDICT_ACCEPTED && test->attempt_count <= 1 && !is_slowest(report, index);
}

static void count_rest(Rest *rest, const TestReport *test)
{
    const Attempt *attempt = deciding_attempt(test);
    rest->accepted_count++;
    if (attempt->cpu_ns > rest->cpu_max_ns)
        rest->cpu_max_ns = attempt->cpu_ns;
    if (attempt->memory_peak_bytes > rest->memory_max_bytes)
        rest->memory_max_bytes = attempt->memory_peak_bytes;
}

static Rest add_tests(Table *table, Canvas *canvas, const Report *report)
{
    Rest rest = {.cpu_max_ns = -1, .memory_max_bytes = -1};
    for (size_t i = 0; i < report->test_count; i++) {
        if (report->tests[i].verdict == VERDICT_NONE)
            rest.not_run_count++;
        else if (report->run_count > ROWS_MAX && table->row_count > ROWS_SHOWN_FIRST && is_plain(report, i))
            count_rest(&rest, &report->tests[i]);
        else
            add_test(table, canvas, report, i);
    }
    return rest;
}

static void draw_rest(Canvas *canvas, const Rest *rest)
{
    if (rest->accepted_count) {
        canvas_spaces(canvas, 2);
        canvas_draw(canvas, PAINT_DIM,
                    canvas_phrase(canvas, PHRASE_MORE_ACCEPTED, number(canvas, rest->accepted_count),
                                  units_time(canvas->arena, rest->cpu_max_ns),
                                  units_memory(canvas->arena, rest->memory_max_bytes)));
        canvas_end_line(canvas);
    }
    if (rest->not_run_count) {
        canvas_spaces(canvas, 2);
        canvas_draw(canvas, PAINT_DIM,
                    rest->not_run_count == 1
                        ? canvas_phrase(canvas, PHRASE_ONE_NOT_RUN)
                        : canvas_phrase(canvas, PHRASE_MANY_NOT_RUN, number(canvas, rest->not_run_count)));
        canvas_end_line(canvas);
    }
}

static void draw_tests(Canvas *canvas, const Report *report)
{
    Table table = {.column_count = 6,
                   .aligns = {ALIGN_LEFT, ALIGN_LEFT, ALIGN_RIGHT, ALIGN_RIGHT, ALIGN_RIGHT, ALIGN_LEFT}};
    if (report->test_count == 0 || report->verdict == VERDICT_COMPILE_ERROR)
        return;
    canvas_end_line(canvas);
    add_header(&table, canvas);
    Rest rest = add_tests(&table, canvas, report);
    if (table.row_count > 1)
        table_draw(&table, canvas);
    draw_rest(canvas, &rest);
}

/* ---- notes and footer ---------------------------------------------------------------------------------------- */

static void draw_notes(Canvas *canvas, const Report *report)
{
    if (report->note_count)
        canvas_end_line(canvas);
    for (size_t i = 0; i < report->note_count; i++) {
        canvas_draw(canvas, PAINT_PLAIN, canvas_phrase(canvas, PHRASE_NOTE, canvas_safe(canvas, report->notes[i])));
        canvas_end_line(canvas);
    }
}

/* A phrase about a value, or NULL if the value is unknown. */
typedef struct Item {
    Phrase phrase;
    const char *value;
} Item;

/* Draws the known items in one line with separators, broken where the width ends. */
static void draw_items(Canvas *canvas, const Item *items, size_t count)
{
    const char *separator = canvas_phrase(canvas, PHRASE_SEPARATOR);
    int used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!items[i].value || !*items[i].value)
            continue;
        const char *text = canvas_phrase(canvas, items[i].phrase, items[i].value);
        int columns = utf8_text_columns(text) + utf8_text_columns(separator);
        if (used && used + columns > canvas->width) {
            canvas_end_line(canvas);
            used = 0;
        }
        canvas_draw(canvas, PAINT_DIM, used ? separator : "");
        canvas_draw(canvas, PAINT_DIM, text);
        used += columns;
    }
    if (used)
        canvas_end_line(canvas);
}
#define DRAW_ITEMS(canvas, items) draw_items((canvas), (items), sizeof(items) / sizeof(items)[0])

static const char *time_limit(Canvas *canvas, int64_t limit_ns)
{
    return limit_ns > 0 ? units_time_limit(canvas->arena, limit_ns) : NULL;
}

static const char *size_limit(Canvas *canvas, int64_t limit_bytes)
{
    return limit_bytes > 0 ? units_memory_limit(canvas->arena, limit_bytes) : NULL;
}

static const char *compile_time(Canvas *canvas, const CompileReport *compile, bool is_cached)
{
    if (!compile->is_needed || !compile->has_succeeded || compile->is_cached != is_cached)
        return NULL;
    return is_cached ? "-" : units_time(canvas->arena, compile->wall_ns); /* the cached phrase has no place for it */
}

static void draw_footer(Canvas *canvas, const Report *report)
{
    const Provenance *provenance = &report->provenance;
    const Item judging[] = {
        {PHRASE_ISOLATION, canvas_safe(canvas, provenance->isolation)},
        {PHRASE_CGROUP, canvas_safe(canvas, provenance->cgroup)},
        {PHRASE_DEVICE, canvas_safe(canvas, provenance->device)},
        {PHRASE_SEED, arena_format(canvas->arena, "%llu", (unsigned long long)provenance->seed)},
        {PHRASE_COMPILED, compile_time(canvas, &report->compile, false)},
        {PHRASE_COMPILED_CACHED, compile_time(canvas, &report->compile, true)},
        {PHRASE_ELAPSED, report->elapsed_ns < 0 ? NULL : units_time(canvas->arena, report->elapsed_ns)},
    };
    const Item limits[] = {
        {PHRASE_LIMIT_TIME, time_limit(canvas, provenance->time_limit_ns)},
        {PHRASE_LIMIT_WALL, time_limit(canvas, provenance->wall_limit_ns)},
        {PHRASE_LIMIT_IDLE, time_limit(canvas, provenance->idle_limit_ns)},
        {PHRASE_LIMIT_MEMORY, size_limit(canvas, provenance->memory_limit_bytes)},
        {PHRASE_LIMIT_STACK, size_limit(canvas, provenance->stack_limit_bytes)},
        {PHRASE_LIMIT_OUTPUT, size_limit(canvas, provenance->output_limit_bytes)},
    };
    const Item degraded[] = {{PHRASE_DEGRADED, canvas_safe(canvas, provenance->degraded_reason)}};
    canvas_end_line(canvas);
    DRAW_ITEMS(canvas, judging);
    DRAW_ITEMS(canvas, limits);
    DRAW_ITEMS(canvas, degraded);
}

/* ---- contents ------------------------------------------------------------------------------------------------ */

void report_print_terminal(const Report *report, const TerminalStyle *style, FILE *stream)
{
    Canvas canvas;
    canvas_init(&canvas, style);
    draw_verdict(&canvas, report);
    if (!style->is_quiet) {
        draw_judge_error(&canvas, report);
        draw_compile(&canvas, report);
        draw_tests(&canvas, report);
        failure_draw(&canvas, report);
        draw_notes(&canvas, report);
        draw_footer(&canvas, report);
    }
    (void)fwrite(buffer_text(&canvas.out), 1, canvas.out.size, stream); /* an error stays in the stream */
    canvas_done(&canvas);
}
