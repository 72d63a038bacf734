/* Exact comparison of decimals.
 *
 * Multiplied by 2^63, the question "d <= absolute + sigma" becomes the sign of a sum of few terms, each a digit string
 * times a whole number: 2^63 |s - a| - 2^63 absolute - |a|. Walk the powers of ten from the highest digit of any term
 * down, keeping sum = 10 * sum + the digits of this power. What all lower digits can still add is less than the sum of
 * the coefficients' sizes, so once |sum| reaches that bound the sign is certain. While it has not, the sum is small: no
 * big integers, no aligning of exponents, and 1e999999999 against 1 ends at the first digit. */
#include "core/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the rough comparison counts on 64 bits");

enum {
    MANTISSA_DIGITS = 19,  /* 10^19 < 2^64 */
    EXPONENT_DIGITS = 17,  /* more are a HugeExponent */
    ROUGH_SCALE_MAX = 300, /* beyond it, powers of ten lose too much in long double */
    POWER_STEP = 27,       /* 10^27 is the largest power that 64 bits hold exactly */
    CHUNK_DIGITS = 9,
    CHUNKS_MAX = 32,
};
static const int64_t huge_exponent = INT64_C(1) << 60;
static const int64_t difference_limit = INT64_C(1) << 57; /* more than any text has digits */

/* ---- parsing -------------------------------------------------------------------------------------------------- */

static bool is_digit(char character)
{
    return (unsigned char)(character - '0') < 10;
}

/* Reads digits into *mantissa, which may wrap around, and returns where they end. */
static const char *read_digits(const char *text, const char *end, uint64_t *mantissa)
{
    uint64_t value = *mantissa;
    while (text < end && is_digit(*text))
        value = value * 10 + (uint64_t)(*text++ - '0');
    *mantissa = value;
    return text;
}

/* Reads what follows 'e' up to `end`; false if it is no exponent. */
static bool read_exponent(const char *text, const char *end, Decimal *decimal)
{
    bool is_negative = text < end && *text == '-';
    text += is_negative || (text < end && *text == '+');
    const char *first = text;
    while (text < end && *text == '0')
        text++;
    const char *digits = text;
    uint64_t value = 0;
    text = read_digits(text, end, &value);
    if (text == first || text != end)
        return false;
    size_t count = (size_t)(text - digits);
    if (count > EXPONENT_DIGITS)
        decimal->huge = (HugeExponent){digits, count};
    decimal->exponent = count > EXPONENT_DIGITS ? huge_exponent : (int64_t)value;
    if (is_negative)
        decimal->exponent = -decimal->exponent;
    return true;
}

static int digit_at(const Decimal *decimal, size_t index)
{
    return decimal->digits[index + (index >= decimal->point)] - '0';
}

/* Steps over leading zeros of the digits between `first` and `last`, where `point` is the '.' or NULL. */
static void skip_zeros(Decimal *decimal, const char *first, const char *last, const char *point)
{
    while (first < last && (*first == '0' || *first == '.'))
        first++;
    bool has_point = point && point >= first;
    decimal->digits = first;
    decimal->count = (size_t)(last - first) - has_point;
    decimal->point = has_point ? (size_t)(point - first) : SIZE_MAX;
}

static void cut_mantissa(Decimal *decimal, size_t count)
{
    decimal->mantissa = 0;
    for (size_t i = 0; i < count; i++)
        decimal->mantissa = decimal->mantissa * 10 + (uint64_t)digit_at(decimal, i);
}

bool decimal_parse(const char *text, size_t size, Decimal *ret_decimal)
{
    const char *end = text + size;
    bool is_negative = size && *text == '-';
    text += is_negative || (size && *text == '+');

    Decimal decimal = {0};
    const char *first = text, *point = NULL;
    text = read_digits(text, end, &decimal.mantissa);
    size_t whole = (size_t)(text - first), fraction = 0;
    if (text < end && *text == '.') {
        point = text++;
        text = read_digits(text, end, &decimal.mantissa);
        fraction = (size_t)(text - point) - 1;
    }
    if (whole + fraction == 0)
        return false;
    const char *last = text;
    if (text < end && ((*text != 'e' && *text != 'E') || !read_exponent(text + 1, end, &decimal)))
        return false;

    skip_zeros(&decimal, first, last, point);
    decimal.is_negative = is_negative && decimal.count > 0;
    decimal.scale = decimal.exponent - (int64_t)fraction;
    decimal.top = decimal.scale + (int64_t)decimal.count - 1;
    if (decimal.count > MANTISSA_DIGITS) {
        cut_mantissa(&decimal, MANTISSA_DIGITS);
        decimal.scale = decimal.top - (MANTISSA_DIGITS - 1);
    }
    *ret_decimal = decimal;
    return true;
}

/* ---- rough: long double, with a margin that covers every rounding --------------------------------------------- */

static const uint64_t powers[] = {UINT64_C(1),
                                  UINT64_C(10),
                                  UINT64_C(100),
                                  UINT64_C(1000),
                                  UINT64_C(10000),
                                  UINT64_C(100000),
                                  UINT64_C(1000000),
                                  UINT64_C(10000000),
                                  UINT64_C(100000000),
                                  UINT64_C(1000000000),
                                  UINT64_C(10000000000),
                                  UINT64_C(100000000000),
                                  UINT64_C(1000000000000),
                                  UINT64_C(10000000000000),
                                  UINT64_C(100000000000000),
                                  UINT64_C(1000000000000000),
                                  UINT64_C(10000000000000000),
                                  UINT64_C(100000000000000000),
                                  UINT64_C(1000000000000000000),
                                  UINT64_C(10000000000000000000)};

static long double exact_power(int64_t exponent) /* 0 to POWER_STEP, exact in 64 bits */
{
    if (exponent < MANTISSA_DIGITS)
        return (long double)powers[exponent];
    return 1e18L * (long double)powers[exponent - 18];
}

/* Its size within 2^-59 of itself: 10^-18 for the cut mantissa at worst, and a dozen roundings of 2^-64. */
static bool rough_size(const Decimal *decimal, long double *ret_size)
{
    int64_t scale = decimal->scale;
    if (scale > ROUGH_SCALE_MAX || scale < -ROUGH_SCALE_MAX)
        return false;
    long double size = (long double)decimal->mantissa;
    for (; scale > POWER_STEP; scale -= POWER_STEP)
        size *= 1e27L;
    for (; scale < -POWER_STEP; scale += POWER_STEP)
        size /= 1e27L;
    *ret_size = scale < 0 ? size / exact_power(-scale) : size * exact_power(scale);
    return true;
}

typedef enum Closeness { CLOSE_NO, CLOSE_YES, CLOSE_UNSURE } Closeness;

static Closeness rough_closeness(const Decimal *value, const Decimal *reference, const DecimalTolerance *tolerance)
{
    long double s, a;
    if (!tolerance->is_rough || !rough_size(value, &s) || !rough_size(reference, &a))
        return CLOSE_UNSURE;
    long double distance = value->is_negative == reference->is_negative ? fabsl(s - a) : s + a;
    long double allowed = fmaxl(tolerance->rough_absolute, tolerance->rough_relative * a) + 0x1p-63L * a;
    long double margin = 0x1p-57L * (s + a + allowed);
    if (distance + margin < allowed)
        return CLOSE_YES;
    return distance > allowed + margin ? CLOSE_NO : CLOSE_UNSURE;
}

/* ---- exact ----------------------------------------------------------------------------------------------------- */

/* coefficient * (the decimal's digits, the first of them at power `top`) */
typedef struct Term {
    const Decimal *decimal;
    int64_t top;
    __int128 coefficient;
} Term;

static const __int128 two_to_63 = (__int128)1 << 63;

static int term_digit(const Term *term, int64_t power)
{
    if (power > term->top || power <= term->top - (int64_t)term->decimal->count)
        return 0;
    return digit_at(term->decimal, (size_t)(term->top - power));
}

/* The highest power not above `power` at which a term has a digit; INT64_MIN if there is none. */
static int64_t next_power(const Term *terms, size_t count, int64_t power)
{
    int64_t next = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        int64_t candidate = terms[i].top < power ? terms[i].top : power;
        if (candidate > terms[i].top - (int64_t)terms[i].decimal->count && candidate > next)
            next = candidate;
    }
    return next;
}

/* The sign of the sum of all terms. Tops lie within +-2^62, coefficients below 2^94 and count below 64: sums fit. */
static int sum_sign(const Term *terms, size_t count)
{
    __int128 sum = 0, bound = 0;
    int64_t lowest = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        bound += terms[i].coefficient < 0 ? -terms[i].coefficient : terms[i].coefficient;
        int64_t bottom = terms[i].top - (int64_t)terms[i].decimal->count + 1;
        lowest = bottom < lowest ? bottom : lowest;
    }
    for (int64_t power = INT64_MAX; power >= lowest; power--) {
        if (sum == 0)
            power = next_power(terms, count, power);
        if (power == INT64_MIN)
            break;
        sum *= 10;
        for (size_t i = 0; i < count; i++)
            sum += terms[i].coefficient * term_digit(&terms[i], power);
        if (sum >= bound || -sum >= bound)
            break;
    }
    return (sum > 0) - (sum < 0);
}

static int exponent_digit(const Decimal *decimal, size_t place) /* place 1 is the last digit; with the sign */
{
    int digit = 0;
    if (decimal->huge.digits)
        digit = place > decimal->huge.count ? 0 : decimal->huge.digits[decimal->huge.count - place] - '0';
    else if (place <= EXPONENT_DIGITS + 1) {
        uint64_t size = (uint64_t)(decimal->exponent < 0 ? -decimal->exponent : decimal->exponent);
        digit = (int)(size / powers[place - 1] % 10);
    }
    return decimal->exponent < 0 ? -digit : digit;
}

/* Difference of two written exponents of any length, held at +-difference_limit. */
static int64_t exponent_difference(const Decimal *left, const Decimal *right)
{
    size_t place = left->huge.count > right->huge.count ? left->huge.count : right->huge.count;
    int64_t difference = 0;
    for (; place > 0; place--) {
        difference = difference * 10 + exponent_digit(left, place) - exponent_digit(right, place);
        if (difference >= difference_limit)
            return difference_limit;
        if (difference <= -difference_limit)
            return -difference_limit;
    }
    return difference;
}

/* The power of the value's first digit, on the reference's scale. Only huge exponents, which are held at a limit, need
 * thought: where the two are comparable, what counts is their difference. */
static int64_t top_beside(const Decimal *value, const Decimal *reference)
{
    if (!value->huge.digits && !reference->huge.digits)
        return value->top;
    int64_t difference = exponent_difference(value, reference);
    bool is_far = difference == difference_limit || difference == -difference_limit;
    if (is_far && value->exponent != reference->exponent)
        return value->top;
    return value->top - value->exponent + reference->exponent + difference;
}

/* `relative` as whole numbers of 9 digits each, times 2^63 |a|: a term a chunk. */
static size_t relative_terms(const Decimal *relative, const Decimal *reference, Term *terms)
{
    size_t count = 0;
    for (size_t start = 0; start < relative->count && count < CHUNKS_MAX; start += CHUNK_DIGITS, count++) {
        size_t end = relative->count - start < CHUNK_DIGITS ? relative->count : start + CHUNK_DIGITS;
        int64_t chunk = 0;
        for (size_t i = start; i < end; i++)
            chunk = chunk * 10 + digit_at(relative, i);
        terms[count] = (Term){reference, reference->top + relative->top - (int64_t)end + 1, -two_to_63 * chunk};
    }
    return count;
}

static bool exact_is_close(const Decimal *value, const Decimal *reference, const DecimalTolerance *tolerance)
{
    const int64_t top = top_beside(value, reference);
    const __int128 value_sign = value->is_negative ? -1 : 1, reference_sign = reference->is_negative ? -1 : 1;
    Term terms[3 + CHUNKS_MAX] = {{value, top, value_sign}, {reference, reference->top, -reference_sign}};
    const int side = sum_sign(terms, 2); /* of s - a */
    if (side == 0)
        return true;

    /* 2^63 |s - a| - |a|, and one of the tolerances is still to be taken off. */
    terms[0].coefficient = side * value_sign * two_to_63;
    terms[1].coefficient = -(side * reference_sign * two_to_63) - 1;
    if (tolerance->has_absolute) {
        terms[2] = (Term){&tolerance->absolute, tolerance->absolute.top, -two_to_63};
        if (sum_sign(terms, 3) <= 0)
            return true;
    }
    if (tolerance->has_relative)
        return sum_sign(terms, 2 + relative_terms(&tolerance->relative, reference, terms + 2)) <= 0;
    return !tolerance->has_absolute && sum_sign(terms, 2) <= 0;
}

/* Do two numbers of at most 19 digits have the same value? A cheap answer for tolerance 0. */
static bool is_same_short(const Decimal *value, const Decimal *reference)
{
    if (value->count == 0 || reference->count == 0)
        return value->count == reference->count;
    if (value->count > MANTISSA_DIGITS || reference->count > MANTISSA_DIGITS || value->huge.digits ||
        reference->huge.digits || value->top != reference->top || value->is_negative != reference->is_negative)
        return false;
    if (value->scale >= reference->scale) /* the same top, so the product has at most 19 digits */
        return value->mantissa * powers[value->scale - reference->scale] == reference->mantissa;
    return reference->mantissa * powers[reference->scale - value->scale] == value->mantissa;
}

/* ---- tolerances ------------------------------------------------------------------------------------------------ */

static bool read_tolerance(const char *text, Decimal *ret_decimal)
{
    return text && decimal_parse(text, strlen(text), ret_decimal) && !ret_decimal->is_negative;
}

void decimal_tolerance_init(DecimalTolerance *tolerance, const char *absolute, const char *relative)
{
    *tolerance = (DecimalTolerance){0};
    tolerance->has_absolute = read_tolerance(absolute, &tolerance->absolute);
    tolerance->has_relative = read_tolerance(relative, &tolerance->relative);
    tolerance->is_rough = (!tolerance->has_absolute || rough_size(&tolerance->absolute, &tolerance->rough_absolute)) &&
                          (!tolerance->has_relative || rough_size(&tolerance->relative, &tolerance->rough_relative));
}

bool decimal_is_close(const Decimal *value, const Decimal *reference, const DecimalTolerance *tolerance)
{
    Closeness rough = rough_closeness(value, reference, tolerance);
    if (rough != CLOSE_UNSURE)
        return rough == CLOSE_YES;
    return is_same_short(value, reference) || exact_is_close(value, reference, tolerance);
}
