/* Row 34: read or steer the keeper, which is pid 1 here, or one's parent by any number. */
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>

static void attack(pid_t pid)
{
    char stolen[16];
    struct iovec ours = {stolen, sizeof stolen}, theirs = {(void *)0x400000, sizeof stolen};
    must_fail("ptrace attach", ptrace(PTRACE_ATTACH, pid, 0, 0));
    must_fail("ptrace seize", ptrace(PTRACE_SEIZE, pid, 0, 0));
    must_fail("process_vm_readv", process_vm_readv(pid, &ours, 1, &theirs, 1, 0));
    must_fail("process_vm_writev", process_vm_writev(pid, &ours, 1, &theirs, 1, 0));
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (handle >= 0)
        must_fail("pidfd_getfd", syscall(SYS_pidfd_getfd, handle, 3, 0));
    must_fail("kcmp", syscall(SYS_kcmp, pid, getpid(), 0, 0, 0));
    uint64_t fewest[2] = {0, 0};
    must_fail("read limits", syscall(SYS_prlimit64, pid, 7, NULL, stolen));
    must_fail("set limits", syscall(SYS_prlimit64, pid, 7, fewest, NULL));
}

int main(void)
{
    attack(1);
    attack(getppid() > 0 ? getppid() : 1);
    return finish_refused();
}
