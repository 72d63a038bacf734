/* Row 26: a plan that names no quota still has one. Prints the size of each writable mount; the runner compares it
 * with the limits that the result says were applied. */
#include "attack.h"
#include <sys/statvfs.h>

int main(void)
{
    static const char *const places[] = {"/w", "/tmp", "/dev/shm"};
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        struct statvfs space;
        if (statvfs(places[i], &space) == 0)
            printf("%llu\n", (unsigned long long)space.f_blocks * space.f_frsize);
        else
            printf("%s %s\n", places[i], strerrorname_np(errno));
    }
    return 0;
}
