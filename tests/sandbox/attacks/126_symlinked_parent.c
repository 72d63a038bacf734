/* Row 126: the directory on the way to the output file is a link. */
#include "attack.h"

int main(void)
{
    int fd = mkdir("/tmp/real", 0777) < 0 ? -1 : open("/tmp/real/out", O_WRONLY | O_CREAT, 0644);
    if (fd < 0 || symlink("/tmp/real", "/w/directory") < 0)
        return finish_with_errno();
    puts("linked");
    return 0;
}
