/* The contract of packages.md 1.9: every expectation that matches a submission must hold, on the verdicts of all tests.
 */
#include "verify/expectation.h"

#include <string.h>

static const char *const kattis_words[] = {[KATTIS_AC] = "AC",   [KATTIS_WA] = "WA", [KATTIS_TLE] = "TLE",
                                           [KATTIS_RTE] = "RTE", [KATTIS_CE] = "CE", [KATTIS_JE] = "JE"};
enum { KATTIS_COUNT = sizeof kattis_words / sizeof *kattis_words };

/* 0 stands for "says nothing": everything the package could permit. */
static const unsigned anything = 1u << KATTIS_AC | 1u << KATTIS_WA | 1u << KATTIS_TLE | 1u << KATTIS_RTE;

static unsigned permitted_of(const Expectation *expectation)
{
    return expectation->permitted ? expectation->permitted : anything;
}

unsigned expectation_permitted(const ProblemSubmission *submission)
{
    unsigned permitted = anything | 1u << KATTIS_CE;
    for (size_t i = 0; i < submission->expectation_count; i++)
        permitted &= permitted_of(&submission->expectations[i]);
    return permitted;
}

static void add_words(Buffer *text, unsigned verdicts, const char *separator)
{
    const char *between = "";
    for (unsigned i = 0; i < KATTIS_COUNT; i++)
        if (verdicts & 1u << i) {
            buffer_format(text, "%s%s", between, kattis_words[i]);
            between = separator;
        }
}

static const char *words(Arena *arena, unsigned verdicts, const char *separator)
{
    auto_buffer Buffer text = {0};
    add_words(&text, verdicts, separator);
    return arena_string(arena, buffer_text(&text));
}

const char *expectation_text(const ProblemSubmission *submission, Arena *arena)
{
    if (submission->exact_verdict != VERDICT_NONE)
        return verdict_row(submission->exact_verdict)->word;
    if (submission->expectation_count == 0)
        return "-";
    unsigned required = 0, permitted = expectation_permitted(submission);
    for (size_t i = 0; i < submission->expectation_count; i++)
        required |= submission->expectations[i].required;
    auto_buffer Buffer text = {0};
    add_words(&text, required ? required : permitted, "|");
    return arena_string(arena, buffer_text(&text));
}

static bool breaks_permitted(const Expectation *expectation, unsigned seen, Arena *arena,
                             ExpectationFailure *ret_failure)
{
    unsigned forbidden = seen & ~permitted_of(expectation);
    if (!forbidden)
        return false;
    *ret_failure = (ExpectationFailure){
        RULE_VERDICT_NOT_PERMITTED,
        arena_format(arena, "as '%s' it may get %s only, but a test gets %s", expectation->directory,
                     words(arena, permitted_of(expectation), " or "), words(arena, forbidden, " and "))};
    return true;
}

static bool breaks_required(const Expectation *expectation, unsigned seen, Arena *arena,
                            ExpectationFailure *ret_failure)
{
    if (!expectation->required || expectation->required & seen)
        return false;
    bool is_passing = seen == 1u << KATTIS_AC;
    *ret_failure = (ExpectationFailure){
        RULE_VERDICT_NOT_REACHED,
        arena_format(arena, "as '%s' some test must give it %s, but %s", expectation->directory,
                     words(arena, expectation->required, " or "),
                     is_passing ? "it passes every test"
                                : arena_format(arena, "it only gets %s", words(arena, seen, " and ")))};
    return true;
}

static bool breaks_message(const Expectation *expectation, const char *message, Arena *arena,
                           ExpectationFailure *ret_failure)
{
    if (!expectation->message || (message && strstr(message, expectation->message)))
        return false;
    *ret_failure = (ExpectationFailure){RULE_MESSAGE_ABSENT,
                                        arena_format(arena, "the judge message must hold '%s', but it is %s%s%s",
                                                     expectation->message, message ? "'" : "",
                                                     message ? message : "absent", message ? "'" : "")};
    return true;
}

static bool breaks_exact(const ProblemSubmission *submission, Verdict verdict, Arena *arena,
                         ExpectationFailure *ret_failure)
{
    if (submission->exact_verdict == VERDICT_NONE || submission->exact_verdict == verdict)
        return false;
    *ret_failure = (ExpectationFailure){
        RULE_VERDICT_NOT_EXACT, arena_format(arena, "gavel.yaml says %s, but it gets %s",
                                             verdict_row(submission->exact_verdict)->word, verdict_row(verdict)->word)};
    return true;
}

/* The first expectation that a rule finds broken speaks for that rule. */
size_t expectation_check(const ProblemSubmission *submission, unsigned seen, Verdict verdict, const char *message,
                         Arena *arena, ExpectationFailure ret_failures[4])
{
    size_t count = 0;
    for (size_t i = 0; i < submission->expectation_count && count == 0; i++) {
        const Expectation *expectation = &submission->expectations[i];
        count += breaks_permitted(expectation, seen, arena, &ret_failures[count]);
        count += breaks_required(expectation, seen, arena, &ret_failures[count]);
        count += breaks_message(expectation, message, arena, &ret_failures[count]);
    }
    if (count == 0) /* a wrong exact verdict follows from any of those */
        count += breaks_exact(submission, verdict, arena, &ret_failures[count]);
    return count;
}
