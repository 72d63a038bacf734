/* A depth-first listing with symbolic links checked as they are met. */
#include "package/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"

enum { MAX_ENTRIES = 200000, MAX_DEPTH = 32 };

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

bool tree_is_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length <= 255 && *name != '.' && *name != '-' && strspn(name, letters) == length;
}

bool tree_is_path(const char *path)
{
    while (*path) {
        char name[NAME_MAX + 1] = "";
        size_t length = strcspn(path, "/");
        if (length > NAME_MAX)
            return false;
        memcpy(name, path, length);
        if (!tree_is_name(name))
            return false;
        path += length;
        if (*path == '\0')
            return true;
        path++;
    }
    return false; /* empty, or a slash at the end */
}

bool tree_has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static bool is_build_product(const char *name)
{
    static const char *const suffixes[] = {".o", ".pyc", ".class", ".gch", NULL};
    if (strcmp(name, "__pycache__") == 0 || strcmp(name, "a.out") == 0)
        return true;
    for (size_t i = 0; suffixes[i]; i++)
        if (tree_has_suffix(name, suffixes[i]))
            return true;
    return false;
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

/* The directories that are open right now, to see a link that leads back into one of them. */
typedef struct Ancestor {
    const struct Ancestor *parent;
    dev_t device;
    ino_t inode;
    int depth;
} Ancestor;

typedef struct Scan {
    Tree *tree;
    List *warnings;
    size_t entry_count;
} Scan;

static int compare_entries(const void *left, const void *right)
{
    return strcmp(((const TreeEntry *)left)->name, ((const TreeEntry *)right)->name);
}

/* A name that is as if absent, but that its author surely meant to count. */
static void warn_of_name(const Scan *scan, const TreeEntry *directory, const char *name)
{
    bool is_test =
        strncmp(directory->path, "data/", 5) == 0 && (tree_has_suffix(name, ".in") || tree_has_suffix(name, ".ans"));
    bool is_submission = strncmp(directory->path, "submissions/", 12) == 0;
    if (*name != '.' && (is_test || is_submission))
        list_format(scan->warnings, "%s/%s: ignored: a name has only letters, digits and _.- and does not start with -",
                    tree_shown(scan->tree, directory), name);
}

static bool is_listed(const Scan *scan, const TreeEntry *directory, const char *name)
{
    if (is_build_product(name))
        return false;
    if (tree_is_name(name))
        return true;
    if (*directory->path == '\0' && strcmp(name, ".timelimit") == 0)
        return true;
    warn_of_name(scan, directory, name);
    return false;
}

static bool check_link(const Tree *tree, const TreeEntry *entry, Error *error)
{
    auto_free char *target = realpath(tree_path(tree, entry), NULL);
    size_t length = strlen(tree->root);
    if (!target)
        return error_input(error, "%s: a symbolic link that leads nowhere", tree_shown(tree, entry));
    if (strncmp(target, tree->root, length) != 0 || (target[length] != '/' && target[length] != '\0'))
        return error_input(error, "%s: a symbolic link that leads out of the package", tree_shown(tree, entry));
    return true;
}

static bool examine(const Scan *scan, int directory_fd, TreeEntry *entry, Error *error)
{
    struct stat status;
    if (fstatat(directory_fd, entry->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return error_system_input(error, "cannot examine %s", tree_shown(scan->tree, entry));
    if (S_ISLNK(status.st_mode)) {
        if (!check_link(scan->tree, entry, error))
            return false;
        if (fstatat(directory_fd, entry->name, &status, 0) < 0)
            return error_system_input(error, "cannot examine %s", tree_shown(scan->tree, entry));
    }
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return error_input(error, "%s: neither a file nor a directory", tree_shown(scan->tree, entry));
    entry->is_directory = S_ISDIR(status.st_mode);
    entry->size = status.st_size;
    return true;
}

static bool add_entry(Scan *scan, int directory_fd, const TreeEntry *directory, const char *name, List *children,
                      Error *error)
{
    if (!is_listed(scan, directory, name))
        return true;
    if (++scan->entry_count > MAX_ENTRIES)
        return error_input(error, "%s: more than %d files", scan->tree->shown, MAX_ENTRIES);
    Arena *arena = scan->tree->arena;
    TreeEntry *entry = list_add(children);
    entry->name = arena_string(arena, name);
    entry->path = *directory->path ? arena_format(arena, "%s/%s", directory->path, name) : entry->name;
    return examine(scan, directory_fd, entry, error);
}

static void close_directory(DIR **stream)
{
    if (*stream)
        (void)closedir(*stream); /* only read */
}

static bool read_entries(Scan *scan, int fd, TreeEntry *directory, Error *error)
{
    List children = list_of(scan->tree->arena, TreeEntry);
    int stream_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* fdopendir takes the descriptor it gets */
    __attribute__((cleanup(close_directory))) DIR *stream = stream_fd < 0 ? NULL : fdopendir(stream_fd);
    if (!stream)
        return error_system(error, "cannot list %s", tree_shown(scan->tree, directory));
    for (const struct dirent *item; (item = readdir(stream));)
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0 &&
            !add_entry(scan, fd, directory, item->d_name, &children, error))
            return false;
    directory->children = children.items;
    directory->child_count = children.count;
    if (children.count)
        qsort(directory->children, directory->child_count, sizeof(TreeEntry), compare_entries);
    return true;
}

static bool is_inside_itself(const Ancestor *here)
{
    for (const Ancestor *up = here->parent; up; up = up->parent)
        if (up->device == here->device && up->inode == here->inode)
            return true;
    return false;
}

static bool scan_directory(Scan *scan, int fd, const Ancestor *parent, TreeEntry *directory, Error *error)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return error_system(error, "cannot examine %s", tree_shown(scan->tree, directory));
    Ancestor here = {parent, status.st_dev, status.st_ino, parent ? parent->depth + 1 : 0};
    if (is_inside_itself(&here))
        return error_input(error, "%s: a symbolic link that leads into itself", tree_shown(scan->tree, directory));
    if (here.depth > MAX_DEPTH)
        return error_input(error, "%s: directories nested more than %d deep", tree_shown(scan->tree, directory),
                           MAX_DEPTH);
    if (!read_entries(scan, fd, directory, error))
        return false;
    for (size_t i = 0; i < directory->child_count; i++) {
        TreeEntry *child = &directory->children[i];
        if (!child->is_directory)
            continue;
        auto_close int child_fd = openat(fd, child->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (child_fd < 0)
            return error_system_input(error, "cannot open %s", tree_shown(scan->tree, child));
        if (!scan_directory(scan, child_fd, &here, child, error))
            return false;
    }
    return true;
}

static const char *without_final_slashes(Arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_bytes(arena, path, length);
}

bool tree_scan(Arena *arena, const char *directory, List *warnings, Tree *ret_tree, Error *error)
{
    auto_free char *root = realpath(directory, NULL);
    auto_close int fd = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0)
        return error_system_input(error, "cannot open the package %s", directory);
    *ret_tree = (Tree){.arena = arena,
                       .root = arena_string(arena, root),
                       .shown = without_final_slashes(arena, directory),
                       .top = {.path = "", .name = "", .is_directory = true}};
    Scan scan = {.tree = ret_tree, .warnings = warnings};
    return scan_directory(&scan, fd, NULL, &ret_tree->top, error);
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

const TreeEntry *tree_find(const TreeEntry *directory, const char *path)
{
    while (directory && *path) {
        char name[NAME_MAX + 1] = "";
        size_t length = strcspn(path, "/");
        if (length > NAME_MAX || !directory->child_count)
            return NULL;
        memcpy(name, path, length);
        TreeEntry wanted = {.name = name};
        directory = bsearch(&wanted, directory->children, directory->child_count, sizeof wanted, compare_entries);
        path += length;
        path += *path == '/';
    }
    return directory;
}

const TreeEntry *tree_find_directory(const TreeEntry *directory, const char *path)
{
    const TreeEntry *entry = tree_find(directory, path);
    return entry && entry->is_directory ? entry : NULL;
}

const TreeEntry *tree_find_file(const TreeEntry *directory, const char *path)
{
    const TreeEntry *entry = tree_find(directory, path);
    return entry && !entry->is_directory ? entry : NULL;
}

const char *tree_path(const Tree *tree, const TreeEntry *entry)
{
    return *entry->path ? arena_format(tree->arena, "%s/%s", tree->root, entry->path) : tree->root;
}

const char *tree_shown(const Tree *tree, const TreeEntry *entry)
{
    return *entry->path ? arena_format(tree->arena, "%s/%s", tree->shown, entry->path) : tree->shown;
}

bool tree_read(const Tree *tree, const TreeEntry *file, size_t max_bytes, Buffer *buffer, Error *error)
{
    auto_error Error inner = {0};
    if (fd_read_file(tree_path(tree, file), max_bytes, buffer, &inner))
        return true;
    return inner.kind == ERROR_INPUT ? error_input(error, "%s: %s", tree_shown(tree, file), error_text(&inner))
                                     : error_fault(error, "%s: %s", tree_shown(tree, file), error_text(&inner));
}
