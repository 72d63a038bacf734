/* Input validators: each accepts every test (exit code 42), and rejects an input that was damaged. */
#include <string.h>

#include "base/fd.h"
#include "verify/stage.h"

enum { VALIDATOR_ACCEPTS = 42, INPUT_MAX_BYTES = 1 << 30, DAMAGED_MAX_BYTES = 64 * 1024 };

/* A command a person can paste; the judge itself builds the validator in the sandbox. */
static const char *shell_command(VerifyRun *run, const AuthorProgram *validator, const char *input_path)
{
    Arena *arena = run->arena;
    const char *program = verify_quote(arena, validator->path), *input = verify_quote(arena, input_path);
    const Language *language = language_by_file_name(validator->name);
    const char *id = language ? language_id(language) : "";
    if (strcmp(id, "python3") == 0)
        return arena_format(arena, "python3 %s < %s; echo $?", program, input);
    if (strcmp(id, "c") == 0 || strcmp(id, "cpp") == 0)
        return arena_format(arena, "%s -o /tmp/validator %s && /tmp/validator < %s; echo $?",
                            *id && id[1] ? "g++" : "gcc", program, input);
    return NULL;
}

/* ---- every test --------------------------------------------------------------------------------------------- */

static bool run_validator(VerifyRun *run, const AuthorProgram *validator, const void *input, size_t size,
                          AuthorRun *ret_result, bool *ret_is_run, Error *error)
{
    static const char *const no_args[] = {NULL};
    *ret_is_run =
        judge_author_run(run->judge, run->problem, validator, no_args, input, size, run->arena, ret_result, error);
    if (*ret_is_run)
        return true;
    if (error->kind != ERROR_INPUT)
        return false;
    verify_find(run, RULE_VALIDATOR_BROKEN, validator->path, 0, NULL, "%s", error_text(error));
    error_clear(error);
    return true;
}

static void judge_validator(VerifyRun *run, const AuthorProgram *validator, const TestCase *test,
                            const AuthorRun *result)
{
    if (result->has_exited && result->exit_code == VALIDATOR_ACCEPTS)
        return;
    VerifyRule rule = result->has_exited ? RULE_INPUT_REJECTED : RULE_VALIDATOR_BROKEN;
    bool has_message = result->message && *result->message;
    verify_find(run, rule, test->input_path, 0, shell_command(run, validator, test->input_path),
                "input validator %s does not accept %s: %s%s%s", validator->name, test->name, result->what,
                has_message ? ": " : "", has_message ? result->message : "");
}

static bool check_test(VerifyRun *run, const AuthorProgram *validator, const TestCase *test, bool *ret_is_run,
                       Error *error)
{
    auto_buffer Buffer input = {0};
    AuthorRun result;
    verify_step(run, validator->name, test->name);
    if (!fd_read_file(test->input_path, INPUT_MAX_BYTES, &input, error) ||
        !run_validator(run, validator, buffer_text(&input), input.size, &result, ret_is_run, error))
        return false;
    if (*ret_is_run)
        judge_validator(run, validator, test, &result);
    return true;
}

/* ---- damaged inputs ----------------------------------------------------------------------------------------- */

static bool is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

static size_t trimmed_size(const Buffer *input)
{
    size_t size = input->size;
    while (size > 0 && is_space(input->data[size - 1]))
        size--;
    return size;
}

static void drop_last_line(const Buffer *input, Buffer *out)
{
    size_t size = trimmed_size(input);
    while (size > 0 && input->data[size - 1] != '\n')
        size--;
    buffer_append(out, buffer_text(input), size);
}

static void drop_last_token(const Buffer *input, Buffer *out)
{
    size_t size = trimmed_size(input);
    while (size > 0 && !is_space(input->data[size - 1]))
        size--;
    buffer_append(out, buffer_text(input), size);
}

static void append_token(const Buffer *input, Buffer *out)
{
    buffer_append(out, buffer_text(input), trimmed_size(input));
    buffer_string(out, " 17\n");
}

static void append_line(const Buffer *input, Buffer *out)
{
    buffer_append(out, buffer_text(input), trimmed_size(input));
    buffer_string(out, "\njunk after the end\n");
}

static void replace_first_token(const Buffer *input, Buffer *out)
{
    size_t length = 0;
    while (length < input->size && !is_space(input->data[length]))
        length++;
    buffer_string(out, "x-1");
    buffer_append(out, buffer_text(input) + length, input->size - length);
}

static void make_binary(const Buffer *input, Buffer *out)
{
    (void)input;
    buffer_append(out, "\0\377\200\n", 4);
}

static void make_empty(const Buffer *input, Buffer *out)
{
    (void)input;
    buffer_string(out, "");
}

/* No single damage makes every format invalid; all of them together leave no excuse. */
static const struct Damage {
    const char *name;
    void (*apply)(const Buffer *input, Buffer *out);
} damages[] = {
    {"without its last line", drop_last_line},
    {"without its last token", drop_last_token},
    {"with a token more", append_token},
    {"with a line of junk more", append_line},
    {"with its first token replaced", replace_first_token},
    {"replaced by binary junk", make_binary},
    {"emptied", make_empty},
};

static bool try_damage(VerifyRun *run, const AuthorProgram *validator, const TestCase *test,
                       const struct Damage *damage, const Buffer *input, size_t *rejected, Error *error)
{
    auto_buffer Buffer damaged = {0};
    AuthorRun result;
    bool is_run;
    damage->apply(input, &damaged);
    if (!run_validator(run, validator, buffer_text(&damaged), damaged.size, &result, &is_run, error))
        return false;
    if (is_run && !result.has_exited)
        verify_find(run, RULE_VALIDATOR_CRASHES, validator->path, 0, NULL, "%s %s: %s", test->name, damage->name,
                    result.what);
    *rejected += is_run && !(result.has_exited && result.exit_code == VALIDATOR_ACCEPTS);
    return true;
}

/* The smallest test with more than one line: damage to it is quick to try and hard to miss. */
static const TestCase *test_to_damage(VerifyRun *run, Buffer *ret_input, Error *error)
{
    const TestCase *best = NULL;
    for (size_t i = 0; i < run->problem->test_count && !best; i++) {
        auto_buffer Buffer input = {0};
        if (!verify_looks_at(run, &run->problem->tests[i]))
            continue;
        if (!fd_read_file(run->problem->tests[i].input_path, DAMAGED_MAX_BYTES, &input, error)) {
            error_clear(error); /* too large, or missing, which check_test has said */
            continue;
        }
        if (trimmed_size(&input) < 2)
            continue;
        buffer_append(ret_input, input.data, input.size);
        best = &run->problem->tests[i];
    }
    return best;
}

static bool check_damaged(VerifyRun *run, const AuthorProgram *validator, Error *error)
{
    auto_buffer Buffer input = {0};
    const TestCase *test = test_to_damage(run, &input, error);
    size_t rejected = 0;
    if (!test)
        return true;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        if (!try_damage(run, validator, test, &damages[i], &input, &rejected, error))
            return false;
    if (rejected == 0)
        verify_find(run, RULE_VALIDATOR_TOO_MILD, validator->path, 0, NULL,
                    "it accepts %s without its last line, with junk at the end, emptied, and in %zu ways in all",
                    test->name, sizeof damages / sizeof *damages);
    return true;
}

/* ---- the stage ---------------------------------------------------------------------------------------------- */

static bool check_validator(VerifyRun *run, const AuthorProgram *validator, Error *error)
{
    bool is_run = true;
    for (size_t i = 0; i < run->problem->test_count && is_run; i++) {
        if (!verify_looks_at(run, &run->problem->tests[i]))
            continue;
        if (verify_is_cancelled(run, error) || !check_test(run, validator, &run->problem->tests[i], &is_run, error))
            return false;
    }
    return !is_run || check_damaged(run, validator, error); /* one that does not build is said once */
}

bool verify_inputs(VerifyRun *run, Error *error)
{
    for (size_t i = 0; i < run->problem->input_validator_count; i++)
        if (!check_validator(run, &run->problem->input_validators[i], error))
            return false;
    return true;
}
