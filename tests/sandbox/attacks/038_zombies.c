/* Row 38: children that end at once and are never waited for still hold their numbers. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 10000; i++) {
        pid_t child = fork();
        if (child < 0) {
            puts(strerrorname_np(errno));
            sleep_ms(50); /* so that the last of them is dead, too, and none "outlives" us */
            return 0;
        }
        if (child == 0)
            _exit(0);
    }
    puts("ESCAPED 10000 zombies");
    return 0;
}
