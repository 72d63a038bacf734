/* The artifact cache.
 *
 * One file an entry: artifacts/aa/<key>, with a header that holds the SHA-256 of all that follows it. Writers fill a
 * temporary file and rename it: readers see a whole entry or none, and when two judges store the same key, the last one
 * wins with equal content. Nothing is synced to disk: after a power cut the hash tells a torn entry.
 *
 * A temporary file is locked (flock) by its writer. Whoever gets the lock without waiting knows that the writer is
 * dead, also across pid namespaces, where process ids prove nothing. */
#include "core/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

struct Cache {
    char *artifacts; /* directory/artifacts */
    char *temporary; /* directory/tmp */
    int64_t max_bytes;
    int64_t unscanned; /* bytes stored by us since the last look at the whole cache; -1: never looked */
};

typedef struct EntryHeader {
    char magic[16];
    unsigned char sha256[crypto_hash_sha256_BYTES]; /* of the sizes and everything after the header */
    uint64_t head_size, body_size;
} EntryHeader;

static const char entry_magic[16] = "gavel-entry 1\n";

#define ENTRY_PREFIX "entry."

/* Anything larger is not ours: artifacts are capped well below. */
enum { ENTRY_MAX_BYTES = 256 * 1024 * 1024 };

/* ---- temporary files ------------------------------------------------------------------------------------------ */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    (void)remove(path); /* another judge may sweep the same name */
    return 0;
}

void cache_remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); /* a rest costs disk space, and is swept again */
}

void cache_sweep(const char *directory, const char *prefix)
{
    DIR *listing = opendir(directory);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing));) {
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        auto_close int fd = openat(dirfd(listing), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        auto_free char *path = NULL;
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
            continue;
        cache_remove_tree(path);
    }
    (void)closedir(listing);
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

bool cache_open(const char *directory, int64_t max_bytes, Cache **ret_cache, Error *error)
{
    Cache *cache = calloc(1, sizeof *cache);
    if (!cache || asprintf(&cache->artifacts, "%s/artifacts", directory) < 0 ||
        asprintf(&cache->temporary, "%s/tmp", directory) < 0) {
        cache_close(cache);
        return error_fault(error, "out of memory");
    }
    cache->max_bytes = max_bytes;
    cache->unscanned = -1;
    if (!fd_make_directories(cache->artifacts, 0755, error) || !fd_make_directories(cache->temporary, 0755, error)) {
        cache_close(cache);
        return false;
    }
    cache_sweep(cache->temporary, ENTRY_PREFIX);
    *ret_cache = cache;
    return true;
}

void cache_close(Cache *cache)
{
    if (!cache)
        return;
    free(cache->artifacts);
    free(cache->temporary);
    free(cache);
}

/* ---- loading -------------------------------------------------------------------------------------------------- */

static char *entry_path(const Cache *cache, const char *key)
{
    char *path = NULL;
    return asprintf(&path, "%s/%.2s/%s", cache->artifacts, key, key) < 0 ? NULL : path;
}

static void hash_entry(const EntryHeader *header, const void *head, const void *body, unsigned char *ret_digest)
{
    Hash hash;
    hash_init(&hash);
    hash_add(&hash, &header->head_size, sizeof header->head_size);
    hash_add(&hash, &header->body_size, sizeof header->body_size);
    hash_add(&hash, head, header->head_size);
    hash_add(&hash, body, header->body_size);
    (void)crypto_hash_sha256_final(&hash.state, ret_digest); /* always 0 */
}

static bool entry_is_whole(const Buffer *file)
{
    EntryHeader header;
    if (file->size < sizeof header)
        return false;
    memcpy(&header, file->data, sizeof header);
    size_t rest = file->size - sizeof header;
    if (memcmp(header.magic, entry_magic, sizeof entry_magic) != 0 || header.head_size > rest ||
        header.body_size != rest - header.head_size)
        return false;
    unsigned char digest[crypto_hash_sha256_BYTES];
    const char *head = file->data + sizeof header;
    hash_entry(&header, head, head + header.head_size, digest);
    return memcmp(digest, header.sha256, sizeof digest) == 0;
}

bool cache_load(Cache *cache, const char *key, Buffer *head, Buffer *body)
{
    auto_free char *path = entry_path(cache, key);
    auto_close int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    auto_buffer Buffer file = {0};
    if (fd < 0)
        return false;
    if (!fd_read_all(fd, ENTRY_MAX_BYTES, &file, NULL) || !entry_is_whole(&file)) {
        (void)unlink(path); /* rebuilt and stored again by the caller; another judge may have removed it first */
        return false;
    }
    EntryHeader header;
    memcpy(&header, file.data, sizeof header);
    buffer_append(head, file.data + sizeof header, header.head_size);
    buffer_append(body, file.data + sizeof header + header.head_size, header.body_size);
    (void)futimens(fd, NULL); /* a read-only cache cannot note the use, and works nevertheless */
    return !head->has_failed && !body->has_failed;
}

/* ---- eviction ------------------------------------------------------------------------------------------------- */

typedef struct EntryFile {
    char name[HASH_TEXT_SIZE];
    struct timespec used;
    int64_t bytes;
} EntryFile;

typedef struct EntryList {
    EntryFile *files;
    size_t count, capacity;
    int64_t bytes;
} EntryList;

static bool list_add(EntryList *list, const char *name, const struct stat *status)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 256;
        EntryFile *files = reallocarray(list->files, capacity, sizeof *files);
        if (!files)
            return false;
        list->files = files;
        list->capacity = capacity;
    }
    EntryFile *file = &list->files[list->count++];
    *file = (EntryFile){.used = status->st_mtim, .bytes = (int64_t)status->st_blocks * 512};
    memcpy(file->name, name, sizeof file->name);
    list->bytes += file->bytes;
    return true;
}

static void list_directory(EntryList *list, const char *path)
{
    DIR *listing = opendir(path);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing));) {
        struct stat status;
        if (strlen(entry->d_name) != HASH_TEXT_SIZE - 1 ||
            fstatat(dirfd(listing), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        if (!list_add(list, entry->d_name, &status))
            break; /* out of memory: what was seen is enough to evict something */
    }
    (void)closedir(listing);
}

static void list_entries(const Cache *cache, EntryList *list)
{
    for (unsigned prefix = 0; prefix < 256; prefix++) {
        auto_free char *path = NULL;
        if (asprintf(&path, "%s/%02x", cache->artifacts, prefix) >= 0)
            list_directory(list, path);
    }
}

static int compare_use(const void *left, const void *right)
{
    const EntryFile *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* Down to 7/8 of the bound, so that the next stores do not walk the directories again. An entry that another judge is
 * reading stays readable to it after unlink. */
static void evict(Cache *cache)
{
    EntryList list = {0};
    list_entries(cache, &list);
    if (list.bytes > cache->max_bytes) {
        qsort(list.files, list.count, sizeof *list.files, compare_use);
        int64_t goal = cache->max_bytes - cache->max_bytes / 8;
        for (size_t i = 0; i < list.count && list.bytes > goal; i++) {
            auto_free char *path = entry_path(cache, list.files[i].name);
            if (path && (unlink(path) == 0 || errno == ENOENT))
                list.bytes -= list.files[i].bytes;
        }
    }
    free(list.files);
}

int64_t cache_bytes(const Cache *cache)
{
    EntryList list = {0};
    list_entries(cache, &list);
    free(list.files);
    return list.bytes;
}

static void note_stored(Cache *cache, int64_t bytes)
{
    if (cache->unscanned >= 0 && (cache->unscanned += bytes) < cache->max_bytes / 16)
        return;
    evict(cache);
    cache->unscanned = 0;
}

/* ---- storing -------------------------------------------------------------------------------------------------- */

static bool write_entry(int fd, const EntryHeader *header, const void *head, const void *body)
{
    return fd_write_all(fd, header, sizeof *header, NULL) && fd_write_all(fd, head, header->head_size, NULL) &&
           fd_write_all(fd, body, header->body_size, NULL);
}

static bool make_parent(const Cache *cache, const char *key)
{
    auto_free char *directory = NULL;
    return asprintf(&directory, "%s/%.2s", cache->artifacts, key) >= 0 &&
           (mkdir(directory, 0755) == 0 || errno == EEXIST);
}

bool cache_store(Cache *cache, const char *key, const void *head, size_t head_size, const void *body, size_t body_size)
{
    EntryHeader header = {.head_size = head_size, .body_size = body_size};
    memcpy(header.magic, entry_magic, sizeof entry_magic);
    hash_entry(&header, head, body, header.sha256);
    auto_free char *path = entry_path(cache, key);
    auto_free char *temporary = NULL;
    if (!path || !make_parent(cache, key) || asprintf(&temporary, "%s/" ENTRY_PREFIX "XXXXXX", cache->temporary) < 0)
        return false;
    auto_close int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    /* A sweeper may remove the name between mkostemp and flock: then rename fails, and the entry is made next time. */
    bool is_stored =
        flock(fd, LOCK_EX | LOCK_NB) == 0 && write_entry(fd, &header, head, body) && rename(temporary, path) == 0;
    if (is_stored)
        note_stored(cache, (int64_t)(sizeof header + head_size + body_size));
    else
        (void)unlink(temporary); /* best effort; the next start sweeps it */
    return is_stored;
}
