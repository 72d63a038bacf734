/* The default output validator: does an output equal an answer, token by token or byte by byte?
 *
 * Semantics: Kattis Problem Package Format 2025-09, "Default Output Validator Specification". White space is the six
 * ASCII characters 20 09 0a 0b 0c 0d; letters fold in ASCII only; with a tolerance, two tokens that both match the
 * format's decimal grammar are compared as exact decimals: accepted iff d = |s - a| <= absolute + sigma, or
 * d <= relative * |a| + sigma, with sigma = 2^-63 * |a|, which forgives what an 80-bit parse forgives and nothing more.
 */
#ifndef GAVEL_CORE_TOKENS_H
#define GAVEL_CORE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gavel/problem.h"

/* Where and how the first difference lies. Offsets index the two inputs; a length of 0 means "end of that side". */
typedef enum TokensOutcome {
    TOKENS_EQUAL,
    TOKENS_DIFFERENT,       /* two tokens differ */
    TOKENS_NUMBER_OFF,      /* two numbers differ by more than the tolerance */
    TOKENS_OUTPUT_SHORT,    /* the output ends where the answer has a token */
    TOKENS_OUTPUT_LONG,     /* the output has a token where the answer ends */
    TOKENS_SPACE_DIFFERENT, /* space_change_sensitive: white space differs */
} TokensOutcome;

typedef struct TokensResult {
    TokensOutcome outcome;
    int64_t token_index;  /* from 1; 0 for white space */
    int64_t line, column; /* in the output, from 1, bytes */
    size_t output_offset, output_length;
    size_t answer_offset, answer_length;
    int64_t answer_line;
} TokensResult;

/* Compares in time linear in both sizes, whatever the bytes. Pure; allocates nothing that outlives the call. */
TokensResult tokens_compare(const char *output, size_t output_size, const char *answer, size_t answer_size,
                            const ValidatorFlags *flags);

/* One sentence for people about an outcome ("the output ends too early"). Static. */
const char *tokens_outcome_text(TokensOutcome outcome);

#endif
