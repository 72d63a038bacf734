/* The report model's life: a report owns an arena, and everything in it belongs to that arena. */
#include <stdarg.h>
#include <string.h>

#include "gavel/report.h"

Report *report_new(void)
{
    Arena *arena = arena_new();
    Report *report = arena_alloc(arena, sizeof *report);
    *report = (Report){
        .arena = arena,
        .problem = "",
        .problem_title = "",
        .source_name = "",
        .language = "",
        .verdict = VERDICT_NONE,
        .score_max = 100,
        .compile = {.log = "", .cpu_ns = -1, .wall_ns = -1, .memory_peak_bytes = -1},
        .slowest_index = -1,
        .elapsed_ns = -1,
        .provenance = {.device = "cpu",
                       .time_limit_ns = -1,
                       .wall_limit_ns = -1,
                       .idle_limit_ns = -1,
                       .memory_limit_bytes = -1,
                       .stack_limit_bytes = -1,
                       .output_limit_bytes = -1},
    };
    return report;
}

void report_free(Report *report)
{
    if (report)
        arena_free(report->arena); /* the report itself lies in it */
}

void report_add_note(Report *report, const char *format, ...)
{
    auto_buffer Buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vformat(&text, format, arguments);
    va_end(arguments);

    /* Notes are few: a new array each time, and the old one stays in the arena until the report is freed. */
    const char **notes = arena_new_array(report->arena, const char *, report->note_count + 1);
    if (report->note_count)
        memcpy(notes, report->notes, report->note_count * sizeof *notes);
    notes[report->note_count++] = arena_bytes(report->arena, buffer_text(&text), text.size);
    report->notes = notes;
}
