/* Row 79: io_uring opens files and sockets where no filter sees it. */
#include "attack.h"

int main(void)
{
    char parameters[120] = {0};
    must_fail("io_uring_setup", syscall(425, 8, parameters));
    puts(strerrorname_np(errno));
    must_fail("io_uring_enter", syscall(426, 0, 1, 0, 0, NULL, 0));
    must_fail("io_uring_register", syscall(427, 0, 0, NULL, 0));
    return 0;
}
