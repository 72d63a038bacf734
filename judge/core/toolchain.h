/* Which compiler is this? Its version for people, and an identity that the artifact cache can rely on. */
#ifndef GAVEL_CORE_TOOLCHAIN_H
#define GAVEL_CORE_TOOLCHAIN_H

#include "base/hash.h"
#include "core/language.h"

enum { TOOLCHAIN_MAX = 16 };

typedef struct Toolchain {
    const Language *language;    /* NULL: this place is free */
    const char *version;         /* "gcc (Debian 12.2.0-14) 12.2.0" */
    char sha256[HASH_TEXT_SIZE]; /* version, the compiler's binary, and what it links in */
} Toolchain;

/* Found once a process and language. A missing compiler is ERROR_FAULT that names the Debian package. */
bool toolchain_find(Judge *judge, const Language *language, const CancelToken *cancel, const Toolchain **ret_toolchain,
                    Error *error) MUST_CHECK;

#endif
