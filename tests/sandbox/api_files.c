/* Makes the files that the artifact test asks for, of every kind that must be refused. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make(const char *name, size_t size, mode_t mode)
{
    char bytes[2048];
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "deep", 4);
    int fd = open(name, O_WRONLY | O_CREAT, 0600);
    return fd < 0 || write(fd, bytes, size) != (ssize_t)size || fchmod(fd, mode) < 0 || close(fd) < 0;
}

int main(void)
{
    int failed = make("good", 4, 0644) || mkdir("dir", 0755) || make("dir/deep", 4, 0644) || symlink("good", "link") ||
                 make("twin", 4, 0644) || link("twin", "twin2") || mkfifo("fifo", 0644) || make("large", 1001, 0644) ||
                 make("exact", 1001, 0644) || symlink("dir", "linkdir") || make("sparse", 1, 0644) ||
                 truncate("sparse", 100001) || make("locked", 4, 0);
    return failed;
}
