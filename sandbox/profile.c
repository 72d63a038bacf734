/* The table of profiles and what a plan's zeros mean. */
#include "profile.h"

#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define MIB      (INT64_C(1) << 20)

#define PROFILE(word, text, groups, system, proc, exec, offset, cpu_s, idle_s, memory_mib, process_count, output_mib,  \
                file_mib, disk_mib, inodes, files)                                                                     \
    [SANDBOX_PROFILE_##word] = {                                                                                       \
        .name = (text),                                                                                                \
        .filter_groups = (groups),                                                                                     \
        .has_system = (system),                                                                                        \
        .has_proc = (proc),                                                                                            \
        .is_work_executable = (exec),                                                                                  \
        .uid_offset = (offset),                                                                                        \
        .limits =                                                                                                      \
            {                                                                                                          \
                .cpu_ns = (cpu_s)*NS_PER_S,                                                                            \
                .idle_ns = (idle_s) ? (idle_s)*NS_PER_S : SANDBOX_UNLIMITED,                                           \
                .memory_bytes = (memory_mib)*MIB,                                                                      \
                .processes = (process_count),                                                                          \
                .output_bytes = (output_mib)*MIB,                                                                      \
                .error_bytes = 64 * 1024,                                                                              \
                .file_bytes = (file_mib)*MIB,                                                                          \
                .disk_bytes = (disk_mib)*MIB,                                                                          \
                .disk_inodes = (inodes),                                                                               \
                .open_files = (files),                                                                                 \
            },                                                                                                         \
    },
static const ProfileRow rows[] = {
#include "profiles.def"
};
#undef PROFILE
_Static_assert(sizeof rows / sizeof *rows == SANDBOX_PROFILE_COUNT, "a profile has no row");

static const char *const clean_environment[] = {
    "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/w", "TMPDIR=/tmp", "LANG=C.UTF-8", NULL,
};

/* The leak checker of a sanitizer build needs ptrace, which no profile has; without this every run would fail in it. */
static const char *const sanitizer_environment[] = {
    "PATH=/usr/bin:/bin", "HOME=/w", "TMPDIR=/tmp", "LANG=C.UTF-8", "ASAN_OPTIONS=detect_leaks=0", NULL,
};

const ProfileRow *profile_row(SandboxProfile profile)
{
    return &rows[profile];
}

const char *const *profile_environment(SandboxProfile profile)
{
    return profile == SANDBOX_PROFILE_SANITIZER ? sanitizer_environment : clean_environment;
}

const char *sandbox_profile_name(SandboxProfile profile)
{
    return profile < SANDBOX_PROFILE_COUNT ? rows[profile].name : "unknown";
}

bool sandbox_profile_from_name(const char *name, SandboxProfile *ret_profile)
{
    for (size_t i = 0; i < SANDBOX_PROFILE_COUNT; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *ret_profile = (SandboxProfile)i;
        return true;
    }
    return false;
}

static int64_t or_default(int64_t asked, int64_t fallback)
{
    return asked ? asked : fallback;
}

static int64_t default_wall_ns(int64_t cpu_ns)
{
    return cpu_ns >= SANDBOX_UNLIMITED / 4 ? SANDBOX_UNLIMITED : 2 * cpu_ns + NS_PER_S;
}

SandboxLimits limits_complete(const SandboxLimits *asked, SandboxProfile profile)
{
    const SandboxLimits *row = &rows[profile].limits;
    SandboxLimits limits = {
        .cpu_ns = or_default(asked->cpu_ns, row->cpu_ns),
        .idle_ns = or_default(asked->idle_ns, row->idle_ns),
        .memory_bytes = or_default(asked->memory_bytes, row->memory_bytes),
        .processes = or_default(asked->processes, row->processes),
        .output_bytes = or_default(asked->output_bytes, row->output_bytes),
        .error_bytes = or_default(asked->error_bytes, row->error_bytes),
        .file_bytes = or_default(asked->file_bytes, row->file_bytes),
        .disk_bytes = or_default(asked->disk_bytes, row->disk_bytes),
        .disk_inodes = or_default(asked->disk_inodes, row->disk_inodes),
        .open_files = or_default(asked->open_files, row->open_files),
    };
    limits.wall_ns = or_default(asked->wall_ns, default_wall_ns(limits.cpu_ns));
    limits.file_bytes = or_default(limits.file_bytes, limits.output_bytes);
    limits.stack_bytes = or_default(asked->stack_bytes, limits.memory_bytes);
    return limits;
}
