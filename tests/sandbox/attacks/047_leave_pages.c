/* Row 47, first half: leave 40 MiB of files behind. The next run must not find them on its bill. */
#include "attack.h"

int main(void)
{
    static char block[4 * MIB];
    for (int i = 0; i < 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "/w/gavel_left%d", i);
        int fd = open(name, O_WRONLY | O_CREAT, 0644);
        if (fd < 0 || write(fd, block, sizeof block) != (ssize_t)sizeof block)
            return finish_with_errno();
        close(fd);
    }
    puts("left");
    return 0;
}
