/* Generated test data: the generator writes an input, the model solution its answer, the lock file vouches for both.
 *
 * Data appears in the cache as a whole directory, by one rename: a judge that sees it sees all of it. A lock file
 * beside it keeps a second judge from making the same data, and while it waits the data usually turns up. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "core/author.h"
#include "core/context.h"
#include "core/event.h"
#include "core/jail.h"
#include "core/verdict.h"

enum { LOCK_POLL_MS = 50 };
#define GENERATED_MAX_BYTES (INT64_C(256) << 20)

typedef struct Hashes {
    char input[HASH_TEXT_SIZE], answer[HASH_TEXT_SIZE];
} Hashes;

/* What all tests of a problem are made with. */
typedef struct Maker {
    Judge *judge;
    const Problem *problem;
    EventSink events;
    const CancelToken *cancel;
    Arena *arena;
    Program generator, model;
} Maker;

static void maker_done(Maker *maker)
{
    program_done(&maker->generator);
    program_done(&maker->model);
    arena_free(maker->arena);
}
#define auto_maker __attribute__((cleanup(maker_done)))

static Maker maker_init(Judge *judge, const Problem *problem, EventSink events, const CancelToken *cancel)
{
    return (Maker){.judge = judge,
                   .problem = problem,
                   .events = events,
                   .cancel = cancel,
                   .arena = arena_new(),
                   .generator = program_none(),
                   .model = program_none()};
}

static bool maker_build(Maker *maker, Error *error)
{
    const Problem *problem = maker->problem;
    const char *model = author_model_path(problem);
    if (!problem->generator)
        return error_input(error, "%s has no generator (gavel.yaml, data.generator)", problem->name);
    if (!model)
        return error_input(error, "%s has no model solution to write the answers", problem->name);
    return author_build(maker->judge, problem, problem->generator->path, "generator", maker->cancel, maker->arena,
                        &maker->generator, error) &&
           author_build(maker->judge, problem, model, "model solution", maker->cancel, maker->arena, &maker->model,
                        error);
}

/* ---- one test ------------------------------------------------------------------------------------------------- */

static bool run_generator(Maker *maker, const GeneratedTest *test, SandboxResult *ret_result, Error *error)
{
    RunRequest request = {.program = &maker->generator,
                          .profile = SANDBOX_PROFILE_AUTHOR,
                          .args = (const char *const *)test->args,
                          .limits = run_author_limits(maker->problem)};
    request.limits.output_bytes = GENERATED_MAX_BYTES;
    if (!run_program(maker->judge, &request, maker->cancel, ret_result, error))
        return false;
    if (ret_result->cause == SANDBOX_CAUSE_EXIT && ret_result->signal == 0 && ret_result->exit_code == 0)
        return true;
    const char *message = author_message(ret_result, maker->arena);
    return error_input(error, "the generator failed: %s%s%s", author_what(ret_result, maker->arena),
                       *message ? ": " : "", message);
}

static bool run_model(Maker *maker, const SandboxResult *generated, SandboxResult *ret_result, Error *error)
{
    auto_run_input RunInput input = run_input_none();
    int64_t time_limit_ns = maker->problem->limits.validation_time_ns;
    if (!run_input_from_fd(generated->output_fd, &input, error))
        return false;
    RunRequest request = {.program = &maker->model,
                          .profile = maker->model.language->run_profile,
                          .input = &input,
                          .limits = run_limits(maker->problem, time_limit_ns)};
    if (!run_program(maker->judge, &request, maker->cancel, ret_result, error))
        return false;
    if (verdict_decide(ret_result, time_limit_ns) == VERDICT_ACCEPTED)
        return true;
    const char *message = author_message(ret_result, maker->arena);
    return error_input(error, "the model solution failed: %s%s%s", author_what(ret_result, maker->arena),
                       *message ? ": " : "", message);
}

/* Hashes an output, and writes it unless `path` is NULL. */
static bool keep_output(const SandboxResult *result, const char *path, char ret_hash[HASH_TEXT_SIZE], Error *error)
{
    auto_run_output RunOutput output = {.data = ""};
    if (!run_output_map(result, &output, error))
        return false;
    hash_bytes_text(output.data, output.size, ret_hash);
    return !path || fd_replace_file(path, output.data, output.size, 0644, error);
}

static const char *file_path(Maker *maker, const char *directory, const char *name, const char *suffix)
{
    return directory ? arena_format(maker->arena, "%s/%s%s", directory, name, suffix) : NULL;
}

static bool make_parent(const char *path, Error *error)
{
    auto_free char *directory = path ? strdup(path) : NULL;
    char *slash = directory ? strrchr(directory, '/') : NULL;
    if (!slash)
        return true;
    *slash = '\0';
    return fd_make_directories(directory, 0755, error);
}

/* `directory` NULL: only the hashes are wanted. */
static bool make_test(Maker *maker, const GeneratedTest *test, const char *directory, Hashes *ret_hashes, Error *error)
{
    auto_jail_result SandboxResult generated = JAIL_RESULT_NONE;
    auto_jail_result SandboxResult answered = JAIL_RESULT_NONE;
    const char *input_path = file_path(maker, directory, test->name, ".in");
    const char *answer_path = file_path(maker, directory, test->name, ".ans");
    return make_parent(input_path, error) && run_generator(maker, test, &generated, error) &&
           keep_output(&generated, input_path, ret_hashes->input, error) &&
           run_model(maker, &generated, &answered, error) &&
           keep_output(&answered, answer_path, ret_hashes->answer, error);
}

static bool check_hash(const char *made, const char *locked, const char *what, Error *error)
{
    if (!locked || strcmp(made, locked) == 0)
        return true; /* without a lock there is nothing to compare with; verify warns about it */
    return error_input(error, "%s has the SHA-256 %.16s..., but data/gavel.lock says %.16s...", what, made, locked);
}

static bool make_checked_test(Maker *maker, const GeneratedTest *test, const char *directory, Error *error)
{
    Hashes hashes;
    return make_test(maker, test, directory, &hashes, error) &&
           check_hash(hashes.input, test->input_sha256, "the generated input", error) &&
           check_hash(hashes.answer, test->answer_sha256, "the model solution's answer", error);
}

static void announce(const Maker *maker, size_t index, size_t count, const char *name)
{
    event_send(maker->events, &(Event){.kind = EVENT_GENERATING, .index = index, .count = count, .name = name});
}

static bool make_all(Maker *maker, const char *directory, Error *error)
{
    const Problem *problem = maker->problem;
    for (size_t i = 0; i < problem->generated_count; i++) {
        announce(maker, i + 1, problem->generated_count, problem->generated[i].name);
        if (!make_checked_test(maker, &problem->generated[i], directory, error))
            return error_wrap(error, "%s", problem->generated[i].name);
    }
    return true;
}

/* ---- into the cache ------------------------------------------------------------------------------------------- */

/* Waits for the lock without losing the cancel token. */
static bool lock(int fd, const CancelToken *cancel, Error *error)
{
    const struct timespec pause = {.tv_nsec = LOCK_POLL_MS * 1000000L};
    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_system(error, "locking");
        if (jail_is_cancelled(cancel))
            return jail_cancelled(error);
        (void)nanosleep(&pause, NULL); /* a signal ends it early, and the token is looked at again */
    }
    return true;
}

/* A directory beside the final one, locked so that nobody sweeps it. */
static bool make_staging(const char *final, Arena *arena, char **ret_path, int *ret_fd, Error *error)
{
    const char *slash = strrchr(final, '/');
    char *path = arena_format(arena, "%.*s/" DATA_TEMPORARY_PREFIX "XXXXXX", (int)(slash - final), final);
    if (!mkdtemp(path))
        return error_system(error, "cannot make a directory beside %s", final);
    *ret_path = path;
    *ret_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*ret_fd < 0 || flock(*ret_fd, LOCK_EX | LOCK_NB) < 0 || fchmod(*ret_fd, 0755) < 0)
        return error_system(error, "cannot lock %s", path);
    return true;
}

/* Data that lost a file is exchanged for the whole one, in one step as well. */
static bool publish(const char *staging, const char *final, Error *error)
{
    if (rename(staging, final) == 0)
        return true;
    if ((errno == ENOTEMPTY || errno == EEXIST) && renameat2(AT_FDCWD, staging, AT_FDCWD, final, RENAME_EXCHANGE) == 0)
        return true;
    return error_system(error, "cannot put the data into %s", final);
}

static bool make_staged(Maker *maker, const char *final, Error *error)
{
    auto_close int staging_fd = -1;
    char *staging = NULL;
    bool is_made = make_staging(final, maker->arena, &staging, &staging_fd, error) && make_all(maker, staging, error) &&
                   publish(staging, final, error);
    if (staging)
        cache_remove_tree(staging); /* what failed, or what was exchanged; nothing after a plain rename */
    return is_made;
}

static bool make_in_cache(Maker *maker, Error *error)
{
    const char *final = problem_data_directory(maker->problem);
    const char *lock_path = arena_format(maker->arena, "%s.lock", final);
    if (!make_parent(lock_path, error))
        return false;
    auto_close int lock_fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock_fd < 0)
        return error_system(error, "cannot open %s", lock_path);
    if (!lock(lock_fd, maker->cancel, error))
        return error_wrap(error, "%s", lock_path);
    if (problem_missing_data(maker->problem) == 0)
        return true; /* made while we waited */
    return maker_build(maker, error) && make_staged(maker, final, error);
}

bool judge_generate_data(Judge *judge, const Problem *problem, const char *target_directory, EventSink events,
                         const CancelToken *cancel, Error *error)
{
    auto_maker Maker maker = maker_init(judge, problem, events, cancel);
    bool is_made = target_directory ? maker_build(&maker, error) && make_all(&maker, target_directory, error)
                                    : make_in_cache(&maker, error);
    return is_made || error_wrap(error, "%s", problem->name);
}

/* ---- the lock file -------------------------------------------------------------------------------------------- */

static bool make_twice(Maker *maker, const GeneratedTest *test, Hashes *ret_hashes, Error *error)
{
    Hashes again;
    if (!make_test(maker, test, NULL, ret_hashes, error) || !make_test(maker, test, NULL, &again, error))
        return false;
    if (strcmp(ret_hashes->input, again.input) != 0)
        return error_input(error, "the generator gave two different inputs in two runs");
    if (strcmp(ret_hashes->answer, again.answer) != 0)
        return error_input(error, "the model solution gave two different answers in two runs");
    return true;
}

static int compare_lines(const void *left, const void *right)
{
    enum { NAME_OFFSET = HASH_TEXT_SIZE + 1 };
    const char *const *a = left, *const *b = right;
    return strcmp(*a + NAME_OFFSET, *b + NAME_OFFSET);
}

/* The format of sha256sum, by name: `cd data && sha256sum -c gavel.lock` checks it. */
static bool write_lock(const Maker *maker, const char **lines, size_t count, Error *error)
{
    auto_buffer Buffer text = {0};
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++)
        buffer_string(&text, lines[i]);
    const char *path = arena_format(maker->arena, "%s/data/gavel.lock", maker->problem->directory);
    return make_parent(path, error) && fd_replace_file(path, buffer_text(&text), text.size, 0644, error);
}

static bool lock_all(Maker *maker, Error *error)
{
    const Problem *problem = maker->problem;
    const char **lines = arena_new_array(maker->arena, const char *, 2 * problem->generated_count);
    for (size_t i = 0; i < problem->generated_count; i++) {
        const GeneratedTest *test = &problem->generated[i];
        Hashes hashes;
        announce(maker, i + 1, problem->generated_count, test->name);
        if (!make_twice(maker, test, &hashes, error))
            return error_wrap(error, "%s", test->name);
        lines[2 * i] = arena_format(maker->arena, "%s  %s.in\n", hashes.input, test->name);
        lines[2 * i + 1] = arena_format(maker->arena, "%s  %s.ans\n", hashes.answer, test->name);
    }
    return write_lock(maker, lines, 2 * problem->generated_count, error);
}

bool judge_write_lock(Judge *judge, const Problem *problem, EventSink events, const CancelToken *cancel, Error *error)
{
    auto_maker Maker maker = maker_init(judge, problem, events, cancel);
    return (maker_build(&maker, error) && lock_all(&maker, error)) || error_wrap(error, "%s", problem->name);
}
