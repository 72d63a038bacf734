/* gavel test: the samples, or an input of one's own beside the reference's answer. Hidden tests stay closed. */
#include <string.h>

#include "cmd/progress.h"
#include "cmd/source.h"

typedef struct TestOptions {
    GlobalOptions global;
    const char *problem, *file, *input, *language, *lang;
    bool is_json;
} TestOptions;

enum { SHOWN_BYTES = 64 * 1024 };

/* ---- samples ------------------------------------------------------------------------------------------------ */

static bool print_report(const TestOptions *options, const Report *report, Error *error)
{
    auto_buffer Buffer json = {0};
    TerminalStyle style = terminal_style(&options->global, options->lang);
    if (!options->is_json)
        return report_print_terminal(report, &style, stdout), true;
    if (!report_write_json(report, &json, error))
        return false;
    fwrite(buffer_text(&json), 1, json.size, stdout);
    return true;
}

static bool test_samples(Session *session, const TestOptions *options, const JudgeJob *job, Progress *progress,
                         ExitCode *ret_code, Error *error)
{
    Report *report = NULL;
    bool is_judged = judge_submission(session->judge, job, progress_sink(progress), session->cancel, &report, error);
    progress_finish(progress);
    if (!is_judged)
        return false;
    *ret_code = verdict_exit_code(report->verdict);
    bool is_printed = print_report(options, report, error);
    report_free(report);
    return is_printed;
}

/* ---- an input of one's own ---------------------------------------------------------------------------------- */

static void print_block(const CustomRun *run, const char *title, const char *data, size_t size)
{
    printf("%s\n", title);
    if (size == 0)
        puts("(empty)");
    const char *text = report_printable(run->report->arena, data, size, SHOWN_BYTES, true);
    fputs(text, stdout);
    if (*text && text[strlen(text) - 1] != '\n')
        putchar('\n');
    if (size > SHOWN_BYTES)
        printf("(%zu bytes more)\n", size - SHOWN_BYTES);
}

/* The report tells all about a build that failed or a crash; after a clean run the outputs say more. */
static void print_custom(const TestOptions *options, const CustomRun *run)
{
    TerminalStyle style = terminal_style(&options->global, options->lang);
    Verdict verdict = run->report->verdict;
    bool has_run_cleanly = verdict == VERDICT_ACCEPTED || verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NONE;
    if (!has_run_cleanly)
        report_print_terminal(run->report, &style, stdout);
    if (run->output)
        print_block(run, "--- your output", run->output, run->output_size);
    if (run->answer)
        print_block(run, "--- the reference's answer", run->answer, run->answer_size);
    if (!run->answer)
        printf("--- no reference answer: %s\n",
               run->answer_error ? run->answer_error : "the problem has no model solution");
    else if (has_run_cleanly)
        puts(verdict == VERDICT_ACCEPTED ? "--- they agree" : "--- they DIFFER");
}

static bool print_custom_json(const CustomRun *run, Error *error)
{
    Arena *arena = run->report->arena;
    const char *output = run->output ? report_printable(arena, run->output, run->output_size, SHOWN_BYTES, true) : NULL;
    const char *answer = run->answer ? report_printable(arena, run->answer, run->answer_size, SHOWN_BYTES, true) : NULL;
    auto_buffer Buffer report = {0};
    if (!report_write_json(run->report, &report, error))
        return false;
    return json_write(json_pack("{s:i, s:s, s:s?, s:s?, s:s?, s:o?}", "schema", 1, "verdict",
                                verdict_row(run->report->verdict)->word, "output", output, "answer", answer,
                                "answer_error", run->answer_error, "report", json_loads(buffer_text(&report), 0, NULL)),
                      stdout, error);
}

/* Without an answer a run that ended well proves nothing: neither agreement nor difference. */
static ExitCode custom_exit_code(const CustomRun *run)
{
    Verdict verdict = run->report->verdict;
    bool has_ended_well = verdict == VERDICT_NONE || verdict == VERDICT_ACCEPTED;
    return has_ended_well && !run->answer ? EXIT_USAGE : verdict_exit_code(verdict);
}

static bool test_input(Session *session, const TestOptions *options, const JudgeJob *job, const Buffer *input,
                       Progress *progress, ExitCode *ret_code, Error *error)
{
    CustomRun run = {0};
    bool is_run = judge_custom_input(session->judge, job, buffer_text(input), input->size, progress_sink(progress),
                                     session->cancel, &run, error);
    progress_finish(progress);
    if (!is_run)
        return false;
    *ret_code = custom_exit_code(&run);
    bool is_printed = true;
    if (options->is_json)
        is_printed = print_custom_json(&run, error);
    else
        print_custom(options, &run);
    custom_run_done(&run);
    return is_printed;
}

/* ---- the verb ----------------------------------------------------------------------------------------------- */

static bool test_file(Session *session, const TestOptions *options, ExitCode *ret_code, Error *error)
{
    auto_source Source source = {0};
    auto_buffer Buffer input = {0};
    if (!source_read(options->file, options->language, &source, error) ||
        (options->input && !source_read_input(options->input, &input, error)) ||
        !session_open_judging(session, options->problem, error))
        return false;
    JudgeJob job = source_job(&source, session->problem);
    job.tests = JUDGE_SAMPLES;
    job.is_exhaustive = true; /* samples are few, and all of them teach something */
    Progress progress = progress_start(&options->global);
    return options->input ? test_input(session, options, &job, &input, &progress, ret_code, error)
                          : test_samples(session, options, &job, &progress, ret_code, error);
}

static ExitCode run_test(Session *session, const void *options)
{
    auto_error Error error = {0};
    ExitCode code;
    return test_file(session, options, &code, &error) ? code : session_fail(session, &error);
}

static const Option test_options[] = {
    {.name = "input",
     .type = OPTION_TEXT,
     .offset = offsetof(TestOptions, input),
     .value_name = "FILE",
     .help = "run on this input instead of the samples (- is standard input)"},
    {.name = "language",
     .type = OPTION_TEXT,
     .offset = offsetof(TestOptions, language),
     .value_name = "LANGUAGE",
     .help = "c, cpp or python3, if the file's name does not tell"},
    OPTION_ROW_JSON(TestOptions),
    OPTION_ROW_LANG(TestOptions),
    {0},
};

const Verb verb_test = {
    .name = "test",
    .summary = "try a solution on the samples, or on an input of your own",
    .options = test_options,
    .arguments =
        (const OptionArgument[]){
            ARGUMENT_ROW_PROBLEM(TestOptions),
            {.name = "FILE", .offset = offsetof(TestOptions, file), .help = "the solution"},
            {0},
        },
    .options_size = sizeof(TestOptions),
    .run = run_test,
    .notes = "Hidden tests are never opened by this command.",
};
