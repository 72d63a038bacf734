/* Row 78: every address family but AF_UNIX, which compilers may have: VSOCK, NETLINK, ALG, PACKET and the forgotten. */
#include "attack.h"
#include <sys/socket.h>

int main(void)
{
    for (int family = 0; family < 48; family++)
        for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
            char name[32];
            snprintf(name, sizeof name, "family %d type %d", family, type);
            if (family != AF_UNIX)
                must_fail(name, socket(family, type, 0));
        }
    return finish_refused();
}
