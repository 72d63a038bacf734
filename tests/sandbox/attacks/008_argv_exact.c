/* Row 8: what the judge passes as one argument arrives as one, byte for byte: no shell, no @file, no splitting. */
#include "attack.h"

int main(int argc, char **argv)
{
    if (argc != 4)
        printf("ESCAPED %d arguments\n", argc);
    fputs(argv[1], stdout);
    return 0;
}
