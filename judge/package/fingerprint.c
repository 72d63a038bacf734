/* The package's identity: what a verdict's provenance names.
 *
 * sha256 covers every file's path and content except data that the generator makes: that is covered by the lock file,
 * so the hash is the same whether the data lies in the package, in a cache or nowhere yet. tests_sha256 covers what a
 * submission can notice: inputs, answers, flags and arguments. */
#include "package/fingerprint.h"

#include <fcntl.h>
#include <string.h>

#include "base/fd.h"
#include "package/package.h"

bool fingerprint_files(const Tree *tree, TreeEntry *entry, Error *error)
{
    for (size_t i = 0; i < entry->child_count; i++)
        if (!fingerprint_files(tree, &entry->children[i], error))
            return false;
    if (entry->is_directory || entry->sha256)
        return true;
    auto_close int fd = open(tree_path(tree, entry), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char text[HASH_TEXT_SIZE];
    if (fd < 0)
        return error_system_input(error, "cannot open %s", tree_shown(tree, entry));
    if (!hash_fd_text(fd, text, error))
        return error_wrap(error, "%s", tree_shown(tree, entry));
    entry->sha256 = arena_string(tree->arena, text);
    return true;
}

static bool always(const void *context, const TreeEntry *file)
{
    (void)context, (void)file;
    return true;
}

/* Children are sorted, so the order is the same on every machine. */
static void add_files(const TreeEntry *entry, bool (*is_wanted)(const void *context, const TreeEntry *file),
                      const void *context, Hash *hash)
{
    tree_each (child, entry)
        add_files(child, is_wanted, context, hash);
    if (entry->is_directory || !is_wanted(context, entry))
        return;
    hash_string(hash, entry->path);
    hash_string(hash, entry->sha256);
}

bool fingerprint_add(const Tree *tree, TreeEntry *entry, Hash *hash, Error *error)
{
    if (!fingerprint_files(tree, entry, error))
        return false;
    add_files(entry, always, NULL, hash);
    return true;
}

/* "data/secret/1.in" without "data/" and ".in", if it is a file of test data; else NULL. */
static const char *test_of_file(Arena *arena, const TreeEntry *file)
{
    const char *suffix = tree_has_suffix(file->path, ".in") ? ".in" : ".ans";
    if (strncmp(file->path, "data/", 5) != 0 || !tree_has_suffix(file->path, suffix))
        return NULL;
    return arena_bytes(arena, file->path + 5, strlen(file->path) - 5 - strlen(suffix));
}

static bool is_not_generated(const void *context, const TreeEntry *file)
{
    const Package *package = context;
    const char *test = package->model.generated_count ? test_of_file(package->tree.arena, file) : NULL;
    return !test || !generated_has(package, test);
}

static void add_strings(Hash *hash, const char *const *strings)
{
    for (; *strings; strings++)
        hash_string(hash, *strings);
    hash_string(hash, NULL);
}

/* Content where it is in the package, the lock's hash where it is not (NULL if it is not locked either). */
static const char *data_hash(const Package *package, const TestCase *test, const char *suffix)
{
    const char *name = arena_format(package->tree.arena, "%s%s", test->name, suffix);
    const TreeEntry *data = tree_find_directory(&package->tree.top, "data");
    const TreeEntry *file = data ? tree_find_file(data, name) : NULL;
    return file ? file->sha256 : lock_find(&package->lock, name);
}

static void add_test(const Package *package, const TestCase *test, Hash *hash)
{
    const ValidatorFlags *flags = &test->validator_flags;
    hash_string(hash, test->name);
    hash_string(hash, data_hash(package, test, ".in"));
    hash_string(hash, data_hash(package, test, ".ans"));
    hash_string(hash, flags->is_case_sensitive ? "case" : "");
    hash_string(hash, flags->is_space_change_sensitive ? "space" : "");
    hash_string(hash, flags->float_absolute);
    hash_string(hash, flags->float_relative);
    add_strings(hash, test->validator_args);
    add_strings(hash, test->program_args);
}

bool fingerprint_load(Package *package, Error *error)
{
    Problem *model = &package->model;
    char text[HASH_TEXT_SIZE];
    Hash whole, tests;
    hash_init(&whole);
    hash_init(&tests);
    if (!fingerprint_files(&package->tree, &package->tree.top, error))
        return false;
    add_files(&package->tree.top, is_not_generated, package, &whole);
    for (size_t i = 0; i < model->test_count; i++)
        add_test(package, &model->tests[i], &tests);
    hash_text(&whole, text);
    model->sha256 = arena_string(model->arena, text);
    hash_text(&tests, text);
    model->tests_sha256 = arena_string(model->arena, text);
    return true;
}
