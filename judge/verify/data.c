/* Generated tests: they can be made, come out the same each time, and are what the lock file says. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/hash.h"
#include "core/context.h"
#include "verify/stage.h"

/* ---- scratch directories ------------------------------------------------------------------------------------ */

/* Named and locked like the unfinished data of the cache: should we be killed, the next start sweeps it. */
typedef struct Scratch {
    const char *path; /* NULL: not made */
    int lock_fd;
} Scratch;

static bool make_scratch(VerifyRun *run, Scratch *scratch, Error *error)
{
    char *path = arena_format(run->arena, "%s/" DATA_TEMPORARY_PREFIX "verify-XXXXXX", judge_data_cache(run->judge));
    if (!mkdtemp(path))
        return error_system(error, "cannot make %s", path);
    scratch->path = path;
    scratch->lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return (scratch->lock_fd >= 0 && flock(scratch->lock_fd, LOCK_EX | LOCK_NB) == 0) ||
           error_system(error, "cannot lock %s", path);
}

static void remove_scratch(Scratch *scratch)
{
    if (scratch->path)
        cache_remove_tree(scratch->path);
    fd_cleanup(&scratch->lock_fd);
}

/* ---- comparing ---------------------------------------------------------------------------------------------- */

static bool hash_file(const char *path, char ret_text[HASH_TEXT_SIZE], Error *error)
{
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "cannot open %s", path);
    return hash_fd_text(fd, ret_text, error);
}

static bool compare_file(VerifyRun *run, const char *const directories[2], const char *name, const char *suffix,
                         Error *error)
{
    char hashes[2][HASH_TEXT_SIZE];
    for (size_t i = 0; i < 2; i++)
        if (!hash_file(arena_format(run->arena, "%s/%s%s", directories[i], name, suffix), hashes[i], error))
            return false;
    if (strcmp(hashes[0], hashes[1]) != 0)
        verify_find(run, RULE_DATA_NOT_REPEATABLE, "gavel.yaml", 0, NULL,
                    "%s%s came out differently in two runs (%.12s and %.12s)", name, suffix, hashes[0], hashes[1]);
    return true;
}

static bool compare_runs(VerifyRun *run, const char *const directories[2], Error *error)
{
    for (size_t i = 0; i < run->problem->generated_count; i++) {
        const char *name = run->problem->generated[i].name;
        if (!compare_file(run, directories, name, ".in", error) || !compare_file(run, directories, name, ".ans", error))
            return false;
    }
    return true;
}

/* ---- making ------------------------------------------------------------------------------------------------- */

/* True also when the package cannot make them: that is a finding, and *ret_is_made says so. */
static bool generate(VerifyRun *run, const char *target, bool *ret_is_made, Error *error)
{
    const char *command = arena_format(run->arena, "gavel generate %s --into /tmp/data",
                                       verify_quote(run->arena, run->problem->directory));
    *ret_is_made = judge_generate_data(run->judge, run->problem, target, run->sink.events, run->cancel, error);
    if (*ret_is_made)
        return true;
    if (error->kind != ERROR_INPUT)
        return false;
    verify_find(run, RULE_DATA_NOT_MADE, "gavel.yaml", 0, command, "%s", error_text(error));
    error_clear(error);
    run->has_no_data = true;
    return true;
}

static bool generate_twice(VerifyRun *run, Error *error)
{
    Scratch scratch[2] = {{NULL, -1}, {NULL, -1}};
    bool is_made = true, is_run = true;
    for (size_t i = 0; i < 2 && is_run && is_made; i++)
        is_run = make_scratch(run, &scratch[i], error) && generate(run, scratch[i].path, &is_made, error);
    if (is_run && is_made)
        is_run = compare_runs(run, (const char *const[]){scratch[0].path, scratch[1].path}, error);
    for (size_t i = 0; i < 2; i++)
        remove_scratch(&scratch[i]);
    return is_run;
}

static void check_lock(VerifyRun *run)
{
    size_t unlocked = 0;
    for (size_t i = 0; i < run->problem->generated_count; i++)
        unlocked += !run->problem->generated[i].input_sha256 || !run->problem->generated[i].answer_sha256;
    if (unlocked > 0)
        verify_find(run, RULE_DATA_NOT_LOCKED, "data/gavel.lock", 0,
                    arena_format(run->arena, "gavel generate %s --write-lock",
                                 verify_quote(run->arena, run->problem->directory)),
                    "%zu of %zu generated tests have no hash there", unlocked, run->problem->generated_count);
}

/* ---- duplicates --------------------------------------------------------------------------------------------- */

static bool check_duplicates(VerifyRun *run, Error *error)
{
    const Problem *problem = run->problem;
    char(*hashes)[HASH_TEXT_SIZE] = arena_alloc(run->arena, problem->test_count * sizeof *hashes);
    for (size_t i = 0; i < problem->test_count; i++) {
        if (!hash_file(problem->tests[i].input_path, hashes[i], error))
            return false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(hashes[i], hashes[j]) == 0 && !problem->tests[j].is_sample) {
                verify_find(run, RULE_DUPLICATE_TEST, problem->tests[i].input_path, 0, NULL,
                            "%s has the same input as %s", problem->tests[i].name, problem->tests[j].name);
                break;
            }
    }
    return true;
}

bool verify_data(VerifyRun *run, Error *error)
{
    check_lock(run);
    if (run->options->is_fast)
        return true;
    bool is_made = true;
    if (run->problem->generated_count > 0 && !generate_twice(run, error))
        return false;
    if (!run->has_no_data && problem_missing_data(run->problem) > 0 && !generate(run, NULL, &is_made, error))
        return false;
    return run->has_no_data || check_duplicates(run, error);
}
