/* What can be seen without running anything: statements, samples, the right kinds of programs, the loader's warnings.
 */
#include <stdlib.h>
#include <string.h>

#include "verify/stage.h"

/* Splits the loader's "FILE:LINE: text"; without that form the whole is text. */
static void find_loader_warning(VerifyRun *run, const char *warning)
{
    const char *colon = strchr(warning, ':');
    char *end = NULL;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    if (!colon || end == colon + 1 || *end != ':') {
        verify_find(run, RULE_PACKAGE_WARNING, "", 0, NULL, "%s", warning);
        return;
    }
    const char *file = arena_format(run->arena, "%.*s", (int)(colon - warning), warning);
    verify_find(run, RULE_PACKAGE_WARNING, file, (int)line, NULL, "%s", end + 1 + strspn(end + 1, " "));
}

static bool has_sample(const Problem *problem)
{
    for (size_t i = 0; i < problem->test_count; i++)
        if (problem->tests[i].is_sample)
            return true;
    return false;
}

/* A submission that may get nothing but AC; and its opposite, one that must get something else. */
static bool must_be_accepted(const Expectation *expectation)
{
    return expectation->permitted == 1u << KATTIS_AC;
}

static bool must_fail(const Expectation *expectation)
{
    return expectation->required != 0 && !(expectation->required & 1u << KATTIS_AC);
}

static bool has_submission(const Problem *problem, bool (*test)(const Expectation *expectation))
{
    for (size_t i = 0; i < problem->submission_count; i++)
        for (size_t j = 0; j < problem->submissions[i].expectation_count; j++)
            if (test(&problem->submissions[i].expectations[j]))
                return true;
    return false;
}

/* ---- statements --------------------------------------------------------------------------------------------- */

/* statement/problem.en.md, or a legacy problem_statement/problem.tex, whose language is English by default. */
static bool is_english(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strchr(name, '.');
    return strstr(name, ".en.") || (dot && !strchr(dot + 1, '.'));
}

static void check_statements(VerifyRun *run)
{
    const Problem *problem = run->problem;
    if (!problem->statement_path && !problem->statement_zh_path)
        verify_find(run, RULE_NO_STATEMENT, "statement", 0, NULL, "nobody can know what to solve");
    else if (!problem->statement_path || !is_english(problem->statement_path))
        verify_find(run, RULE_NO_STATEMENT_EN, "statement", 0, NULL, "problem.en.md (or .tex) is missing");
    if (!problem->statement_zh_path)
        verify_find(run, RULE_NO_STATEMENT_ZH, "statement", 0, NULL, "problem.zh.md (or .tex) is missing");
}

/* ---- the stage ---------------------------------------------------------------------------------------------- */

bool verify_structure(VerifyRun *run, Error *error)
{
    (void)error;
    const Problem *problem = run->problem;
    for (const char **warning = problem->warnings; warning && *warning; warning++)
        find_loader_warning(run, *warning);
    check_statements(run);
    if (!has_sample(problem))
        verify_find(run, RULE_NO_SAMPLE, "data/sample", 0, NULL, "contestants have no example to try");
    if (problem->input_validator_count == 0)
        verify_find(run, RULE_NO_INPUT_VALIDATOR, "input_validators", 0, NULL,
                    "nothing proves that the tests keep the statement's promises");
    if (!has_submission(problem, must_be_accepted))
        verify_find(run, RULE_NO_ACCEPTED, "submissions/accepted", 0, NULL,
                    "nothing shows that the problem can be solved within its limits");
    if (!has_submission(problem, must_fail))
        verify_find(run, RULE_NO_REJECTED, "submissions", 0, NULL,
                    "nothing shows that the tests catch a wrong solution");
    return true;
}
