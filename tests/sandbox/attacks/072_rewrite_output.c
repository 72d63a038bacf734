/* Row 72: seeks in its own output. What counts is the content at its end. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    if (write(1, "a long first draft\n", 19) < 0)
        return 1;
    if (strcmp(argv[1], "huge") == 0)
        return ftruncate(1, 1L << 40) == 0 ? 0 : 2;
    if (lseek(1, 0, SEEK_SET) < 0 || ftruncate(1, 0) < 0)
        return finish_with_errno();
    return write(1, "final\n", 6) == 6 ? 0 : 1;
}
