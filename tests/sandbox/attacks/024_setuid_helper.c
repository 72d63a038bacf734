/* Row 24: a set-uid root program that is visible in the jail. The runner binds one to /bound; it reports "ESCAPED" if
 * it runs with other ids than its caller. */
#include "attack.h"

int main(void)
{
    char *const arguments[] = {"setuid_target", NULL};
    char *const environment[] = {NULL};
    execve("/bound/setuid_target", arguments, environment);
    printf("exec: %s\n", strerrorname_np(errno));
    return 1;
}
