/* Tokens of PTX text (PTX ISA 9.0, chapter 4), made one at a time. A token is a view of the text. */
#ifndef GAVEL_PTX_LEXER_H
#define GAVEL_PTX_LEXER_H

#include "ptx/syntax.h"

typedef enum PtxTokenKind {
    PTX_TOKEN_END,
    PTX_TOKEN_NAME,   /* letters, digits, _ and $, perhaps after a %: "ld", "%r12", "$L__BB0_2" */
    PTX_TOKEN_DOTTED, /* what follows a dot: "global", "L2::128B", "16x16"; the view is without the dot */
    PTX_TOKEN_NUMBER, /* as written, with the suffix */
    PTX_TOKEN_STRING, /* without the quotes, escapes as written */
    PTX_TOKEN_SYMBOL, /* punctuation, see .symbol */
    PTX_TOKEN_BROKEN, /* the text is not PTX here; .text is the reason, terminated */
} PtxTokenKind;

/* Two-character punctuation as a symbol. */
#define PTX_SYMBOL_2(first, second) ((uint32_t)(first) | (uint32_t)(second) << 8)

typedef struct PtxToken {
    PtxTokenKind kind;
    PtxPlace place;
    const char *text;
    uint32_t length;
    uint32_t symbol; /* the character, or PTX_SYMBOL_2; 0 if this is no symbol */
} PtxToken;

typedef struct PtxLexer {
    const char *at, *end, *line_start;
    uint32_t line;
} PtxLexer;

/* Borrows the text. A NUL ends it. */
void ptx_lexer_init(PtxLexer *lexer, const char *text, size_t size);

/* The next token; END for good at the end of the text. Comments, `#` lines and `@@` lines are skipped. */
void ptx_lexer_next(PtxLexer *lexer, PtxToken *ret_token);

/* Whether the token is exactly this name, dotted word or number. */
bool ptx_token_is(const PtxToken *token, PtxTokenKind kind, const char *text);

#endif
