/* Row 75: a child goes on writing after the program's end. */
#include "attack.h"

int main(void)
{
    pid_t child = fork();
    if (child < 0)
        return finish_with_errno();
    if (child == 0) {
        setsid();
        sleep_ms(120);
        for (;;)
            if (write(1, "late\n", 5) < 0)
                _exit(0);
    }
    puts("final");
    return 0;
}
