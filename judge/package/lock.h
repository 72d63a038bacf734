/* data/gavel.lock: the hashes that generated data must have, in the format that sha256sum writes and checks. */
#ifndef GAVEL_PACKAGE_LOCK_H
#define GAVEL_PACKAGE_LOCK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "package/list.h"

typedef struct LockEntry {
    const char *name;   /* "secret/010-empty.in" */
    const char *sha256; /* 64 lower-case hexadecimal digits */
    int line;
} LockEntry;

typedef struct Lock {
    const char *file; /* as messages name it */
    List entries;     /* of LockEntry, sorted by name */
} Lock;

/* Parses "<64 hex>  <name>" lines; empty lines are skipped. */
bool lock_parse(Arena *arena, const char *file, const char *text, size_t size, Lock *ret_lock, Error *error) MUST_CHECK;

/* The hash of `name`, or NULL. */
const char *lock_find(const Lock *lock, const char *name);

#endif
