/* The judge's context: what is found out once and shared by all jobs of a process. */
#ifndef GAVEL_CORE_CONTEXT_H
#define GAVEL_CORE_CONTEXT_H

#include "base/hash.h"
#include "core/build.h"
#include "core/cache.h"
#include "core/toolchain.h"
#include "gavel/judge.h"

/* Names of unfinished directories in the data cache. */
#define DATA_TEMPORARY_PREFIX "tmp."

struct Judge {
    Arena *arena;
    Sandbox *sandbox;
    const char *cache_directory;
    const char *data_cache;
    Cache *cache; /* NULL: artifacts are not cached */
    Toolchain toolchains[TOOLCHAIN_MAX];
    BuildMemo memos[BUILD_MEMO_MAX];
    size_t memo_count;                 /* of all ever kept: the next one goes to memo_count % BUILD_MEMO_MAX */
    char build_sha256[HASH_TEXT_SIZE]; /* of our own executable; empty until asked for */
};

#endif
