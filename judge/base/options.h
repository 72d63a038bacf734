/* Command line options from tables: one row serves parsing, --help and the error messages.
 *
 * A row says where in the caller's struct its value goes. The struct is zeroed by the caller; options_parse fills in
 * defaults, environment values and what the words say. Texts point into the words, the environment or the tables. */
#ifndef GAVEL_BASE_OPTIONS_H
#define GAVEL_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

typedef enum OptionType {
    OPTION_FLAG,   /* bool: set by its presence */
    OPTION_HELP,   /* bool: set by its presence, and nothing after it or missing is complained about */
    OPTION_TEXT,   /* const char * */
    OPTION_CHOICE, /* const char *: one of `choices` */
    OPTION_NUMBER, /* OptionNumber */
    OPTION_LIST,   /* OptionList: may be given again and again */
    OPTION_TYPE_COUNT
} OptionType;

typedef struct OptionNumber {
    bool is_set;
    uint64_t value;
} OptionNumber;

enum { OPTION_LIST_MAX = 1024 };

typedef struct OptionList {
    const char *items[OPTION_LIST_MAX];
    size_t count;
} OptionList;

typedef struct Option {
    const char *name; /* "json" for --json */
    char letter;      /* 'q' for -q, or 0 */
    OptionType type;
    size_t offset;             /* of the value in the caller's struct */
    const char *value_name;    /* "DIR" in help; NULL for flags */
    const char *choices;       /* "en|zh" for OPTION_CHOICE */
    uint64_t minimum, maximum; /* OPTION_NUMBER; maximum 0: all of uint64_t */
    const char *default_text;  /* as the user would write it, or NULL */
    const char *environment;   /* variable that gives the value if the option is absent, or NULL */
    const char *help;
} Option;

/* A positional argument, in order; optional ones come last. */
typedef struct OptionArgument {
    const char *name; /* "PROBLEM" */
    size_t offset;    /* of a const char *, or of an OptionList if is_list */
    bool is_optional;
    bool is_list; /* all that are left; the last row */
    const char *help;
} OptionArgument;

enum { OPTION_TABLE_COUNT = 2 };

typedef struct OptionSyntax {
    const char *program; /* "gavel judge", as it stands in usage and errors */
    const char *summary;
    const Option *tables[OPTION_TABLE_COUNT]; /* each ends with a row without name; NULL: no table */
    const OptionArgument *arguments;          /* ends with a row without name; NULL: none */
    const char *notes;                        /* printed below the options, or NULL */
} OptionSyntax;

/* Reads all of `words` (NULL-terminated, without the program's name) into the struct at `target`. ERROR_INPUT with one
 * whole line for the user: "gavel judge: unknown option --foo (see gavel judge --help)". */
bool options_parse(const OptionSyntax *syntax, char *const *words, void *target, Error *error) MUST_CHECK;

/* The same up to the first positional argument; *ret_count is the number of words read. */
bool options_parse_leading(const OptionSyntax *syntax, char *const *words, void *target, size_t *ret_count,
                           Error *error) MUST_CHECK;

void options_print_help(const OptionSyntax *syntax, FILE *stream);

/* The word of the NULL-terminated list that `word` is most likely a mistyping of, or NULL if none is near. */
const char *options_closest(const char *word, const char *const *list);

#endif
