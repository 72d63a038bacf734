/* Row 14: test data, answers, other submissions, the judge's configuration. An empty root has none of them. */
#include "attack.h"

static const char *const targets[] = {
    "/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/resolv.conf", "/root", "/home", "/work", "/var", "/run", "/srv",
    "/opt", "/sys", "/run/gavel", "/data/secret", "/w/1.ans", "/w/../data", "../data", "1.ans",
    "/var/run/docker.sock", "/proc/1/root/etc/passwd", "/proc/self/cwd/../etc/passwd",
};

int main(int argc, char **argv)
{
    (void)argc;
    must_fail(argv[2], open(argv[2], O_RDONLY));
    for (size_t i = 0; i < ARRAY_COUNT(targets); i++)
        must_fail(targets[i], open(targets[i], O_RDONLY));
    return finish_refused();
}
