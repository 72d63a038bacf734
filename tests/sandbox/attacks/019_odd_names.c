/* Row 19: names that break logs, JSON and shell scripts. The runner takes the last of them out as an artifact. */
#include "attack.h"

static int make(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (fd < 0)
        return -1;
    bool is_written = write(fd, "odd", 3) == 3;
    close(fd);
    return is_written ? 0 : -1;
}

int main(void)
{
    char longest[256];
    memset(longest, 'n', 255);
    longest[255] = '\0';
    if (chdir("/w") < 0 || make(longest) < 0 || make("\xff\xfe") < 0 || make("\x1b[2J") < 0 || make("-rf\n\xff\"$(id)") < 0)
        return finish_with_errno();
    puts("made");
    return 0;
}
