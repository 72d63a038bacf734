/* Building: sources in, a program that can be run out, and what the compiler had to say. */
#ifndef GAVEL_CORE_BUILD_H
#define GAVEL_CORE_BUILD_H

#include "base/hash.h"
#include "core/source.h"
#include "core/toolchain.h"

typedef enum BuildKind {
    BUILD_NORMAL,
    BUILD_SANITIZER, /* only for languages with a sanitizer command */
    BUILD_AUTHOR,    /* as normal, and kept in memory: a validator is asked for once a test */
    BUILD_KIND_COUNT
} BuildKind;

typedef struct BuildLimits {
    int64_t time_ns, memory_bytes;
} BuildLimits;

/* Author programs that this process has built or loaded, by their key. */
enum { BUILD_MEMO_MAX = 16 };
typedef struct BuildMemo {
    char key[HASH_TEXT_SIZE]; /* empty: this place is free */
    char sha256[HASH_TEXT_SIZE];
    int executable_fd; /* or -1 */
} BuildMemo;
void build_memo_done(BuildMemo *memo);

/* A built program. Strings belong to the arena of the build; done closes the descriptor. */
typedef struct Program {
    const Language *language;
    const Toolchain *toolchain;
    CompileReport compile;    /* if has_succeeded is false, nothing below is set */
    const char *command;      /* for people */
    int executable_fd;        /* sealed memfd, or -1: an interpreted program */
    const SandboxFile *files; /* what must lie in /w when it runs */
    size_t file_count;
    const char *const *argv;     /* NULL-terminated; arguments come after it */
    char sha256[HASH_TEXT_SIZE]; /* of the artifact, or of the sources */
} Program;

/* Compiles through the cache. A program that does not compile is data (has_succeeded). False on faults and
 * cancellation. */
bool build_program(Judge *judge, const SourceSet *sources, BuildKind kind, BuildLimits limits,
                   const CancelToken *cancel, Arena *arena, Program *ret_program, Error *error) MUST_CHECK;

/* A build refused before any compiler saw it: `reason` says why. */
void build_refuse(Program *program, const char *reason);

void program_done(Program *program);
#define auto_program __attribute__((cleanup(program_done)))

/* An empty program, safe to give to program_done. */
static inline Program program_none(void)
{
    return (Program){.executable_fd = -1};
}

#endif
