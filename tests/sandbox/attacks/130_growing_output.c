/* Row 130: a child appends to the output file as it is copied; or the file claims to be as large as it may. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    int fd = open("/w/out", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0)
        return finish_with_errno();
    if (strcmp(argv[1], "grow") != 0)
        return ftruncate(fd, atol(argv[1])) == 0 ? 0 : finish_with_errno();
    pid_t child = fork();
    if (child < 0)
        return finish_with_errno();
    if (child == 0)
        for (;;) {
            if (write(fd, "grow", 4) < 0)
                _exit(0);
            sleep_ms(1);
        }
    sleep_ms(20);
    puts("growing");
    return 0;
}
