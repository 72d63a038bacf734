/* Row 76: reach anything: this host's services, or an address of the documentation range (nobody's). No socket at all
 * is to be had, so no packet is ever sent. */
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static void try_connect(int type, const char *host, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);
    must_fail("socket AF_INET", fd);
    if (fd >= 0)
        must_fail("connect", connect(fd, (struct sockaddr *)&address, sizeof address));
}

int main(void)
{
    try_connect(SOCK_STREAM, "127.0.0.1", 80);
    try_connect(SOCK_STREAM, "127.0.0.1", 5432);
    try_connect(SOCK_DGRAM, "127.0.0.53", 53);
    try_connect(SOCK_STREAM, "192.0.2.1", 80);
    must_fail("socket AF_INET6", socket(AF_INET6, SOCK_STREAM, 0));
    must_fail("raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    return finish_refused();
}
