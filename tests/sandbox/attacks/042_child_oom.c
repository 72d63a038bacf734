/* Row 42: the child is killed for its memory; the parent prints the answer and leaves with 0. */
#include "attack.h"

int main(void)
{
    pid_t child = fork();
    if (child < 0)
        return finish_with_errno();
    if (child == 0) {
        for (;;) {
            char *block = malloc(MIB);
            if (!block)
                _exit(12);
            touch_bytes(block, MIB);
        }
    }
    waitpid(child, NULL, 0);
    puts("answer");
    return 0;
}
