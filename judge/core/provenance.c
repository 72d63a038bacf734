/* What is needed to judge the same submission again and get the same verdict. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/journey.h"

static const char *now_text(Arena *arena)
{
    char text[32];
    struct tm parts;
    time_t now = time(NULL);
    if (!gmtime_r(&now, &parts) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return "unknown";
    return arena_string(arena, text);
}

static const char *kernel_text(Arena *arena)
{
    struct utsname name;
    return uname(&name) == 0 ? arena_format(arena, "%s %s", name.sysname, name.release) : "unknown";
}

static const char *processor_text(Arena *arena)
{
    auto_fclose FILE *file = fopen("/proc/cpuinfo", "re");
    auto_free char *line = NULL;
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) > 0) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", strlen("model name")) == 0)
            return report_printable(arena, colon + 2, strcspn(colon + 2, "\n"), 200, false);
    }
    return "unknown";
}

/* Once a process: our executable does not change under us. */
static const char *build_hash(Judge *judge)
{
    auto_close int fd = judge->build_sha256[0] ? -1 : open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !hash_fd_text(fd, judge->build_sha256, NULL))
        judge->build_sha256[0] = '\0';
    return judge->build_sha256[0] ? judge->build_sha256 : "unknown";
}

static void fill_machine(Journey *journey, Provenance *provenance)
{
    const SandboxMachine *machine = sandbox_machine(journey->judge->sandbox);
    provenance->isolation = sandbox_isolation_name(machine->isolation);
    provenance->cgroup = sandbox_cgroup_name(machine->cgroup);
    provenance->degraded_reason = arena_string(journey->arena, machine->degraded_reason);
    provenance->device = "cpu";
    provenance->kernel = kernel_text(journey->arena);
    provenance->processor = processor_text(journey->arena);
    if (machine->isolation == SANDBOX_ISOLATION_DEGRADED)
        report_add_note(journey->report, "isolation is degraded: %s",
                        machine->degraded_reason ? machine->degraded_reason : "no reason given");
}

static void fill_limits(const Journey *journey, Provenance *provenance)
{
    SandboxLimits limits = run_limits(journey->problem, journey->time_limit_ns);
    provenance->time_limit_ns = journey->time_limit_ns;
    provenance->wall_limit_ns = limits.wall_ns;
    provenance->idle_limit_ns = limits.idle_ns > 0 ? limits.idle_ns : -1; /* the profile's, known after a run */
    provenance->memory_limit_bytes = limits.memory_bytes;
    provenance->stack_limit_bytes = limits.stack_bytes;
    provenance->output_limit_bytes = limits.output_bytes;
}

void provenance_begin(Journey *journey)
{
    Provenance *provenance = &journey->report->provenance;
    Arena *arena = journey->arena;
    char hash[HASH_TEXT_SIZE];
    hash_bytes_text(journey->job->source ? journey->job->source : "", journey->job->source_size, hash);
    provenance->problem_sha256 = arena_string(arena, journey->problem->sha256);
    provenance->tests_sha256 = arena_string(arena, journey->problem->tests_sha256);
    provenance->source_sha256 = arena_string(arena, hash);
    provenance->gavel_version = GAVEL_VERSION;
    provenance->gavel_build = arena_string(arena, build_hash(journey->judge));
    provenance->seed = journey->job->seed;
    provenance->started_at = now_text(arena);
    fill_machine(journey, provenance);
    fill_limits(journey, provenance);
}

void provenance_build(Journey *journey)
{
    Provenance *provenance = &journey->report->provenance;
    const Program *program = &journey->program;
    provenance->command = program->command;
    if (program->toolchain) {
        provenance->compiler = arena_string(journey->arena, program->toolchain->version);
        provenance->compiler_sha256 = arena_string(journey->arena, program->toolchain->sha256);
    }
    if (program->compile.has_succeeded)
        provenance->artifact_sha256 = arena_string(journey->arena, program->sha256);
}
