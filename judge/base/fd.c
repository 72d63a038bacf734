/* Whole-file reading and writing with the checks that untrusted paths need. */
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool fd_read_all(int fd, size_t max_bytes, Buffer *buffer, Error *error)
{
    char chunk[64 * 1024];
    off_t offset = 0;
    for (;;) {
        ssize_t got = pread(fd, chunk, sizeof chunk, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_system(error, "reading");
        if (got == 0)
            return true;
        if ((size_t)offset + (size_t)got > max_bytes)
            return error_input(error, "larger than %zu bytes", max_bytes);
        buffer_append(buffer, chunk, (size_t)got);
        if (buffer->has_failed)
            return error_fault(error, "out of memory while reading");
        offset += got;
    }
}

static const char *file_kind(mode_t mode)
{
    return S_ISDIR(mode) ? "is a directory" : "is not a regular file";
}

bool fd_read_file(const char *path, size_t max_bytes, Buffer *buffer, Error *error)
{
    /* O_NONBLOCK: opening a FIFO must not hang */
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return error_system_input(error, "cannot open %s", path);
    struct stat status;
    if (fstat(fd, &status) < 0)
        return error_system(error, "cannot examine %s", path);
    if (!S_ISREG(status.st_mode))
        return error_input(error, "%s %s", path, file_kind(status.st_mode));
    if (!fd_read_all(fd, max_bytes, buffer, error))
        return error_wrap(error, "%s", path);
    return true;
}

bool fd_write_all(int fd, const void *data, size_t size, Error *error)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return error_system(error, "writing");
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

bool fd_replace_file(const char *path, const void *data, size_t size, unsigned mode, Error *error)
{
    auto_free char *temporary = NULL;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return temporary = NULL, error_fault(error, "out of memory");
    auto_close int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return error_system(error, "cannot write %s", path);
    bool is_written = fd_write_all(fd, data, size, error);
    if (is_written && (fchmod(fd, mode) < 0 || fsync(fd) < 0 || rename(temporary, path) < 0))
        is_written = error_system(error, "replacing");
    if (is_written)
        return true;
    (void)unlink(temporary); /* the first failure is the one to report */
    return error_wrap(error, "cannot write %s", path);
}

bool fd_make_directories(const char *path, unsigned mode, Error *error)
{
    auto_free char *copy = strdup(path);
    if (!copy)
        return error_fault(error, "out of memory");
    for (char *slash = copy + 1;; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        char saved = *slash;
        *slash = '\0';
        if (mkdir(copy, mode) < 0 && errno != EEXIST)
            return error_system(error, "cannot make directory %s", copy);
        *slash = saved;
        if (saved == '\0')
            return true;
    }
}
