/* What submissions must get: by directory, by submissions.yaml, by DOMjudge's annotation.
 *
 * In 2023-07 and 2025-09 a contract is about every test: `permitted` bounds each test's verdict, `required` must occur.
 * In legacy it is about the final verdict, the one of the first failing test. The two fields say that too when they are
 * read over the tests up to the first failing one: those pass or give the final verdict, so `permitted` is AC and what
 * the final verdict may be, and `required` is the final verdict (0 where it is AC). Problem.format tells which is
 * meant; reading a legacy contract over all tests is the stricter reading of 2025-09. */
#ifndef GAVEL_PACKAGE_EXPECTATION_H
#define GAVEL_PACKAGE_EXPECTATION_H

#include "gavel/problem.h"
#include "package/list.h"
#include "package/yaml.h"

enum {
    BIT_AC = 1 << KATTIS_AC,
    BIT_WA = 1 << KATTIS_WA,
    BIT_TLE = 1 << KATTIS_TLE,
    BIT_RTE = 1 << KATTIS_RTE,
    BIT_CE = 1 << KATTIS_CE,
    BIT_ANY = BIT_AC | BIT_WA | BIT_TLE | BIT_RTE,
};

/* Which bound of the time limit a submission's slowest run is. */
typedef enum TimeBound { BOUND_BY_VERDICTS, BOUND_NONE, BOUND_LOWER, BOUND_UPPER } TimeBound;

typedef struct ExpectationRule {
    Expectation expectation;
    TimeBound bound;
    bool is_model;
    const YamlNode *node; /* in submissions.yaml; NULL for a directory's default */
    const char **globs;   /* without braces; NULL-terminated */
    size_t match_count;
} ExpectationRule;

/* The default of a directory of submissions, or NULL. Static. */
const ExpectationRule *expectation_of_directory(ProblemFormat format, const char *directory);

/* Names of all directories with a default, NULL-terminated, for suggestions. Owned by the arena. */
const char **expectation_directories(Arena *arena, ProblemFormat format);

/* Parses submissions.yaml into a list of ExpectationRule. */
bool expectation_parse(Arena *arena, const char *file, const char *text, size_t size, List *warnings, List *rules,
                       Error *error) MUST_CHECK;

/* Bits of the verdicts that "@EXPECTED_RESULTS@: A, B" in a source names, 0 if there is no such line. Words that are
 * not known are left out. */
unsigned expectation_annotation(const char *text, size_t size);

bool expectation_is_lower_bound(const ExpectationRule *rule);
bool expectation_is_upper_bound(const ExpectationRule *rule);

#endif
