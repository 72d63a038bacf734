/* Streams that are read while the run goes on. */
#include "run.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK_BYTES = 64 * 1024,
    CHUNKS_PER_STEP = 16, /* a flood must not keep the supervisor from its clocks */
    CHUNKS_AT_END = 64,   /* a pipe holds at most 1 MiB unless root made it larger */
    FIRST_ROOM = 4096,
};

bool drain_open(Drain *drain, int64_t limit_bytes, int *ret_write_fd, SandboxError *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sandbox_fail(error, SANDBOX_STAGE_STREAMS, errno, "making a pipe");
    /* Only our end: the description of the program's end is its own, and blocks. */
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK); /* cannot fail on a pipe of ours */
    *drain = (Drain){.read_fd = ends[0], .limit_bytes = limit_bytes};
    *ret_write_fd = ends[1];
    return true;
}

/* Without memory for more, what comes is counted and dropped, as over the limit. */
static bool make_room(Drain *drain, size_t needed)
{
    if (needed < drain->room)
        return true;
    size_t room = drain->room ? drain->room : FIRST_ROOM;
    while (room <= needed)
        room *= 2;
    char *data = realloc(drain->data, room);
    if (!data)
        return false;
    drain->data = data;
    drain->room = room;
    return true;
}

static void keep(Drain *drain, const char *bytes, size_t count)
{
    drain->total_bytes += (int64_t)count;
    int64_t left = drain->limit_bytes - (int64_t)drain->size;
    if ((int64_t)count > left)
        count = left > 0 ? (size_t)left : 0;
    if (count == 0 || !make_room(drain, drain->size + count))
        return;
    memcpy(drain->data + drain->size, bytes, count);
    drain->size += count;
    drain->data[drain->size] = 0;
}

static void read_chunks(Drain *drain, int limit)
{
    char bytes[CHUNK_BYTES];
    for (int i = 0; drain->read_fd >= 0 && i < limit; i++) {
        ssize_t got = read(drain->read_fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0) { /* nobody writes any more: an end of file would keep the poll descriptor ready for ever */
            close(drain->read_fd);
            drain->read_fd = -1;
        }
        if (got <= 0)
            return;
        keep(drain, bytes, (size_t)got);
    }
}

void drain_read(Drain *drain)
{
    read_chunks(drain, CHUNKS_PER_STEP);
}

void drain_read_rest(Drain *drain)
{
    read_chunks(drain, CHUNKS_AT_END);
}

void drain_done(Drain *drain)
{
    if (drain->read_fd >= 0)
        close(drain->read_fd);
    free(drain->data);
    *drain = (Drain){.read_fd = -1};
}
