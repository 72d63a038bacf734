/* submissions/: who is there and what each must get. */
#include <string.h>

#include "package/expectation.h"
#include "package/glob.h"
#include "package/package.h"
#include "package/suggest.h"

enum { MAX_YAML_BYTES = 1024 * 1024, MAX_SOURCE_BYTES = 4 * 1024 * 1024 };

typedef struct SubmissionsLoad {
    Package *package;
    List rules;       /* of ExpectationRule, from submissions.yaml */
    List submissions; /* of ProblemSubmission */
} SubmissionsLoad;

/* ---- expectations of one submission ------------------------------------------------------------------------------ */

static void apply(ProblemSubmission *submission, List *expectations, const ExpectationRule *rule)
{
    *(Expectation *)list_add(expectations) = rule->expectation;
    submission->is_model |= rule->is_model;
    submission->counts_for_lower_bound |= expectation_is_lower_bound(rule);
    submission->counts_for_upper_bound |= expectation_is_upper_bound(rule);
}

static bool rule_matches(const SubmissionsLoad *load, const ExpectationRule *rule, const char *name)
{
    for (const char **glob = rule->globs; *glob; glob++)
        if (glob_matches_below(load->package->model.arena, *glob, name))
            return true;
    return false;
}

/* Naming a default directory in submissions.yaml replaces its default. */
static bool is_replaced(const SubmissionsLoad *load, const char *directory)
{
    const ExpectationRule *rules = load->rules.items;
    for (size_t i = 0; i < load->rules.count; i++)
        if (strcmp(rules[i].expectation.directory, directory) == 0)
            return true;
    return false;
}

static void apply_rules(SubmissionsLoad *load, ProblemSubmission *submission, List *expectations)
{
    ExpectationRule *rules = load->rules.items;
    for (size_t i = 0; i < load->rules.count; i++) {
        if (!rule_matches(load, &rules[i], submission->name))
            continue;
        rules[i].match_count++;
        apply(submission, expectations, &rules[i]);
    }
}

static bool annotation_of_file(const Package *package, const TreeEntry *file, unsigned *bits, Error *error)
{
    auto_buffer Buffer text = {0};
    if (file->size > MAX_SOURCE_BYTES)
        return true; /* no source is that large */
    if (!tree_read(&package->tree, file, MAX_SOURCE_BYTES, &text, error))
        return false;
    *bits |= expectation_annotation(buffer_text(&text), text.size);
    return true;
}

static bool read_annotation(const Package *package, const TreeEntry *entry, unsigned *bits, Error *error)
{
    if (!entry->is_directory)
        return annotation_of_file(package, entry, bits, error);
    tree_each (file, entry)
        if (!file->is_directory && !annotation_of_file(package, file, bits, error))
            return false;
    return true;
}

/* DOMjudge's annotation counts outside the directories that speak for themselves. It is about the final verdict. */
static bool apply_annotation(const Package *package, const TreeEntry *entry, const char *directory,
                             ProblemSubmission *submission, List *expectations, Error *error)
{
    unsigned bits = 0;
    if (!read_annotation(package, entry, &bits, error))
        return false;
    unsigned required = bits & BIT_AC ? 0 : bits;
    ExpectationRule rule = {.expectation = {.directory = directory, .permitted = bits | BIT_AC, .required = required},
                            .bound = BOUND_NONE};
    if (bits)
        apply(submission, expectations, &rule);
    return true;
}

static bool add_submission(SubmissionsLoad *load, const TreeEntry *directory, const TreeEntry *entry, Error *error)
{
    const Package *package = load->package;
    List expectations = list_of(package->model.arena, Expectation);
    const ExpectationRule *standard = expectation_of_directory(package->model.format, directory->name);
    ProblemSubmission submission = {.path = tree_path(&package->tree, entry),
                                    .name = entry->path + strlen("submissions/"),
                                    .exact_verdict = VERDICT_NONE};
    if (standard && !is_replaced(load, directory->name))
        apply(&submission, &expectations, standard);
    apply_rules(load, &submission, &expectations);
    if (!standard && package->model.format == PROBLEM_FORMAT_LEGACY &&
        !apply_annotation(package, entry, directory->name, &submission, &expectations, error))
        return false;
    submission.expectations = expectations.items;
    submission.expectation_count = expectations.count;
    *(ProblemSubmission *)list_add(&load->submissions) = submission;
    return true;
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static void warn_of_directory(SubmissionsLoad *load, const TreeEntry *directory, size_t first)
{
    const Package *package = load->package;
    const ProblemSubmission *submissions = load->submissions.items;
    size_t without = 0;
    for (size_t i = first; i < load->submissions.count; i++)
        without += submissions[i].expectation_count == 0;
    if (without)
        list_format(&load->package->warnings, "%s: nothing says what %zu of its submissions must get%s",
                    tree_shown(&package->tree, directory), without,
                    suggest(package->model.arena, directory->name,
                            expectation_directories(package->model.arena, package->model.format)));
}

static bool load_directory(SubmissionsLoad *load, const TreeEntry *directory, Error *error)
{
    size_t first = load->submissions.count;
    tree_each (entry, directory)
        if (program_is_source(entry) && !add_submission(load, directory, entry, error))
            return false;
    warn_of_directory(load, directory, first);
    return true;
}

static bool load_rules(SubmissionsLoad *load, const TreeEntry *submissions, Error *error)
{
    Package *package = load->package;
    const TreeEntry *file = tree_find_file(submissions, "submissions.yaml");
    auto_buffer Buffer text = {0};
    if (!file)
        return true;
    if (package->model.format == PROBLEM_FORMAT_LEGACY)
        list_format(&package->warnings, "%s:1: format %s does not know this file; it is read as in 2025-09",
                    tree_shown(&package->tree, file), package->metadata.version);
    return tree_read(&package->tree, file, MAX_YAML_BYTES, &text, error) &&
           expectation_parse(package->model.arena, tree_shown(&package->tree, file), buffer_text(&text), text.size,
                             &package->warnings, &load->rules, error);
}

static void warn_of_unmatched(const SubmissionsLoad *load)
{
    const ExpectationRule *rules = load->rules.items;
    for (size_t i = 0; i < load->rules.count; i++)
        if (!rules[i].match_count)
            yaml_warn(rules[i].node, &load->package->warnings, "'%s' matches no submission", rules[i].node->key);
}

static bool list_submissions(SubmissionsLoad *load, const TreeEntry *submissions, Error *error)
{
    if (!load_rules(load, submissions, error))
        return false;
    tree_each (entry, submissions) {
        if (entry->is_directory && !load_directory(load, entry, error))
            return false;
        if (!entry->is_directory && strcmp(entry->name, "submissions.yaml") != 0)
            list_format(&load->package->warnings, "%s: ignored: submissions are in directories",
                        tree_shown(&load->package->tree, entry));
    }
    warn_of_unmatched(load);
    return true;
}

/* ---- gavel.yaml's part ------------------------------------------------------------------------------------------- */

static ProblemSubmission *find_submission(const Problem *model, const char *name)
{
    for (size_t i = 0; i < model->submission_count; i++)
        if (strcmp(model->submissions[i].name, name) == 0)
            return &model->submissions[i];
    return NULL;
}

static const char *similar_submission(const Problem *model, const char *name)
{
    List names = list_of(model->arena, const char *);
    for (size_t i = 0; i < model->submission_count; i++)
        list_add_string(&names, model->submissions[i].name);
    return suggest(model->arena, name, list_strings(&names));
}

static bool set_exact_verdicts(Package *package, Error *error)
{
    const ExtensionVerdict *rows = package->extension.verdicts.items;
    for (size_t i = 0; i < package->extension.verdicts.count; i++) {
        const char *name = rows[i].node->key;
        ProblemSubmission *submission = find_submission(&package->model, name);
        if (!submission)
            return yaml_key_error(rows[i].node, error, "there is no submission '%s'%s", name,
                                  similar_submission(&package->model, name));
        submission->exact_verdict = rows[i].verdict;
    }
    return true;
}

/* `model:` may leave "submissions/" out. gavel.yaml goes before a model_solution of submissions.yaml. */
static bool set_model(Package *package, Error *error)
{
    Problem *model = &package->model;
    const char *wanted = package->extension.model;
    if (wanted) {
        const char *name = strncmp(wanted, "submissions/", 12) == 0 ? wanted + 12 : wanted;
        ProblemSubmission *submission = find_submission(model, name);
        if (!submission)
            return yaml_error(extension_node(&package->extension, NULL, "model"), error,
                              "there is no submission '%s'%s", name, similar_submission(model, name));
        submission->is_model = true;
        model->model_path = submission->path;
    }
    for (size_t i = 0; i < model->submission_count && !model->model_path; i++)
        if (model->submissions[i].is_model)
            model->model_path = model->submissions[i].path;
    return true;
}

bool submissions_load(Package *package, Error *error)
{
    Problem *model = &package->model;
    const TreeEntry *submissions = tree_find_directory(&package->tree.top, "submissions");
    SubmissionsLoad load = {.package = package,
                            .rules = list_of(model->arena, ExpectationRule),
                            .submissions = list_of(model->arena, ProblemSubmission)};
    if (submissions && !list_submissions(&load, submissions, error))
        return false;
    if (!submissions || !tree_find_directory(submissions, "accepted"))
        list_format(&package->warnings, "%s/submissions/accepted: missing: a package has an accepted submission",
                    package->tree.shown);
    model->submissions = load.submissions.items;
    model->submission_count = load.submissions.count;
    return set_exact_verdicts(package, error) && set_model(package, error);
}
