/* Row 44: memory that no rlimit of the process counts. Each kind tries to hold 128 MiB; "refused" if it is not to be
 * had at all, otherwise the memory limit must count it. */
#include "attack.h"
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>

#define GOAL (128 * MIB)

static char block[MIB];

/* Several of four MiB each, below the limit of a single file. */
static long fill_memory_files(void)
{
    long held = 0;
    for (int fd; held < GOAL && (fd = (int)syscall(SYS_memfd_create, "x", 0)) >= 0;)
        for (int part = 0; part < 4 && write(fd, block, sizeof block) > 0; part++)
            held += MIB;
    return held;
}

static long fill_files(const char *directory)
{
    long held = 0, before = -1;
    for (int i = 0; held > before && held < GOAL; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/gavel_left%d", directory, i);
        before = held;
        int fd = open(name, O_WRONLY | O_CREAT, 0644);
        for (int part = 0; fd >= 0 && part < 4; part++)
            held += write(fd, block, sizeof block) > 0 ? MIB : 0;
        if (fd >= 0)
            close(fd);
    }
    return held;
}

static long fill_system_v(void)
{
    int segment = shmget(IPC_PRIVATE, GOAL, IPC_CREAT | 0600);
    char *bytes = segment < 0 ? (char *)-1 : shmat(segment, NULL, 0);
    if (bytes == (char *)-1)
        return 0;
    touch_bytes(bytes, GOAL);
    return GOAL;
}

static long fill_pairs(bool is_socket)
{
    long held = 0;
    int pair[2];
    for (;;) {
        if (is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, pair) : pipe(pair))
            return held;
        (void)fcntl(pair[1], F_SETPIPE_SZ, MIB);
        (void)fcntl(pair[1], F_SETFL, O_NONBLOCK);
        ssize_t size;
        while ((size = write(pair[1], block, sizeof block)) > 0)
            held += size;
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    signal(SIGXFSZ, SIG_IGN);
    long held = 0;
    if (strcmp(argv[1], "tmpfs") == 0)
        held = fill_files("/w");
    if (strcmp(argv[1], "shm") == 0)
        held = fill_files("/dev/shm");
    if (strcmp(argv[1], "memfd") == 0)
        held = fill_memory_files();
    if (strcmp(argv[1], "system_v") == 0)
        held = fill_system_v();
    if (strcmp(argv[1], "pipes") == 0)
        held = fill_pairs(false);
    if (strcmp(argv[1], "sockets") == 0)
        held = fill_pairs(true);
    if (held == 0)
        return finish_refused();
    printf("held %ld MiB\n", held / MIB);
    return 0;
}
