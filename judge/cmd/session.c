/* Where problems and the cache are, and the one place that turns an Error into a line and an exit code. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd/command.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* ---- the bank ----------------------------------------------------------------------------------------------- */

/* Installed beside us, or the source tree around build/, or where `make install` put it. */
static const char *find_bank(Arena *arena)
{
    static const char *const below_executable[] = {"../share/gavel/problems", "../problems"};
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(executable, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof below_executable / sizeof *below_executable; i++) {
        auto_free char *path = realpath(arena_format(arena, "%s/%s", executable, below_executable[i]), NULL);
        if (path && is_directory(path))
            return arena_string(arena, path);
    }
    return is_directory(GAVEL_PREFIX "/share/gavel/problems") ? GAVEL_PREFIX "/share/gavel/problems" : "";
}

/* A folder that the user names must exist: a typo would else look like an empty bank. */
static bool check_search_path(Arena *arena, const char *search_path, Error *error)
{
    char *folders = arena_string(arena, search_path), *state = NULL;
    for (char *folder = strtok_r(folders, ":", &state); folder; folder = strtok_r(NULL, ":", &state))
        if (!is_directory(folder))
            return error_input(error, "the problem folder %s does not exist or is no directory", folder);
    return true;
}

/* ---- session ------------------------------------------------------------------------------------------------ */

bool session_open(Session *session, Error *error)
{
    session->cache = session->global->cache ? session->global->cache : judge_default_cache(session->arena);
    session->search_path = session->global->problems ? session->global->problems : find_bank(session->arena);
    return check_search_path(session->arena, session->search_path, error);
}

void session_close(Session *session)
{
    if (session->problem)
        problem_free(session->problem);
    if (session->judge)
        judge_close(session->judge);
}

static bool open_judge(Session *session, Error *error)
{
    JudgeConfig config = {.cache_directory = session->cache, .is_cache_off = session->is_cache_off};
    return judge_open(&config, &session->judge, error);
}

static bool find_problem(Session *session, const char *name, const char **ret_directory, Error *error)
{
    if (bank_find(session->search_path, name, session->arena, ret_directory, error))
        return true;
    bool has_no_bank = !*session->search_path && !strchr(name, '/') && error->kind == ERROR_INPUT;
    return has_no_bank &&
           error_input(error, "no problem '%s', and no problem bank; say --problems PATH or set GAVEL_PROBLEMS", name);
}

bool session_load_problem(Session *session, const char *name, Error *error)
{
    const char *directory;
    /* without a judge nothing is read from the cache, but the paths of generated tests are made of something */
    ProblemPaths paths = {.data_cache = session->judge ? judge_data_cache(session->judge)
                                                       : arena_format(session->arena, "%s/data", session->cache)};
    return find_problem(session, name, &directory, error) && problem_load(directory, &paths, &session->problem, error);
}

bool session_open_judging(Session *session, const char *name, Error *error)
{
    const char *directory; /* a mistyped name is answered before a sandbox is opened */
    return find_problem(session, name, &directory, error) && open_judge(session, error) &&
           session_load_problem(session, name, error);
}

bool session_make_data(Session *session, EventSink events, Error *error)
{
    if (problem_missing_data(session->problem) == 0)
        return true;
    return judge_generate_data(session->judge, session->problem, NULL, events, session->cancel, error) ||
           error_wrap(error, "making the tests of %s", session->problem->name);
}

ExitCode session_fail(const Session *session, const Error *error)
{
    if (session->cancel->is_cancelled)
        return EXIT_JUDGE_ERROR; /* main says what happened */
    fprintf(stderr, "%s: %s%s\n", session->program, error->kind == ERROR_FAULT ? "judge error: " : "",
            error_text(error));
    return error->kind == ERROR_INPUT ? EXIT_USAGE : EXIT_JUDGE_ERROR;
}

ExitCode verdict_exit_code(Verdict verdict)
{
    if (verdict == VERDICT_ACCEPTED)
        return EXIT_ALL_WELL;
    return verdict == VERDICT_JUDGE_ERROR ? EXIT_JUDGE_ERROR : EXIT_FINDINGS;
}
