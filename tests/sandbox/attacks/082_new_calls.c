/* Row 82: newer doors to old rooms, which old lists forget. ENOSYS, so that libc falls back to what is filtered.
 * (openat2 and fchmodat2 do nothing that open and chmod can't; a list may know them by now.) */
#include "attack.h"
#include <sched.h>

static void tell(const char *name, long result)
{
    printf("%s %s\n", name, result < 0 ? strerrorname_np(errno) : "ESCAPED");
}

int main(void)
{
    uint64_t arguments[8] = {0, 0, 0, 0, SIGCHLD};
    long child = syscall(SYS_clone3, arguments, 64);
    if (child == 0)
        _exit(0);
    tell("clone3", child);
    tell("process_madvise", syscall(440, -1, NULL, 0, 0, 0));
    tell("process_mrelease", syscall(448, -1, 0));
    tell("pidfd_open", syscall(434, 1, 0));
    tell("memfd_secret", syscall(447, 0));
    tell("open_tree", syscall(428, AT_FDCWD, "/w", 1));
    return 0;
}
