/* Is an output right? The default validator in the judge itself, or the package's own program in the sandbox. */
#ifndef GAVEL_CORE_VALIDATE_H
#define GAVEL_CORE_VALIDATE_H

#include "core/run.h"
#include "core/tokens.h"

typedef struct Validator {
    const Problem *problem;
    bool is_custom;
    Program program;    /* of a custom one */
    const char *sha256; /* identity for the provenance */
} Validator;

bool validator_open(Judge *judge, const Problem *problem, const CancelToken *cancel, Arena *arena,
                    Validator *ret_validator, Error *error) MUST_CHECK;
void validator_done(Validator *validator);
static inline Validator validator_none(void)
{
    return (Validator){.program = {.executable_fd = -1}};
}

/* What is to be judged. */
typedef struct ValidationCase {
    const ValidatorFlags *flags; /* of the default validator */
    const char *const *args;     /* of a custom one, NULL-terminated, or NULL */
    const RunInput *input;
    const char *answer;
    size_t answer_size;
    const SandboxResult *run; /* its output_fd is what the submission wrote */
    const RunOutput *output;  /* the same, mapped */
} ValidationCase;

typedef struct Validation {
    bool is_accepted;
    bool has_tokens;
    TokensResult tokens;                      /* of the default validator */
    const char *team_message, *judge_message; /* of a custom one, printable, or NULL */
} Validation;

/* False: a fault, among them a custom validator that neither accepts nor rejects. */
bool validate_output(Judge *judge, const Validator *validator, const ValidationCase *validated,
                     const CancelToken *cancel, Arena *arena, Validation *ret_validation, Error *error) MUST_CHECK;

#endif
