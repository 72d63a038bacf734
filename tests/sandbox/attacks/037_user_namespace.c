/* Row 37: a user namespace gives all capabilities over the kernel's least tested code. */
#include "attack.h"
#include <sched.h>

static const struct {
    const char *name;
    int flag;
} kinds[] = {{"user", CLONE_NEWUSER}, {"mount", CLONE_NEWNS},   {"pid", CLONE_NEWPID},       {"network", CLONE_NEWNET},
             {"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS},    {"cgroup", CLONE_NEWCGROUP}, {"time", 0x80}};

int main(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        must_fail(kinds[i].name, unshare(kinds[i].flag));
        must_fail(kinds[i].name, unshare(kinds[i].flag | CLONE_NEWUSER));
        if (kinds[i].flag == 0x80) /* clone takes the bits below 0x100 for a signal */
            continue;
        long child = syscall(SYS_clone, kinds[i].flag | SIGCHLD, 0, 0, 0, 0);
        if (child == 0)
            _exit(0);
        must_fail(kinds[i].name, child);
    }
    uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long child = syscall(SYS_clone3, arguments, 64);
    if (child == 0)
        _exit(0);
    must_fail("clone3", child);
    must_fail("setns", syscall(SYS_setns, 0, 0));
    return finish_refused();
}
