/* The artifact cache: content-addressed, bounded, shared by any number of judges at once. */
#ifndef GAVEL_CORE_CACHE_H
#define GAVEL_CORE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/hash.h"

typedef struct Cache Cache;

/* `directory` exists; entries go below directory/artifacts, temporary files into directory/tmp (made here). Removes
 * temporary files whose writer is dead. */
bool cache_open(const char *directory, int64_t max_bytes, Cache **ret_cache, Error *error) MUST_CHECK;
void cache_close(Cache *cache); /* NULL is allowed */

/* An entry is a small head (the caller's record) and a body. True only for a whole, undamaged entry, whose use is
 * noted; a damaged one is removed and counts as absent. Appends to both buffers on success only. */
bool cache_load(Cache *cache, const char *key, Buffer *head, Buffer *body);

/* Stores an entry, replacing an equal key, and evicts what was used least recently. A cache that cannot be written
 * costs time, not verdicts: failures are silent but for the return value. */
bool cache_store(Cache *cache, const char *key, const void *head, size_t head_size, const void *body, size_t body_size);

/* Bytes of all entries now on disk. */
int64_t cache_bytes(const Cache *cache);

/* Removes files and directories in `directory` whose names start with `prefix` and whose writer no longer holds the
 * lock. Also for other users of the same convention: a temporary name is locked with flock(2) from its making to its
 * rename. */
void cache_sweep(const char *directory, const char *prefix);

/* Removes a directory and all that is in it; what cannot be removed stays. */
void cache_remove_tree(const char *path);

#endif
