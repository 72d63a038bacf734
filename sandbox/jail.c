/* Building the root that the program will see, from inside the run's new mount namespace, in two parts: the root with
 * all that is read-only, which may be done before the plan is known, and the writable places with the plan's files.
 *
 * The root is a tmpfs mounted on an empty directory of the state directory. It is filled through relative paths while
 * the working directory is its top, so that host paths still mean the host; then pivot_root(".", ".") stacks the host's
 * root on top of ours and a lazy umount drops it, and last the root itself becomes read-only. Writable are only /w,
 * /tmp and /dev/shm: a tmpfs each, limited in bytes and files, without set-uid, devices and symbolic links to follow.
 *
 * Everything here runs in the keeper: raw system calls only (keeper.c says why). */
#include "keeper.h"
#include "raw.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

#define MNT_DETACH 2 /* in sys/mount.h, which clashes with linux/mount.h */

enum { FILE_CHUNK_BYTES = 1 << 20 };

/* "/usr/lib" -> "usr/lib": relative to the jail's top, which is the working directory. */
KEEPER_CODE static const char *inside(const char *jail_path)
{
    while (*jail_path == '/')
        jail_path++;
    return jail_path;
}

/* Makes the directories above the last component of a relative path. */
KEEPER_CODE static bool make_parents(KeeperOrder *order, SandboxStage stage, const char *path)
{
    char part[512];
    for (size_t i = 0; path[i]; i++) {
        if (i + 1 >= sizeof part)
            return keeper_check(order, stage, -ENAMETOOLONG, "making a directory of the jail");
        if (path[i] == '/' && i > 0) {
            part[i] = 0;
            long made = RAW(mkdir, part, 0755);
            if (made < 0 && made != -EEXIST)
                return keeper_check(order, stage, made, "making a directory of the jail");
        }
        part[i] = path[i];
    }
    return true;
}

KEEPER_CODE static bool make_mounts_private(KeeperOrder *order)
{
    return keeper_check(order, SANDBOX_STAGE_ROOT, RAW(mount, 0, "/", 0, MS_REC | MS_PRIVATE, 0),
                        "making mounts private");
}

KEEPER_CODE static bool mount_root(KeeperOrder *order)
{
    /* The device nodes lie on this mount, so it has no nodev; nothing else can be created on it once it is read-only.
     */
    return keeper_check(order, SANDBOX_STAGE_ROOT,
                        RAW(mount, "gavel", order->mount_point, "tmpfs", MS_NOSUID, "mode=0755,size=1m,nr_inodes=512"),
                        "mounting the root tmpfs") &&
           keeper_check(order, SANDBOX_STAGE_ROOT, RAW(chdir, order->mount_point), "entering the root tmpfs");
}

static const char *const directories[] = {"w", "tmp", "dev", "dev/shm"};

KEEPER_CODE static bool make_directories(KeeperOrder *order)
{
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (!keeper_check(order, SANDBOX_STAGE_ROOT, RAW(mkdir, directories[i], 0755), "making a mount point"))
            return false;
    return true;
}

KEEPER_CODE static bool mount_writable(KeeperOrder *order, const char *path, unsigned long extra_flags)
{
    return keeper_check(
        order, SANDBOX_STAGE_ROOT,
        RAW(mount, "gavel", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOSYMFOLLOW | extra_flags, order->work_options),
        "mounting a writable tmpfs");
}

KEEPER_CODE static bool mount_writables(KeeperOrder *order)
{
    unsigned long flags = order->is_work_executable ? 0 : MS_NOEXEC;
    return mount_writable(order, "w", flags) && mount_writable(order, "tmp", flags) &&
           mount_writable(order, "dev/shm", MS_NOEXEC);
}

/* The mount point of a bind must be of the source's type. */
KEEPER_CODE static long make_target(const char *target, bool is_directory)
{
    if (is_directory) {
        long made = RAW(mkdir, target, 0755);
        return made == -EEXIST ? 0 : made;
    }
    long made = RAW(mknod, target, S_IFREG | 0644,
                    0); /* not open: a fork of the supervisor could hold it, and the mount busy */
    return made == -EEXIST ? 0 : made;
}

/* A clone of the mounts at host_path, cut off from the host's and never writable through us, sub-mounts included. */
KEEPER_CODE static bool attach_tree(KeeperOrder *order, const JailBind *bind, int tree_fd)
{
    const char *target = inside(bind->jail_path);
    struct stat status;
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_NOSUID | (bind->is_device ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV),
    };
    return keeper_check(order, SANDBOX_STAGE_BIND,
                        RAW(mount_setattr, tree_fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes),
                        bind->host_path) &&
           keeper_check(order, SANDBOX_STAGE_BIND, RAW(fstat, tree_fd, &status), bind->host_path) &&
           make_parents(order, SANDBOX_STAGE_BIND, target) &&
           keeper_check(order, SANDBOX_STAGE_BIND, make_target(target, S_ISDIR(status.st_mode)), bind->jail_path) &&
           keeper_check(order, SANDBOX_STAGE_BIND,
                        RAW(move_mount, tree_fd, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), bind->jail_path);
}

KEEPER_CODE static bool bind_one(KeeperOrder *order, const JailBind *bind)
{
    long tree_fd = RAW(open_tree, AT_FDCWD, bind->host_path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (tree_fd == -ENOENT && bind->is_optional)
        return true;
    if (!keeper_check(order, SANDBOX_STAGE_BIND, tree_fd, bind->host_path))
        return false;
    bool is_attached = attach_tree(order, bind, (int)tree_fd);
    RAW(close, tree_fd);
    return is_attached;
}

static const JailNode nodes[] = {
    {"dev/null", 1, 3}, {"dev/zero", 1, 5}, {"dev/full", 1, 7}, {"dev/random", 1, 8}, {"dev/urandom", 1, 9},
};

/* Root makes its own nodes: five mknods cost less than five mounts, now and when the namespace dies. In a user
 * namespace, or where the devices controller forbids it, the host's are bound. */
KEEPER_CODE static bool make_node(KeeperOrder *order, const JailNode *node)
{
    if (order->can_make_nodes && RAW(mknod, node->name, S_IFCHR | 0666, (node->major << 8) | node->minor) >= 0)
        return true;
    char host_path[32] = "/";
    for (size_t i = 0; node->name[i]; i++)
        host_path[i + 1] = node->name[i];
    JailBind bind = {.host_path = host_path, .jail_path = host_path, .is_device = true};
    return bind_one(order, &bind);
}

KEEPER_CODE static bool make_devices(KeeperOrder *order)
{
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (!make_node(order, &nodes[i]))
            return false;
    for (const char *const *device = order->devices; device && *device; device++) {
        JailBind bind = {.host_path = *device, .jail_path = *device, .is_device = true};
        if (!bind_one(order, &bind))
            return false;
    }
    return true;
}

KEEPER_CODE static bool bind_all(KeeperOrder *order)
{
    for (size_t i = 0; i < order->system_bind_count; i++)
        if (!bind_one(order, &order->system_binds[i]))
            return false;
    for (size_t i = 0; i < order->link_count; i++)
        if (!keeper_check(order, SANDBOX_STAGE_BIND,
                          RAW(symlink, order->links[i].target, inside(order->links[i].jail_path)), "making a link"))
            return false;
    for (size_t i = 0; i < order->bind_count; i++) {
        JailBind bind = {.host_path = order->binds[i].host_path, .jail_path = order->binds[i].jail_path};
        if (!bind_one(order, &bind))
            return false;
    }
    return true;
}

/* Only the run's own processes, and of those only what the reader may trace: no sysctl, no mountinfo of others. */
KEEPER_CODE static bool mount_proc(KeeperOrder *order)
{
    if (!order->has_proc)
        return true;
    return keeper_check(order, SANDBOX_STAGE_PROC, RAW(mkdir, "proc", 0555), "making /proc") &&
           keeper_check(order, SANDBOX_STAGE_PROC,
                        RAW(mount, "proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2,subset=pid"),
                        "mounting /proc");
}

KEEPER_CODE static long write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        long written = RAW(write, fd, data, size);
        if (written == -EINTR)
            continue;
        if (written < 0)
            return written;
        data += written;
        size -= (size_t)written;
    }
    return 0;
}

/* The explicit offset leaves the source's own untouched. */
KEEPER_CODE static long copy_all(int fd, int source_fd)
{
    int64_t offset = 0;
    for (;;) {
        long copied = RAW(sendfile, fd, source_fd, &offset, FILE_CHUNK_BYTES);
        if (copied == -EINTR)
            continue;
        if (copied <= 0)
            return copied;
    }
}

KEEPER_CODE static bool write_file(KeeperOrder *order, const SandboxFile *file)
{
    if (!make_parents(order, SANDBOX_STAGE_FILES, file->name))
        return false;
    long fd =
        RAW(openat, AT_FDCWD, file->name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, file->mode & 0777);
    if (!keeper_check(order, SANDBOX_STAGE_FILES, fd, file->name))
        return false;
    long copied = file->data ? write_all((int)fd, file->data, file->size) : copy_all((int)fd, file->fd);
    RAW(close, fd);
    return keeper_check(order, SANDBOX_STAGE_FILES, copied, file->name);
}

KEEPER_CODE static bool leave_host(KeeperOrder *order)
{
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
    return keeper_check(order, SANDBOX_STAGE_ROOT, RAW(pivot_root, ".", "."), "pivot_root") &&
           keeper_check(order, SANDBOX_STAGE_ROOT, RAW(umount2, ".", MNT_DETACH), "unmounting the host's root") &&
           keeper_check(order, SANDBOX_STAGE_ROOT, RAW(chdir, "/"), "entering the new root") &&
           keeper_check(order, SANDBOX_STAGE_ROOT, RAW(mount_setattr, AT_FDCWD, "/", 0, &read_only, sizeof read_only),
                        "making the root read-only");
}

/* A bind of the plan's may lie below /w, so with a plan the writable places come first. */
KEEPER_CODE bool jail_build(KeeperOrder *order)
{
    return make_mounts_private(order) && mount_root(order) && make_directories(order) &&
           (order->is_spare || mount_writables(order)) && make_devices(order) && bind_all(order) && mount_proc(order) &&
           leave_host(order);
}

KEEPER_CODE bool jail_furnish(KeeperOrder *order)
{
    return (!order->is_spare || mount_writables(order)) &&
           keeper_check(order, SANDBOX_STAGE_FILES, RAW(chdir, "/w"), "entering /w");
}

KEEPER_CODE bool jail_fill(KeeperOrder *order)
{
    for (size_t i = 0; i < order->file_count; i++)
        if (!write_file(order, &order->files[i]))
            return false;
    return true;
}
