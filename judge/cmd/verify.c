/* gavel verify: a package's promises, checked by the judge that contestants meet. */
#include "verify/verify.h"

#include "cmd/progress.h"

typedef struct VerifyVerbOptions {
    GlobalOptions global;
    const char *problem;
    OptionNumber seed;
    bool is_json, is_fast, calibrates;
} VerifyVerbOptions;

/* Fixed, so that the same package gets the same verification everywhere. */
static const uint64_t default_seed = 1;

static void on_step(void *context, const char *subject, const char *text)
{
    Progress *progress = context;
    progress->subject = subject;
    if (text)
        progress_say(progress, text);
}

static ExitCode report_exit_code(const VerifyReport *report)
{
    if (report->judge_error)
        return EXIT_JUDGE_ERROR;
    if (report->level_counts[LEVEL_ERROR] > 0)
        return EXIT_FINDINGS;
    return report->level_counts[LEVEL_TIMING] > 0 ? EXIT_UNSTABLE : EXIT_ALL_WELL;
}

static bool print_report(const VerifyVerbOptions *options, const VerifyReport *report, Error *error)
{
    TerminalStyle style = terminal_style(&options->global, NULL);
    if (options->is_json)
        return json_write(verify_to_json(report), stdout, error);
    verify_print_terminal(report, &style, stdout);
    return true;
}

static bool verify(Session *session, const VerifyVerbOptions *options, VerifyReport **ret_report, Error *error)
{
    VerifyOptions wishes = {.is_fast = options->is_fast,
                            .calibrates = options->calibrates,
                            .seed = options->seed.is_set ? options->seed.value : default_seed};
    Progress progress = progress_start(&options->global);
    VerifySink sink = {.on_step = on_step, .context = &progress, .events = progress_sink(&progress)};
    bool is_verified =
        verify_package(session->judge, session->problem, &wishes, sink, session->cancel, ret_report, error);
    progress_finish(&progress);
    return is_verified;
}

static ExitCode run_verify(Session *session, const void *raw_options)
{
    const VerifyVerbOptions *options = raw_options;
    VerifyReport *report = NULL;
    auto_error Error error = {0};
    bool is_done = session_open_judging(session, options->problem, &error) &&
                   verify(session, options, &report, &error) && print_report(options, report, &error);
    ExitCode code = is_done ? report_exit_code(report) : session_fail(session, &error);
    verify_report_free(report);
    return code;
}

static const Option verify_options[] = {
    OPTION_ROW_JSON(VerifyVerbOptions),
    {.name = "fast",
     .type = OPTION_FLAG,
     .offset = offsetof(VerifyVerbOptions, is_fast),
     .help = "structure, builds and samples only"},
    {.name = "calibrate",
     .type = OPTION_FLAG,
     .offset = offsetof(VerifyVerbOptions, calibrates),
     .help = "measure what the time limit should be on this machine"},
    {.name = "seed",
     .type = OPTION_NUMBER,
     .offset = offsetof(VerifyVerbOptions, seed),
     .value_name = "N",
     .help = "another seed than the fixed one"},
    {0},
};

const Verb verb_verify = {
    .name = "verify",
    .summary = "check that a problem package keeps its promises",
    .options = verify_options,
    .arguments = (const OptionArgument[]){{.name = "PROBLEM",
                                           .offset = offsetof(VerifyVerbOptions, problem),
                                           .help = "a package's directory, or a name of `gavel problems`"},
                                          {0}},
    .options_size = sizeof(VerifyVerbOptions),
    .run = run_verify,
    .notes = "Exit codes: 0 verified, 1 findings, 2 wrong usage or unreadable package, 3 judge error,\n"
             "4 the only findings are about timing. Warnings do not change the exit code.",
};
