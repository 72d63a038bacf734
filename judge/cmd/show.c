/* gavel show: a problem's statement, limits and samples. */
#include <string.h>

#include "base/fd.h"
#include "cmd/command.h"
#include "cmd/markdown.h"

typedef struct ShowOptions {
    GlobalOptions global;
    const char *problem, *lang;
} ShowOptions;

enum { STATEMENT_MAX_BYTES = 1 << 20, SAMPLE_SHOWN_BYTES = 4096 };

typedef struct ShowWords {
    const char *time, *memory, *stack, *sample, *input, *output, *missing, *none;
} ShowWords;

static const ShowWords words_en = {
    "time", "memory", "stack", "Sample", "input", "output", "(the package has no statement)", "not set yet"};
static const ShowWords words_zh = {"时间", "内存", "栈", "样例", "输入", "输出", "（题目没有题面）", "尚未设定"};

/* ---- parts -------------------------------------------------------------------------------------------------- */

static void print_heading(const TerminalStyle *style, const char *text)
{
    printf(style->has_colour ? "\x1b[1m%s\x1b[0m\n" : "%s\n", text);
}

static void print_limits(const Problem *problem, const ShowWords *words)
{
    const ProblemLimits *limits = &problem->limits;
    if (limits->time_ns > 0)
        printf("%s %g s", words->time, (double)limits->time_ns / 1e9);
    else
        printf("%s: %s", words->time, words->none);
    printf(", %s %lld MiB, %s %lld MiB\n\n", words->memory, (long long)(limits->memory_bytes >> 20), words->stack,
           (long long)(limits->stack_bytes >> 20));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool print_statement(const Problem *problem, const char *path, const TerminalStyle *style, Error *error)
{
    auto_buffer Buffer raw = {0};
    if (!fd_read_file(path, STATEMENT_MAX_BYTES, &raw, error))
        return false;
    const char *text = report_printable(problem->arena, buffer_text(&raw), raw.size, STATEMENT_MAX_BYTES, true);
    if (ends_with(path, ".md"))
        markdown_print(text, style->has_colour, stdout);
    else
        fputs(text, stdout); /* TeX: its source is the best a terminal can show */
    putchar('\n');
    return true;
}

static bool print_file(const Problem *problem, const char *what, const char *path, Error *error)
{
    auto_buffer Buffer raw = {0};
    if (!fd_read_file(path, STATEMENT_MAX_BYTES, &raw, error))
        return false;
    printf("%s:\n", what);
    fputs(report_printable(problem->arena, buffer_text(&raw), raw.size, SAMPLE_SHOWN_BYTES, true), stdout);
    if (raw.size == 0 || raw.data[raw.size - 1] != '\n' || raw.size > SAMPLE_SHOWN_BYTES)
        putchar('\n');
    return true;
}

static bool print_sample(const Problem *problem, const TestCase *test, const ShowWords *words,
                         const TerminalStyle *style, Error *error)
{
    const char *slash = strrchr(test->name, '/');
    print_heading(style, arena_format(problem->arena, "%s %s", words->sample, slash ? slash + 1 : test->name));
    if (!print_file(problem, words->input, test->input_path, error) ||
        !print_file(problem, words->output, test->answer_path, error))
        return false;
    putchar('\n');
    return true;
}

/* Hidden tests are never opened here. */
static bool print_samples(const Problem *problem, const ShowWords *words, const TerminalStyle *style, Error *error)
{
    for (size_t i = 0; i < problem->test_count; i++)
        if (problem->tests[i].is_sample && !print_sample(problem, &problem->tests[i], words, style, error))
            return false;
    return true;
}

/* ---- the verb ----------------------------------------------------------------------------------------------- */

static bool print_problem(const Problem *problem, const ShowOptions *options, Error *error)
{
    TerminalStyle style = terminal_style(&options->global, options->lang);
    const ShowWords *words = style.is_chinese ? &words_zh : &words_en;
    const char *other = problem->statement_path ? problem->statement_path : problem->statement_zh_path;
    const char *path = style.is_chinese && problem->statement_zh_path ? problem->statement_zh_path : other;
    print_heading(&style, style.is_chinese && problem->title_zh ? problem->title_zh : problem->title);
    print_limits(problem, words);
    if (path && !print_statement(problem, path, &style, error))
        return false;
    if (!path)
        printf("%s\n\n", words->missing);
    return print_samples(problem, words, &style, error);
}

static ExitCode run_show(Session *session, const void *raw_options)
{
    const ShowOptions *options = raw_options;
    auto_error Error error = {0};
    bool is_shown =
        session_load_problem(session, options->problem, &error) && print_problem(session->problem, options, &error);
    return is_shown ? EXIT_ALL_WELL : session_fail(session, &error);
}

static const Option show_options[] = {OPTION_ROW_LANG(ShowOptions), {0}};

const Verb verb_show = {
    .name = "show",
    .summary = "print a problem's statement, limits and samples",
    .options = show_options,
    .arguments = (const OptionArgument[]){ARGUMENT_ROW_PROBLEM(ShowOptions), {0}},
    .options_size = sizeof(ShowOptions),
    .run = run_show,
};
