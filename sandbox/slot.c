/* Leases of slots through locked files, with crash recovery.
 *
 * slot-N.lock is locked (flock) by the process that holds slot N; the kernel drops the lock when the process is gone,
 * however it went. Its content names the directories in which the holder makes control groups: whoever locks a file
 * with content finds and removes what was left there. A process keeps its locks until it closes the sandbox, so that
 * a run costs no file operations here. */
#include "slot.h"
#include "descriptor.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_TEXT_BYTES = 8192 };

/* ---- the directory ------------------------------------------------------------------------------------------ */

/* NULL if there is no memory. */
static char *default_directory(void)
{
    char *path = NULL;
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    int length;
    if (geteuid() == 0)
        return strdup("/run/gavel");
    if (runtime && *runtime == '/')
        length = asprintf(&path, "%s/gavel", runtime);
    else
        length = asprintf(&path, "/tmp/gavel-%u", (unsigned)geteuid());
    return length < 0 ? NULL : path;
}

static bool check_directory(SlotPool *pool, SandboxError *error)
{
    struct stat status;
    if (fstat(pool->directory_fd, &status) != 0)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "reading %s", pool->directory);
    if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)))
        return sandbox_fail(error, SANDBOX_STAGE_STATE, EPERM,
                            "state directory %s belongs to or is writable for others", pool->directory);
    snprintf(pool->suffix, sizeof pool->suffix, "-%llx",
             (unsigned long long)status.st_ino ^ (unsigned long long)status.st_dev << 40);
    return true;
}

static bool open_directory(SlotPool *pool, SandboxError *error)
{
    mode_t mode = geteuid() == 0 ? 0755 : 0700;
    if (!pool->directory)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, ENOMEM, "naming the state directory");
    if (*pool->directory != '/')
        return sandbox_fail(error, SANDBOX_STAGE_PLAN, 0, "state directory %s is not absolute", pool->directory);
    if (mkdir(pool->directory, mode) != 0 && errno != EEXIST)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "making %s", pool->directory);
    pool->directory_fd = open(pool->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (pool->directory_fd < 0)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "opening %s", pool->directory);
    return check_directory(pool, error);
}

/* ---- locks -------------------------------------------------------------------------------------------------- */

/* The locked file, or -1: held by somebody, or not to be had (errno says which). */
static int lock_slot(const SlotPool *pool, int slot, int extra_flags)
{
    char name[32];
    snprintf(name, sizeof name, "slot-%d.lock", slot);
    auto_close int fd = openat(pool->directory_fd, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | extra_flags, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
        return -1;
    return steal_fd(&fd);
}

static void clean_after_former_holder(const SlotPool *pool, int slot, int lock_fd)
{
    char text[LOCK_TEXT_BYTES], prefix[32];
    ssize_t got = pread(lock_fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = 0;
    snprintf(prefix, sizeof prefix, "gavel-slot%d-", slot);
    char *rest = text;
    for (char *path; (path = strsep(&rest, "\n"));)
        if (*path)
            cgroup_sweep(path, prefix, pool->suffix);
}

static bool note_parents(int lock_fd, const CgroupSet *set)
{
    char text[LOCK_TEXT_BYTES];
    size_t length = 0;
    for (size_t i = 0; i < set->tree_count; i++) {
        int added = snprintf(text + length, sizeof text - length, "%s\n", set->trees[i].parent_path);
        if (added < 0 || (size_t)added >= sizeof text - length)
            return false;
        length += (size_t)added;
    }
    return ftruncate(lock_fd, 0) == 0 && pwrite(lock_fd, text, length, 0) == (ssize_t)length;
}

/* A name that stays costs the next holder a look, nothing more. */
static void forget_parents(int lock_fd)
{
    if (ftruncate(lock_fd, 0) != 0)
        return;
}

static void clean_unheld_slots(SlotPool *pool)
{
    for (int slot = 0; slot < SLOT_MAX; slot++) {
        auto_close int fd = lock_slot(pool, slot, 0);
        if (fd < 0 && errno == ENOENT)
            return; /* numbers are taken from the lowest */
        if (fd < 0)
            continue;
        clean_after_former_holder(pool, slot, fd);
        forget_parents(fd);
    }
}

/* ---- pool --------------------------------------------------------------------------------------------------- */

bool slot_pool_open(SlotPool *ret_pool, const char *directory, SandboxError *error)
{
    *ret_pool = (SlotPool){.directory = directory ? strdup(directory) : default_directory(), .directory_fd = -1};
    if (!open_directory(ret_pool, error)) {
        slot_pool_close(ret_pool);
        return false;
    }
    clean_unheld_slots(ret_pool);
    return true;
}

void slot_pool_close(SlotPool *pool)
{
    for (int slot = 0; slot < SLOT_MAX; slot++)
        if (pool->lock_fds[slot] > 0) {
            forget_parents(pool->lock_fds[slot]);
            close(pool->lock_fds[slot]);
            if (pool->network_fds[slot] > 0)
                close(pool->network_fds[slot]);
        }
    close_descriptor(&pool->directory_fd);
    free(pool->directory);
    *pool = (SlotPool){.directory_fd = -1};
}

static bool take_slot(SlotPool *pool, const CgroupSet *set, int slot, SandboxError *error)
{
    auto_close int fd = lock_slot(pool, slot, O_CREAT);
    if (fd < 0)
        return sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "locking slot %d in %s", slot, pool->directory);
    clean_after_former_holder(pool, slot, fd);
    if (!note_parents(fd, set))
        return sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "writing the lock file of slot %d", slot);
    pool->lock_fds[slot] = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* above 0, which means "not ours" */
    return pool->lock_fds[slot] > 0 ||
           sandbox_fail(error, SANDBOX_STAGE_STATE, errno, "keeping the lock of slot %d", slot);
}

bool slot_lease(SlotPool *pool, const CgroupSet *set, int *ret_slot, SandboxError *error)
{
    SandboxError failure = {.stage = SANDBOX_STAGE_NONE};
    for (int slot = 0; slot < SLOT_MAX; slot++) {
        if (pool->is_held[slot])
            continue;
        if (pool->lock_fds[slot] <= 0 && !take_slot(pool, set, slot, &failure)) {
            if (failure.system_errno == EWOULDBLOCK)
                continue; /* another process has it */
            break;
        }
        pool->is_held[slot] = true;
        *ret_slot = slot;
        return true;
    }
    if (error)
        *error = failure;
    return failure.stage != SANDBOX_STAGE_NONE
               ? false
               : sandbox_fail(error, SANDBOX_STAGE_STATE, EAGAIN, "all %d slots are in use", SLOT_MAX);
}

void slot_release(SlotPool *pool, int slot)
{
    pool->is_held[slot] = false;
}

void slot_group_name(SlotPool *pool, int slot, char ret_name[CGROUP_NAME_BYTES])
{
    snprintf(ret_name, CGROUP_NAME_BYTES, "gavel-slot%d-%d-%llu%s", slot, (int)getpid(), ++pool->counter, pool->suffix);
}
