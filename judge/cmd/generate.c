/* gavel generate: makes a package's generated tests, for looking at them, exporting them, or locking them. */
#include <string.h>

#include "base/fd.h"
#include "cmd/progress.h"

typedef struct GenerateOptions {
    GlobalOptions global;
    const char *problem, *into;
    bool writes_lock;
} GenerateOptions;

static bool generate(Session *session, const GenerateOptions *options, EventSink events, Error *error)
{
    const Problem *problem = session->problem;
    if (problem->generated_count == 0)
        return true;
    if (options->writes_lock && !judge_write_lock(session->judge, problem, events, session->cancel, error))
        return false;
    if (options->into)
        return fd_make_directories(options->into, 0755, error) &&
               judge_generate_data(session->judge, problem, options->into, events, session->cancel, error);
    return options->writes_lock || session_make_data(session, events, error);
}

static void print_outcome(const Problem *problem, const GenerateOptions *options)
{
    const char *place = options->into ? options->into : problem_data_directory(problem);
    if (options->global.is_quiet)
        return;
    if (problem->generated_count == 0)
        printf("%s generates no tests\n", problem->name);
    else if (options->writes_lock)
        printf("locked %zu generated tests of %s in %s/data/gavel.lock\n", problem->generated_count, problem->name,
               problem->directory);
    if (problem->generated_count > 0 && (options->into || !options->writes_lock))
        printf("%zu generated tests of %s are in %s\n", problem->generated_count, problem->name, place);
}

static bool generate_problem(Session *session, const GenerateOptions *options, Error *error)
{
    if (!session_open_judging(session, options->problem, error))
        return false;
    Progress progress = progress_start(&options->global);
    bool is_made = generate(session, options, progress_sink(&progress), error);
    progress_finish(&progress);
    if (is_made)
        print_outcome(session->problem, options);
    return is_made;
}

static ExitCode run_generate(Session *session, const void *options)
{
    auto_error Error error = {0};
    return generate_problem(session, options, &error) ? EXIT_ALL_WELL : session_fail(session, &error);
}

static const Option generate_options[] = {
    {.name = "into",
     .type = OPTION_TEXT,
     .offset = offsetof(GenerateOptions, into),
     .value_name = "DIR",
     .help = "write all generated tests there instead of into the cache"},
    {.name = "write-lock",
     .type = OPTION_FLAG,
     .offset = offsetof(GenerateOptions, writes_lock),
     .help = "make them twice and write their hashes to data/gavel.lock"},
    {0},
};

const Verb verb_generate = {
    .name = "generate",
    .summary = "make a problem's generated tests",
    .options = generate_options,
    .arguments = (const OptionArgument[]){ARGUMENT_ROW_PROBLEM(GenerateOptions), {0}},
    .options_size = sizeof(GenerateOptions),
    .run = run_generate,
};
