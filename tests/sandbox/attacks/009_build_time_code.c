/* Row 9: code that runs at build time (staticExec, a makefile, a compiler plug-in) has all the compile profile allows.
 * That must not include the host's files, the network, other processes or a way to new privileges. */
#include "attack.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
    (void)argc;
    must_fail("open secret", open(argv[2], O_RDONLY));
    must_fail("open /etc/passwd", open("/etc/passwd", O_RDONLY));
    must_fail("open /etc/shadow", open("/etc/shadow", O_RDONLY));
    must_fail("write /usr/bin/gcc", open("/usr/bin/gcc", O_WRONLY));
    must_fail("create /usr/lib/x", open("/usr/lib/gavel_left.so", O_WRONLY | O_CREAT, 0644));
    must_fail("create /x", open("/gavel_left", O_WRONLY | O_CREAT, 0644));
    must_fail("socket AF_INET", socket(AF_INET, SOCK_STREAM, 0));
    must_fail("socket AF_INET6", socket(AF_INET6, SOCK_DGRAM, 0));
    must_fail("unshare user", unshare(CLONE_NEWUSER));
    must_fail("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
    must_fail("ptrace pid 1", ptrace(PTRACE_ATTACH, 1, 0, 0));
    must_fail("setuid 0", setuid(0));
    return finish_refused();
}
