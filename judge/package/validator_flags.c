/* One table of flags; a tolerance flag names which of the two tolerances it sets. */
#include "package/validator_flags.h"

#include <stdlib.h>
#include <string.h>

#include "package/decimal_text.h"

typedef enum FlagEffect {
    FLAG_CASE = 1,
    FLAG_SPACE = 2,
    FLAG_ABSOLUTE = 4,
    FLAG_RELATIVE = 8,
    FLAG_TOLERANCE = FLAG_ABSOLUTE | FLAG_RELATIVE,
} FlagEffect;

typedef struct FlagRow {
    const char *word;
    FlagEffect effect;
} FlagRow;

static const FlagRow flag_rows[] = {
    {"case_sensitive", FLAG_CASE},
    {"space_change_sensitive", FLAG_SPACE},
    {"float_absolute_tolerance", FLAG_ABSOLUTE},
    {"float_relative_tolerance", FLAG_RELATIVE},
    {"float_tolerance", FLAG_TOLERANCE},
};

static const FlagRow *find_flag(const char *word)
{
    for (size_t i = 0; i < sizeof flag_rows / sizeof *flag_rows; i++)
        if (strcmp(flag_rows[i].word, word) == 0)
            return &flag_rows[i];
    return NULL;
}

static bool check_tolerance(const char *flag, const char *text, Error *error)
{
    if (!text)
        return error_input(error, "%s needs a number after it", flag);
    if (!decimal_text_matches(text))
        return error_input(error, "%s: '%s' is not a decimal number", flag, text);
    double value = strtod(text, NULL);
    /* the sign is looked at too, since a tiny negative number underflows to -0 */
    if (value < 0 || (*text == '-' && text[1 + strspn(text + 1, "0.")] != '\0'))
        return error_input(error, "%s: the tolerance %s is negative", flag, text);
    if (value > 1e300)
        return error_input(error, "%s: the tolerance %s is too large", flag, text);
    return true;
}

static bool set_tolerance(const FlagRow *row, const char *text, ValidatorFlags *flags, Error *error)
{
    if (!check_tolerance(row->word, text, error))
        return false;
    if (((row->effect & FLAG_ABSOLUTE) && flags->float_absolute) ||
        ((row->effect & FLAG_RELATIVE) && flags->float_relative))
        return error_input(error, "%s: this tolerance is given twice", row->word);
    if (row->effect & FLAG_ABSOLUTE)
        flags->float_absolute = text;
    if (row->effect & FLAG_RELATIVE)
        flags->float_relative = text;
    return true;
}

bool validator_flags_parse(const char *const *args, ValidatorFlags *ret_flags, Error *error)
{
    ValidatorFlags flags = {0};
    for (; *args; args++) {
        const FlagRow *row = find_flag(*args);
        if (!row)
            return error_input(error, "'%s' is not a flag of the default output validator", *args);
        flags.is_case_sensitive |= row->effect == FLAG_CASE;
        flags.is_space_change_sensitive |= row->effect == FLAG_SPACE;
        if ((row->effect & FLAG_TOLERANCE) && !set_tolerance(row, *++args, &flags, error))
            return false;
    }
    *ret_flags = flags;
    return true;
}
