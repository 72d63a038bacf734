/* Row 96: look into every regular file of the jail for the text that the runner keeps in its secret file. */
#include "attack.h"
#include <ftw.h>

static int look_into(const char *path, const struct stat *information, int type, struct FTW *place)
{
    (void)information;
    static char text[64 * 1024 + 1];
    if (type == FTW_D && place->level == 1 && (strcmp(path, "/usr") == 0 || strcmp(path, "/proc") == 0))
        return FTW_SKIP_SUBTREE; /* the host's packages hold no tests; they would take seconds */
    int fd = type == FTW_F && S_ISREG(information->st_mode) ? open(path, O_RDONLY) : -1;
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (size > 0 && memmem(text, (size_t)size, "gavel-corpus-" "secret", 19))
        printf("ESCAPED %s holds it\n", path);
    if (fd >= 0)
        close(fd);
    return FTW_CONTINUE;
}

int main(void)
{
    nftw("/", look_into, 16, FTW_PHYS | FTW_ACTIONRETVAL);
    return finish_refused();
}
