/* Finding the control group trees of this machine, proving that they work, and the life of a run's group.
 *
 * What is mounted is read from /proc/self/mountinfo and where we are in it from /proc/self/cgroup, but neither decides:
 * files may be read-only, controllers not delegated, limits refused. So each candidate parent is tried with a
 * real group, a real limit and a real process. */
#include "cgroup.h"
#include "descriptor.h"
#include "raw.h"
#include "stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum {
    MOUNT_MAX = 24,
    REMOVE_LIMIT_MS = 5000,
    TEXT_BYTES = 8192,
};

/* ---- files -------------------------------------------------------------------------------------------------- */

int cgroup_read(int directory_fd, const char *file, char *ret_text, size_t size)
{
    auto_close int fd = openat(directory_fd, file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    ssize_t got = pread(fd, ret_text, size - 1, 0);
    if (got < 0)
        return errno;
    ret_text[got] = 0;
    return (size_t)got == size - 1 ? EOVERFLOW : 0;
}

int cgroup_write(int directory_fd, const char *file, const char *text)
{
    auto_close int fd = openat(directory_fd, file, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    return write(fd, text, strlen(text)) < 0 ? errno : 0;
}

int cgroup_write_number(int directory_fd, const char *file, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    return cgroup_write(directory_fd, file, text);
}

int64_t cgroup_read_number(int directory_fd, const char *file)
{
    char text[64], *end;
    if (cgroup_read(directory_fd, file, text, sizeof text) != 0)
        return -1;
    int64_t number = strtoll(text, &end, 10);
    return end == text ? -1 : number;
}

int64_t cgroup_field(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            return strtoll(line + length, NULL, 10);
    }
    return -1;
}

static void pause_ms(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

int cgroup_await(int directory_fd, const char *file, const char *word, int limit_ms)
{
    char text[TEXT_BYTES];
    for (int waited_ms = 0; waited_ms < limit_ms; waited_ms++) {
        int result = cgroup_read(directory_fd, file, text, sizeof text);
        if (result)
            return result;
        if (strstr(text, word))
            return 0;
        pause_ms(1);
    }
    return ETIMEDOUT;
}

/* ---- removing ----------------------------------------------------------------------------------------------- */

static void kill_members(int directory_fd)
{
    char text[TEXT_BYTES * 4];
    if (cgroup_write(directory_fd, "cgroup.kill", "1") == 0) /* v2, Linux 5.14 */
        return;
    (void)cgroup_write(directory_fd, "freezer.state", "THAWED"); /* only a freezer has it; the frozen do not die */
    if (cgroup_read(directory_fd, "cgroup.procs", text, sizeof text) != 0)
        return;
    for (char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        pid_t pid = (pid_t)strtol(at, NULL, 10);
        if (pid > 1)
            kill(pid, SIGKILL); /* ESRCH: gone meanwhile */
    }
}

/* A dead process leaves its group a moment after it was reaped, so EBUSY is asked again. */
static int remove_directory(int parent_fd, const char *name)
{
    for (int waited_ms = 0; unlinkat(parent_fd, name, AT_REMOVEDIR) != 0; waited_ms++) {
        if (errno == ENOENT)
            return 0;
        if (errno != EBUSY || waited_ms == REMOVE_LIMIT_MS)
            return errno;
        if (waited_ms % 10 == 1) {
            auto_close int directory_fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            kill_members(directory_fd);
        }
        pause_ms(1);
    }
    return 0;
}

static bool has_affixes(const char *name, const char *prefix, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return strncmp(name, prefix, strlen(prefix)) == 0 && length >= suffix_length &&
           strcmp(name + length - suffix_length, suffix) == 0;
}

void cgroup_sweep(const char *parent_path, const char *prefix, const char *suffix)
{
    DIR *directory = opendir(parent_path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_type == DT_DIR && has_affixes(entry->d_name, prefix, suffix)) {
            auto_close int group_fd = openat(dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            kill_members(group_fd);
            (void)remove_directory(dirfd(directory), entry->d_name); /* what stays is tried again at the next lease */
        }
    closedir(directory);
}

/* ---- a run's group ------------------------------------------------------------------------------------------ */

static void forget_tree(Cgroup *group, size_t index)
{
    close_descriptor(&group->directory_fds[index]);
    close_descriptor(&group->attach_fds[index]);
}

bool cgroup_remove(Cgroup *group, SandboxError *error)
{
    int failure = 0;
    const char *where = "";
    close_descriptor(&group->cpu_fd);
    for (size_t i = 0; group->set && i < group->set->tree_count; i++) {
        const CgroupTree *tree = &group->set->trees[i];
        forget_tree(group, i);
        int result = remove_directory(tree->parent_fd, group->name);
        if (result && !failure) {
            failure = result;
            where = tree->parent_path;
        }
    }
    return !failure || sandbox_fail(error, SANDBOX_STAGE_CGROUP, failure, "removing %s/%s", where, group->name);
}

static int enter_tree(Cgroup *group, size_t index, const SandboxLimits *limits)
{
    const CgroupTree *tree = &group->set->trees[index];
    if (mkdirat(tree->parent_fd, group->name, 0755) != 0)
        return errno;
    int directory_fd = group->directory_fds[index] =
        openat(tree->parent_fd, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory_fd < 0)
        return errno;
    int result = tree->ops->limit(directory_fd, tree->roles, limits);
    if (result)
        return result;
    if (tree->ops->attach_file)
        group->attach_fds[index] = openat(directory_fd, tree->ops->attach_file, O_WRONLY | O_CLOEXEC);
    else
        group->into_fd = directory_fd;
    if (tree->ops->attach_file && group->attach_fds[index] < 0)
        return errno;
    if ((tree->roles & CGROUP_ROLE_CPU) && group->cpu_fd < 0)
        group->cpu_fd = openat(directory_fd, tree->ops->cpu_file, O_RDONLY | O_CLOEXEC);
    return (tree->roles & CGROUP_ROLE_CPU) && group->cpu_fd < 0 ? errno : 0;
}

bool cgroup_make(Cgroup *ret_group, const CgroupSet *set, const char *name, const SandboxLimits *limits,
                 SandboxError *error)
{
    Cgroup group = {.set = set, .into_fd = -1, .cpu_fd = -1};
    snprintf(group.name, sizeof group.name, "%s", name);
    for (size_t i = 0; i < CGROUP_TREE_MAX; i++)
        group.directory_fds[i] = group.attach_fds[i] = -1;
    for (size_t i = 0; i < set->tree_count; i++) {
        int result = enter_tree(&group, i, limits);
        if (result == 0)
            continue;
        (void)cgroup_remove(&group, NULL); /* the first failure is the one to tell */
        return sandbox_fail(error, SANDBOX_STAGE_CGROUP, result, "making %s/%s", set->trees[i].parent_path, name);
    }
    *ret_group = group;
    return true;
}

static const CgroupTree *tree_with(const CgroupSet *set, unsigned role, size_t *ret_index)
{
    for (size_t i = 0; i < set->tree_count; i++)
        if (set->trees[i].roles & role) {
            *ret_index = i;
            return &set->trees[i];
        }
    return NULL;
}

bool cgroup_cpu_ns(const Cgroup *group, int64_t *ret_ns)
{
    char text[TEXT_BYTES];
    ssize_t got = group->cpu_fd < 0 ? -1 : pread(group->cpu_fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return false;
    size_t index;
    const CgroupTree *tree = tree_with(group->set, CGROUP_ROLE_CPU, &index);
    text[got] = 0;
    return tree && tree->ops->parse_cpu(text, ret_ns);
}

void cgroup_read_facts(const Cgroup *group, CgroupFacts *ret_facts)
{
    *ret_facts = (CgroupFacts){-1, -1, -1, -1, -1, -1};
    for (size_t i = 0; i < group->set->tree_count; i++)
        group->set->trees[i].ops->read_facts(group->directory_fds[i], group->set->trees[i].roles, ret_facts);
}

int64_t cgroup_oom_kills(const Cgroup *group)
{
    size_t index;
    CgroupFacts facts = {-1, -1, -1, -1, -1, -1};
    const CgroupTree *tree = tree_with(group->set, CGROUP_ROLE_MEMORY, &index);
    if (tree)
        tree->ops->read_facts(group->directory_fds[index], CGROUP_ROLE_MEMORY, &facts);
    return facts.oom_kills;
}

bool cgroup_set_frozen(const Cgroup *group, bool is_frozen, SandboxError *error)
{
    size_t index;
    const CgroupTree *tree = tree_with(group->set, CGROUP_ROLE_FREEZER, &index);
    if (!tree)
        return sandbox_fail(error, SANDBOX_STAGE_CGROUP, ENOTSUP, "freezing needs a freezer");
    int result = tree->ops->set_frozen(group->directory_fds[index], is_frozen);
    return result == 0 ||
           sandbox_fail(error, SANDBOX_STAGE_CGROUP, result, "%s %s", is_frozen ? "freezing" : "thawing", group->name);
}

/* ---- what is mounted ---------------------------------------------------------------------------------------- */

typedef struct CgroupMount {
    bool is_v2;
    char root[PATH_MAX]; /* what of the hierarchy is mounted */
    char point[PATH_MAX];
    char own[PATH_MAX]; /* our group in the hierarchy, as /proc/self/cgroup says */
    char options[512];  /* v1: the controllers are among them */
} CgroupMount;

static bool has_option(const char *options, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *at = options; (at = strstr(at, wanted)); at += length)
        if ((at == options || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* "36 35 98:0 /root /point options - type source super-options" */
static bool parse_mount(const char *line, CgroupMount *ret_mount)
{
    char type[32];
    const char *dash = strstr(line, " - ");
    if (!dash || sscanf(line, "%*s %*s %*s %4095s %4095s", ret_mount->root, ret_mount->point) != 2 ||
        sscanf(dash, " - %31s %*s %511s", type, ret_mount->options) != 2)
        return false;
    ret_mount->is_v2 = strcmp(type, "cgroup2") == 0;
    return ret_mount->is_v2 || strcmp(type, "cgroup") == 0;
}

/* "4:memory:/group" or, for v2, "0::/group" */
static bool is_own_line(const CgroupMount *mount, const char *controllers)
{
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(controllers, ",:"), controllers);
    return mount->is_v2 ? !*first : *first && has_option(mount->options, first);
}

static void find_own_group(CgroupMount *mount)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    auto_free char *line = NULL;
    size_t room = 0;
    snprintf(mount->own, sizeof mount->own, "/");
    while (file && getline(&line, &room, file) > 0) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path || !is_own_line(mount, controllers + 1))
            continue;
        path[strcspn(path, "\n")] = 0;
        snprintf(mount->own, sizeof mount->own, "%s", path + 1);
    }
    if (file)
        fclose(file);
}

static size_t list_mounts(CgroupMount *ret_mounts, size_t limit)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    auto_free char *line = NULL;
    size_t room = 0, count = 0;
    while (file && count < limit && getline(&line, &room, file) > 0)
        if (parse_mount(line, &ret_mounts[count]))
            find_own_group(&ret_mounts[count++]);
    if (file)
        fclose(file);
    return count;
}

/* A supervisor before us, or our own parent, may have moved us into the leaf: runs belong beside it, not below it. */
static void leave_leaf(char *path)
{
    char *last = strrchr(path, '/');
    if (last && strcmp(last + 1, CGROUP_V2_LEAF) == 0)
        *last = 0;
}

/* Our own group below the mount point; the mount's root is cut off where only a part is mounted (containers). */
static char *own_directory(const CgroupMount *mount)
{
    char *path = NULL;
    const char *below = mount->own;
    size_t root_length = strlen(mount->root);
    if (root_length > 1)
        below = strncmp(below, mount->root, root_length) == 0 ? below + root_length : "/";
    if (strstr(below, "..") || asprintf(&path, "%s%s", mount->point, strcmp(below, "/") == 0 ? "" : below) < 0)
        return NULL;
    if (mount->is_v2)
        leave_leaf(path);
    return path;
}

/* ---- trying ------------------------------------------------------------------------------------------------- */

/* A child of ours joins the group and dies in it. It shares our memory (vfork), hence the raw call. */
static int try_attach(const Cgroup *group)
{
    const char *file = group->attach_fds[0] >= 0 ? "tasks" : "cgroup.procs";
    auto_close int attach_fd = openat(group->directory_fds[0], file, O_WRONLY | O_CLOEXEC);
    int status = 0;
    if (attach_fd < 0)
        return errno;
    pid_t pid = vfork();
    if (pid == 0)
        _exit(RAW(write, attach_fd, "0", 1) == 1 ? 0 : 1);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return errno;
    return status == 0 ? 0 : EPERM;
}

static const SandboxLimits probe_limits = {.memory_bytes = 16 << 20, .processes = 8};

static int try_tree(const CgroupTree *tree)
{
    CgroupSet set = {.trees = {*tree}, .tree_count = 1, .roles = tree->roles};
    char name[CGROUP_NAME_BYTES];
    Cgroup group;
    SandboxError error;
    snprintf(name, sizeof name, "gavel-probe-%d", (int)getpid());
    if (!cgroup_make(&group, &set, name, &probe_limits, &error))
        return error.system_errno ? error.system_errno : EIO;
    int result = try_attach(&group);
    if (!cgroup_remove(&group, &error) && !result)
        result = error.system_errno;
    return result;
}

static bool open_tree_at(CgroupTree *ret_tree, const CgroupOps *ops, const char *path, unsigned roles)
{
    CgroupTree tree = {.ops = ops, .roles = roles, .parent_path = strdup(path)};
    tree.parent_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tree.parent_path && tree.parent_fd >= 0) {
        if (ops == &cgroup_v2_ops)
            tree.roles &= cgroup_v2_enable(tree.parent_fd);
        if (tree.roles && try_tree(&tree) == 0) {
            *ret_tree = tree;
            return true;
        }
    }
    close_descriptor(&tree.parent_fd);
    free(tree.parent_path);
    return false;
}

typedef struct V1Controller {
    const char *name;
    unsigned role;
} V1Controller;

static const V1Controller v1_controllers[] = {
    {"memory", CGROUP_ROLE_MEMORY},
    {"pids", CGROUP_ROLE_PIDS},
    {"cpuacct", CGROUP_ROLE_CPU},
    {"freezer", CGROUP_ROLE_FREEZER},
};

static unsigned v1_roles(const CgroupMount *mount)
{
    unsigned roles = 0;
    for (size_t i = 0; i < sizeof v1_controllers / sizeof *v1_controllers; i++)
        if (has_option(mount->options, v1_controllers[i].name))
            roles |= v1_controllers[i].role;
    return roles;
}

static bool try_in_order(CgroupTree *ret_tree, const CgroupMount *mount, const CgroupOps *ops, unsigned roles,
                         bool is_top_first)
{
    auto_free char *own = own_directory(mount);
    const char *paths[] = {is_top_first ? mount->point : own, is_top_first ? own : mount->point};
    for (size_t i = 0; i < 2; i++)
        if (paths[i] && open_tree_at(ret_tree, ops, paths[i], roles))
            return true;
    return false;
}

static bool is_delegated(const char *path)
{
    char value[2];
    return getxattr(path, "trusted.delegate", value, sizeof value) > 0 ||
           getxattr(path, "user.delegate", value, sizeof value) > 0;
}

/* v2: a given parent only; else a group that was delegated to us; else, as root, the top, where systemd has the
 * controllers on already and nobody's processes need to move; else our own group and those above it that are ours. */
static bool find_v2_tree(CgroupTree *ret_tree, const CgroupMount *mount, const char *parent, unsigned roles)
{
    if (parent)
        return open_tree_at(ret_tree, &cgroup_v2_ops, parent, roles);
    auto_free char *own = own_directory(mount);
    bool is_top_first = geteuid() == 0 && !(own && is_delegated(own));
    if (try_in_order(ret_tree, mount, &cgroup_v2_ops, roles, is_top_first))
        return true;
    while (own && strlen(own) > strlen(mount->point)) {
        *strrchr(own, '/') = 0;
        if (access(own, W_OK) == 0 && open_tree_at(ret_tree, &cgroup_v2_ops, own, roles))
            return true;
    }
    return false;
}

static void add_tree(CgroupSet *set, const CgroupTree *tree)
{
    set->trees[set->tree_count++] = *tree;
    set->roles |= tree->roles;
}

static void add_v2(CgroupSet *set, const CgroupMount *mounts, size_t count, const char *parent, unsigned roles)
{
    CgroupTree tree;
    for (size_t i = 0; i < count; i++)
        if (mounts[i].is_v2 && find_v2_tree(&tree, &mounts[i], parent, roles)) {
            add_tree(set, &tree);
            return;
        }
}

/* Every v1 hierarchy that plays a role nobody plays yet. */
static void add_v1(CgroupSet *set, const CgroupMount *mounts, size_t count)
{
    CgroupTree tree;
    for (size_t i = 0; i < count && set->tree_count < CGROUP_TREE_MAX; i++) {
        unsigned roles = mounts[i].is_v2 ? 0 : v1_roles(&mounts[i]) & ~set->roles;
        if (roles && try_in_order(&tree, &mounts[i], &cgroup_v1_ops, roles, false))
            add_tree(set, &tree);
    }
}

/* One attempt at one kind. A set without a memory limit is none at all. */
static bool compose(CgroupSet *ret_set, SandboxCgroupKind kind, const CgroupMount *mounts, size_t count,
                    const char *parent)
{
    CgroupSet set = {.kind = kind};
    unsigned core = CGROUP_ROLE_CPU | CGROUP_ROLE_FREEZER | CGROUP_ROLE_KILL;
    if (kind == SANDBOX_CGROUP_V2)
        add_v2(&set, mounts, count, parent, core | CGROUP_ROLE_MEMORY | CGROUP_ROLE_PIDS);
    if (kind == SANDBOX_CGROUP_HYBRID)
        add_v2(&set, mounts, count, NULL, core);
    bool is_usable = kind != SANDBOX_CGROUP_HYBRID || set.tree_count == 1;
    if (kind != SANDBOX_CGROUP_V2 && is_usable)
        add_v1(&set, mounts, count);
    is_usable = is_usable && (set.roles & CGROUP_ROLE_MEMORY);
    if (is_usable)
        *ret_set = set;
    else
        cgroup_close(&set);
    return is_usable;
}

static const SandboxCgroupKind preference[] = {SANDBOX_CGROUP_V2, SANDBOX_CGROUP_HYBRID, SANDBOX_CGROUP_V1};

bool cgroup_open(CgroupSet *ret_set, SandboxCgroupKind kind, const char *parent, char *ret_reason, size_t reason_size,
                 SandboxError *error)
{
    *ret_set = (CgroupSet){.kind = SANDBOX_CGROUP_NONE};
    if (kind == SANDBOX_CGROUP_NONE) {
        snprintf(ret_reason, reason_size, "control groups are switched off by the configuration");
        return true;
    }
    auto_free CgroupMount *mounts = calloc(MOUNT_MAX, sizeof *mounts);
    if (!mounts)
        return sandbox_fail(error, SANDBOX_STAGE_CGROUP, ENOMEM, "probing control groups");
    size_t count = list_mounts(mounts, MOUNT_MAX);
    for (size_t i = 0; i < sizeof preference / sizeof *preference; i++)
        if ((kind == SANDBOX_CGROUP_AUTO || kind == preference[i]) &&
            compose(ret_set, preference[i], mounts, count, parent))
            return true;
    snprintf(ret_reason, reason_size, "%s",
             count ? "no memory control group can be made, limited and joined here" : "no control groups are mounted");
    return kind == SANDBOX_CGROUP_AUTO ||
           sandbox_fail(error, SANDBOX_STAGE_CGROUP, 0, "control groups of kind %s are not usable here: %s",
                        sandbox_cgroup_name(kind), ret_reason);
}

void cgroup_close(CgroupSet *set)
{
    for (size_t i = 0; i < set->tree_count; i++) {
        close_descriptor(&set->trees[i].parent_fd);
        free(set->trees[i].parent_path);
    }
    *set = (CgroupSet){.kind = SANDBOX_CGROUP_NONE};
}
