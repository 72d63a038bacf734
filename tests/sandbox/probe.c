/* Not hostile: prints what a run sees of the machine, one fact a line, so that the runner can say in one comparison
 * that the jail is whole. It runs after every attack, too: an attack that changed anything for its successor changes
 * a line here. Facts that differ between machines (the uid, say) are reduced to what matters about them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static void print_identity(void)
{
    printf("root %s\n", getuid() == 0 || geteuid() == 0 || getgid() == 0 || getegid() == 0 ? "yes" : "no");
    printf("set-uid %s\n", getuid() != geteuid() || getgid() != getegid() ? "yes" : "no");
    printf("pid-one %s\n", getpid() == 1 ? "yes" : "no");
    printf("parent %d\n", (int)getppid());
    printf("session-leader %s\n", getsid(0) == getpid() ? "yes" : "no");
}

/* The filter may refuse prctl; then the kernel's answers cannot be had from inside, and the line says so. */
static void print_privileges(void)
{
    int no_new_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    printf("no-new-privileges %s\n", no_new_privileges == 0 ? "no" : "yes");
    int bounding = 0;
    for (int capability = 0; capability < 64; capability++)
        bounding += prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1;
    printf("bounding %d\n", bounding);
    struct {
        unsigned version;
        int pid;
    } header = {0x20080522, 0};
    struct {
        unsigned effective, permitted, inheritable;
    } sets[2] = {{0}};
    (void)syscall(SYS_capget, &header, sets);
    unsigned any = 0;
    for (int i = 0; i < 2; i++)
        any |= sets[i].effective | sets[i].permitted | sets[i].inheritable;
    printf("capabilities %s\n", any ? "yes" : "none");
}

static int is_visible(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void print_directory(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    printf("%s:", path);
    for (int i = 0; i < count; i++)
        printf(" %s", entries[i]->d_name);
    printf("%s\n", count < 0 ? " absent" : "");
}

/* A place is writable, read-only or absent; and of a writable one, the mount flags that matter. */
static void print_mount(const char *path)
{
    struct statvfs space;
    if (statvfs(path, &space) < 0) {
        printf("mount %s absent\n", path);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "%s/probe", path);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    printf("mount %s %s%s%s\n", path, fd >= 0 ? "writable" : "read-only", space.f_flag & ST_NOSUID ? " nosuid" : "",
           space.f_flag & ST_NODEV ? " nodev" : "");
    if (fd >= 0) {
        close(fd);
        unlink(name);
    }
}

static void print_descriptors(void)
{
    printf("descriptors");
    for (int fd = 0; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf(" %d", fd);
    putchar('\n');
}

static void print_limits(void)
{
    static const struct {
        const char *name;
        int resource;
    } limits[] = {
        {"memlock", RLIMIT_MEMLOCK}, {"msgqueue", RLIMIT_MSGQUEUE}, {"rtprio", RLIMIT_RTPRIO}, {"nice", RLIMIT_NICE}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit limit;
        if (getrlimit((enum __rlimit_resource)limits[i].resource, &limit) == 0)
            printf("limit %s %lld\n", limits[i].name, (long long)limit.rlim_max);
        else
            printf("limit %s %s\n", limits[i].name, strerrorname_np(errno));
    }
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0)
        printf("core %s\n", core.rlim_max <= 1 ? "off" : "on");
}

static void print_names(void)
{
    char directory[256];
    printf("directory %s\n", getcwd(directory, sizeof directory) ? directory : "unknown");
    for (char **variable = environ; *variable; variable++)
        printf("environment %s\n", *variable);
}

int main(void)
{
    print_identity();
    print_privileges();
    print_directory("/");
    print_directory("/dev");
    print_directory("/w");
    print_directory("/tmp");
    print_directory("/dev/shm");
    print_directory("/proc");
    print_directory("/sys");
    print_mount("/");
    print_mount("/w");
    print_mount("/tmp");
    print_mount("/dev");
    print_mount("/dev/shm");
    print_descriptors();
    print_limits();
    print_names();
    return 0;
}
