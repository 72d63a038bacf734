/* Row 83: type into the operator's terminal, which the runner gives as standard input. The kernel looks at 32 bits of
 * the request; a filter that compares 64 is passed by the other half. */
#include "attack.h"
#include <sys/ioctl.h>

int main(void)
{
    char key = 'x', paste[2] = {3, 0};
    must_fail("TIOCSTI", syscall(SYS_ioctl, 0, (unsigned long)TIOCSTI, &key));
    must_fail("TIOCSTI, high bits", syscall(SYS_ioctl, 0, TIOCSTI | 1UL << 32, &key));
    must_fail("TIOCLINUX", syscall(SYS_ioctl, 0, 0x541cUL, paste));
    must_fail("TIOCLINUX, high bits", syscall(SYS_ioctl, 0, 0x541cUL | 1UL << 40, paste));
    must_fail("TIOCSCTTY", syscall(SYS_ioctl, 0, (unsigned long)TIOCSCTTY, 1));
    must_fail("/dev/tty", open("/dev/tty", O_RDWR));
    return finish_refused();
}
