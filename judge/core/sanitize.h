/* Why did it crash? A second build with sanitizers, run on the same test. */
#ifndef GAVEL_CORE_SANITIZE_H
#define GAVEL_CORE_SANITIZE_H

#include "core/run.h"

enum { SANITIZE_FRAME_MAX = 16 };

/* What a sanitizer wrote. Frames are offsets in the program's own file, innermost first. */
typedef struct SanitizerFinding {
    const char *kind; /* "heap-buffer-overflow"; NULL: nothing found */
    const char *file; /* named by the message itself (undefined behaviour), or NULL */
    int line;
    uint64_t frames[SANITIZE_FRAME_MAX];
    size_t frame_count;
} SanitizerFinding;

/* Reads the text of AddressSanitizer or UndefinedBehaviorSanitizer, written without symbols. */
SanitizerFinding sanitizer_parse(const char *text, Arena *arena);

/* Reads `addr2line -f -C`: the first frame in one of the files of `sources` ("/w/main.c:12"). False if none is. */
bool sanitizer_parse_frames(const char *text, const SourceSet *sources, Arena *arena, SanitizerReport *report);

/* Builds with sanitizers and runs on `input`. Finding nothing is no failure: the report stays absent, and *ret_note
 * says why if there is something to say. False on faults and cancellation only. */
bool sanitize_run(Judge *judge, const Problem *problem, const SourceSet *sources, const RunInput *input,
                  const char *const *args, int64_t time_limit_ns, const CancelToken *cancel, Arena *arena,
                  SanitizerReport *ret_report, const char **ret_note, Error *error) MUST_CHECK;

#endif
