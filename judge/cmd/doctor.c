/* gavel doctor: can this machine judge, how well, and what would make it better?
 *
 * Each check is a row of one table and says what it found, and what to do if that is not good. A failed check means
 * that judging does not work; a warning, that something is weaker or less steady than it could be. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd/command.h"

extern char **environ;

typedef struct DoctorOptions {
    GlobalOptions global;
    bool is_json;
} DoctorOptions;

typedef enum Health { HEALTH_OK, HEALTH_WARN, HEALTH_FAIL, HEALTH_COUNT } Health;

static const struct HealthRow {
    const char *word, *colour;
} health_rows[] = {
    [HEALTH_OK] = {"ok", "\x1b[32m"},
    [HEALTH_WARN] = {"warn", "\x1b[33m"},
    [HEALTH_FAIL] = {"fail", "\x1b[31m"},
};
_Static_assert(sizeof health_rows / sizeof *health_rows == HEALTH_COUNT, "one row a state");

typedef struct Patient {
    const Session *session;
    Arena *arena;
    Sandbox *sandbox;              /* NULL if it could not be opened */
    const SandboxMachine *machine; /* NULL then */
    const char *sandbox_error;
} Patient;

typedef struct Diagnosis {
    Health health;
    const char *text;   /* what was found */
    const char *advice; /* what to do, or NULL */
} Diagnosis;

/* ---- looking ------------------------------------------------------------------------------------------------ */

/* First line of a small file below /proc or /sys, without the newline; NULL if it is not there. */
static const char *first_line(Arena *arena, const char *path)
{
    char line[512];
    auto_fclose FILE *file = fopen(path, "re");
    if (!file || !fgets(line, sizeof line, file))
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return arena_string(arena, line);
}

/* The first line that a program prints, or NULL if it cannot be run or fails. */
static const char *ask_program(Arena *arena, const char *const *argv)
{
    int ends[2];
    pid_t pid;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) < 0 || posix_spawn_file_actions_init(&actions) != 0)
        return NULL;
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failure = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    auto_fclose FILE *output = fdopen(ends[0], "r");
    char line[512] = "";
    bool has_line = failure == 0 && output && fgets(line, sizeof line, output);
    int status = -1;
    while (failure == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    line[strcspn(line, "\n")] = '\0';
    return has_line && WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? arena_string(arena, line) : NULL;
}

static const char *program_version(Arena *arena, const char *program)
{
    return ask_program(arena, (const char *const[]){program, "--version", NULL});
}

static Diagnosis require_program(const Patient *patient, const char *program, const char *advice)
{
    const char *version = program_version(patient->arena, program);
    if (version)
        return (Diagnosis){HEALTH_OK, version, NULL};
    return (Diagnosis){HEALTH_FAIL, arena_format(patient->arena, "%s is not installed", program), advice};
}

/* gcc answers with a path if it knows the library, else with the bare name. */
static bool has_library(Arena *arena, const char *compiler, const char *library)
{
    const char *question = arena_format(arena, "-print-file-name=%s", library);
    const char *answer = ask_program(arena, (const char *const[]){compiler, question, NULL});
    return answer && strchr(answer, '/');
}

/* ---- isolation ---------------------------------------------------------------------------------------------- */

static Diagnosis check_isolation(const Patient *patient)
{
    if (!patient->machine)
        return (Diagnosis){HEALTH_FAIL, patient->sandbox_error,
                           "see the checks below; root or user namespaces are needed"};
    const char *name = sandbox_isolation_name(patient->machine->isolation);
    if (patient->machine->isolation == SANDBOX_ISOLATION_DEGRADED)
        return (Diagnosis){
            HEALTH_WARN,
            arena_format(patient->arena, "%s: %s", name,
                         patient->machine->degraded_reason ? patient->machine->degraded_reason : "reason unknown"),
            "run as root, or delegate a cgroup: systemd-run --user --scope -p Delegate=yes gavel ..."};
    return (Diagnosis){HEALTH_OK,
                       arena_format(patient->arena, "%s, %s", name,
                                    patient->machine->is_root ? "a user id for each run" : "in a user namespace"),
                       NULL};
}

static Diagnosis check_cgroup(const Patient *patient)
{
    const SandboxMachine *machine = patient->machine;
    if (!machine)
        return (Diagnosis){HEALTH_WARN, "not known, since the sandbox does not open", NULL};
    const char *text = arena_format(patient->arena, "%s, memory %s, pids %s, cpu %s, freezer %s%s%s",
                                    sandbox_cgroup_name(machine->cgroup), machine->has_memory_cgroup ? "yes" : "no",
                                    machine->has_pids_cgroup ? "yes" : "no", machine->has_cpu_cgroup ? "yes" : "no",
                                    machine->has_freezer ? "yes" : "no", machine->cgroup_path ? ", below " : "",
                                    machine->cgroup_path ? machine->cgroup_path : "");
    bool is_good = machine->has_memory_cgroup && machine->has_pids_cgroup;
    return (Diagnosis){is_good ? HEALTH_OK : HEALTH_WARN, text,
                       is_good
                           ? NULL
                           : "memory is then limited by address space and watched, which is less exact; run as root "
                             "or in a delegated cgroup v2"};
}

/* Ubuntu 23.10 and later let AppArmor strip an unprivileged user namespace of its capabilities. */
static Diagnosis check_user_namespace(const Patient *patient)
{
    const char *apparmor = first_line(patient->arena, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
    const char *switched = first_line(patient->arena, "/proc/sys/kernel/unprivileged_userns_clone");
    const char *maximum = first_line(patient->arena, "/proc/sys/user/max_user_namespaces");
    Health trouble = geteuid() == 0 ? HEALTH_WARN : HEALTH_FAIL; /* root does not need them */
    if (maximum && strcmp(maximum, "0") == 0)
        return (Diagnosis){trouble, "switched off (user.max_user_namespaces is 0)",
                           "sudo sysctl -w user.max_user_namespaces=15000"};
    if (switched && strcmp(switched, "0") == 0)
        return (Diagnosis){trouble, "for root only", "sudo sysctl -w kernel.unprivileged_userns_clone=1"};
    bool is_usable = patient->machine && patient->machine->has_user_namespace;
    if (apparmor && strcmp(apparmor, "1") == 0 && !is_usable)
        return (Diagnosis){trouble, "restricted by AppArmor (as on Ubuntu 24.04)",
                           "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, and the same line without "
                           "`sudo sysctl -w` in /etc/sysctl.d/60-gavel.conf to keep it"};
    if (!is_usable && geteuid() != 0)
        return (Diagnosis){HEALTH_FAIL, "cannot be made", "run as root, or allow user namespaces in this container"};
    return (Diagnosis){HEALTH_OK, is_usable ? "allowed" : "not probed: root does not need them", NULL};
}

/* ---- tools -------------------------------------------------------------------------------------------------- */

static Diagnosis check_gcc(const Patient *patient)
{
    return require_program(patient, "gcc", "sudo apt-get install gcc libc6-dev");
}

static Diagnosis check_gxx(const Patient *patient)
{
    return require_program(patient, "g++", "sudo apt-get install g++");
}

static Diagnosis check_python(const Patient *patient)
{
    Diagnosis found = require_program(patient, "/usr/bin/python3", "sudo apt-get install python3");
    if (found.health == HEALTH_FAIL)
        found.health = HEALTH_WARN; /* C and C++ go without */
    return found;
}

static Diagnosis check_static_libraries(const Patient *patient)
{
    if (!has_library(patient->arena, "gcc", "libc.a"))
        return (Diagnosis){HEALTH_FAIL, "libc.a is missing: submissions are linked statically",
                           "sudo apt-get install libc6-dev"};
    if (!has_library(patient->arena, "g++", "libstdc++.a"))
        return (Diagnosis){HEALTH_WARN, "libstdc++.a is missing: C++ cannot be linked statically",
                           "sudo apt-get install g++"};
    return (Diagnosis){HEALTH_OK, "libc.a and libstdc++.a", NULL};
}

static Diagnosis check_sanitizer(const Patient *patient)
{
    bool is_there =
        has_library(patient->arena, "gcc", "libasan.so") && has_library(patient->arena, "gcc", "libubsan.so");
    return is_there ? (Diagnosis){HEALTH_OK, "libasan and libubsan", NULL}
                    : (Diagnosis){HEALTH_WARN, "missing: a crash is not explained by source line",
                                  "sudo apt-get install libgcc-12-dev"};
}

static Diagnosis check_addr2line(const Patient *patient)
{
    Diagnosis found = require_program(patient, "addr2line", "sudo apt-get install binutils");
    if (found.health == HEALTH_FAIL)
        found.health = HEALTH_WARN;
    return found;
}

static Diagnosis check_nvcc(const Patient *patient)
{
    static const char *const usual[] = {"nvcc", "/usr/local/cuda/bin/nvcc"};
    const char *named = getenv("GAVEL_NVCC");
    const char *candidates[] = {named ? named : usual[0], usual[1]};
    for (size_t i = 0; i < 2; i++)
        if (program_version(patient->arena, candidates[i]))
            return (Diagnosis){HEALTH_OK, candidates[i], NULL};
    return (Diagnosis){HEALTH_OK, "not installed; only CUDA problems need it", NULL};
}

/* ---- places ------------------------------------------------------------------------------------------------- */

static Diagnosis check_cache(const Patient *patient)
{
    const char *directory = patient->session->cache;
    auto_error Error error = {0};
    if (!fd_make_directories(directory, 0755, &error))
        return (Diagnosis){HEALTH_FAIL, arena_string(patient->arena, error_text(&error)),
                           "name a writable one with --cache or GAVEL_CACHE"};
    if (access(directory, W_OK | X_OK) < 0)
        return (Diagnosis){HEALTH_FAIL, arena_format(patient->arena, "%s is not writable", directory),
                           "name another with --cache or GAVEL_CACHE"};
    return (Diagnosis){HEALTH_OK, directory, NULL};
}

static Diagnosis check_bank(const Patient *patient)
{
    const char *path = patient->session->search_path;
    ProblemSummary *list;
    size_t count = 0;
    auto_error Error error = {0};
    if (!*path || !bank_list(path, patient->arena, &list, &count, &error) || count == 0)
        return (Diagnosis){HEALTH_FAIL, *path ? arena_format(patient->arena, "no problems in %s", path) : "none found",
                           "name one with --problems or GAVEL_PROBLEMS"};
    for (size_t i = 0; i < count; i++)
        if (list[i].error)
            return (Diagnosis){HEALTH_WARN,
                               arena_format(patient->arena, "%s is unreadable: %s", list[i].name, list[i].error), NULL};
    return (Diagnosis){HEALTH_OK, arena_format(patient->arena, "%zu problems in %s", count, path), NULL};
}

/* ---- steadiness --------------------------------------------------------------------------------------------- */

/* A pipe in core_pattern starts a handler on the host for every crash, whatever RLIMIT_CORE says (1 excepted). */
static Diagnosis check_core_pattern(const Patient *patient)
{
    const char *pattern = first_line(patient->arena, "/proc/sys/kernel/core_pattern");
    if (pattern && pattern[0] == '|')
        return (Diagnosis){HEALTH_WARN, arena_format(patient->arena, "crashes start a handler: %s", pattern),
                           "sudo sysctl -w kernel.core_pattern=core, for steadier times of crashing programs"};
    return (Diagnosis){HEALTH_OK, pattern ? pattern : "not readable", NULL};
}

static Diagnosis check_swap(const Patient *patient)
{
    auto_fclose FILE *file = fopen("/proc/swaps", "re");
    char line[512];
    int lines = 0;
    while (file && fgets(line, sizeof line, file))
        lines++;
    (void)patient;
    if (lines > 1)
        return (Diagnosis){HEALTH_WARN, "on: times vary when memory is short",
                           "sudo swapoff -a, on a machine that only judges"};
    return (Diagnosis){HEALTH_OK, "off", NULL};
}

static Diagnosis check_smt(const Patient *patient)
{
    const char *active = first_line(patient->arena, "/sys/devices/system/cpu/smt/active");
    if (active && strcmp(active, "1") == 0)
        return (Diagnosis){HEALTH_WARN, "on: two programs on one core slow each other down",
                           "echo off | sudo tee /sys/devices/system/cpu/smt/control, for calibrating time limits"};
    return (Diagnosis){HEALTH_OK, active ? "off" : "not known here", NULL};
}

static Diagnosis check_governor(const Patient *patient)
{
    const char *governor = first_line(patient->arena, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (governor && strcmp(governor, "performance") != 0)
        return (Diagnosis){HEALTH_WARN, arena_format(patient->arena, "%s: the clock follows the load", governor),
                           "sudo cpupower frequency-set -g performance, for calibrating time limits"};
    return (Diagnosis){HEALTH_OK, governor ? governor : "not known here", NULL};
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

static const struct Check {
    const char *name;
    Diagnosis (*look)(const Patient *patient);
} checks[] = {
    {"isolation", check_isolation},
    {"control groups", check_cgroup},
    {"user namespaces", check_user_namespace},
    {"gcc", check_gcc},
    {"g++", check_gxx},
    {"static libraries", check_static_libraries},
    {"python3", check_python},
    {"sanitizers", check_sanitizer},
    {"addr2line", check_addr2line},
    {"nvcc", check_nvcc},
    {"cache", check_cache},
    {"problem bank", check_bank},
    {"core pattern", check_core_pattern},
    {"swap", check_swap},
    {"hyper-threading", check_smt},
    {"clock governor", check_governor},
};

enum { CHECK_COUNT = sizeof checks / sizeof *checks };

static void open_sandbox(Patient *patient)
{
    SandboxError error = {0};
    if (sandbox_open(NULL, &patient->sandbox, &error)) {
        patient->machine = sandbox_machine(patient->sandbox);
        return;
    }
    patient->sandbox = NULL;
    patient->sandbox_error = arena_format(patient->arena, "the sandbox does not open: %s", error.text);
}

static void print_diagnosis(const char *name, const Diagnosis *diagnosis, const TerminalStyle *style)
{
    const struct HealthRow *row = &health_rows[diagnosis->health];
    if (style->is_quiet && diagnosis->health == HEALTH_OK)
        return;
    printf("%s%-4s%s  %-17s %s\n", style->has_colour ? row->colour : "", row->word, style->has_colour ? "\x1b[0m" : "",
           name, diagnosis->text);
    if (diagnosis->advice)
        printf("      %-17s -> %s\n", "", diagnosis->advice);
}

static bool print_json(const Diagnosis *diagnoses, bool is_well, Error *error)
{
    json_t *list = json_array();
    for (size_t i = 0; i < CHECK_COUNT; i++)
        (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?}", "name", checks[i].name, "state",
                                                    health_rows[diagnoses[i].health].word, "text", diagnoses[i].text,
                                                    "advice", diagnoses[i].advice));
    return json_write(json_pack("{s:i, s:b, s:o}", "schema", 1, "ok", is_well, "checks", list), stdout, error);
}

static void print_text(const Diagnosis *diagnoses, bool is_well, const TerminalStyle *style)
{
    for (size_t i = 0; i < CHECK_COUNT; i++)
        print_diagnosis(checks[i].name, &diagnoses[i], style);
    puts(is_well ? "This machine can judge." : "This machine cannot judge yet: mend what failed above.");
}

static ExitCode run_doctor(Session *session, const void *raw_options)
{
    const DoctorOptions *options = raw_options;
    Patient patient = {.session = session, .arena = session->arena};
    TerminalStyle style = terminal_style(&options->global, NULL);
    Diagnosis diagnoses[CHECK_COUNT];
    bool is_well = true;
    auto_error Error error = {0};
    open_sandbox(&patient);
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        diagnoses[i] = checks[i].look(&patient);
        is_well = is_well && diagnoses[i].health != HEALTH_FAIL;
    }
    bool is_printed = true;
    if (options->is_json)
        is_printed = print_json(diagnoses, is_well, &error);
    else
        print_text(diagnoses, is_well, &style);
    if (patient.sandbox)
        sandbox_close(patient.sandbox);
    if (!is_printed)
        return session_fail(session, &error);
    return is_well ? EXIT_ALL_WELL : EXIT_FINDINGS;
}

static const Option doctor_options[] = {OPTION_ROW_JSON(DoctorOptions), {0}};

const Verb verb_doctor = {
    .name = "doctor",
    .summary = "check whether this machine can judge, and how well",
    .options = doctor_options,
    .options_size = sizeof(DoctorOptions),
    .run = run_doctor,
    .notes = "Exit codes: 0 all that is essential works, 1 something essential is missing.",
};
