/* After every row: no process, no cgroup, no file, no mount, no descriptor more than before, and the host's secret as
 * it was. "host untouched" of the catalogue, made of things that can be counted. */
#include "corpus.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static ssize_t read_file(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 0;
    for (ssize_t part; fd >= 0 && (part = read(fd, text + got, size - 1 - (size_t)got)) > 0;)
        got += part;
    if (fd >= 0)
        close(fd);
    text[got < 0 ? 0 : got] = '\0';
    return got;
}

static int count_mounts(void)
{
    static char text[512 * 1024];
    int lines = 0;
    (void)read_file("/proc/self/mountinfo", text, sizeof text);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    return lines;
}

/* The library may keep a few for keepers whose namespaces the kernel still takes down after their runs were collected,
 * until the next run starts; hence SOME. That nothing adds up is seen at the end, when everything must be gone. */
enum { SOME_DESCRIPTORS = 24 };

static int count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

/* A child that is not dead yet; dead ones are the library's to reap. */
static bool has_live_child(void)
{
    char text[4096], path[64];
    (void)read_file("/proc/thread-self/children", text, sizeof text);
    for (char *at = text; *at;) {
        long pid = strtol(at, &at, 10);
        char stat[512];
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        const char *state = pid > 0 && read_file(path, stat, sizeof stat) > 0 ? strrchr(stat, ')') : NULL;
        if (state && state[2] != 'Z' && state[2] != 'X')
            return true;
        at += strspn(at, " ");
    }
    return false;
}

/* ---- cgroups ------------------------------------------------------------------------------------------------ */

static FILE *cgroup_list; /* nftw has no context argument; used only inside list_cgroups */

static int note_cgroup(const char *path, const struct stat *information, int type, struct FTW *place)
{
    (void)information;
    (void)place;
    if (type == FTW_D)
        fprintf(cgroup_list, "%s\n", path);
    return 0;
}

static char *list_cgroups(void)
{
    char *text = NULL;
    size_t size = 0;
    cgroup_list = open_memstream(&text, &size);
    (void)nftw("/sys/fs/cgroup", note_cgroup, 16, FTW_PHYS);
    fclose(cgroup_list);
    return text;
}

static bool is_inhabited(const char *group)
{
    char path[PATH_MAX], text[16];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    return read_file(path, text, sizeof text) > 0;
}

/* The supervisor that a group's name tells ("gavel-slot3-PID-..."), or 0. */
static pid_t supervisor_of(const char *group)
{
    for (const char *at = strrchr(group, '/'); at && (at = strchr(at, '-')); at++)
        if (isdigit((unsigned char)at[1]))
            return (pid_t)strtol(at + 1, NULL, 10);
    return 0;
}

/* Another sandbox's on this machine: it has processes in it (ours are looked for by other means), or its name has
 * another supervisor than us. Row 119, whose supervisor isn't us either, looks with residue_has_group_of. */
static bool is_neighbours(const char *group)
{
    pid_t supervisor = supervisor_of(group);
    return is_inhabited(group) || (supervisor > 1 && supervisor != getpid());
}

bool residue_has_group_of(pid_t supervisor)
{
    char *groups = list_cgroups(), *rest = groups;
    bool is_found = false;
    for (char *line; !is_found && (line = strsep(&rest, "\n"));)
        is_found = supervisor_of(line) == supervisor;
    free(groups);
    return is_found;
}

/* A group of `now` that `before` doesn't have, copied to `group`; false if there is none. */
static bool find_new_group(const char *before, const char *now, char *group, size_t size)
{
    for (const char *end; (end = strchr(now, '\n')); now = end + 1) {
        char line[PATH_MAX];
        snprintf(line, sizeof line, "\n%.*s\n", (int)(end - now), now);
        snprintf(group, size, "%.*s", (int)(end - now), now);
        if (!strstr(before, line) && strncmp(before, line + 1, strlen(line + 1)) != 0 && !is_neighbours(group))
            return true;
    }
    return false;
}

/* ---- processes ---------------------------------------------------------------------------------------------- */

/* Every program has the work directory in its arguments, and so do its forks and most of what it may exec. */
static bool find_process(const Lab *lab, char *ret_text, size_t size)
{
    DIR *directory = opendir("/proc");
    bool is_found = false;
    for (struct dirent *entry; directory && !is_found && (entry = readdir(directory));) {
        char path[64], command[4096];
        if (!isdigit((unsigned char)entry->d_name[0]) || atoi(entry->d_name) == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/cmdline", entry->d_name);
        ssize_t length = read_file(path, command, sizeof command);
        if (length > 0 && memmem(command, (size_t)length, lab->work, strlen(lab->work))) {
            snprintf(ret_text, size, "%s (%.60s)", entry->d_name, command);
            is_found = true;
        }
    }
    if (directory)
        closedir(directory);
    return is_found;
}

/* ---- files -------------------------------------------------------------------------------------------------- */

/* All hostile programs begin the names of what they leave with "gavel_left"; the kernel calls a dump core or core.PID.
 */
static bool has_left_file(const char *path)
{
    DIR *directory = opendir(path);
    bool is_found = false;
    for (struct dirent *entry; directory && !is_found && (entry = readdir(directory));)
        is_found = strncmp(entry->d_name, "gavel_left", 10) == 0 || strcmp(entry->d_name, "core") == 0 ||
                   strncmp(entry->d_name, "core.", 5) == 0;
    if (directory)
        closedir(directory);
    return is_found;
}

static bool is_secret_whole(const Lab *lab)
{
    char text[64];
    struct stat information;
    return read_file(lab->secret, text, sizeof text) > 0 && strcmp(text, "gavel-corpus-secret\n") == 0 &&
           stat(lab->secret, &information) == 0 && (information.st_mode & 07777) == 0600 &&
           information.st_uid == geteuid() && information.st_nlink == 1;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

void residue_take(const Lab *lab, Residue *ret_residue)
{
    (void)lab;
    *ret_residue = (Residue){.mounts = count_mounts(), .descriptors = count_descriptors(), .cgroups = list_cgroups()};
}

void residue_done(Residue *residue)
{
    free(residue->cgroups);
}

static bool compare_once(Case *attempt, const Residue *before)
{
    char text[512];
    Residue now;
    residue_take(attempt->lab, &now);
    bool is_clean = true;
    if (now.mounts != before->mounts)
        is_clean = complain(attempt, "left behind: %d mounts, were %d", now.mounts, before->mounts);
    else if (now.descriptors > before->descriptors + SOME_DESCRIPTORS)
        is_clean = complain(attempt, "left behind: %d descriptors, were %d", now.descriptors, before->descriptors);
    else if (find_new_group(before->cgroups, now.cgroups, text, sizeof text))
        is_clean = complain(attempt, "left behind: cgroup %s", text);
    else if (has_live_child())
        is_clean = complain(attempt, "left behind: a child of the supervisor");
    else if (find_process(attempt->lab, text, sizeof text))
        is_clean = complain(attempt, "left behind: process %s", text);
    else if (has_left_file("/tmp") || has_left_file("/dev/shm") || has_left_file("/w") || has_left_file(".") ||
             has_left_file("/"))
        is_clean = complain(attempt, "left behind: a file on the host");
    else if (!is_secret_whole(attempt->lab))
        is_clean = complain(attempt, "the host's secret file was changed");
    residue_done(&now);
    return is_clean;
}

/* A neighbour's cgroup may come and go while we look, and a keeper may take its time to die (or wait a
 * moment for the next run): only what stays for half a second counts. Nothing else is excused. */
bool residue_compare(Case *attempt, const Residue *before)
{
    for (int left = 50;; left--) {
        if (compare_once(attempt, before))
            return true;
        bool may_pass =
            strstr(attempt->complaint, "left behind: cgroup") || strstr(attempt->complaint, "left behind: a child");
        if (left == 0 || !may_pass)
            return false;
        attempt->complaint[0] = '\0';
        nanosleep(&(struct timespec){.tv_nsec = MS(10)}, NULL);
    }
}
