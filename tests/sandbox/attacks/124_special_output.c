/* Row 124: the output file is something on whose opening a reader waits for ever. */
#include "attack.h"
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

static int make_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/w/out"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd < 0 ? -1 : bind(fd, (struct sockaddr *)&address, sizeof address);
}

int main(int argc, char **argv)
{
    (void)argc;
    int result = -1;
    if (strcmp(argv[1], "fifo") == 0)
        result = mkfifo("/w/out", 0666);
    if (strcmp(argv[1], "directory") == 0)
        result = mkdir("/w/out", 0777);
    if (strcmp(argv[1], "socket") == 0)
        result = make_socket();
    if (strcmp(argv[1], "device") == 0)
        result = mknod("/w/out", S_IFCHR | 0666, makedev(1, 5));
    if (result < 0)
        return finish_refused();
    puts("made");
    return 0;
}
