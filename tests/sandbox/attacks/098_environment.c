/* Row 98: secrets in the environment (the runner has GAVEL_SECRET in its own), the host's name, the working directory,
 * ids of the host. */
#include "attack.h"
#include <sys/utsname.h>

extern char **environ;

int main(int argc, char **argv)
{
    (void)argc;
    struct utsname names;
    uname(&names);
    if (strcmp(names.nodename, argv[3]) == 0)
        puts("ESCAPED the host's name");
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "GAVEL_SECRET", 12) == 0 || strstr(*variable, argv[2]))
            puts("ESCAPED the judge's environment");
    char directory[4096];
    if (!getcwd(directory, sizeof directory))
        return finish_with_errno();
    puts(directory);
    return 0;
}
