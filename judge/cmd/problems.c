/* gavel problems: what there is to practise. */
#include <string.h>

#include "cmd/command.h"

typedef struct ProblemsOptions {
    GlobalOptions global;
    const char *lang;
    bool is_json;
} ProblemsOptions;

static json_t *keywords_json(const char **keywords)
{
    json_t *list = json_array();
    for (; keywords && *keywords; keywords++)
        (void)json_array_append_new(list, json_string(*keywords)); /* out of memory shows as a shorter list */
    return list;
}

static json_t *summary_json(const ProblemSummary *problem)
{
    return json_pack("{s:s, s:s?, s:s?, s:s?, s:s, s:o, s:s?}", "name", problem->name, "title", problem->title,
                     "title_zh", problem->title_zh, "difficulty", problem->difficulty, "directory", problem->directory,
                     "keywords", keywords_json(problem->keywords), "error", problem->error);
}

static bool print_json(const ProblemSummary *list, size_t count, Error *error)
{
    json_t *problems = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(problems, summary_json(&list[i]));
    return json_write(json_pack("{s:i, s:o}", "schema", 1, "problems", problems), stdout, error);
}

static void print_keywords(const char **keywords)
{
    for (size_t i = 0; keywords && keywords[i]; i++)
        printf("%s%s", i ? ", " : "", keywords[i]);
}

static int widest_name(const ProblemSummary *list, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i].name) > width)
            width = strlen(list[i].name);
    return (int)width;
}

/* Name and difficulty are ASCII and stand in columns; a title may be Chinese, so nothing is aligned after it. */
static void print_problem(const ProblemSummary *problem, int width, const TerminalStyle *style)
{
    const char *title = style->is_chinese && problem->title_zh ? problem->title_zh : problem->title;
    printf("%-*s  ", width, problem->name);
    if (problem->error) {
        printf("unreadable: %s\n", problem->error);
        return;
    }
    printf("%-6s  %s", problem->difficulty ? problem->difficulty : "-", title ? title : "");
    if (problem->keywords && problem->keywords[0]) {
        fputs(style->has_colour ? "  \x1b[2m" : "  (", stdout);
        print_keywords(problem->keywords);
        fputs(style->has_colour ? "\x1b[0m" : ")", stdout);
    }
    putchar('\n');
}

static bool print_list(const ProblemsOptions *options, const ProblemSummary *list, size_t count, Error *error)
{
    if (options->is_json)
        return print_json(list, count, error);
    TerminalStyle style = terminal_style(&options->global, options->lang);
    int width = widest_name(list, count);
    for (size_t i = 0; i < count; i++)
        if (style.is_quiet)
            puts(list[i].name);
        else
            print_problem(&list[i], width, &style);
    return true;
}

static bool list_problems(const Session *session, const ProblemsOptions *options, Error *error)
{
    ProblemSummary *list = NULL;
    size_t count = 0;
    if (!*session->search_path)
        return error_input(error, "no problem bank found; say --problems PATH or set GAVEL_PROBLEMS");
    if (!bank_list(session->search_path, session->arena, &list, &count, error))
        return false;
    if (count == 0)
        return error_input(error, "there are no problems in %s", session->search_path);
    return print_list(options, list, count, error);
}

static ExitCode run_problems(Session *session, const void *options)
{
    auto_error Error error = {0};
    return list_problems(session, options, &error) ? EXIT_ALL_WELL : session_fail(session, &error);
}

static const Option problems_options[] = {
    OPTION_ROW_JSON(ProblemsOptions),
    OPTION_ROW_LANG(ProblemsOptions),
    {0},
};

const Verb verb_problems = {
    .name = "problems",
    .summary = "list the problems",
    .options = problems_options,
    .options_size = sizeof(ProblemsOptions),
    .run = run_problems,
};
