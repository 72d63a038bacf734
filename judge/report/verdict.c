/* The verdict table, read from verdicts.def: one row serves reports, JSON, colours and Kattis expectations. */
#include <string.h>

#include "gavel/report.h"

/* The names that the column `devices` uses. */
enum { CPU = DEVICE_CPU, PTX = DEVICE_PTX, GPU = DEVICE_GPU };

static const VerdictRow rows[] = {
#define VERDICT(word, name, text, text_zh, colour, kattis, devices, twins)                                             \
    [VERDICT_##name] = {#word, text, text_zh, COLOUR_##colour, KATTIS_##kattis, devices, twins},
#include "gavel/verdicts.def"
#undef VERDICT
};
_Static_assert(sizeof rows / sizeof rows[0] == VERDICT_COUNT, "a row a verdict");

static const VerdictRow not_run = {"-", "not run", "未运行", COLOUR_YELLOW, KATTIS_JE, CPU | PTX | GPU, ""};

const VerdictRow *verdict_row(Verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? &rows[verdict] : &not_run;
}

bool verdict_from_word(const char *word, Verdict *ret_verdict)
{
    for (unsigned verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (strcmp(rows[verdict].word, word) == 0) {
            *ret_verdict = (Verdict)verdict;
            return true;
        }
    return false;
}
