/* Row 68: ten gigabytes of output. "ignore": SIGXFSZ and write errors do not stop it either. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    static char block[64 * 1024];
    bool is_stubborn = strcmp(argv[1], "ignore") == 0;
    if (is_stubborn)
        signal(SIGXFSZ, SIG_IGN);
    memset(block, 'x', sizeof block);
    for (long i = 0; i < 160000; i++)
        if (write(1, block, sizeof block) < 0 && !is_stubborn)
            return 1;
    return 0;
}
