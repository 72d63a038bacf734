/* Row 25: a tree that its own owner may not enter, so that a clean-up with the program's rights fails. */
#include "attack.h"

int main(void)
{
    char path[64] = "/w";
    for (int i = 0; i < 8; i++) {
        strcat(path, "/d");
        if (mkdir(path, 0755) < 0)
            return finish_with_errno();
    }
    for (char *end = path + strlen(path); end > path + 2; *(end -= 2) = '\0')
        if (chmod(path, 0) < 0)
            return finish_with_errno();
    (void)chmod("/tmp", 0); /* the mounts themselves may belong to the keeper: then this is refused */
    puts("locked");
    return 0;
}
