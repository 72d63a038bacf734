/* Progress on standard error: one line rewritten in place on a terminal, plain lines elsewhere, nothing if quiet. */
#ifndef GAVEL_CMD_PROGRESS_H
#define GAVEL_CMD_PROGRESS_H

#include "cmd/command.h"

typedef enum ProgressMode { PROGRESS_SILENT, PROGRESS_LINES, PROGRESS_REWRITE } ProgressMode;

typedef struct Progress {
    ProgressMode mode;
    bool has_colour;
    int width;
    FILE *stream;
    const char *subject; /* put in front: which submission verify is at; or NULL */
    bool is_on_screen;   /* a rewritten line stands there unfinished */
} Progress;

Progress progress_start(const GlobalOptions *global);
EventSink progress_sink(Progress *progress);

/* Shows a step that has no event of its own. */
void progress_say(Progress *progress, const char *text);

/* Wipes the unfinished line, so that other output may follow. */
void progress_finish(Progress *progress);

#endif
