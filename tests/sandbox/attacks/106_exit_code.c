/* Row 106: exit codes that look like a shell's report of something else. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    _exit(atoi(argv[1]));
}
