/* Row 94: a lock or a lease on a file that several runs see is a message to the others. Descriptor 0 is such a file. */
#include "attack.h"
#include <sys/file.h>

int main(void)
{
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    must_fail("flock", flock(0, LOCK_SH | LOCK_NB));
    must_fail("F_SETLK", fcntl(0, F_SETLK, &whole));
    must_fail("F_OFD_SETLK", fcntl(0, F_OFD_SETLK, &whole));
    must_fail("F_SETLEASE", fcntl(0, F_SETLEASE, F_RDLCK));
    must_fail("F_NOTIFY", fcntl(0, F_NOTIFY, DN_ACCESS));
    must_fail("F_GETLK", fcntl(0, F_GETLK, &whole));
    return finish_refused();
}
