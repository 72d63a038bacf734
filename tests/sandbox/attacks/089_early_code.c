/* Row 89: the submission's code runs before main. The filter must have been there first. */
#include "attack.h"
#include <sys/socket.h>

static int early_socket = -2, earlier_socket = -2;

static void earlier(void)
{
    earlier_socket = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*const run_earlier)(void) = earlier;

__attribute__((constructor)) static void early(void)
{
    early_socket = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
}

int main(void)
{
    if (early_socket != -1 || earlier_socket != -1)
        printf("ESCAPED %d %d\n", earlier_socket, early_socket);
    return finish_refused();
}
