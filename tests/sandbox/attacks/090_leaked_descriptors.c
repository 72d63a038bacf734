/* Rows 90, 96, 107: any descriptor above 2 is a mistake of the sandbox. The runner leaves some of its own open without
 * close-on-exec. For good measure every number is written to. */
#include "attack.h"

int main(void)
{
    for (int fd = 3; fd < 4096; fd++) {
        struct stat information;
        if (fstat(fd, &information) == 0)
            printf("ESCAPED descriptor %d mode %o\n", fd, information.st_mode);
        if (write(fd, "{\"cause\":\"exit\"}\n", 17) >= 0)
            printf("ESCAPED wrote to descriptor %d\n", fd);
        if (openat(fd, "..", O_RDONLY) >= 0)
            printf("ESCAPED directory %d\n", fd);
    }
    return finish_refused();
}
