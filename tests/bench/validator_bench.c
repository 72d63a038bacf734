/* How long the default output validator takes on 8 MB of numbers, the case that Kattis judges take 0.45 s for: every
 * number is written differently on the two sides, so that each pair must be parsed and compared. A memcpy of the same
 * size is timed between the runs, for scale. Times are CPU times, which another program's load disturbs least; the
 * comparison has one thread and no input or output, so that on an idle machine they are what the clock shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "core/tokens.h"

enum { TARGET_BYTES = 7700000, RUNS = 15 };
static const double goal_s = 0.1;

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, by_value);
    return values[RUNS / 2];
}

/* Values of 0 to 1000 from a fixed generator; the output is off in the last digits, below the tolerance. */
static void make_numbers(Buffer *output, Buffer *answer)
{
    unsigned long long state = 1;
    while (answer->size < TARGET_BYTES) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        double value = (double)(state >> 11) / 9007199254740992.0 * 1000;
        buffer_format(answer, "%.8f\n", value);
        buffer_format(output, "%.9f\n", value * (1 + 1e-8));
    }
}

int main(void)
{
    auto_buffer Buffer output = {0}, answer = {0};
    make_numbers(&output, &answer);
    const ValidatorFlags flags = {.float_absolute = "1e-6", .float_relative = "1e-6"};
    char *copy = malloc(output.size);
    if (!copy || output.has_failed || answer.has_failed)
        return 3;
    double compare_s[RUNS], copy_s[RUNS];
    for (int run = 0; run < RUNS; run++) {
        double started = seconds();
        TokensResult result = tokens_compare(output.data, output.size, answer.data, answer.size, &flags);
        compare_s[run] = seconds() - started;
        if (result.outcome != TOKENS_EQUAL)
            return 3;
        started = seconds();
        memcpy(copy, output.data, output.size);
        __asm__ volatile("" : : "r"(copy) : "memory"); /* the copy must be made */
        copy_s[run] = seconds() - started;
    }
    free(copy);
    double value = median(compare_s);
    printf("# output %.1f MB, answer %.1f MB, median of %d runs; %.1f times a memcpy of the output\n",
           (double)output.size * 1e-6, (double)answer.size * 1e-6, RUNS, value / median(copy_s));
    printf("figure validator_8mb_s %.4f s goal < %.1f %s\n", value, goal_s, value < goal_s ? "ok" : "short");
    return 0;
}
