/* Words of the event stream for a person who waits. */
#include "cmd/progress.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"

static void describe_generating(const Event *event, Buffer *text)
{
    buffer_format(text, "making test data %zu/%zu %s", event->index, event->count, event->name ? event->name : "");
}

static void describe_compiling(const Event *event, Buffer *text)
{
    buffer_string(text, "compiling");
    if (event->name)
        buffer_format(text, " %s", event->name);
}

static void describe_compiled(const Event *event, Buffer *text)
{
    bool has_failed = event->verdict == VERDICT_COMPILE_ERROR;
    buffer_string(text, has_failed ? "compile error" : event->is_cached ? "compiled (from the cache)" : "compiled");
}

static void describe_test(const Event *event, Buffer *text)
{
    buffer_format(text, "test %zu/%zu %s %s", event->index, event->count, event->name ? event->name : "",
                  verdict_row(event->verdict)->word);
    if (event->cpu_ns >= 0 && event->verdict != VERDICT_NONE)
        buffer_format(text, " %" PRId64 " ms", event->cpu_ns / 1000000);
}

static void describe_rerun(const Event *event, Buffer *text)
{
    buffer_format(text, "running %s again: close to a limit", event->name ? event->name : "it");
}

static void describe_sanitizing(const Event *event, Buffer *text)
{
    (void)event;
    buffer_string(text, "looking for the cause in a sanitizer build");
}

/* A row without `describe` shows nothing; `is_line` marks what is worth a line of a log. */
static const struct EventRow {
    void (*describe)(const Event *event, Buffer *text);
    bool is_line;
} event_rows[] = {
    [EVENT_QUEUED] = {NULL, false},
    [EVENT_GENERATING] = {describe_generating, true},
    [EVENT_COMPILING] = {describe_compiling, true},
    [EVENT_COMPILED] = {describe_compiled, false},
    [EVENT_TEST] = {describe_test, true},
    [EVENT_RERUN] = {describe_rerun, true},
    [EVENT_SANITIZING] = {describe_sanitizing, true},
    [EVENT_FINISHED] = {NULL, false},
};
_Static_assert(sizeof event_rows / sizeof *event_rows == EVENT_KIND_COUNT, "one row an event");

Progress progress_start(const GlobalOptions *global)
{
    int fd = fileno(stderr);
    return (Progress){
        .mode = global->is_quiet           ? PROGRESS_SILENT
                : terminal_can_rewrite(fd) ? PROGRESS_REWRITE
                                           : PROGRESS_LINES,
        .has_colour = terminal_has_colour(fd),
        .width = terminal_width(fd),
        .stream = stderr,
    };
}

/* Cut to the width: a line that wraps cannot be wiped by one erase. Cutting inside a multi-byte character is
 * harmless, since names in a package are ASCII. */
static void rewrite_line(Progress *progress, const char *text)
{
    int room = progress->width > 1 ? progress->width - 1 : 1;
    fprintf(progress->stream, progress->has_colour ? "\r\x1b[K\x1b[2m%.*s\x1b[0m" : "\r\x1b[K%.*s", room, text);
    fflush(progress->stream);
    progress->is_on_screen = true;
}

static void show(Progress *progress, const char *text, bool is_line)
{
    if (progress->mode == PROGRESS_SILENT || (progress->mode == PROGRESS_LINES && !is_line))
        return;
    auto_buffer Buffer line = {0};
    if (progress->subject)
        buffer_format(&line, "%s: ", progress->subject);
    buffer_string(&line, text);
    if (progress->mode == PROGRESS_REWRITE)
        rewrite_line(progress, buffer_text(&line));
    else
        fprintf(progress->stream, "%s\n", buffer_text(&line));
}

static void on_event(void *context, const Event *event)
{
    const struct EventRow *row = &event_rows[event->kind];
    if (!row->describe)
        return;
    auto_buffer Buffer text = {0};
    row->describe(event, &text);
    show(context, buffer_text(&text), row->is_line);
}

EventSink progress_sink(Progress *progress)
{
    return (EventSink){.on_event = on_event, .context = progress};
}

void progress_say(Progress *progress, const char *text)
{
    show(progress, text, true);
}

void progress_finish(Progress *progress)
{
    if (progress->is_on_screen)
        fputs("\r\x1b[K", progress->stream);
    fflush(progress->stream);
    progress->is_on_screen = false;
}
