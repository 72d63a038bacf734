/* gavel judge: the whole journey of one submission, and its report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/fd.h"
#include "cmd/progress.h"
#include "cmd/source.h"

typedef struct JudgeOptions {
    GlobalOptions global;
    const char *problem, *file, *language, *lang, *out;
    OptionNumber seed;
    bool is_json, has_no_probe, is_exhaustive, is_cache_off;
} JudgeOptions;

/* ---- the job ------------------------------------------------------------------------------------------------ */

static bool choose_seed(OptionNumber wish, uint64_t *ret_seed, Error *error)
{
    *ret_seed = wish.value;
    if (wish.is_set)
        return true;
    ssize_t got = getrandom(ret_seed, sizeof *ret_seed, 0);
    return got == (ssize_t)sizeof *ret_seed || error_system(error, "drawing a seed");
}

static bool make_job(const JudgeOptions *options, const Source *source, const Problem *problem, JudgeJob *ret_job,
                     Error *error)
{
    *ret_job = source_job(source, problem);
    ret_job->is_exhaustive = options->is_exhaustive;
    return choose_seed(options->seed, &ret_job->seed, error);
}

/* ---- --out -------------------------------------------------------------------------------------------------- */

static bool write_out(const char *directory, const char *name, const void *data, size_t size, Error *error)
{
    auto_arena Arena *arena = arena_new();
    return fd_replace_file(arena_format(arena, "%s/%s", directory, name), data, size, 0644, error);
}

static bool write_out_buffer(const char *directory, const char *name, const Buffer *content, Error *error)
{
    return write_out(directory, name, buffer_text(content), content->size, error);
}

static bool write_text_report(const char *directory, const Report *report, const TerminalStyle *style, Error *error)
{
    auto_free char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return error_system(error, "making report.txt");
    TerminalStyle plain = {.is_chinese = style->is_chinese, .width = 100};
    report_print_terminal(report, &plain, stream);
    if (fclose(stream) != 0)
        return error_system(error, "making report.txt");
    return write_out(directory, "report.txt", text, size, error);
}

/* The copy of the source has a name of ours, so that no contestant's name can meet the report's. */
static bool write_source(const char *directory, const Source *source, Error *error)
{
    auto_arena Arena *arena = arena_new();
    const char *name = arena_format(arena, "source%s", language_extension(source->language));
    return write_out_buffer(directory, name, &source->content, error);
}

static bool write_out_files(const char *directory, const Report *report, const Source *source,
                            const TerminalStyle *style, const Buffer *json, Error *error)
{
    const char *log = report->compile.log ? report->compile.log : "";
    bool is_written = write_out_buffer(directory, "report.json", json, error) &&
                      write_text_report(directory, report, style, error) && write_source(directory, source, error) &&
                      write_out(directory, "compile.log", log, strlen(log), error);
    return is_written || error_wrap(error, "--out %s", directory);
}

/* Before judging: a directory that can't be written must not cost a finished report. */
static bool prepare_out(const char *directory, Error *error)
{
    if (!directory)
        return true;
    if (fd_make_directories(directory, 0755, error) && access(directory, W_OK | X_OK) == 0)
        return true;
    if (error->kind == ERROR_NONE)
        (void)error_system_input(error, "cannot write into it"); /* the return value is ours to give below */
    error->kind = ERROR_INPUT;
    return error_wrap(error, "--out %s", directory);
}

/* ---- output ------------------------------------------------------------------------------------------------- */

static bool deliver(const JudgeOptions *options, const Report *report, const Source *source, Error *error)
{
    TerminalStyle style = terminal_style(&options->global, options->lang);
    auto_buffer Buffer json = {0};
    if (!report_write_json(report, &json, error))
        return false;
    if (options->is_json)
        fwrite(buffer_text(&json), 1, json.size, stdout);
    else
        report_print_terminal(report, &style, stdout);
    return !options->out || write_out_files(options->out, report, source, &style, &json, error);
}

static bool judge_one(Session *session, const JudgeOptions *options, Source *source, Report **ret_report, Error *error)
{
    Progress progress = progress_start(&options->global);
    EventSink events = progress_sink(&progress);
    JudgeJob job;
    bool is_judged = session_make_data(session, events, error) &&
                     make_job(options, source, session->problem, &job, error) &&
                     judge_submission(session->judge, &job, events, session->cancel, ret_report, error);
    progress_finish(&progress);
    return is_judged;
}

/* What the contestant gave is looked at before anything is opened or made: a typo is answered at once. */
static bool judge_file(Session *session, const JudgeOptions *options, Report **ret_report, Error *error)
{
    auto_source Source source = {0};
    return source_read(options->file, options->language, &source, error) && prepare_out(options->out, error) &&
           session_open_judging(session, options->problem, error) &&
           judge_one(session, options, &source, ret_report, error) && deliver(options, *ret_report, &source, error);
}

static ExitCode run_judge(Session *session, const void *raw_options)
{
    const JudgeOptions *options = raw_options;
    Report *report = NULL;
    auto_error Error error = {0};
    session->is_cache_off = options->is_cache_off;
    bool is_done = judge_file(session, options, &report, &error);
    ExitCode code = is_done ? verdict_exit_code(report->verdict) : session_fail(session, &error);
    if (report)
        report_free(report);
    return code;
}

static const Option judge_options[] = {
    {.name = "language",
     .type = OPTION_TEXT,
     .offset = offsetof(JudgeOptions, language),
     .value_name = "LANGUAGE",
     .help = "c, cpp or python3, if the file's name does not tell"},
    OPTION_ROW_JSON(JudgeOptions),
    {.name = "out",
     .type = OPTION_TEXT,
     .offset = offsetof(JudgeOptions, out),
     .value_name = "DIR",
     .help = "also write report.json, report.txt, compile.log and the source there"},
    {.name = "seed",
     .type = OPTION_NUMBER,
     .offset = offsetof(JudgeOptions, seed),
     .value_name = "N",
     .help = "make the run repeatable; a random one is drawn and reported otherwise"},
    {.name = "all",
     .type = OPTION_FLAG,
     .offset = offsetof(JudgeOptions, is_exhaustive),
     .help = "run every test, also after one failed"},
    {.name = "no-probe",
     .type = OPTION_FLAG,
     .offset = offsetof(JudgeOptions, has_no_probe),
     .help = "do not measure how the cost grows with the input"},
    {.name = "no-cache",
     .type = OPTION_FLAG,
     .offset = offsetof(JudgeOptions, is_cache_off),
     .help = "build anew, and keep nothing"},
    OPTION_ROW_LANG(JudgeOptions),
    {0},
};

const Verb verb_judge = {
    .name = "judge",
    .summary = "judge a solution against all tests, hidden ones included",
    .options = judge_options,
    .arguments =
        (const OptionArgument[]){
            ARGUMENT_ROW_PROBLEM(JudgeOptions),
            {.name = "FILE", .offset = offsetof(JudgeOptions, file), .help = "the solution"},
            {0},
        },
    .options_size = sizeof(JudgeOptions),
    .run = run_judge,
    .notes = "Exit codes: 0 accepted, 1 not accepted, 2 wrong usage or unreadable input, 3 judge error.",
};
