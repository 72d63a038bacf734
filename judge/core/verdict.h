/* From the sandbox's facts to a verdict. */
#ifndef GAVEL_CORE_VERDICT_H
#define GAVEL_CORE_VERDICT_H

#include "base/arena.h"
#include "gavel/report.h"
#include "gavel/sandbox.h"

/* The verdict of one run, from the supervisor's facts alone. VERDICT_ACCEPTED means that the program has ended well
 * and its output is for the validator to judge. */
Verdict verdict_decide(const SandboxResult *result, int64_t time_limit_ns);

/* One line for people about a rejected run ("signal 11 (segmentation fault)"), or NULL. */
const char *verdict_detail(Verdict verdict, const SandboxResult *result, Arena *arena);

/* A likely cause that the facts do not prove, or NULL. */
const char *verdict_hint(Verdict verdict, const SandboxResult *result);

/* "segmentation fault" for 11; "signal" for a number without a name. */
const char *signal_text(int signal);

#endif
