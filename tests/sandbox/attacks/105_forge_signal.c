/* Row 105: die by a signal that a judge might take for its own limit. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    int number = atoi(argv[1]);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    raise(number);
    puts("survived");
    return 0;
}
