/* Descriptors and whole files: owned by scope, close-on-exec from birth. */
#ifndef GAVEL_BASE_FD_H
#define GAVEL_BASE_FD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"

static inline void fd_cleanup(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd); /* nothing can be done about a failed close of a descriptor that we only read */
}
static inline void file_cleanup(FILE **file)
{
    if (*file)
        (void)fclose(*file); /* writers call fclose themselves and check it */
}
static inline void memory_cleanup(void *pointer)
{
    free(*(void **)pointer);
}

#define auto_close  __attribute__((cleanup(fd_cleanup)))
#define auto_fclose __attribute__((cleanup(file_cleanup)))
#define auto_free   __attribute__((cleanup(memory_cleanup)))

/* Hands a descriptor over to a new owner. */
static inline int steal_fd(int *fd)
{
    int stolen = *fd;
    *fd = -1;
    return stolen;
}

/* Reads a regular file whole into `buffer` (appended). ERROR_INPUT with the path in the message if it is missing,
 * unreadable, not a regular file (a directory, a device, a FIFO: never blocks) or larger than max_bytes. */
bool fd_read_file(const char *path, size_t max_bytes, Buffer *buffer, Error *error) MUST_CHECK;

/* Reads an open descriptor from offset 0 to its end, at most max_bytes, without moving its offset. */
bool fd_read_all(int fd, size_t max_bytes, Buffer *buffer, Error *error) MUST_CHECK;

/* Writes all bytes, continuing after short writes and EINTR. */
bool fd_write_all(int fd, const void *data, size_t size, Error *error) MUST_CHECK;

/* Writes a file so that a reader sees the old or the new content, never half: a temporary name in the same directory,
 * fsync, rename. `mode` as in open. */
bool fd_replace_file(const char *path, const void *data, size_t size, unsigned mode, Error *error) MUST_CHECK;

/* mkdir -p. `mode` applies to the directories that are made. */
bool fd_make_directories(const char *path, unsigned mode, Error *error) MUST_CHECK;

#endif
