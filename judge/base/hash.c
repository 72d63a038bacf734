/* Thin wrapper over libsodium's SHA-256 that adds length-prefixed fields. */
#include "base/hash.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

void hash_init(Hash *hash)
{
    (void)crypto_hash_sha256_init(&hash->state); /* always 0 */
}

void hash_add(Hash *hash, const void *data, size_t size)
{
    (void)crypto_hash_sha256_update(&hash->state, data, size); /* always 0 */
}

void hash_field(Hash *hash, const void *data, size_t size)
{
    uint64_t length = size;
    hash_add(hash, &length, sizeof length);
    hash_add(hash, data, size);
}

void hash_string(Hash *hash, const char *text)
{
    static const uint64_t absent = UINT64_MAX;
    if (text)
        hash_field(hash, text, strlen(text));
    else
        hash_add(hash, &absent, sizeof absent);
}

void hash_text(Hash *hash, char ret_text[HASH_TEXT_SIZE])
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256_final(&hash->state, digest); /* always 0 */
    sodium_bin2hex(ret_text, HASH_TEXT_SIZE, digest, sizeof digest);
}

void hash_bytes_text(const void *data, size_t size, char ret_text[HASH_TEXT_SIZE])
{
    Hash hash;
    hash_init(&hash);
    hash_add(&hash, data, size);
    hash_text(&hash, ret_text);
}

bool hash_fd_text(int fd, char ret_text[HASH_TEXT_SIZE], Error *error)
{
    Hash hash;
    hash_init(&hash);
    char chunk[64 * 1024];
    for (off_t offset = 0;;) {
        ssize_t got = pread(fd, chunk, sizeof chunk, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_system(error, "reading for a hash");
        if (got == 0)
            break;
        hash_add(&hash, chunk, (size_t)got);
        offset += got;
    }
    hash_text(&hash, ret_text);
    return true;
}
