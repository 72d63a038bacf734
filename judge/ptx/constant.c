/* Constants and constant expressions: integers are 64 bits wide and signed until one of them can't be; floating point
 * is double, and 0f... stands for itself only (PTX ISA 9.0, 4.5). */
#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

/* ---- literals ---------------------------------------------------------------------------------------------------- */

enum { DECIMAL_LENGTH_MAX = 400 };

static int digit_value(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    const char lower = (char)(character | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* False: a digit is none of that base, or the value takes more than 64 bits. */
static bool read_digits(const char *text, size_t length, unsigned base, uint64_t *ret)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned digit = (unsigned)digit_value(text[i]);
        if (digit >= base || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value))
            return false;
    }
    *ret = value;
    return length > 0;
}

static bool read_decimal(const char *text, size_t length, PtxConstant *ret)
{
    char copy[DECIMAL_LENGTH_MAX + 1];
    if (length > DECIMAL_LENGTH_MAX)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    const double value = strtod(copy, &end);
    ret->kind = PTX_CONSTANT_DOUBLE;
    memcpy(&ret->bits, &value, sizeof value);
    return end == copy + length;
}

static bool read_integer(const char *text, size_t length, unsigned base, PtxConstant *ret)
{
    const bool has_suffix = length > 0 && text[length - 1] == 'U';
    if (!read_digits(text, length - has_suffix, base, &ret->bits))
        return false;
    ret->kind = has_suffix || ret->bits > INT64_MAX ? PTX_CONSTANT_UNSIGNED : PTX_CONSTANT_SIGNED;
    return true;
}

static bool read_number(const char *text, size_t length, PtxConstant *ret)
{
    switch (length > 1 && text[0] == '0' ? text[1] | 0x20 : 0) {
    case 'f': ret->kind = PTX_CONSTANT_SINGLE; return length == 10 && read_digits(text + 2, 8, 16, &ret->bits);
    case 'd': ret->kind = PTX_CONSTANT_DOUBLE; return length == 18 && read_digits(text + 2, 16, 16, &ret->bits);
    case 'x': return read_integer(text + 2, length - 2, 16, ret);
    case 'b': return read_integer(text + 2, length - 2, 2, ret);
    default: break;
    }
    for (size_t i = 0; i < length; i++)
        if (text[i] == '.' || text[i] == 'e' || text[i] == 'E')
            return read_decimal(text, length, ret);
    return read_integer(text, length, length > 1 && text[0] == '0' ? 8 : 10, ret);
}

/* `.5` is a dotted word to the lexer. */
static bool is_bare_fraction(const PtxToken *token)
{
    return token->kind == PTX_TOKEN_DOTTED && token->text[0] >= '0' && token->text[0] <= '9';
}

static bool literal(PtxParser *parser, PtxConstant *ret)
{
    const PtxToken *token = &parser->token;
    const bool is_read = token->kind == PTX_TOKEN_NUMBER ? read_number(token->text, token->length, ret)
                                                         : read_decimal(token->text - 1, token->length + 1, ret);
    if (!is_read)
        return ptx_parser_fail(parser, token->place, "`%.*s` is no number that PTX has", PTX_TOKEN_TEXT(*token));
    ptx_parser_advance(parser);
    return true;
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

typedef struct Operator {
    uint32_t symbol;
    uint8_t precedence; /* higher binds tighter */
} Operator;

enum { PRECEDENCE_LOWEST = 1, PRECEDENCE_PRODUCT = 10 };

static const Operator operators[] = {
    {PTX_SYMBOL_2('|', '|'), 1},
    {PTX_SYMBOL_2('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {PTX_SYMBOL_2('=', '='), 6},
    {PTX_SYMBOL_2('!', '='), 6},
    {'<', 7},
    {PTX_SYMBOL_2('<', '='), 7},
    {'>', 7},
    {PTX_SYMBOL_2('>', '='), 7},
    {PTX_SYMBOL_2('<', '<'), 8},
    {PTX_SYMBOL_2('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', PRECEDENCE_PRODUCT},
    {'/', PRECEDENCE_PRODUCT},
    {'%', PRECEDENCE_PRODUCT},
};

static const Operator *operator_at(const PtxParser *parser)
{
    for (size_t i = 0; parser->token.kind == PTX_TOKEN_SYMBOL && i < sizeof operators / sizeof *operators; i++)
        if (operators[i].symbol == parser->token.symbol)
            return &operators[i];
    return NULL;
}

static PtxConstant truth(bool value)
{
    return (PtxConstant){PTX_CONSTANT_SIGNED, value};
}

static PtxConstant shifted(PtxConstant a, PtxConstant b, bool is_left)
{
    const bool fills = a.kind == PTX_CONSTANT_SIGNED && (int64_t)a.bits < 0 && !is_left;
    if (b.bits > 63)
        a.bits = fills ? UINT64_MAX : 0;
    else if (is_left)
        a.bits <<= b.bits;
    else
        a.bits = a.bits >> b.bits | (fills && b.bits ? UINT64_MAX << (64 - b.bits) : 0);
    return a;
}

static uint64_t quotient(PtxConstant a, PtxConstant b, bool is_signed, bool wants_remainder)
{
    if (!is_signed)
        return wants_remainder ? a.bits % b.bits : a.bits / b.bits;
    if (b.bits == UINT64_MAX) /* -1: the one division that overflows */
        return wants_remainder ? 0 : -a.bits;
    return (uint64_t)(wants_remainder ? (int64_t)a.bits % (int64_t)b.bits : (int64_t)a.bits / (int64_t)b.bits);
}

static PtxConstant integer_result(uint32_t symbol, PtxConstant a, PtxConstant b)
{
    const bool is_signed = a.kind == PTX_CONSTANT_SIGNED && b.kind == PTX_CONSTANT_SIGNED;
    const bool is_less = is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
    PtxConstant ret = {is_signed ? PTX_CONSTANT_SIGNED : PTX_CONSTANT_UNSIGNED, 0};
    switch (symbol) {
    case PTX_SYMBOL_2('|', '|'): return truth(a.bits || b.bits);
    case PTX_SYMBOL_2('&', '&'): return truth(a.bits && b.bits);
    case PTX_SYMBOL_2('=', '='): return truth(a.bits == b.bits);
    case PTX_SYMBOL_2('!', '='): return truth(a.bits != b.bits);
    case '<': return truth(is_less);
    case PTX_SYMBOL_2('>', '='): return truth(!is_less);
    case PTX_SYMBOL_2('<', '='): return truth(is_less || a.bits == b.bits);
    case '>': return truth(!is_less && a.bits != b.bits);
    case PTX_SYMBOL_2('<', '<'): return shifted(a, b, true);
    case PTX_SYMBOL_2('>', '>'): return shifted(a, b, false);
    case '|': ret.bits = a.bits | b.bits; break;
    case '^': ret.bits = a.bits ^ b.bits; break;
    case '&': ret.bits = a.bits & b.bits; break;
    case '+': ret.bits = a.bits + b.bits; break;
    case '-': ret.bits = a.bits - b.bits; break;
    case '*': ret.bits = a.bits * b.bits; break;
    default: ret.bits = quotient(a, b, is_signed, symbol == '%'); break;
    }
    return ret;
}

static double double_of(PtxConstant constant)
{
    double value;
    memcpy(&value, &constant.bits, sizeof value);
    return value;
}

static PtxConstant constant_of(double value)
{
    PtxConstant ret = {.kind = PTX_CONSTANT_DOUBLE};
    memcpy(&ret.bits, &value, sizeof value);
    return ret;
}

static bool double_result(uint32_t symbol, double a, double b, PtxConstant *ret)
{
    switch (symbol) {
    case '+': *ret = constant_of(a + b); return true;
    case '-': *ret = constant_of(a - b); return true;
    case '*': *ret = constant_of(a * b); return true;
    case '/': *ret = constant_of(a / b); return true;
    case '<': *ret = truth(a < b); return true;
    case '>': *ret = truth(a > b); return true;
    case PTX_SYMBOL_2('<', '='): *ret = truth(a <= b); return true;
    case PTX_SYMBOL_2('>', '='): *ret = truth(a >= b); return true;
    case PTX_SYMBOL_2('=', '='): *ret = truth(a == b); return true;
    case PTX_SYMBOL_2('!', '='): *ret = truth(a != b); return true;
    default: return false;
    }
}

static bool is_integer(PtxConstant constant)
{
    return constant.kind == PTX_CONSTANT_SIGNED || constant.kind == PTX_CONSTANT_UNSIGNED;
}

static bool combine(PtxParser *parser, const PtxToken *sign, PtxConstant a, PtxConstant b, PtxConstant *ret)
{
    if (is_integer(a) && is_integer(b)) {
        if ((sign->symbol == '/' || sign->symbol == '%') && b.bits == 0)
            return ptx_parser_fail(parser, sign->place, "a constant is divided by zero");
        *ret = integer_result(sign->symbol, a, b);
        return true;
    }
    if (a.kind != PTX_CONSTANT_DOUBLE || b.kind != PTX_CONSTANT_DOUBLE)
        return ptx_parser_fail(parser, sign->place, "`%.*s` can't combine constants of these types",
                               PTX_TOKEN_TEXT(*sign));
    return double_result(sign->symbol, double_of(a), double_of(b), ret) ||
           ptx_parser_fail(parser, sign->place, "`%.*s` is not for floating point", PTX_TOKEN_TEXT(*sign));
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static bool unary(PtxParser *parser, PtxConstant *ret);

static bool binary(PtxParser *parser, unsigned precedence, PtxConstant *ret)
{
    if (!unary(parser, ret))
        return false;
    for (;;) {
        const Operator *next = operator_at(parser);
        if (!next || next->precedence < precedence)
            return true;
        const PtxToken sign = parser->token;
        ptx_parser_advance(parser);
        PtxConstant right;
        if (!binary(parser, next->precedence + 1u, &right) || !combine(parser, &sign, *ret, right, ret))
            return false;
    }
}

static bool conditional(PtxParser *parser, PtxConstant *ret)
{
    PtxConstant condition, yes, no;
    const PtxPlace place = parser->token.place;
    if (!binary(parser, PRECEDENCE_LOWEST, &condition))
        return false;
    if (!ptx_parser_accept(parser, '?')) {
        *ret = condition;
        return true;
    }
    if (!is_integer(condition))
        return ptx_parser_fail(parser, place, "a condition is an integer");
    if (!ptx_parse_constant(parser, &yes) || !ptx_parser_expect(parser, ':') || !ptx_parse_constant(parser, &no))
        return false;
    *ret = condition.bits ? yes : no;
    return true;
}

bool ptx_parse_constant(PtxParser *parser, PtxConstant *ret)
{
    if (!ptx_parser_enter(parser))
        return false;
    const bool is_read = conditional(parser, ret);
    ptx_parser_leave(parser);
    return is_read;
}

/* After `(`: a cast of what follows, or an expression in parentheses. */
static bool parenthesis(PtxParser *parser, PtxConstant *ret)
{
    const PtxPlace place = parser->token.place;
    const bool is_signed = ptx_parser_accept_dotted(parser, "s64");
    if (!is_signed && !ptx_parser_accept_dotted(parser, "u64"))
        return ptx_parse_constant(parser, ret) && ptx_parser_expect(parser, ')');
    if (!ptx_parser_expect(parser, ')') || !unary(parser, ret))
        return false;
    if (!is_integer(*ret))
        return ptx_parser_fail(parser, place, "only an integer can be cast");
    ret->kind = is_signed ? PTX_CONSTANT_SIGNED : PTX_CONSTANT_UNSIGNED;
    return true;
}

static bool apply_sign(PtxParser *parser, const PtxToken *sign, PtxConstant *ret)
{
    if (sign->symbol == '+')
        return true;
    if (!is_integer(*ret)) {
        if (sign->symbol != '-')
            return ptx_parser_fail(parser, sign->place, "`%.*s` is for integers", PTX_TOKEN_TEXT(*sign));
        ret->bits ^= ret->kind == PTX_CONSTANT_SINGLE ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    } else if (sign->symbol == '!') {
        *ret = truth(ret->bits == 0);
    } else {
        ret->bits = sign->symbol == '-' ? -ret->bits : ~ret->bits;
    }
    return true;
}

static bool primary(PtxParser *parser, PtxConstant *ret)
{
    if (parser->token.kind == PTX_TOKEN_NUMBER || is_bare_fraction(&parser->token))
        return literal(parser, ret);
    if (ptx_token_is(&parser->token, PTX_TOKEN_NAME, "WARP_SZ")) {
        *ret = (PtxConstant){PTX_CONSTANT_SIGNED, 32};
        ptx_parser_advance(parser);
        return true;
    }
    if (ptx_parser_accept(parser, '('))
        return parenthesis(parser, ret);
    const PtxToken sign = parser->token;
    if (sign.kind != PTX_TOKEN_SYMBOL ||
        !(sign.symbol == '-' || sign.symbol == '+' || sign.symbol == '~' || sign.symbol == '!'))
        return ptx_parser_expected(parser, "a constant");
    ptx_parser_advance(parser);
    return unary(parser, ret) && apply_sign(parser, &sign, ret);
}

static bool unary(PtxParser *parser, PtxConstant *ret)
{
    if (!ptx_parser_enter(parser))
        return false;
    const bool is_read = primary(parser, ret);
    ptx_parser_leave(parser);
    return is_read;
}

/* ---- what others ask for ----------------------------------------------------------------------------------------- */

bool ptx_constant_begins(const PtxParser *parser)
{
    const PtxToken *token = &parser->token;
    return token->kind == PTX_TOKEN_NUMBER || is_bare_fraction(token) ||
           ptx_token_is(token, PTX_TOKEN_NAME, "WARP_SZ") ||
           (token->kind == PTX_TOKEN_SYMBOL && (token->symbol == '-' || token->symbol == '+' || token->symbol == '~'));
}

bool ptx_parse_constant_term(PtxParser *parser, PtxConstant *ret)
{
    return binary(parser, PRECEDENCE_PRODUCT, ret);
}

static bool require_integer(PtxParser *parser, PtxPlace place, PtxConstant constant, uint64_t *ret)
{
    if (!is_integer(constant))
        return ptx_parser_fail(parser, place, "an integer expected, not floating point");
    *ret = constant.bits;
    return true;
}

bool ptx_parse_integer(PtxParser *parser, uint64_t *ret)
{
    PtxConstant constant;
    const PtxPlace place = parser->token.place;
    return ptx_parse_constant(parser, &constant) && require_integer(parser, place, constant, ret);
}

bool ptx_parse_number(PtxParser *parser, const char *what, uint64_t max, uint64_t *ret)
{
    PtxConstant constant;
    const PtxPlace place = parser->token.place;
    if (parser->token.kind != PTX_TOKEN_NUMBER)
        return ptx_parser_expected(parser, what);
    if (!literal(parser, &constant) || !require_integer(parser, place, constant, ret))
        return false;
    return *ret <= max || ptx_parser_fail(parser, place, "%s is larger than %llu", what, (unsigned long long)max);
}

bool ptx_parse_offset(PtxParser *parser, int64_t *ret)
{
    uint64_t sum = (uint64_t)*ret;
    while (ptx_parser_at(parser, '+') || ptx_parser_at(parser, '-')) {
        const bool is_minus = ptx_parser_at(parser, '-');
        PtxConstant constant;
        uint64_t term;
        ptx_parser_advance(parser);
        const PtxPlace place = parser->token.place;
        if (!ptx_parse_constant_term(parser, &constant) || !require_integer(parser, place, constant, &term))
            return false;
        sum = is_minus ? sum - term : sum + term;
    }
    *ret = (int64_t)sum;
    return true;
}
