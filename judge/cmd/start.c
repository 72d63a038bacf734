/* gavel start: a file to begin with, from the package's template or a skeleton of ours. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd/command.h"
#include "cmd/source.h"

typedef struct StartOptions {
    GlobalOptions global;
    const char *problem, *file, *language;
    bool may_replace;
} StartOptions;

enum { TEMPLATE_MAX_BYTES = 1 << 20 };

/* ---- what to write ------------------------------------------------------------------------------------------ */

static const struct Skeleton {
    const char *language;
    const char *comment; /* starts a comment line */
    const char *body;
} skeletons[] = {
    {"c", "//",
     "#include <stdio.h>\n\nint main(void)\n{\n    /* read from standard input, write the answer to standard output "
     "*/\n"
     "    return 0;\n}\n"},
    {"cpp", "//",
     "#include <iostream>\n\nint main()\n{\n    std::ios::sync_with_stdio(false);\n    std::cin.tie(nullptr);\n"
     "    // read from std::cin, write the answer to std::cout\n}\n"},
    {"python3", "#",
     "import sys\n\n\ndef main():\n    data = sys.stdin.buffer.read().split()\n    # print the answer\n\n\n"
     "if __name__ == \"__main__\":\n    main()\n"},
};

static bool use_skeleton(const Problem *problem, const Language *language, Buffer *content, Error *error)
{
    for (size_t i = 0; i < sizeof skeletons / sizeof *skeletons; i++)
        if (strcmp(skeletons[i].language, language_id(language)) == 0) {
            buffer_format(content, "%s %s: `gavel show %s` prints the statement\n%s", skeletons[i].comment,
                          problem->title, problem->name, skeletons[i].body);
            return true;
        }
    return error_fault(error, "no starter for %s", language_title(language));
}

/* The template's name in its folder: the first by name that this language takes. NULL if there is none. */
static const char *template_path(const Problem *problem, const Language *language)
{
    if (!problem->starter_directory)
        return NULL;
    const char *folder = arena_format(problem->arena, "%s/%s", problem->starter_directory, language_id(language));
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    const char *path = NULL;
    for (int i = 0; i < count; i++) {
        if (!path && language_by_file_name(entries[i]->d_name) == language)
            path = arena_format(problem->arena, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return path;
}

static bool make_starter(const Problem *problem, const Language *language, Buffer *content, Error *error)
{
    const char *path = template_path(problem, language);
    return path ? fd_read_file(path, TEMPLATE_MAX_BYTES, content, error)
                : use_skeleton(problem, language, content, error);
}

/* ---- writing it --------------------------------------------------------------------------------------------- */

/* O_EXCL: somebody's work of an hour is never replaced, not even one that appeared a moment ago. */
static bool write_new(const char *path, const Buffer *content, Error *error)
{
    auto_close int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST)
        return error_input(error, "%s exists already; nothing was changed (--force replaces it)", path);
    if (fd < 0)
        return error_system_input(error, "cannot write %s", path);
    bool is_written = fd_write_all(fd, buffer_text(content), content->size, error) &&
                      (fsync(fd) == 0 || error_system(error, "storing"));
    if (is_written)
        return true;
    (void)unlink(path); /* half a starter helps nobody, and it is ours */
    return error_wrap(error, "%s", path);
}

static bool replace(const char *path, const Buffer *content, Error *error)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return error_input(error, "%s is not a regular file; nothing was changed", path);
    return fd_replace_file(path, buffer_text(content), content->size, 0644, error);
}

static bool choose_language(const StartOptions *options, const Language **ret_language, Error *error)
{
    if (options->language)
        return source_language(options->language, ret_language, error);
    const char *slash = options->file ? strrchr(options->file, '/') : NULL;
    const char *name = slash ? slash + 1 : options->file ? options->file : "x.c"; /* C is what this judge is about */
    *ret_language = language_by_file_name(name);
    return *ret_language || error_input(error, "cannot tell the language of %s from its name; say --language", name);
}

static bool write_starter(Session *session, const StartOptions *options, const char **ret_path, Error *error)
{
    const Language *language;
    auto_buffer Buffer content = {0};
    if (!choose_language(options, &language, error) || !session_load_problem(session, options->problem, error) ||
        !make_starter(session->problem, language, &content, error))
        return false;
    const char *standard = arena_format(session->arena, "%s%s", session->problem->name, language_extension(language));
    *ret_path = options->file ? options->file : standard;
    return options->may_replace ? replace(*ret_path, &content, error) : write_new(*ret_path, &content, error);
}

static ExitCode run_start(Session *session, const void *raw_options)
{
    const StartOptions *options = raw_options;
    auto_error Error error = {0};
    const char *path;
    if (!write_starter(session, options, &path, &error))
        return session_fail(session, &error);
    printf("wrote %s\n", path);
    if (!options->global.is_quiet)
        printf("next: gavel test %s %s\n", options->problem, path);
    return EXIT_ALL_WELL;
}

static const Option start_options[] = {
    {.name = "language",
     .type = OPTION_TEXT,
     .offset = offsetof(StartOptions, language),
     .value_name = "LANGUAGE",
     .help = "c (if nothing else tells), cpp or python3"},
    {.name = "force",
     .type = OPTION_FLAG,
     .offset = offsetof(StartOptions, may_replace),
     .help = "replace an existing file"},
    {0},
};

const Verb verb_start = {
    .name = "start",
    .summary = "write a file to begin a solution with",
    .options = start_options,
    .arguments =
        (const OptionArgument[]){
            ARGUMENT_ROW_PROBLEM(StartOptions),
            {.name = "FILE",
             .offset = offsetof(StartOptions, file),
             .is_optional = true,
             .help = "what to write; the problem's name if left out"},
            {0},
        },
    .options_size = sizeof(StartOptions),
    .run = run_start,
};
