/* The identity of a compiler.
 *
 * Hashing everything that takes part in a compilation (cc1, headers, libraries: hundreds of megabytes) would cost more
 * than it protects from: a distribution changes the version text with each of them. What is upgraded apart, the
 * assembler, the linker and the C library, counts by size and time. */
#include "core/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/jail.h"

static bool read_version(Judge *judge, const Language *language, const CancelToken *cancel, const char **ret_version,
                         Error *error)
{
    const char *const argv[] = {language->compiler, "--version", NULL};
    SandboxPlan plan = sandbox_plan_init(language->compile_profile);
    plan.argv = argv;
    plan.environment = jail_tool_environment();
    plan.output.kind = SANDBOX_STREAM_DRAIN;
    plan.error.kind = SANDBOX_STREAM_MERGE;
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!jail_run(judge, &plan, cancel, &result, error))
        return false;
    if (result.cause != SANDBOX_CAUSE_EXIT || result.exit_code != 0 || !result.error_data)
        return error_fault(error, "%s --version failed (%s)", language->compiler, sandbox_cause_name(result.cause));
    size_t line = strcspn(result.error_data, "\n");
    *ret_version = report_printable(judge->arena, result.error_data, line, 200, false);
    return true;
}

static void hash_part(Hash *hash, const char *path)
{
    struct stat status;
    int64_t facts[3] = {-1, -1, -1}; /* a part that is missing is a fact too */
    if (stat(path, &status) == 0) {
        facts[0] = status.st_size;
        facts[1] = status.st_mtim.tv_sec;
        facts[2] = status.st_mtim.tv_nsec;
    }
    hash_field(hash, facts, sizeof facts);
}

static bool hash_compiler(const Language *language, Toolchain *toolchain, Error *error)
{
    auto_close int fd = open(language->compiler, O_RDONLY | O_CLOEXEC);
    char binary[HASH_TEXT_SIZE];
    if (fd < 0)
        return error_system(error, "cannot open %s", language->compiler);
    if (!hash_fd_text(fd, binary, error))
        return error_wrap(error, "%s", language->compiler);
    Hash hash;
    hash_init(&hash);
    hash_string(&hash, toolchain->version);
    hash_string(&hash, binary);
    for (size_t i = 0; i < LANGUAGE_PART_MAX && language->parts[i]; i++)
        hash_part(&hash, language->parts[i]);
    hash_text(&hash, toolchain->sha256);
    return true;
}

static Toolchain *find_place(Judge *judge, const Language *language)
{
    Toolchain *place = judge->toolchains;
    while (place < judge->toolchains + TOOLCHAIN_MAX - 1 && place->language && place->language != language)
        place++;
    return place;
}

bool toolchain_find(Judge *judge, const Language *language, const CancelToken *cancel, const Toolchain **ret_toolchain,
                    Error *error)
{
    Toolchain *place = find_place(judge, language);
    if (place->language != language) {
        Toolchain found = {.language = language};
        if (access(language->compiler, X_OK) < 0)
            return error_fault(error, "%s is missing, so %s cannot be judged: apt-get install %s", language->compiler,
                               language->title, language->apt_packages);
        if (!read_version(judge, language, cancel, &found.version, error) || !hash_compiler(language, &found, error))
            return error_wrap(error, "examining the toolchain of %s", language->title);
        *place = found;
    }
    *ret_toolchain = place;
    return true;
}
