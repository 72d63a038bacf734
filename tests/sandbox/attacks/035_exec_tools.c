/* Row 35: run another program. A run's root has none, and what can be written there can't be executed. A success would
 * end this process with the tool's status. */
#include "attack.h"

static char *const arguments[] = {"sh", "-c", "exit 43", NULL};
static char *const environment[] = {NULL};

/* A copy of nothing is enough: EACCES comes before ENOEXEC. */
static void attack_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    if (fd < 0)
        return;
    (void)fchmod(fd, 0755);
    close(fd);
    if (execve(path, arguments, environment) < 0 && errno == ENOEXEC)
        printf("ESCAPED %s is executable\n", path);
    fd = open(path, O_RDONLY);
    if (syscall(SYS_execveat, fd, "", arguments, environment, AT_EMPTY_PATH) < 0 && errno == ENOEXEC)
        printf("ESCAPED %s is executable by descriptor\n", path);
    close(fd);
}

int main(void)
{
    static const char *const tools[] = {"/bin/sh", "/usr/bin/sh", "/bin/bash", "/usr/bin/env", "/bin/busybox", "/usr/bin/python3"};
    for (size_t i = 0; i < ARRAY_COUNT(tools); i++)
        execve(tools[i], arguments, environment);
    attack_file("/w/gavel_left");
    attack_file("/tmp/gavel_left");
    attack_file("/dev/shm/gavel_left");
    return finish_refused();
}
