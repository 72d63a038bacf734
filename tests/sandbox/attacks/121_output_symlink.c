/* Rows 121 to 123: the output file is a link to a file of the host; or the file that the judge put into the jail is
 * replaced by such a link. Whoever reads, writes, chmods or chowns "out" from outside would follow it. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    (void)unlink("/w/out");
    if (symlink(argv[2], "/w/out") < 0)
        return finish_with_errno();
    puts("linked");
    return 0;
}
