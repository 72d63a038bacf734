#include "ptx/lexer.h"

#include <string.h>

/* ---- characters -------------------------------------------------------------------------------------------------- */

typedef enum CharacterClass {
    CLASS_OTHER,
    CLASS_BLANK,
    CLASS_SYMBOL,
    CLASS_DIGIT,
    CLASS_LETTER, /* with _ and $ */
} CharacterClass;

static const uint8_t classes[256] = {
    [' '] = CLASS_BLANK,         ['\t'] = CLASS_BLANK,         ['\r'] = CLASS_BLANK,         ['\f'] = CLASS_BLANK,
    ['\v'] = CLASS_BLANK,        ['{'] = CLASS_SYMBOL,         ['}'] = CLASS_SYMBOL,         ['('] = CLASS_SYMBOL,
    [')'] = CLASS_SYMBOL,        ['['] = CLASS_SYMBOL,         [']'] = CLASS_SYMBOL,         ['<'] = CLASS_SYMBOL,
    ['>'] = CLASS_SYMBOL,        [','] = CLASS_SYMBOL,         [';'] = CLASS_SYMBOL,         [':'] = CLASS_SYMBOL,
    ['+'] = CLASS_SYMBOL,        ['-'] = CLASS_SYMBOL,         ['*'] = CLASS_SYMBOL,         ['/'] = CLASS_SYMBOL,
    ['&'] = CLASS_SYMBOL,        ['|'] = CLASS_SYMBOL,         ['^'] = CLASS_SYMBOL,         ['~'] = CLASS_SYMBOL,
    ['!'] = CLASS_SYMBOL,        ['?'] = CLASS_SYMBOL,         ['='] = CLASS_SYMBOL,         ['@'] = CLASS_SYMBOL,
    ['0' ... '9'] = CLASS_DIGIT, ['a' ... 'z'] = CLASS_LETTER, ['A' ... 'Z'] = CLASS_LETTER, ['_'] = CLASS_LETTER,
    ['$'] = CLASS_LETTER,
};

static CharacterClass class_of(char character)
{
    return (CharacterClass)classes[(unsigned char)character];
}

static bool is_word(char character)
{
    return class_of(character) >= CLASS_DIGIT;
}

/* The character `ahead` of the next one; NUL past the end. */
static char look(const PtxLexer *lexer, ptrdiff_t ahead)
{
    if (lexer->end - lexer->at <= ahead)
        return '\0';
    return lexer->at[ahead];
}

void ptx_lexer_init(PtxLexer *lexer, const char *text, size_t size)
{
    const size_t length = size ? strnlen(text, size) : 0;
    *lexer = (PtxLexer){.at = text, .end = length ? text + length : text, .line_start = text, .line = 1};
}

/* ---- what lies between tokens ------------------------------------------------------------------------------------ */

static void new_line(PtxLexer *lexer)
{
    lexer->at++;
    lexer->line++;
    lexer->line_start = lexer->at;
}

static void skip_line(PtxLexer *lexer)
{
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
}

/* False: the comment has no end; the lexer then stays at its start. */
static bool skip_comment(PtxLexer *lexer)
{
    PtxLexer inside = *lexer;
    inside.at += 2;
    while (inside.at < inside.end) {
        if (*inside.at == '\n') {
            new_line(&inside);
        } else if (*inside.at == '*' && look(&inside, 1) == '/') {
            inside.at += 2;
            *lexer = inside;
            return true;
        } else {
            inside.at++;
        }
    }
    return false;
}

/* A preprocessor's `# 1 "file"`, and `@@DWARF` of old compilers: for other tools. */
static bool is_skipped_line(const PtxLexer *lexer)
{
    if (look(lexer, 0) != '#' && !(look(lexer, 0) == '@' && look(lexer, 1) == '@'))
        return false;
    for (const char *at = lexer->line_start; at < lexer->at; at++)
        if (class_of(*at) != CLASS_BLANK)
            return false;
    return true;
}

static bool skip_blank(PtxLexer *lexer)
{
    for (;;) {
        const char next = look(lexer, 0);
        if (class_of(next) == CLASS_BLANK)
            lexer->at++;
        else if (next == '\n')
            new_line(lexer);
        else if ((next == '/' && look(lexer, 1) == '/') || is_skipped_line(lexer))
            skip_line(lexer);
        else if (!(next == '/' && look(lexer, 1) == '*'))
            return true;
        else if (!skip_comment(lexer))
            return false;
    }
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static void set_broken(PtxToken *token, const char *reason)
{
    token->kind = PTX_TOKEN_BROKEN;
    token->text = reason;
}

/* The token ends here; its text began before. */
static void finish(PtxLexer *lexer, PtxToken *token, PtxTokenKind kind, const char *end)
{
    if (end - token->text > UINT16_MAX) {
        set_broken(token, "a word longer than 65535 characters");
        return;
    }
    token->kind = kind;
    token->length = (uint32_t)(end - token->text);
    lexer->at = end;
}

static void read_name(PtxLexer *lexer, PtxToken *token)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end && is_word(*at))
        at++;
    if (at == lexer->at + 1 && *lexer->at == '%') {
        token->symbol = '%'; /* the remainder of a constant expression */
        finish(lexer, token, PTX_TOKEN_SYMBOL, at);
        return;
    }
    finish(lexer, token, PTX_TOKEN_NAME, at);
}

/* Words of a modifier may be joined by `::`. */
static void read_dotted(PtxLexer *lexer, PtxToken *token)
{
    const char *at = ++lexer->at;
    token->text = at;
    while (at < lexer->end) {
        if (is_word(*at))
            at++;
        else if (*at == ':' && lexer->end - at > 2 && at[1] == ':' && is_word(at[2]))
            at += 2;
        else
            break;
    }
    if (at == token->text)
        set_broken(token, "a dot without a word");
    else
        finish(lexer, token, PTX_TOKEN_DOTTED, at);
}

/* Everything that can belong to a number; whether it is one, is seen when its value is asked for. */
static void read_number(PtxLexer *lexer, PtxToken *token)
{
    const char second = look(lexer, 1);
    const bool has_prefix = *lexer->at == '0' && second != '\0' && strchr("xXfFdDbB", second) != NULL;
    const char *at = lexer->at + 1;
    while (at < lexer->end) {
        const bool is_exponent = !has_prefix && (at[-1] == 'e' || at[-1] == 'E') && (*at == '+' || *at == '-');
        if (!is_word(*at) && !is_exponent && !(*at == '.' && !has_prefix))
            break;
        at++;
    }
    finish(lexer, token, PTX_TOKEN_NUMBER, at);
}

static void read_string(PtxLexer *lexer, PtxToken *token)
{
    const char *at = ++lexer->at;
    token->text = at;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && lexer->end - at > 1 && at[1] != '\n' ? 2 : 1;
    if (at >= lexer->end || *at != '"') {
        set_broken(token, "a string without a closing quote");
        return;
    }
    finish(lexer, token, PTX_TOKEN_STRING, at);
    lexer->at = at + 1;
}

static bool is_pair(char first, char second)
{
    if (first == second)
        return first == '<' || first == '>' || first == '=' || first == '&' || first == '|';
    return second == '=' && (first == '<' || first == '>' || first == '!');
}

static void read_symbol(PtxLexer *lexer, PtxToken *token)
{
    const char first = *lexer->at, second = look(lexer, 1);
    if (class_of(first) != CLASS_SYMBOL) {
        set_broken(token, "a character that PTX does not have");
        return;
    }
    token->symbol = is_pair(first, second) ? PTX_SYMBOL_2(first, second) : (unsigned char)first;
    finish(lexer, token, PTX_TOKEN_SYMBOL, lexer->at + (token->symbol > UINT8_MAX ? 2 : 1));
}

void ptx_lexer_next(PtxLexer *lexer, PtxToken *ret_token)
{
    const bool is_blank_ended = skip_blank(lexer);
    *ret_token = (PtxToken){
        .text = lexer->at,
        .place = {.line = lexer->line, .column = (uint32_t)(lexer->at - lexer->line_start) + 1},
    };
    if (!is_blank_ended) {
        set_broken(ret_token, "a comment without an end");
        return;
    }
    if (lexer->at == lexer->end)
        return;
    const char next = *lexer->at;
    if (class_of(next) == CLASS_LETTER || next == '%')
        read_name(lexer, ret_token);
    else if (class_of(next) == CLASS_DIGIT)
        read_number(lexer, ret_token);
    else if (next == '.')
        read_dotted(lexer, ret_token);
    else if (next == '"')
        read_string(lexer, ret_token);
    else
        read_symbol(lexer, ret_token);
}

bool ptx_token_is(const PtxToken *token, PtxTokenKind kind, const char *text)
{
    return token->kind == kind && strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}
