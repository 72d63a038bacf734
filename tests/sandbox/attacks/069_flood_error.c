/* Rows 69 and 71: as many bytes as the table says on descriptor argv[1][0], "2:1000" say; 0 bytes: without end. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    static char block[10000];
    memset(block, 'e', sizeof block);
    int fd = argv[1][0] - '0';
    long left = atol(argv[1] + 2);
    bool is_endless = left == 0;
    while (is_endless || left > 0) {
        size_t size = is_endless || left > (long)sizeof block ? sizeof block : (size_t)left;
        ssize_t written = write(fd, block, size);
        if (written < 0)
            return 1;
        left -= is_endless ? 0 : written;
    }
    return 0;
}
