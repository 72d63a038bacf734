/* Row 15: fill the disk with one file (and, with the signal ignored, go on), or with many. */
#include "attack.h"

static char block[64 * 1024];

/* Writes until an error; at most 256 MiB, so that a missing limit is seen and not suffered. */
static int fill(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; fd >= 0 && i < 4096; i++)
        if (write(fd, block, sizeof block) < 0)
            return -1;
    return fd < 0 ? -1 : 0;
}

/* Files of one mebibyte each stay below the limit of a single file. */
static int fill_many(void)
{
    for (int i = 0; i < 256; i++) {
        char name[32];
        snprintf(name, sizeof name, "/w/gavel_left%d", i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int part = 0; fd >= 0 && part < 16; part++)
            if (write(fd, block, sizeof block) < 0)
                return -1;
        if (fd < 0)
            return -1;
        close(fd);
    }
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    if (strcmp(argv[1], "ignore") == 0)
        signal(SIGXFSZ, SIG_IGN);
    int result = strcmp(argv[1], "many") == 0 ? fill_many() : fill("/w/gavel_left");
    if (result == 0)
        puts("ESCAPED wrote 256 MiB");
    return finish_with_errno();
}
