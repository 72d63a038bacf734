/* A package made file by file in a directory of its own, for tests that need many small ones. */
#ifndef GAVEL_TESTS_PACKAGE_FIXTURE_H
#define GAVEL_TESTS_PACKAGE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "gavel/problem.h"

typedef struct Fixture {
    char root[64];      /* removed at the end */
    char directory[96]; /* the package: ROOT/pkg */
    Problem *problem;
    Error error;
} Fixture;

static inline int fixture_remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static inline int fixture_setup(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    strcpy(fixture->root, "/tmp/gavel-package-XXXXXX");
    if (!mkdtemp(fixture->root))
        return -1;
    (void)snprintf(fixture->directory, sizeof fixture->directory, "%s/pkg", fixture->root);
    *state = fixture;
    return mkdir(fixture->directory, 0755);
}

static inline int fixture_teardown(void **state)
{
    Fixture *fixture = *state;
    problem_free(fixture->problem);
    error_clear(&fixture->error);
    int result = nftw(fixture->root, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(fixture);
    return result;
}

#define package_test(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

/* Writes a file at a path below the package (or beside it, with "../"), making its directories. */
static inline void fixture_write(const Fixture *fixture, const char *path, const char *text)
{
    char full[512];
    auto_error Error error = {0};
    (void)snprintf(full, sizeof full, "%s/%s", fixture->directory, path);
    char *slash = strrchr(full, '/');
    *slash = '\0';
    assert_true(fd_make_directories(full, 0755, &error));
    *slash = '/';
    assert_true(fd_replace_file(full, text, strlen(text), 0644, &error));
}

/* A symbolic link at a path below the package. */
static inline void fixture_link(const Fixture *fixture, const char *path, const char *target)
{
    char full[512];
    (void)snprintf(full, sizeof full, "%s/%s", fixture->directory, path);
    assert_int_equal(symlink(target, full), 0);
}

/* The least that loads: problem.yaml with `text`, one test, one submission. */
static inline void fixture_minimal(const Fixture *fixture, const char *text)
{
    fixture_write(fixture, "problem.yaml", text);
    fixture_write(fixture, "data/secret/1.in", "1\n");
    fixture_write(fixture, "data/secret/1.ans", "2\n");
    fixture_write(fixture, "submissions/accepted/a.c", "int main(void) { return 0; }\n");
}

static inline const Problem *fixture_load(Fixture *fixture)
{
    problem_free(fixture->problem);
    fixture->problem = NULL;
    if (!problem_load(fixture->directory, NULL, &fixture->problem, &fixture->error))
        fail_msg("unexpected error: %s", error_text(&fixture->error));
    return fixture->problem;
}

/* Loading fails with exactly "PACKAGE/" + `message`. */
static inline void fixture_fails(Fixture *fixture, const char *message)
{
    char expected[1024];
    Problem *problem;
    (void)snprintf(expected, sizeof expected, "%s/%s", fixture->directory, message);
    if (problem_load(fixture->directory, NULL, &problem, &fixture->error)) {
        fixture->problem = problem;
        fail_msg("loaded, but expected: %s", expected);
    }
    assert_string_equal(error_text(&fixture->error), expected);
    assert_int_equal(fixture->error.kind, ERROR_INPUT);
    error_clear(&fixture->error);
}

static inline bool fixture_has_warning(const Fixture *fixture, const char *message)
{
    size_t prefix = strlen(fixture->directory) + 1;
    for (const char **warning = fixture->problem->warnings; *warning; warning++)
        if (strncmp(*warning, fixture->directory, prefix - 1) == 0 && strcmp(*warning + prefix, message) == 0)
            return true;
    return false;
}

/* One of the warnings is exactly "PACKAGE/" + `message`. */
static inline void fixture_warns(const Fixture *fixture, const char *message)
{
    if (fixture_has_warning(fixture, message))
        return;
    for (const char **warning = fixture->problem->warnings; *warning; warning++)
        print_error("# warning: %s\n", *warning);
    fail_msg("no such warning: %s", message);
}

static inline size_t strings_count(const char *const *strings)
{
    size_t count = 0;
    while (strings[count])
        count++;
    return count;
}

static inline void assert_strings(const char *const *strings, const char *joined)
{
    char text[512] = "";
    for (; *strings; strings++) {
        (void)strncat(text, *strings, sizeof text - strlen(text) - 2);
        (void)strcat(text, strings[1] ? " " : "");
    }
    assert_string_equal(text, joined);
}

static inline const TestCase *find_test(const Problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->test_count; i++)
        if (strcmp(problem->tests[i].name, name) == 0)
            return &problem->tests[i];
    fail_msg("no test %s", name);
    return NULL;
}

static inline const ProblemSubmission *find_submission(const Problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->submission_count; i++)
        if (strcmp(problem->submissions[i].name, name) == 0)
            return &problem->submissions[i];
    fail_msg("no submission %s", name);
    return NULL;
}

#endif
