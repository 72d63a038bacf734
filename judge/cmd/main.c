/* gavel: finds the verb, reads its options, runs it, and makes sure that what it wrote has arrived. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cancel.h"
#include "cmd/command.h"

/* A reader that went away on purpose (`gavel problems | head -1`) is no fault; a full disk is. */
static ExitCode check_output(ExitCode code)
{
    bool is_written = fflush(stdout) == 0 && !ferror(stdout);
    if (is_written || errno == EPIPE || errno == EBADF)
        return code;
    fprintf(stderr, "gavel: writing to standard output failed: %s\n", strerror(errno));
    return EXIT_JUDGE_ERROR;
}

static ExitCode fail_plainly(const Error *error)
{
    fprintf(stderr, "%s\n", error_text(error)); /* option errors carry the program's name */
    return EXIT_USAGE;
}

static ExitCode run_in_session(const Verb *verb, const OptionSyntax *syntax, const GlobalOptions *options, Arena *arena)
{
    Session session = {.program = syntax->program, .global = options, .cancel = cancel_install(), .arena = arena};
    auto_error Error error = {0};
    ExitCode code = session_open(&session, &error) ? verb->run(&session, options) : session_fail(&session, &error);
    session_close(&session);
    return code;
}

static ExitCode run_verb(const Verb *verb, char *const *words, const GlobalOptions *leading)
{
    auto_arena Arena *arena = arena_new();
    OptionSyntax syntax = {.program = arena_format(arena, "gavel %s", verb->name),
                           .tables = {verb->options, global_options},
                           .arguments = verb->arguments};
    GlobalOptions *options = arena_alloc(arena, verb->options_size);
    *options = *leading;
    auto_error Error error = {0};
    if (!options_parse(&syntax, words, options, &error))
        return fail_plainly(&error);
    if (options->is_help)
        return verb_print_help(verb, stdout), EXIT_ALL_WELL;
    if (options->is_version)
        return version_print(stdout), EXIT_ALL_WELL;
    return run_in_session(verb, &syntax, options, arena);
}

static ExitCode run_command_line(char *const *words)
{
    OptionSyntax syntax = {.program = "gavel", .tables = {global_options}};
    GlobalOptions leading = {0};
    size_t count;
    auto_error Error error = {0};
    if (!options_parse_leading(&syntax, words, &leading, &count, &error))
        return fail_plainly(&error);
    if (leading.is_help)
        return verbs_print_overview(stdout), EXIT_ALL_WELL;
    if (leading.is_version)
        return version_print(stdout), EXIT_ALL_WELL;
    if (!words[count])
        return verbs_print_overview(stderr), EXIT_USAGE;
    size_t used;
    const Verb *verb = verb_find(words + count, &used);
    return verb ? run_verb(verb, words + count + used, &leading) : verb_unknown(words[count]);
}

int main(int argc, char **argv)
{
    ExitCode code = run_command_line(argc > 0 ? argv + 1 : argv);
    return cancel_exit_code(check_output(code));
}
