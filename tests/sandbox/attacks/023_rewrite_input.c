/* Row 23: change the input for whoever reads it next, by every way to a writable view of descriptor 0. */
#include "attack.h"

int main(void)
{
    must_fail("write 0", write(0, "forged", 6));
    must_fail("pwrite 0", pwrite(0, "forged", 6, 0));
    must_fail("ftruncate 0", ftruncate(0, 0));
    must_fail("fallocate 0", fallocate(0, 0, 0, 1 << 20));
    void *view = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
    must_fail("writable shared map", view == MAP_FAILED ? -1 : 0);
    view = mmap(NULL, 4096, PROT_READ, MAP_SHARED, 0, 0);
    if (view != MAP_FAILED)
        must_fail("mprotect writable", mprotect(view, 4096, PROT_READ | PROT_WRITE));
    int again = open("/proc/self/fd/0", O_RDWR);
    if (again >= 0) {
        must_fail("write reopened", write(again, "forged", 6));
        must_fail("truncate reopened", ftruncate(again, 0));
    }
    (void)fchmod(0, 0); /* may work where the run has the judge's uid; the runner opens the input once more to see */
    return finish_refused();
}
