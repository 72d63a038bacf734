/* The author's programs: input validators, the output validator, the generator. */
#include <string.h>

#include "package/package.h"

bool program_is_source(const TreeEntry *entry)
{
    static const char *const others[] = {".h",    ".hh", ".hpp", ".hxx", ".md",  ".txt", ".yaml", ".yml",
                                         ".json", ".in", ".ans", ".out", ".pdf", ".tex", ".log",  NULL};
    for (size_t i = 0; others[i]; i++)
        if (!entry->is_directory && tree_has_suffix(entry->name, others[i]))
            return false;
    return true;
}

static void add_programs(const Package *package, const char *directory_name, List *programs)
{
    const TreeEntry *directory = tree_find_directory(&package->tree.top, directory_name);
    if (!directory)
        return;
    tree_each (entry, directory)
        if (program_is_source(entry))
            *(AuthorProgram *)list_add(programs) = (AuthorProgram){tree_path(&package->tree, entry), entry->path};
}

static AuthorProgram *program_new(const Package *package, const TreeEntry *entry)
{
    AuthorProgram *program = arena_alloc(package->model.arena, sizeof *program);
    *program = (AuthorProgram){tree_path(&package->tree, entry), entry->path};
    return program;
}

static void load_input_validators(Package *package)
{
    static const char *const directories[] = {"input_validators", "input_format_validators"};
    List programs = list_of(package->model.arena, AuthorProgram);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        add_programs(package, directories[i], &programs);
    package->model.input_validators = programs.items;
    package->model.input_validator_count = programs.count;
}

/* ---- output validator -------------------------------------------------------------------------------------------- */

/* output_validators/: each entry is a program; the first is the one, as in problemtools and DOMjudge. */
static AuthorProgram *first_of_many(Package *package)
{
    List programs = list_of(package->model.arena, AuthorProgram);
    add_programs(package, "output_validators", &programs);
    AuthorProgram *first = programs.items;
    if (programs.count > 1)
        list_format(&package->warnings, "%s/output_validators: only the first of %zu validators is used: %s",
                    package->tree.shown, programs.count, first->name);
    return programs.count ? first : NULL;
}

/* output_validator/: the directory itself is the program. */
static AuthorProgram *only_one(Package *package)
{
    const TreeEntry *directory = tree_find_directory(&package->tree.top, "output_validator");
    return directory && directory->child_count ? program_new(package, directory) : NULL;
}

static bool missing_validator(const Package *package, Error *error)
{
    const YamlNode *validation = yaml_get(package->metadata.root, "validation");
    return yaml_error(validation, error, "'validation' is custom, but there is no program in output_validators");
}

/* Legacy packages say in problem.yaml whether theirs is used; since 2025-09 it is used if it is there. Drafts are
 * mixed. */
static bool load_output_validator(Package *package, Error *error)
{
    bool is_custom = package->metadata.is_validation_custom;
    bool is_legacy = package->model.format == PROBLEM_FORMAT_LEGACY;
    AuthorProgram *old = first_of_many(package), *newer = only_one(package);
    if (old && newer)
        return error_input(error, "%s/output_validators: there is an output_validator beside it", package->tree.shown);
    AuthorProgram *found = old ? old : newer;
    if (is_custom && !found)
        return missing_validator(package, error);
    if (found && is_legacy && !is_custom) {
        list_format(&package->warnings, "%s/problem.yaml:1: %s is not used, since 'validation' is not custom",
                    package->tree.shown, found->name);
        return true;
    }
    if (found && (found == old) != is_legacy)
        list_format(&package->warnings, "%s/%s: format %s has %s/ instead", package->tree.shown, found->name,
                    package->metadata.version, is_legacy ? "output_validators" : "output_validator");
    package->model.output_validator = found;
    return true;
}

/* ---- generator --------------------------------------------------------------------------------------------------- */

static bool load_generator(Package *package, Error *error)
{
    const char *path = package->extension.generator;
    const TreeEntry *entry = path ? tree_find(&package->tree.top, path) : NULL;
    if (path && !entry)
        return yaml_error(extension_node(&package->extension, "data", "generator"), error, "there is no %s", path);
    package->model.generator = entry ? program_new(package, entry) : NULL;
    return true;
}

bool programs_load(Package *package, Error *error)
{
    load_input_validators(package);
    return load_output_validator(package, error) && load_generator(package, error);
}
