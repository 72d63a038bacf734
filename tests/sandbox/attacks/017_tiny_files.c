/* Row 17: no bytes, only names: a million inodes. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 1000000; i++) {
        char name[32];
        snprintf(name, sizeof name, "/w/gavel_left%d", i);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
        if (fd < 0)
            return finish_with_errno();
        close(fd);
    }
    puts("ESCAPED a million files");
    return 0;
}
