/* Sealed input: bytes in a memfd that nobody can change, charged to the caller instead of the runs that read it. */
#include "descriptor.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_EXEC /* Linux 6.3 */
#define MFD_EXEC        0x10U
#define MFD_NOEXEC_SEAL 0x8U
#endif

enum { COPY_CHUNK_BYTES = 1 << 20 };

/* Kernels before 6.3 refuse the flag and make every memfd executable. */
static int new_memfd(const char *name, bool is_executable)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | (is_executable ? MFD_EXEC : MFD_NOEXEC_SEAL));
    return fd < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING) : fd;
}

static int seal(int *fd, const char *name, SandboxError *error)
{
    if (fcntl(*fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "sealing %s", name);
        return -1;
    }
    return steal_fd(fd);
}

int sandbox_sealed_memfd(const char *name, const void *data, size_t size, bool is_executable, SandboxError *error)
{
    auto_close int fd = new_memfd(name, is_executable);
    const char *at = data;
    if (fd < 0) {
        sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "making a memfd for %s", name);
        return -1;
    }
    while (size > 0) {
        ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "filling the memfd of %s", name);
            return -1;
        }
        at += written;
        size -= (size_t)written;
    }
    return seal(&fd, name, error);
}

int sandbox_sealed_copy(const char *name, int source_fd, bool is_executable, SandboxError *error)
{
    auto_close int fd = new_memfd(name, is_executable);
    if (fd < 0) {
        sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "making a memfd for %s", name);
        return -1;
    }
    for (off_t offset = 0;;) {
        ssize_t copied = sendfile(fd, source_fd, &offset, COPY_CHUNK_BYTES);
        if (copied == 0)
            return seal(&fd, name, error);
        if (copied < 0 && errno != EINTR) {
            sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "copying %s", name);
            return -1;
        }
    }
}

int sandbox_reopen_read_only(int memfd, SandboxError *error)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memfd);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    /* Without root a run has our user: it cannot write what is sealed, but it can take away its permissions. The bit
     * for execution may be sealed too and stays as it is. */
    struct stat status;
    if (fd < 0 && errno == EACCES && fstat(memfd, &status) == 0 &&
        fchmod(memfd, S_IRUSR | (status.st_mode & S_IXUSR)) == 0)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "reopening a memfd");
    return fd;
}
