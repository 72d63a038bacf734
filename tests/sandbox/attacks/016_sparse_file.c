/* Row 16: a file of one tebibyte that holds nothing. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    const off_t size = 1L << 40;
    int fd = open("/w/gavel_left", O_RDWR | O_CREAT, 0644);
    if (fd < 0)
        return finish_with_errno();
    bool is_seek = strcmp(argv[1], "seek") == 0;
    long result = is_seek ? (lseek(fd, size, SEEK_SET), write(fd, "x", 1)) : ftruncate(fd, size);
    must_fail("1 TiB file", result);
    return finish_with_errno();
}
