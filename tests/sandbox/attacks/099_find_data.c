/* Row 99, second half: nothing of it is there. */
#include "attack.h"

int main(void)
{
    must_fail("/dev/shm/gavel_left", open("/dev/shm/gavel_left", O_RDONLY));
    must_fail("/tmp/gavel_left", open("/tmp/gavel_left", O_RDONLY));
    must_fail("/w/gavel_left", open("/w/gavel_left", O_RDONLY));
    return finish_refused();
}
