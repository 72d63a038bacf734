/* Content hashes: SHA-256 (FIPS 180-4) by libsodium, written in lower-case hexadecimal. */
#ifndef GAVEL_BASE_HASH_H
#define GAVEL_BASE_HASH_H

#include <sodium.h>
#include <stddef.h>

#include "base/error.h"

enum { HASH_TEXT_SIZE = 65 }; /* 64 digits and the terminator */

typedef struct Hash {
    crypto_hash_sha256_state state;
} Hash;

void hash_init(Hash *hash);
void hash_add(Hash *hash, const void *data, size_t size);
/* A length-prefixed field, so that ("ab","c") and ("a","bc") differ. */
void hash_field(Hash *hash, const void *data, size_t size);
void hash_string(Hash *hash, const char *text); /* as a field; NULL counts as its own value */
void hash_text(Hash *hash, char ret_text[HASH_TEXT_SIZE]);

/* Of a whole block, and of a whole open file from offset 0. */
void hash_bytes_text(const void *data, size_t size, char ret_text[HASH_TEXT_SIZE]);
bool hash_fd_text(int fd, char ret_text[HASH_TEXT_SIZE], Error *error) MUST_CHECK;

#endif
