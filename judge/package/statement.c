/* The statement's files, statement/ (2023-07, 2025-09) and problem_statement/ (legacy), and the starter templates. */
#include <string.h>

#include "package/package.h"

typedef struct Statement {
    const TreeEntry *best, *chinese;
    int best_rank;
} Statement;

/* "problem.zh.md" -> "zh", "problem.md" -> "", NULL if it is not a statement that we show. */
static const char *statement_language(Arena *arena, const char *name)
{
    size_t length = strlen(name);
    size_t suffix = tree_has_suffix(name, ".md") ? 3 : tree_has_suffix(name, ".tex") ? 4 : 0;
    if (!suffix || strncmp(name, "problem.", 8) != 0)
        return NULL;
    return length - suffix <= 8 ? "" : arena_bytes(arena, name + 8, length - suffix - 8);
}

/* English first, then a file that names no language, then any. */
static int rank_of(const char *language)
{
    return strcmp(language, "en") == 0 ? 3 : *language == '\0' ? 2 : 1;
}

/* Entries come sorted, so that .md goes before .tex of the same language. */
static void look_into(Package *package, const TreeEntry *directory, Statement *statement)
{
    tree_each (file, directory) {
        const char *language = file->is_directory ? NULL : statement_language(package->model.arena, file->name);
        if (!language)
            continue;
        if (metadata_is_chinese(language) && !statement->chinese)
            statement->chinese = file;
        if (rank_of(language) > statement->best_rank) {
            statement->best = file;
            statement->best_rank = rank_of(language);
        }
    }
}

static bool has_statement_in(const Package *package, const TreeEntry *directory, const char *language)
{
    tree_each (file, directory) {
        const char *dot = strchr(file->name, '.');
        size_t length = strlen(language);
        if (strncmp(file->name, "problem.", 8) == 0 && strncmp(dot + 1, language, length) == 0 &&
            dot[1 + length] == '.')
            return true;
    }
    (void)package;
    return false;
}

/* 2025-09: the languages of the name are those of the statement. */
static void warn_of_languages(Package *package, const TreeEntry *directory)
{
    const YamlNode *name = yaml_get(package->metadata.root, "name");
    const char **languages = package->metadata.title_languages;
    if (package->model.format != PROBLEM_FORMAT_2025_09 || !languages)
        return;
    for (; *languages; languages++)
        if (!directory || !has_statement_in(package, directory, *languages))
            yaml_warn(name, &package->warnings, "there is a name in '%s', but no statement", *languages);
}

bool statement_load(Package *package, Error *error)
{
    static const char *const directories[] = {"statement", "problem_statement"};
    const TreeEntry *templates = tree_find_directory(&package->tree.top, "attachments/templates");
    Statement statement = {0};
    (void)error; /* a package without a statement can be judged */
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        const TreeEntry *directory = tree_find_directory(&package->tree.top, directories[i]);
        if (directory)
            look_into(package, directory, &statement);
    }
    warn_of_languages(package, tree_find_directory(&package->tree.top, "statement"));
    package->model.statement_path = statement.best ? tree_path(&package->tree, statement.best) : NULL;
    package->model.statement_zh_path = statement.chinese ? tree_path(&package->tree, statement.chinese) : NULL;
    package->model.starter_directory = templates ? tree_path(&package->tree, templates) : NULL;
    return true;
}
