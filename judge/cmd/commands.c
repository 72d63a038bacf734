/* The table of verbs, the options all of them take, and the help made from both. */
#include <string.h>

#include "base/arena.h"
#include "cmd/command.h"

const Option global_options[] = {
    {.name = "problems",
     .type = OPTION_TEXT,
     .offset = offsetof(GlobalOptions, problems),
     .value_name = "PATH",
     .environment = "GAVEL_PROBLEMS",
     .help = "folders with problems, separated by colons"},
    {.name = "cache",
     .type = OPTION_TEXT,
     .offset = offsetof(GlobalOptions, cache),
     .value_name = "DIR",
     .environment = "GAVEL_CACHE",
     .help = "where builds and generated tests are kept"},
    {.name = "quiet",
     .letter = 'q',
     .type = OPTION_FLAG,
     .offset = offsetof(GlobalOptions, is_quiet),
     .help = "no progress, and only the essential line"},
    {.name = "help",
     .letter = 'h',
     .type = OPTION_HELP,
     .offset = offsetof(GlobalOptions, is_help),
     .help = "print this help"},
    {.name = "version",
     .type = OPTION_HELP,
     .offset = offsetof(GlobalOptions, is_version),
     .help = "print the version"},
    {0},
};

static const Verb *const verbs[] = {
    &verb_problems, &verb_show,    &verb_start,      &verb_test,         &verb_judge, &verb_verify,  &verb_generate,
    &verb_doctor,   &verb_ptx_run, &verb_ptx_disasm, &verb_ptx_coverage, &verb_help,  &verb_version,
};

enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

const Verb *verb_at(size_t index)
{
    return index < VERB_COUNT ? verbs[index] : NULL;
}

const Verb *verb_by_name(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

static bool is_spelled(const char *name, const char *first, const char *second)
{
    const size_t length = strlen(first);
    return strncmp(name, first, length) == 0 && name[length] == ' ' && strcmp(name + length + 1, second) == 0;
}

const Verb *verb_find(char *const *words, size_t *ret_count)
{
    *ret_count = 1;
    const Verb *verb = verb_by_name(words[0]);
    if (verb || !words[1])
        return verb;
    *ret_count = 2;
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (is_spelled(verbs[i]->name, words[0], words[1]))
            return verbs[i];
    return NULL;
}

/* `gavel ptx`, `gavel ptx nonsense`: the first word alone is the beginning of some. */
static bool tell_second_words(const char *name)
{
    const size_t length = strlen(name);
    size_t count = 0;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strncmp(verbs[i]->name, name, length) != 0 || verbs[i]->name[length] != ' ')
            continue;
        fprintf(stderr, count++ ? ", %s" : "gavel %2$s: which of %1$s", verbs[i]->name + length + 1, name);
    }
    if (count)
        fputs("? (see gavel --help)\n", stderr);
    return count > 0;
}

ExitCode verb_unknown(const char *name)
{
    if (tell_second_words(name))
        return EXIT_USAGE;
    const char *names[VERB_COUNT + 1] = {0};
    for (size_t i = 0; i < VERB_COUNT; i++)
        names[i] = verbs[i]->name;
    const char *closest = options_closest(name, names);
    if (closest)
        fprintf(stderr, "gavel: unknown command '%s', did you mean '%s'? (see gavel --help)\n", name, closest);
    else
        fprintf(stderr, "gavel: unknown command '%s' (see gavel --help)\n", name);
    return EXIT_USAGE;
}

void verb_print_help(const Verb *verb, FILE *stream)
{
    auto_arena Arena *arena = arena_new();
    OptionSyntax syntax = {.program = arena_format(arena, "gavel %s", verb->name),
                           .summary = verb->summary,
                           .tables = {verb->options, global_options},
                           .arguments = verb->arguments,
                           .notes = verb->notes};
    options_print_help(&syntax, stream);
}

static const char exit_codes[] =
    "Exit codes: 0 accepted or all well; 1 not accepted or findings; 2 wrong usage or unreadable input;\n"
    "3 judge error; 4 only timing is unstable; 128 + N stopped by signal N.";

void verbs_print_overview(FILE *stream)
{
    fputs("usage: gavel COMMAND [options]\nAn online judge on your machine: right, how fast, how deep, and why not.\n"
          "\ncommands:\n",
          stream);
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(stream, "  %-13s%s\n", verbs[i]->name, verbs[i]->summary);
    fprintf(stream, "\n`gavel COMMAND --help` tells the options of one.\n%s\n", exit_codes);
}

/* ---- help and version, the two verbs about the program itself ----------------------------------------------- */

typedef struct HelpOptions {
    GlobalOptions global;
    const char *verb, *second;
} HelpOptions;

static ExitCode run_help(Session *session, const void *raw_options)
{
    (void)session;
    const HelpOptions *options = raw_options;
    if (!options->verb)
        return verbs_print_overview(stdout), EXIT_ALL_WELL;
    char *words[] = {(char *)options->verb, (char *)options->second, NULL};
    size_t count;
    const Verb *verb = verb_find(words, &count);
    const char *extra = !verb || count == 1 ? options->second : NULL;
    if (extra) {
        fprintf(stderr, "gavel help: unexpected argument '%s' (see gavel help --help)\n", extra);
        return EXIT_USAGE;
    }
    if (!verb)
        return verb_unknown(options->verb);
    return verb_print_help(verb, stdout), EXIT_ALL_WELL;
}

const Verb verb_help = {
    .name = "help",
    .summary = "explain a command",
    .arguments = (const OptionArgument[]){{.name = "COMMAND",
                                           .offset = offsetof(HelpOptions, verb),
                                           .is_optional = true,
                                           .help = "one of `gavel --help`"},
                                          {.name = "SECOND",
                                           .offset = offsetof(HelpOptions, second),
                                           .is_optional = true,
                                           .help = "its second word, if it has one"},
                                          {0}},
    .options_size = sizeof(HelpOptions),
    .run = run_help,
};

void version_print(FILE *stream)
{
    fputs("gavel " GAVEL_VERSION "\n", stream);
}

static ExitCode run_version(Session *session, const void *options)
{
    (void)session, (void)options;
    version_print(stdout);
    return EXIT_ALL_WELL;
}

const Verb verb_version = {
    .name = "version",
    .summary = "print the version",
    .options_size = sizeof(GlobalOptions),
    .run = run_version,
};
