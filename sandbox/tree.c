/* Without control groups: CPU time and memory of a run's processes, summed over /proc.
 *
 * All of them descend from the keeper, so the tree is walked from there. A process that ends between two looks is
 * counted if its parent waited for it; this is one of the reasons why such runs are called degraded. */
#include "descriptor.h"
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TREE_PROCESS_MAX = 512, TEXT_BYTES = 4096 };

static bool read_proc(pid_t pid, const char *file, char *ret_text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, file, (int)pid, (int)pid);
    auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, ret_text, size - 1);
    if (got <= 0)
        return false;
    ret_text[got] = 0;
    return true;
}

/* "VmX:   123 kB" */
static int64_t status_kib(const char *status, const char *key)
{
    const char *line = strstr(status, key);
    return line ? strtoll(line + strlen(key), NULL, 10) : 0;
}

int64_t tree_peak_bytes(pid_t pid)
{
    char text[TEXT_BYTES];
    return read_proc(pid, "/proc/%d/status", text, sizeof text) ? status_kib(text, "VmHWM:") * 1024 : 0;
}

static void add_memory(TreeUsage *usage, pid_t pid)
{
    char text[TEXT_BYTES];
    if (read_proc(pid, "/proc/%d/status", text, sizeof text))
        usage->rss_bytes += (status_kib(text, "RssAnon:") + status_kib(text, "RssShmem:")) * 1024;
}

/* Fields 14 to 17 of stat, counted after the command's closing parenthesis: user, system, and those of waited children.
 */
static void add_cpu(TreeUsage *usage, pid_t pid)
{
    char text[TEXT_BYTES];
    unsigned long long user, system, child_user, child_system;
    if (!read_proc(pid, "/proc/%d/stat", text, sizeof text))
        return;
    const char *after = strrchr(text, ')');
    if (after && sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &user, &system,
                        &child_user, &child_system) == 4)
        usage->cpu_ns += (int64_t)(user + system + child_user + child_system) * (1000000000 / sysconf(_SC_CLK_TCK));
}

static size_t add_children(pid_t pid, pid_t *pids, size_t count)
{
    char text[TEXT_BYTES];
    if (!read_proc(pid, "/proc/%d/task/%d/children", text, sizeof text))
        return count;
    for (char *at = text, *end; count < TREE_PROCESS_MAX; at = end) {
        long child = strtol(at, &end, 10);
        if (end == at)
            break;
        pids[count++] = (pid_t)child;
    }
    return count;
}

TreeUsage tree_measure(pid_t keeper_pid)
{
    pid_t pids[TREE_PROCESS_MAX];
    TreeUsage usage = {0, 0};
    size_t count = add_children(keeper_pid, pids, 0);
    for (size_t i = 0; i < count; i++) {
        add_memory(&usage, pids[i]);
        add_cpu(&usage, pids[i]);
        count = add_children(pids[i], pids, count);
    }
    return usage;
}
