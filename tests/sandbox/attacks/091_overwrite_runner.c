/* Row 91: the binary of whoever started us, through /proc. */
#include "attack.h"

int main(void)
{
    static const char *const views[] = {"/proc/self/exe", "/proc/1/exe", "/proc/1/root/etc/passwd", "/proc/1/cwd/x", "/proc/1/mem"};
    for (size_t i = 0; i < ARRAY_COUNT(views); i++) {
        must_fail(views[i], open(views[i], O_WRONLY));
        must_fail(views[i], open(views[i], O_RDWR | O_TRUNC));
    }
    must_fail("read keeper's memory", open("/proc/1/mem", O_RDONLY));
    must_fail("read keeper's root", open("/proc/1/root", O_RDONLY));
    must_fail("read keeper's descriptors", open("/proc/1/fd/0", O_RDONLY));
    return finish_refused();
}
