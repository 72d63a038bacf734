/* Row 21: host devices through a bound /dev, or nodes of one's own. Then the exact contents of /dev. */
#include "attack.h"
#include <dirent.h>
#include <sys/sysmacros.h>

static const char *const nodes[] = {
    "/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/tty", "/dev/tty0", "/dev/console", "/dev/ptmx", "/dev/sda",
    "/dev/vda", "/dev/loop0", "/dev/loop-control", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/mapper/control",
};

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(nodes); i++)
        must_fail(nodes[i], open(nodes[i], O_RDWR | O_NONBLOCK));
    must_fail("mknod mem", mknod("/w/gavel_left_mem", S_IFCHR | 0666, makedev(1, 1)));
    must_fail("mknod disk", mknod("/tmp/gavel_left_disk", S_IFBLK | 0666, makedev(8, 0)));
    must_fail("create in /dev", open("/dev/gavel_left", O_WRONLY | O_CREAT, 0666));
    struct dirent **entries = NULL;
    int count = scandir("/dev", &entries, not_hidden, alphasort);
    for (int i = 0; i < count; i++)
        printf("%s ", entries[i]->d_name);
    putchar('\n');
    return 0;
}
