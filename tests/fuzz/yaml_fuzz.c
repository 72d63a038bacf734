/* Fuzz entry: every YAML file of a package, and the lock file, from memory. The first byte chooses the file; the rest
 * is its text. Whatever the bytes, a reader accepts or says why not, and a message has the file's name in front. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "package/expectation.h"
#include "package/extension.h"
#include "package/lock.h"
#include "package/metadata.h"
#include "package/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef bool FuzzReader(Arena *arena, List *warnings, const char *text, size_t size, Error *error);

static const char file_name[] = "file.yaml";

static bool fuzz_metadata(Arena *arena, List *warnings, const char *text, size_t size, Error *error)
{
    Metadata metadata;
    if (!metadata_parse(arena, file_name, text, size, warnings, &metadata, error))
        return false;
    assert(metadata.limits.memory_bytes > 0 && metadata.limits.time_ns >= 0 && metadata.limits.time_resolution_ns > 0);
    assert(metadata.limits.stack_bytes == metadata.limits.memory_bytes);
    return true;
}

static bool fuzz_extension(Arena *arena, List *warnings, const char *text, size_t size, Error *error)
{
    Extension extension;
    if (!extension_parse(arena, file_name, text, size, warnings, &extension, error))
        return false;
    const GeneratedTest *tests = extension.tests.items;
    for (size_t i = 0; i < extension.tests.count; i++)
        assert(!strstr(tests[i].name, "/../") && *tests[i].name != '/');
    assert(!extension.generator || *extension.generator != '/');
    return true;
}

static bool fuzz_settings(Arena *arena, List *warnings, const char *text, size_t size, Error *error)
{
    static const char *none[] = {NULL};
    Metadata metadata = {.version = "2025-09", .format = PROBLEM_FORMAT_2025_09, .validator_flags = none};
    SettingsContext context = {arena, warnings, &metadata, true};
    Settings inherited = {.validator_args = none, .program_args = none}, settings;
    if (!settings_parse(&context, file_name, text, size, &inherited, &settings, error))
        return false;
    assert(settings.validator_args && settings.program_args);
    return true;
}

static bool fuzz_expectations(Arena *arena, List *warnings, const char *text, size_t size, Error *error)
{
    List rules = list_of(arena, ExpectationRule);
    (void)expectation_annotation(text, size);
    return expectation_parse(arena, file_name, text, size, warnings, &rules, error);
}

static bool fuzz_lock(Arena *arena, List *warnings, const char *text, size_t size, Error *error)
{
    Lock lock;
    (void)warnings;
    return lock_parse(arena, file_name, text, size, &lock, error);
}

/* Letters, so that a seed in the corpus can be written by hand: "p" and a problem.yaml. */
static FuzzReader *reader_of(uint8_t letter)
{
    static FuzzReader *const readers[] = {fuzz_metadata, fuzz_extension, fuzz_settings, fuzz_expectations, fuzz_lock};
    static const char letters[] = "pgtsl";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return readers[found ? (size_t)(found - letters) : letter % (sizeof readers / sizeof *readers)];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    auto_arena Arena *arena = arena_new();
    auto_error Error error = {0};
    List warnings = list_of(arena, const char *);
    if (reader_of(data[0])(arena, &warnings, (const char *)data + 1, size - 1, &error)) {
        assert(error.kind == ERROR_NONE);
        return 0;
    }
    assert(error.kind == ERROR_INPUT);
    assert(strncmp(error_text(&error), file_name, sizeof file_name - 1) == 0);
    return 0;
}
