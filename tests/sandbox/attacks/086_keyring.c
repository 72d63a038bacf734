/* Row 86: the kernel's key rings outlive a process and are no namespace's. */
#include "attack.h"

int main(void)
{
    must_not_reach("add_key", syscall(SYS_add_key, "user", "gavel_left", "x", 1, -4));
    must_not_reach("request_key", syscall(SYS_request_key, "user", "gavel_left", NULL, -4));
    must_not_reach("keyctl", syscall(SYS_keyctl, 0, -4, 1));
    return finish_refused();
}
