/* Row 88: a newer libc asks for calls that the list does not know. It must hear ENOSYS and live. */
#include "attack.h"

int main(void)
{
    for (long number = 470; number < 1000; number++)
        if (syscall(number, 0, 0, 0, 0, 0, 0) >= 0 || errno != ENOSYS)
            printf("number %ld: %s\n", number, strerrorname_np(errno));
    puts("alive");
    return 0;
}
