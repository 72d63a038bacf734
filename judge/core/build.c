/* Building a program in the sandbox, profile `compile`: the sources in /w, no test in sight, the artifact out.
 *
 * What the compiler did on these sources is one record, and the cache keeps the record: a hit gives the same report as
 * the build did, a refused program included. Only what depends on the machine's mood is never kept (limits, faults). */
#include "core/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/diagnostics.h"
#include "core/jail.h"

enum {
    LOG_MAX_BYTES = 64 * 1024,
    ARTIFACT_MAX_MIB = 64,
    COMPILER_FILE_MAX_MIB = 160, /* assembler text and objects are larger than the program */
    COMMAND_MAX_WORDS = 64,
    MIB = 1024 * 1024,
};

/* The head of a cache entry; the raw log follows it. Written by this version of the program for itself. */
typedef struct BuildRecord {
    int64_t cpu_ns, wall_ns, memory_peak_bytes;
    int64_t log_bytes; /* all that the compiler wrote */
    int64_t has_succeeded;
    char artifact_sha256[HASH_TEXT_SIZE + 7]; /* without padding: the record is hashed as bytes */
} BuildRecord;

/* What came out of a compilation, or out of the cache. */
typedef struct BuildOutcome {
    BuildRecord record;
    Buffer log;
    Buffer artifact;
    const char *reason; /* of a failure beyond the log; such an outcome is not kept */
    bool is_cached;
} BuildOutcome;

static void outcome_done(BuildOutcome *outcome)
{
    buffer_done(&outcome->log);
    buffer_done(&outcome->artifact);
}

/* ---- commands ------------------------------------------------------------------------------------------------- */

static const char *const *expand(const char *const *template, const SourceSet *sources, Arena *arena)
{
    const char **words = arena_new_array(arena, const char *, COMMAND_MAX_WORDS + sources->count);
    size_t count = 0;
    for (; *template; template ++) {
        if (strcmp(*template, LANGUAGE_ENTRY) == 0) {
            words[count++] = sources->entry;
        } else if (strcmp(*template, LANGUAGE_SOURCES) == 0) {
            for (size_t i = 0; i < sources->count; i++)
                if (language_has_file(sources->language, sources->files[i].name))
                    words[count++] = sources->files[i].name;
        } else {
            words[count++] = *template;
        }
    }
    return words; /* the arena's memory is zeroed: the list is terminated */
}

/* One line for people. A word with line breaks is a script of ours, and tells nothing. */
static const char *join(const char *const *argv, Arena *arena)
{
    auto_buffer Buffer line = {0};
    for (; *argv; argv++)
        buffer_format(&line, "%s%s", line.size ? " " : "", strchr(*argv, '\n') ? "'...'" : *argv);
    return arena_string(arena, buffer_text(&line));
}

static void hash_sources(Hash *hash, const SourceSet *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        hash_string(hash, sources->files[i].name);
        hash_field(hash, sources->files[i].data, sources->files[i].size);
    }
}

static void make_key(const Program *program, const SourceSet *sources, const char *const *argv,
                     char ret_key[HASH_TEXT_SIZE])
{
    Hash hash;
    hash_init(&hash);
    hash_string(&hash, "gavel build 2");
    hash_string(&hash, program->language->id);
    hash_string(&hash, program->toolchain->sha256);
    for (; *argv; argv++)
        hash_string(&hash, *argv);
    hash_string(&hash, NULL);
    hash_sources(&hash, sources);
    hash_text(&hash, ret_key);
}

static const SandboxFile *jail_files(const SourceSet *sources, Arena *arena)
{
    SandboxFile *files = arena_new_array(arena, SandboxFile, sources->count);
    for (size_t i = 0; i < sources->count; i++)
        files[i] = (SandboxFile){.name = sources->files[i].name,
                                 .data = sources->files[i].data,
                                 .size = sources->files[i].size,
                                 .fd = -1,
                                 .mode = 0444};
    return files;
}

/* ---- compiling ------------------------------------------------------------------------------------------------ */

static const char *describe_limit(const SandboxResult *result, BuildLimits limits, Arena *arena)
{
    switch (result->cause) {
    case SANDBOX_CAUSE_CPU:
    case SANDBOX_CAUSE_WALL:
        return arena_format(arena, "compile time limit of %.3g s exceeded", (double)limits.time_ns / 1e9);
    case SANDBOX_CAUSE_IDLE: return "the compiler made no progress";
    case SANDBOX_CAUSE_MEMORY:
        return arena_format(arena, "compile memory limit of %lld MiB exceeded", (long long)(limits.memory_bytes / MIB));
    case SANDBOX_CAUSE_POLICY: return "the compiler did something that is forbidden";
    case SANDBOX_CAUSE_OUTPUT: return "the compiler wrote too much";
    default: return result->signal ? arena_format(arena, "the compiler crashed (signal %d)", result->signal) : NULL;
    }
}

/* A SIGKILL that none of our limits explains came from the machine (its own memory ran out, an operator): the driver
 * reports it about its children with these words. */
static bool is_machine_fault(const SandboxResult *result)
{
    if (result->cause == SANDBOX_CAUSE_EXEC)
        return true;
    if (result->cause != SANDBOX_CAUSE_EXIT)
        return false;
    return result->signal == SIGKILL || result->signal == SIGTERM ||
           (result->exit_code != 0 && result->error_data &&
            (strstr(result->error_data, "Killed signal terminated program") ||
             strstr(result->error_data, "Terminated signal terminated program")));
}

static const char *take_artifact(const SandboxResult *result, Buffer *artifact, Arena *arena, bool *ret_is_fault,
                                 Error *error)
{
    const SandboxArtifactResult *taken = &result->artifacts[0];
    if (taken->open_errno == EFBIG)
        return arena_format(arena, "the program is larger than %d MiB", ARTIFACT_MAX_MIB);
    if (taken->open_errno)
        return arena_format(arena, "the compiler left no program (%s)", strerror(taken->open_errno));
    if (!fd_read_all(taken->fd, (size_t)ARTIFACT_MAX_MIB * MIB, artifact, error))
        *ret_is_fault = true;
    return NULL;
}

static bool read_outcome(const SandboxResult *result, BuildLimits limits, Arena *arena, BuildOutcome *outcome,
                         Error *error)
{
    bool is_fault = false;
    outcome->record = (BuildRecord){.cpu_ns = result->cpu_ns,
                                    .wall_ns = result->wall_ns,
                                    .memory_peak_bytes = result->memory_peak_bytes,
                                    .log_bytes = result->error_bytes};
    buffer_append(&outcome->log, result->error_data ? result->error_data : "", result->error_size);
    outcome->reason = describe_limit(result, limits, arena);
    bool is_well = result->cause == SANDBOX_CAUSE_EXIT && result->exit_code == 0;
    if (is_well && result->artifact_count > 0)
        outcome->reason = take_artifact(result, &outcome->artifact, arena, &is_fault, error);
    outcome->record.has_succeeded = is_well && !outcome->reason;
    hash_bytes_text(buffer_text(&outcome->artifact), outcome->artifact.size, outcome->record.artifact_sha256);
    return !is_fault;
}

static bool compile(Judge *judge, const SourceSet *sources, const char *const *argv, BuildLimits limits,
                    const CancelToken *cancel, Arena *arena, BuildOutcome *outcome, Error *error)
{
    const Language *language = sources->language;
    const SandboxArtifact artifact = {.name = language->artifact_name, .max_bytes = (int64_t)ARTIFACT_MAX_MIB * MIB};
    SandboxPlan plan = sandbox_plan_init(language->compile_profile);
    plan.argv = argv;
    plan.environment = jail_tool_environment();
    plan.output.kind = SANDBOX_STREAM_DRAIN;
    plan.error.kind = SANDBOX_STREAM_MERGE;
    plan.limits.cpu_ns = limits.time_ns;
    plan.limits.memory_bytes = limits.memory_bytes;
    plan.limits.error_bytes = LOG_MAX_BYTES;
    plan.limits.file_bytes = (int64_t)COMPILER_FILE_MAX_MIB * MIB;
    plan.files = jail_files(sources, arena);
    plan.file_count = sources->count;
    plan.artifacts = &artifact;
    plan.artifact_count = language->artifact_name != NULL;
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!jail_run(judge, &plan, cancel, &result, error))
        return false;
    if (is_machine_fault(&result))
        return error_fault(error, "the compiler was killed by the machine or could not start (%s)",
                           result.exec_errno ? strerror(result.exec_errno) : "signal 9");
    return read_outcome(&result, limits, arena, outcome, error);
}

/* ---- the cache ------------------------------------------------------------------------------------------------ */

static bool load(Judge *judge, const char *key, BuildOutcome *outcome)
{
    auto_buffer Buffer head = {0};
    if (!judge->cache || !cache_load(judge->cache, key, &head, &outcome->artifact))
        return false;
    if (head.size < sizeof outcome->record) {
        buffer_done(&outcome->artifact);
        return false;
    }
    memcpy(&outcome->record, head.data, sizeof outcome->record);
    buffer_append(&outcome->log, head.data + sizeof outcome->record, head.size - sizeof outcome->record);
    outcome->is_cached = true;
    return true;
}

static void store(Judge *judge, const char *key, const BuildOutcome *outcome)
{
    if (!judge->cache || outcome->reason)
        return;
    auto_buffer Buffer head = {0};
    buffer_append(&head, &outcome->record, sizeof outcome->record);
    buffer_append(&head, buffer_text(&outcome->log), outcome->log.size);
    if (!head.has_failed)
        (void)cache_store(judge->cache, key, head.data, head.size, buffer_text(&outcome->artifact),
                          outcome->artifact.size); /* without a cache the next judge builds again */
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

static void fill_report(const BuildOutcome *outcome, const SourceSet *sources, Arena *arena, CompileReport *report)
{
    const char *shown = report_printable(arena, sources->shown_name, strlen(sources->shown_name), 200, false);
    const char *log = report_printable(arena, buffer_text(&outcome->log), outcome->log.size, LOG_MAX_BYTES, true);
    *report = (CompileReport){
        .is_needed = sources->language->artifact_name != NULL,
        .has_succeeded = outcome->record.has_succeeded,
        .is_cached = outcome->is_cached,
        .reason = outcome->reason,
        .log = diagnostics_restore_names(log, sources->jail_name, shown, arena),
        .is_log_cut = outcome->record.log_bytes > (int64_t)outcome->log.size,
        .cpu_ns = outcome->record.cpu_ns,
        .wall_ns = outcome->record.wall_ns,
        .memory_peak_bytes = outcome->record.memory_peak_bytes,
    };
    diagnostics_parse(report->log, shown, arena, &report->diagnostics, &report->diagnostic_count);
}

static bool seal(const BuildOutcome *outcome, Program *program, Error *error)
{
    SandboxError sandbox_error = {0};
    memcpy(program->sha256, outcome->record.artifact_sha256, sizeof program->sha256);
    program->executable_fd =
        sandbox_sealed_memfd("program", buffer_text(&outcome->artifact), outcome->artifact.size, true, &sandbox_error);
    return program->executable_fd >= 0 || jail_error(error, &sandbox_error);
}

/* Compiled: the artifact alone. Interpreted: the sources, started by the run command. */
static void set_command(const SourceSet *sources, Arena *arena, Program *program)
{
    static const char *const own_name[] = {"prog", NULL};
    if (sources->language->artifact_name) {
        program->argv = own_name;
        return;
    }
    program->argv = expand(sources->language->run, sources, arena);
    program->files = jail_files(sources, arena);
    program->file_count = sources->count;
}

static bool fill_program(const BuildOutcome *outcome, const SourceSet *sources, Arena *arena, Program *program,
                         Error *error)
{
    set_command(sources, arena, program);
    if (sources->language->artifact_name)
        return seal(outcome, program, error);
    Hash hash;
    hash_init(&hash);
    hash_sources(&hash, sources);
    hash_text(&hash, program->sha256);
    return true;
}

/* ---- memory of author programs -------------------------------------------------------------------------------- */

void build_memo_done(BuildMemo *memo)
{
    if (memo->key[0] && memo->executable_fd >= 0)
        (void)close(memo->executable_fd); /* a memfd of ours: nothing is lost */
    *memo = (BuildMemo){.executable_fd = -1};
}

static void remember(Judge *judge, const char *key, const Program *program)
{
    BuildMemo memo = {.executable_fd = -1};
    if (!program->compile.has_succeeded)
        return;
    if (program->executable_fd >= 0 && (memo.executable_fd = fcntl(program->executable_fd, F_DUPFD_CLOEXEC, 3)) < 0)
        return; /* out of descriptors: built again next time */
    BuildMemo *place = &judge->memos[judge->memo_count++ % BUILD_MEMO_MAX];
    build_memo_done(place);
    memcpy(memo.key, key, sizeof memo.key);
    memcpy(memo.sha256, program->sha256, sizeof memo.sha256);
    *place = memo;
}

static bool recall(Judge *judge, const char *key, const SourceSet *sources, Arena *arena, Program *program)
{
    for (size_t i = 0; i < BUILD_MEMO_MAX; i++) {
        const BuildMemo *memo = &judge->memos[i];
        if (strcmp(memo->key, key) != 0)
            continue;
        int fd = memo->executable_fd < 0 ? -1 : fcntl(memo->executable_fd, F_DUPFD_CLOEXEC, 3);
        if (memo->executable_fd >= 0 && fd < 0)
            return false;
        set_command(sources, arena, program);
        program->executable_fd = fd;
        memcpy(program->sha256, memo->sha256, sizeof program->sha256);
        program->compile = (CompileReport){
            .is_needed = sources->language->artifact_name != NULL, .has_succeeded = true, .is_cached = true, .log = ""};
        return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static bool build(Judge *judge, const SourceSet *sources, const char *key, const char *const *argv, BuildLimits limits,
                  const CancelToken *cancel, Arena *arena, Program *program, Error *error)
{
    __attribute__((cleanup(outcome_done))) BuildOutcome outcome = {0};
    if (!load(judge, key, &outcome)) {
        if (!compile(judge, sources, argv, limits, cancel, arena, &outcome, error))
            return false;
        store(judge, key, &outcome);
    }
    fill_report(&outcome, sources, arena, &program->compile);
    return !program->compile.has_succeeded || fill_program(&outcome, sources, arena, program, error);
}

bool build_program(Judge *judge, const SourceSet *sources, BuildKind kind, BuildLimits limits,
                   const CancelToken *cancel, Arena *arena, Program *ret_program, Error *error)
{
    const Language *language = sources->language;
    Program program = program_none();
    program.language = language;
    if (!toolchain_find(judge, language, cancel, &program.toolchain, error))
        return false;
    const char *const *argv = expand(kind == BUILD_SANITIZER ? language->sanitize : language->compile, sources, arena);
    program.command = join(argv, arena);
    char key[HASH_TEXT_SIZE];
    make_key(&program, sources, argv, key);
    bool is_recalled = kind == BUILD_AUTHOR && recall(judge, key, sources, arena, &program);
    if (!is_recalled && !build(judge, sources, key, argv, limits, cancel, arena, &program, error))
        return false;
    if (kind == BUILD_AUTHOR && !is_recalled)
        remember(judge, key, &program);
    *ret_program = program;
    return true;
}

void build_refuse(Program *program, const char *reason)
{
    program->compile = (CompileReport){
        .is_needed = true, .reason = reason, .log = "", .cpu_ns = -1, .wall_ns = -1, .memory_peak_bytes = -1};
}

void program_done(Program *program)
{
    if (program->executable_fd >= 0)
        (void)close(program->executable_fd); /* a memfd of ours: nothing is lost */
    program->executable_fd = -1;
}
