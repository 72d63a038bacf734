/* Ownership of descriptors: closed when the variable goes out of scope, unless stolen. */
#ifndef SANDBOX_DESCRIPTOR_H
#define SANDBOX_DESCRIPTOR_H

#include <stdlib.h>
#include <unistd.h>

static inline void close_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static inline void free_pointer(void *pointer)
{
    free(*(void **)pointer);
}

/* Ownership moves to the caller; the variable is empty afterwards. */
static inline int steal_fd(int *fd)
{
    int stolen = *fd;
    *fd = -1;
    return stolen;
}

#define auto_close __attribute__((cleanup(close_descriptor)))
#define auto_free  __attribute__((cleanup(free_pointer)))

#endif
