/* The argument list of the default output validator, read at load time so that a bad flag is the package's error. */
#ifndef GAVEL_PACKAGE_VALIDATOR_FLAGS_H
#define GAVEL_PACKAGE_VALIDATOR_FLAGS_H

#include "base/error.h"
#include "gavel/problem.h"

/* Reads the argument list of the default validator (NULL-terminated): case_sensitive, space_change_sensitive,
 * float_absolute_tolerance E, float_relative_tolerance E, float_tolerance E (both). Unknown flags, a missing, negative
 * or malformed E, and a tolerance given twice are ERROR_INPUT. Strings in *ret_flags point into `args`. */
bool validator_flags_parse(const char *const *args, ValidatorFlags *ret_flags, Error *error) MUST_CHECK;

#endif
