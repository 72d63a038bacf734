/* Row 125: a second name of the output file, or of a file that is not ours. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    int result;
    if (strcmp(argv[1], "foreign") == 0) {
        result = link("/dev/urandom", "/w/out");
        if (result < 0)
            result = link("/usr/bin/gcc", "/w/out");
        must_fail("foreign link", result);
        return finish_refused();
    }
    int fd = open("/w/other", O_WRONLY | O_CREAT, 0644);
    if (fd < 0 || link("/w/other", "/w/out") < 0)
        return finish_with_errno();
    puts("linked");
    return 0;
}
