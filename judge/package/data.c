/* data/sample and data/secret into groups and tests, in judging order. */
#include <stdlib.h>
#include <string.h>

#include "package/package.h"
#include "package/settings.h"
#include "package/suggest.h"

enum { MAX_YAML_BYTES = 1024 * 1024, MAX_TEXT_BYTES = 64 * 1024 };

typedef struct DataLoad {
    Package *package;
    SettingsContext settings_context;
    const TreeEntry *data; /* NULL: there is no data/ */
    List groups;           /* of TestGroup */
    List settings;         /* of Settings, one a group */
    List tests;            /* of TestCase */
} DataLoad;

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static const Settings *settings_of(const DataLoad *load, size_t group)
{
    return (const Settings *)load->settings.items + group;
}

static bool read_settings(DataLoad *load, const TreeEntry *file, const Settings *inherited, Settings *ret_settings,
                          Error *error)
{
    auto_buffer Buffer text = {0};
    const Tree *tree = &load->package->tree;
    return tree_read(tree, file, MAX_YAML_BYTES, &text, error) &&
           settings_parse(&load->settings_context, tree_shown(tree, file), buffer_text(&text), text.size, inherited,
                          ret_settings, error);
}

/* testdata.yaml is the legacy name, test_group.yaml the newer one; a directory with both contradicts itself. */
static bool group_settings(DataLoad *load, const TreeEntry *directory, const Settings *inherited,
                           Settings *ret_settings, Error *error)
{
    const TreeEntry *old = directory ? tree_find_file(directory, "testdata.yaml") : NULL;
    const TreeEntry *newer = directory ? tree_find_file(directory, "test_group.yaml") : NULL;
    bool is_legacy = load->package->model.format == PROBLEM_FORMAT_LEGACY;
    const TreeEntry *file = newer ? newer : old;
    if (old && newer)
        return error_input(error, "%s:1: there is a testdata.yaml beside it", tree_shown(&load->package->tree, newer));
    *ret_settings = *inherited;
    ret_settings->description = ret_settings->hint = NULL;
    if (!file)
        return true;
    if ((file == old) != is_legacy && load->package->model.format != PROBLEM_FORMAT_2023_07)
        list_format(&load->package->warnings, "%s:1: format %s has %s instead", tree_shown(&load->package->tree, file),
                    load->package->metadata.version, is_legacy ? "testdata.yaml" : "test_group.yaml");
    return read_settings(load, file, inherited, ret_settings, error);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static bool add_group(DataLoad *load, const char *name, size_t parent, const TreeEntry *directory, size_t *ret_index,
                      Error *error)
{
    Settings settings = {0};
    size_t index = load->groups.count;
    const Settings *inherited = index ? settings_of(load, parent) : NULL;
    Settings defaults;
    if (!inherited && !settings_default(&load->settings_context, &defaults, error))
        return false;
    if (!group_settings(load, directory, inherited ? inherited : &defaults, &settings, error))
        return false;
    *(Settings *)list_add(&load->settings) = settings;
    *(TestGroup *)list_add(&load->groups) =
        (TestGroup){.name = name, .parent_index = parent, .is_break_on_reject = settings.on_reject == 0};
    *ret_index = index;
    return true;
}

/* The group of a generated test, made with its parents where no directory has made it. */
static bool ensure_group(DataLoad *load, const char *name, size_t *ret_index, Error *error)
{
    const TestGroup *groups = load->groups.items;
    for (size_t i = 0; i < load->groups.count; i++)
        if (strcmp(groups[i].name, name) == 0)
            return *ret_index = i, true;
    const char *slash = strrchr(name, '/');
    size_t parent;
    const char *parent_name = arena_bytes(load->package->model.arena, name, slash ? (size_t)(slash - name) : 0);
    return ensure_group(load, parent_name, &parent, error) && add_group(load, name, parent, NULL, ret_index, error);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* A file of the package if it is there, else where the generator puts it. */
static const char *data_path(const DataLoad *load, const char *test, const char *suffix)
{
    const Package *package = load->package;
    Arena *arena = package->model.arena;
    const TreeEntry *file = load->data ? tree_find_file(load->data, arena_format(arena, "%s%s", test, suffix)) : NULL;
    return file ? tree_path(&package->tree, file)
                : arena_format(arena, "%s/%s%s", package->data_directory, test, suffix);
}

static const TreeEntry *beside(const DataLoad *load, const char *test, const char *suffix)
{
    return load->data ? tree_find_file(load->data, arena_format(load->package->model.arena, "%s%s", test, suffix))
                      : NULL;
}

/* Legacy: the text of NAME.desc or NAME.hint, without its last newline. */
static bool read_note(const DataLoad *load, const char *test, const char *suffix, const char **ret_text, Error *error)
{
    const TreeEntry *file = beside(load, test, suffix);
    auto_buffer Buffer text = {0};
    if (!file)
        return true;
    if (!tree_read(&load->package->tree, file, MAX_TEXT_BYTES, &text, error))
        return false;
    size_t size = text.size;
    while (size && text.data[size - 1] == '\n')
        size--;
    *ret_text = arena_bytes(load->package->model.arena, buffer_text(&text), size);
    return true;
}

static bool test_settings(DataLoad *load, const char *name, size_t group, Settings *ret_settings, Error *error)
{
    const TreeEntry *file = beside(load, name, ".yaml");
    *ret_settings = *settings_of(load, group);
    ret_settings->description = ret_settings->hint = NULL;
    if (file && !read_settings(load, file, settings_of(load, group), ret_settings, error))
        return false;
    return read_note(load, name, ".desc", &ret_settings->description, error) &&
           read_note(load, name, ".hint", &ret_settings->hint, error);
}

static bool add_test(DataLoad *load, const char *name, size_t group, Error *error)
{
    Settings settings;
    if (!test_settings(load, name, group, &settings, error))
        return false;
    *(TestCase *)list_add(&load->tests) = (TestCase){
        .name = name,
        .is_sample = strncmp(name, "sample/", 7) == 0,
        .input_path = data_path(load, name, ".in"),
        .answer_path = data_path(load, name, ".ans"),
        .group_index = group,
        .description = settings.description,
        .hint = settings.hint,
        .validator_flags = settings.validator_flags,
        .validator_args = settings.validator_args,
        .program_args = settings.program_args,
    };
    return true;
}

/* "data/secret/1.in" -> "secret/1" */
static const char *test_name(const DataLoad *load, const TreeEntry *file, const char *suffix)
{
    return arena_bytes(load->package->model.arena, file->path + 5, strlen(file->path) - 5 - strlen(suffix));
}

static bool take_input(DataLoad *load, const TreeEntry *file, size_t group, Error *error)
{
    const char *name = test_name(load, file, ".in");
    if (!beside(load, name, ".ans") && !generated_has(load->package, name))
        return error_input(error, "%s: there is no answer file data/%s.ans", tree_shown(&load->package->tree, file),
                           name);
    return add_test(load, name, group, error);
}

static void check_answer(DataLoad *load, const TreeEntry *file)
{
    const char *name = test_name(load, file, ".ans");
    if (!beside(load, name, ".in") && !generated_has(load->package, name))
        list_format(&load->package->warnings, "%s: ignored: there is no input file data/%s.in",
                    tree_shown(&load->package->tree, file), name);
}

static bool load_group(DataLoad *load, const TreeEntry *directory, size_t parent, Error *error);

static bool load_entry(DataLoad *load, const TreeEntry *entry, size_t group, Error *error)
{
    if (entry->is_directory && !tree_has_suffix(entry->name, ".files"))
        return load_group(load, entry, group, error);
    if (entry->is_directory)
        list_format(&load->package->warnings, "%s: ignored: files beside a test's input are not supported",
                    tree_shown(&load->package->tree, entry));
    else if (tree_has_suffix(entry->name, ".in"))
        return take_input(load, entry, group, error);
    else if (tree_has_suffix(entry->name, ".ans"))
        check_answer(load, entry);
    return true;
}

static bool load_group(DataLoad *load, const TreeEntry *directory, size_t parent, Error *error)
{
    size_t group;
    if (!add_group(load, directory->path + 5, parent, directory, &group, error))
        return false;
    tree_each (entry, directory)
        if (!load_entry(load, entry, group, error))
            return false;
    return true;
}

static bool load_generated(DataLoad *load, Error *error)
{
    const Problem *model = &load->package->model;
    for (size_t i = 0; i < model->generated_count; i++) {
        const char *name = model->generated[i].name;
        size_t group, length = (size_t)(strrchr(name, '/') - name); /* extension.c has checked that there is one */
        if (beside(load, name, ".in"))
            continue; /* its file has made the test */
        if (!ensure_group(load, arena_bytes(model->arena, name, length), &group, error) ||
            !add_test(load, name, group, error))
            return false;
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What else data/ may contain is not for judging; anything else is likely a slip that would lose tests. */
static void warn_of_strays(DataLoad *load)
{
    static const char *const known[] = {"sample",          "secret",
                                        "invalid_input",   "invalid_inputs",
                                        "invalid_output",  "invalid_answer",
                                        "valid_output",    "valid_answer",
                                        "valid_input",     "bad",
                                        "gavel.lock",      "testdata.yaml",
                                        "test_group.yaml", NULL};
    tree_each (entry, load->data) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], entry->name) != 0)
            i++;
        bool is_test = tree_has_suffix(entry->name, ".in") || tree_has_suffix(entry->name, ".ans");
        if (!known[i] && (entry->is_directory || is_test))
            list_format(&load->package->warnings, "%s: ignored: tests are in data/sample and data/secret%s",
                        tree_shown(&load->package->tree, entry),
                        entry->is_directory ? suggest(load->package->model.arena, entry->name, known) : "");
    }
}

static bool load_directories(DataLoad *load, Error *error)
{
    static const char *const names[] = {"sample", "secret"};
    if (!load->data)
        return true;
    warn_of_strays(load);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const TreeEntry *directory = tree_find_directory(load->data, names[i]);
        if (directory && !load_group(load, directory, 0, error))
            return false;
    }
    return true;
}

/* Component by component, so that a group's tests stay together: the slash sorts before every other character.
 * "sample" comes before "secret" by itself. */
static int compare_tests(const void *left, const void *right)
{
    const char *a = ((const TestCase *)left)->name, *b = ((const TestCase *)right)->name;
    while (*a && *a == *b)
        a++, b++;
    int one = *a == '/' ? 1 : (unsigned char)*a, other = *b == '/' ? 1 : (unsigned char)*b;
    return one - other;
}

bool data_load(Package *package, Error *error)
{
    Problem *model = &package->model;
    DataLoad load = {
        .package = package,
        .settings_context = {model->arena, &package->warnings, &package->metadata, model->output_validator == NULL},
        .data = tree_find_directory(&package->tree.top, "data"),
        .groups = list_of(model->arena, TestGroup),
        .settings = list_of(model->arena, Settings),
        .tests = list_of(model->arena, TestCase),
    };
    size_t root;
    if (!add_group(&load, "", 0, load.data, &root, error) || !load_directories(&load, error) ||
        !load_generated(&load, error))
        return false;
    if (load.tests.count == 0)
        return error_input(error, "%s/data: there is no test: no .in file in sample or secret, and no generated one",
                           package->tree.shown);
    qsort(load.tests.items, load.tests.count, sizeof(TestCase), compare_tests);
    model->groups = load.groups.items;
    model->group_count = load.groups.count;
    model->tests = load.tests.items;
    model->test_count = load.tests.count;
    return true;
}
