/* Generated tests: their hashes from the lock file, and the directory that their data belongs in. */
#include <stdlib.h>
#include <string.h>

#include "package/fingerprint.h"
#include "package/package.h"

enum { MAX_LOCK_BYTES = 16 * 1024 * 1024, DIRECTORY_DIGITS = 16 };

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const GeneratedTest *)left)->name, ((const GeneratedTest *)right)->name);
}

bool generated_has(const Package *package, const char *name)
{
    const Problem *model = &package->model;
    GeneratedTest wanted = {.name = name};
    return model->generated_count &&
           bsearch(&wanted, model->generated, model->generated_count, sizeof wanted, compare_names);
}

/* ---- lock file --------------------------------------------------------------------------------------------------- */

static bool read_lock(Package *package, const TreeEntry *file, Error *error)
{
    auto_buffer Buffer text = {0};
    return tree_read(&package->tree, file, MAX_LOCK_BYTES, &text, error) &&
           lock_parse(package->model.arena, tree_shown(&package->tree, file), buffer_text(&text), text.size,
                      &package->lock, error);
}

static const char *locked_hash(const Package *package, const char *name, const char *suffix)
{
    return lock_find(&package->lock, arena_format(package->model.arena, "%s%s", name, suffix));
}

/* An author adds a test first and locks it later, so that a missing hash is no error. */
static void take_hashes(Package *package)
{
    Problem *model = &package->model;
    for (size_t i = 0; i < model->generated_count; i++) {
        GeneratedTest *test = &model->generated[i];
        test->input_sha256 = locked_hash(package, test->name, ".in");
        test->answer_sha256 = locked_hash(package, test->name, ".ans");
        if (package->lock.file && (!test->input_sha256 || !test->answer_sha256))
            list_format(&package->warnings, "%s:1: no hash of %s%s", package->lock.file, test->name,
                        test->input_sha256 ? ".ans" : ".in");
    }
}

static void warn_of_stale_entries(Package *package)
{
    const LockEntry *entries = package->lock.entries.items;
    for (size_t i = 0; i < package->lock.entries.count; i++) {
        const char *dot = strrchr(entries[i].name, '.');
        size_t length = dot ? (size_t)(dot - entries[i].name) : strlen(entries[i].name);
        if (!generated_has(package, arena_bytes(package->model.arena, entries[i].name, length)))
            list_format(&package->warnings, "%s:%d: %s is not a generated test", package->lock.file, entries[i].line,
                        entries[i].name);
    }
}

static bool load_lock(Package *package, Error *error)
{
    const TreeEntry *file = tree_find_file(&package->tree.top, "data/gavel.lock");
    if (file && !read_lock(package, file, error))
        return false;
    if (!file && package->model.generated_count)
        yaml_warn(extension_node(&package->extension, "data", "tests"), &package->warnings,
                  "there is no data/gavel.lock, so nothing tells whether generated data is what it should be");
    take_hashes(package);
    warn_of_stale_entries(package);
    return true;
}

/* ---- directory of the data --------------------------------------------------------------------------------------- */

static void add_data_section(const Package *package, Hash *hash)
{
    for (size_t i = 0; i < package->model.generated_count; i++) {
        const GeneratedTest *test = &package->model.generated[i];
        hash_string(hash, test->name);
        for (const char **argument = test->args; *argument; argument++)
            hash_string(hash, *argument);
        hash_string(hash, test->input_sha256);
        hash_string(hash, test->answer_sha256);
    }
}

/* The tree's entry at an absolute path below the root, as the model has them. */
static TreeEntry *entry_at(const Package *package, const char *path)
{
    return (TreeEntry *)tree_find(&package->tree.top, path + strlen(package->tree.root) + 1);
}

static const char *answering_solution(const Problem *model)
{
    if (model->model_path)
        return model->model_path;
    for (size_t i = 0; i < model->submission_count; i++)
        if (strncmp(model->submissions[i].name, "accepted/", 9) == 0)
            return model->submissions[i].path;
    return NULL;
}

/* Named after everything that the data is made from: other data gets another directory, and never a stale one. */
static bool name_data_directory(Package *package, Error *error)
{
    Problem *model = &package->model;
    const char *solution = answering_solution(model);
    char text[HASH_TEXT_SIZE];
    Hash hash;
    hash_init(&hash);
    add_data_section(package, &hash);
    if (model->generator && !fingerprint_add(&package->tree, entry_at(package, model->generator->path), &hash, error))
        return false;
    if (solution && !fingerprint_add(&package->tree, entry_at(package, solution), &hash, error))
        return false;
    hash_text(&hash, text);
    package->data_directory =
        arena_format(model->arena, "%s/%s-%.*s", package->data_cache, model->name, DIRECTORY_DIGITS, text);
    return true;
}

bool generated_load(Package *package, Error *error)
{
    Problem *model = &package->model;
    model->generated = package->extension.tests.items;
    model->generated_count = package->extension.tests.count;
    if (model->generated_count)
        qsort(model->generated, model->generated_count, sizeof *model->generated, compare_names);
    if (!load_lock(package, error))
        return false;
    if (package->data_cache)
        return name_data_directory(package, error);
    package->data_directory = arena_format(model->arena, "%s/data", model->directory); /* no cache: in the package */
    return true;
}
