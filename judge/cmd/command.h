/* What every verb of `gavel` shares: the row that describes it, exit codes, and the session it runs in. */
#ifndef GAVEL_CMD_COMMAND_H
#define GAVEL_CMD_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/options.h"
#include "gavel/judge.h"

/* One meaning for all verbs. A run that a signal ended leaves with 128 + its number, as shells expect. */
typedef enum ExitCode {
    EXIT_ALL_WELL = 0,    /* accepted, nothing found */
    EXIT_FINDINGS = 1,    /* not accepted, findings */
    EXIT_USAGE = 2,       /* wrong usage or unreadable input */
    EXIT_JUDGE_ERROR = 3, /* a fault of ours or the machine's */
    EXIT_UNSTABLE = 4,    /* only timing is unstable */
} ExitCode;

/* First member of every verb's options struct. */
typedef struct GlobalOptions {
    const char *problems, *cache;
    bool is_quiet, is_help, is_version;
} GlobalOptions;

extern const Option global_options[]; /* the rows for GlobalOptions at offset 0; all of them are every verb's, too */

/* ---- session ------------------------------------------------------------------------------------------------ */

/* The things a verb works with, opened when first needed and closed by main. */
typedef struct Session {
    const char *program; /* "gavel judge": stands in front of error messages */
    const GlobalOptions *global;
    const CancelToken *cancel;
    Arena *arena;
    const char *search_path;
    const char *cache;
    bool is_cache_off; /* set by the verb before session_open_judging */
    Judge *judge;
    Problem *problem;
} Session;

bool session_open(Session *session, Error *error) MUST_CHECK; /* search path and cache; touches nothing */
void session_close(Session *session);

/* Finds and loads a problem by name or directory into session->problem, for reading only. */
bool session_load_problem(Session *session, const char *name, Error *error) MUST_CHECK;

/* The same, and opens the sandbox and the cache: session->judge. */
bool session_open_judging(Session *session, const char *name, Error *error) MUST_CHECK;

/* Makes generated tests that are not there yet. */
bool session_make_data(Session *session, EventSink events, Error *error) MUST_CHECK;

/* Prints an error as one line on standard error and says which exit code it means. */
ExitCode session_fail(const Session *session, const Error *error);

ExitCode verdict_exit_code(Verdict verdict);

/* ---- verbs -------------------------------------------------------------------------------------------------- */

typedef struct Verb {
    const char *name, *summary;
    const Option *options;           /* its own; ends with an empty row, or NULL */
    const OptionArgument *arguments; /* ends with an empty row, or NULL */
    size_t options_size;             /* of its struct, whose first member is a GlobalOptions */
    ExitCode (*run)(Session *session, const void *options);
    const char *notes;
} Verb;

extern const Verb verb_problems, verb_show, verb_start, verb_test, verb_judge, verb_verify, verb_generate, verb_doctor,
    verb_ptx_run, verb_ptx_disasm, verb_ptx_coverage, verb_help, verb_version;

/* The table of verbs (commands.c); NULL past the end. */
const Verb *verb_at(size_t index);
const Verb *verb_by_name(const char *name);
/* The verb that the words begin with: one word, or two ("ptx run"). *ret_count is how many. NULL: none. */
const Verb *verb_find(char *const *words, size_t *ret_count);
ExitCode verb_unknown(const char *name); /* says so, with a suggestion */
void verb_print_help(const Verb *verb, FILE *stream);
void verbs_print_overview(FILE *stream);
void version_print(FILE *stream);

/* The rows several verbs share. */
#define ARGUMENT_ROW_PROBLEM(struct_type)                                                                              \
    {                                                                                                                  \
        .name = "PROBLEM", .offset = offsetof(struct_type, problem),                                                   \
        .help = "a name of `gavel problems`, or a package's directory"                                                 \
    }
#define OPTION_ROW_LANG(struct_type)                                                                                   \
    {                                                                                                                  \
        .name = "lang", .type = OPTION_CHOICE, .offset = offsetof(struct_type, lang), .choices = "en|zh",              \
        .help = "language of the output"                                                                               \
    }
#define OPTION_ROW_JSON(struct_type)                                                                                   \
    {                                                                                                                  \
        .name = "json", .type = OPTION_FLAG, .offset = offsetof(struct_type, is_json), .help = "print JSON"            \
    }

/* ---- output ------------------------------------------------------------------------------------------------- */

/* How to write to standard output for people: colours unless NO_COLOR, TERM=dumb or not a terminal. */
TerminalStyle terminal_style(const GlobalOptions *global, const char *lang);
bool terminal_has_colour(int fd);
bool terminal_can_rewrite(int fd); /* a terminal that understands carriage return and erase */
int terminal_width(int fd);

/* Writes a JSON value with a final newline. Takes `value`, which may be NULL (out of memory). */
bool json_write(json_t *value, FILE *stream, Error *error) MUST_CHECK;

#endif
