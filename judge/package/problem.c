/* problem_load: the steps in their order, and what a Problem can be asked afterwards. */
#include "gavel/problem.h"

#include <string.h>
#include <unistd.h>

#include "package/package.h"

enum { MAX_YAML_BYTES = 1024 * 1024 };

/* ---- problem.yaml and gavel.yaml into the model ------------------------------------------------------------------ */

static bool take_metadata(Package *package, const char *file, const Buffer *text, Error *error)
{
    Metadata *metadata = &package->metadata;
    Problem *model = &package->model;
    if (!metadata_parse(model->arena, file, buffer_text(text), text->size, &package->warnings, metadata, error))
        return false;
    model->format = metadata->format;
    model->traits = metadata->traits;
    model->title = metadata->title ? metadata->title : model->name;
    model->title_zh = metadata->title_zh;
    model->uuid = metadata->uuid;
    model->license = metadata->license;
    model->author = metadata->author;
    model->keywords = metadata->keywords;
    model->limits = metadata->limits;
    return true;
}

bool metadata_load(Package *package, Error *error)
{
    const TreeEntry *file = tree_find_file(&package->tree.top, "problem.yaml");
    auto_buffer Buffer text = {0};
    if (!file)
        return error_input(error, "%s/problem.yaml: missing, so this is not a problem package", package->tree.shown);
    return tree_read(&package->tree, file, MAX_YAML_BYTES, &text, error) &&
           take_metadata(package, tree_shown(&package->tree, file), &text, error);
}

bool extension_load(Package *package, Error *error)
{
    const TreeEntry *file = tree_find_file(&package->tree.top, "gavel.yaml");
    Extension *extension = &package->extension;
    Problem *model = &package->model;
    auto_buffer Buffer text = {0};
    if (!file)
        return true;
    if (!tree_read(&package->tree, file, MAX_YAML_BYTES, &text, error) ||
        !extension_parse(model->arena, tree_shown(&package->tree, file), buffer_text(&text), text.size,
                         &package->warnings, extension, error))
        return false;
    model->feedback = (FeedbackPolicy)extension->feedback;
    model->difficulty = extension->difficulty;
    if (extension->stack_bytes)
        model->limits.stack_bytes = extension->stack_bytes;
    return true;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static bool (*const steps[])(Package *package, Error *error) = {
    metadata_load,    time_limit_load, extension_load, statement_load,   programs_load,
    submissions_load, generated_load,  data_load,      fingerprint_load,
};
enum { STEP_COUNT = sizeof steps / sizeof *steps };

static bool read_package(Package *package, const char *directory, PackageDepth depth, Error *error)
{
    Problem *model = &package->model;
    if (!tree_scan(model->arena, directory, &package->warnings, &package->tree, error))
        return false;
    model->directory = package->tree.root;
    model->name = strrchr(package->tree.root, '/') + 1; /* the root is absolute */
    for (size_t i = 0; i < STEP_COUNT; i++)
        if ((steps[i] != fingerprint_load || depth == PACKAGE_WHOLE) && !steps[i](package, error))
            return false;
    model->warnings = list_strings(&package->warnings);
    return true;
}

bool package_load(const char *directory, const ProblemPaths *paths, PackageDepth depth, Problem **ret_problem,
                  Error *error)
{
    Arena *arena = arena_new();
    Package *package = arena_alloc(arena, sizeof *package);
    package->model.arena = arena;
    package->warnings = list_of(arena, const char *);
    package->extension.tests = list_of(arena, GeneratedTest);
    package->extension.verdicts = list_of(arena, ExtensionVerdict);
    package->lock.entries = list_of(arena, LockEntry);
    package->data_cache = paths ? arena_string(arena, paths->data_cache) : NULL;
    if (!read_package(package, directory, depth, error)) {
        arena_free(arena);
        return false;
    }
    *ret_problem = &package->model;
    return true;
}

bool problem_load(const char *directory, const ProblemPaths *paths, Problem **ret_problem, Error *error)
{
    return package_load(directory, paths, PACKAGE_WHOLE, ret_problem, error);
}

void problem_free(Problem *problem)
{
    if (problem)
        arena_free(problem->arena);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

size_t problem_missing_data(const Problem *problem)
{
    size_t missing = 0;
    for (size_t i = 0; i < problem->test_count; i++)
        missing += access(problem->tests[i].input_path, F_OK) < 0 || access(problem->tests[i].answer_path, F_OK) < 0;
    return missing;
}

/* Every Problem is the first member of a Package, since only package_load makes one. */
const char *problem_data_directory(const Problem *problem)
{
    return ((const Package *)problem)->data_directory;
}
