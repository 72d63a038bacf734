/* Row 77: an abstract Unix socket lives in the network namespace, not in the file system. The runner listens on one
 * named after the host's secret. */
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv)
{
    (void)argc;
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    for (size_t i = 0; i < ARRAY_COUNT(types); i++) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", argv[2]);
        socklen_t size = (socklen_t)(sizeof address.sun_family + 1 + strlen(argv[2]));
        int fd = socket(AF_UNIX, types[i], 0);
        if (fd >= 0)
            must_fail("connect to the host", connect(fd, (struct sockaddr *)&address, size));
    }
    return finish_refused();
}
