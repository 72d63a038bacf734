/* Decimals as a token writes them, compared exactly.
 *
 * "Is |s - a| <= absolute + 2^-63 |a|, or <= relative |a| + 2^-63 |a|?" has one answer, the same on every machine. Most
 * pairs are far from the threshold and are settled in long double; the others by adding digit strings from the most
 * significant digit down until the sign is certain (decimal.c). Neither needs memory beyond the text itself. */
#ifndef GAVEL_CORE_DECIMAL_H
#define GAVEL_CORE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An exponent that does not fit into 17 digits: where its text is, to be compared as text. */
typedef struct HugeExponent {
    const char *digits; /* without sign and leading zeros; NULL if the exponent fits */
    size_t count;
} HugeExponent;

/* A parsed number. Points into the text it was read from; `text` must outlive it. */
typedef struct Decimal {
    bool is_negative;   /* never for zero */
    const char *digits; /* the first digit that is not zero; a '.' may follow among the others */
    size_t count;       /* digits from there to the last, '.' not counted; 0: the number is zero */
    size_t point;       /* how many of them come before the '.'; at least count if there is none */
    int64_t exponent;   /* as written after e; +-2^60 if it is huge */
    int64_t top;        /* power of ten of the first digit */
    uint64_t mantissa;  /* the first 19 digits; the number is mantissa * 10^scale, cut to 19 digits */
    int64_t scale;
    HugeExponent huge;
} Decimal;

/* Reads a token: sign? (d*.d+ | d+. | d+) ((e|E) sign? d+)?, and nothing else. Linear in size. */
bool decimal_parse(const char *text, size_t size, Decimal *ret_decimal);

/* Tolerances ready for use. A relative one counts to its 288th significant digit. */
typedef struct DecimalTolerance {
    bool has_absolute, has_relative;
    Decimal absolute, relative;
    bool is_rough; /* the two long doubles are usable */
    long double rough_absolute, rough_relative;
} DecimalTolerance;

/* Borrows the texts; NULL, or a text that is no number or negative, means that there is no such tolerance. */
void decimal_tolerance_init(DecimalTolerance *tolerance, const char *absolute, const char *relative);

/* Is `value` close enough to `reference`? With no tolerance at all: are they within sigma? Linear in both texts. */
bool decimal_is_close(const Decimal *value, const Decimal *reference, const DecimalTolerance *tolerance);

#endif
