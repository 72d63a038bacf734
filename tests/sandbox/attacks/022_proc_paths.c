/* Row 22: mountinfo and descriptor links tell how the host is laid out. argv[1]: "absent" where the profile has no
 * /proc at all, "clean" where it has one that must not name the judge's directories. */
#include "attack.h"
#include <limits.h>

static const char *const files[] = {"/proc/self/mountinfo", "/proc/self/environ", "/proc/1/environ", "/proc/1/cmdline",
                                    "/proc/1/mountinfo",    "/proc/mounts",       "/proc/self/maps"};

static void must_not_name(const char *file, const char *directory)
{
    static char text[256 * 1024];
    int fd = open(file, O_RDONLY);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    for (ssize_t i = 0; i < size; i++) /* environ and cmdline have NULs between their parts */
        if (text[i] == '\0')
            text[i] = '\n';
    text[size < 0 ? 0 : size] = '\0';
    if (strstr(text, directory))
        printf("ESCAPED %s names the host's directory\n", file);
    if (fd >= 0)
        close(fd);
}

static void must_not_link(const char *link, const char *directory)
{
    char target[PATH_MAX] = "";
    if (readlink(link, target, sizeof target - 1) > 0 && strncmp(target, directory, strlen(directory)) == 0)
        printf("ESCAPED %s -> %s\n", link, target);
}

int main(int argc, char **argv)
{
    (void)argc;
    *strrchr(argv[2], '/') = '\0'; /* the secret's directory */
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        if (strcmp(argv[1], "absent") == 0)
            must_fail(files[i], open(files[i], O_RDONLY));
        else if (strcmp(files[i], "/proc/self/cmdline") != 0)
            must_not_name(files[i], argv[2]);
    }
    must_not_link("/proc/self/fd/0", argv[2]);
    must_not_link("/proc/self/fd/1", argv[2]);
    must_not_link("/proc/self/exe", argv[2]);
    return finish_refused();
}
