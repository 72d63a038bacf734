/* gavel-sandbox: the sandbox for people, scripts and tests. A judge links the library instead: the exec of this program
 * costs more than a run.
 *
 * Exit status: 0 the program ended by itself with 0; 1 anything else about the program (doctor: isolation is degraded);
 * 2 wrong usage or an unreadable file; 3 a fault of the sandbox or the machine. */
#include "gavel/sandbox.h"

#include "descriptor.h"
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
    STATUS_WELL = 0,
    STATUS_FINDING = 1,
    STATUS_USAGE = 2,
    STATUS_FAULT = 3,
    LIST_MAX = 64,
    COLUMN_WIDTH = 18,
};

typedef struct Artifact {
    const char *name, *host_path;
} Artifact;

/* What the command line asks for. */
typedef struct Request {
    SandboxPlan plan;
    SandboxConfig config;
    const char *input_path, *output_path, *error_path;
    const char *copies[LIST_MAX];
    size_t copy_count;
    SandboxBind binds[LIST_MAX];
    Artifact artifacts[LIST_MAX];
    const char *environment[LIST_MAX + 1];
    size_t environment_count;
    int cpus[LIST_MAX];
    bool is_in_jail, wants_json, is_quiet, wants_help;
    char **program; /* argv after "--" */
} Request;

static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("gavel-sandbox: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return STATUS_USAGE;
}

/* ---- values with units -------------------------------------------------------------------------------------- */

typedef struct Unit {
    const char *name;
    int64_t factor;
} Unit;

static const Unit time_units[] = {
    {"ns", 1},        {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"m", INT64_C(60000000000)},
    {"", 1000000000}, {NULL, 0},
};
static const Unit size_units[] = {
    {"", 1},          {"B", 1},       {"K", 1 << 10},   {"KiB", 1 << 10}, {"M", 1 << 20},
    {"MiB", 1 << 20}, {"G", 1 << 30}, {"GiB", 1 << 30}, {NULL, 0},
};
static const Unit count_units[] = {{"", 1}, {NULL, 0}};

/* "1.5s" or "unlimited". The value is at least 1: 0 would mean "default". */
static bool parse_value(const char *text, const Unit *units, int64_t *ret_value)
{
    char *end;
    if (strcmp(text, "unlimited") == 0) {
        *ret_value = SANDBOX_UNLIMITED;
        return true;
    }
    double number = strtod(text, &end);
    if (end == text || !(number > 0))
        return false;
    while (units->name && strcmp(units->name, end) != 0)
        units++;
    double value = number * (double)units->factor;
    if (!units->name || value < 1 || value >= 9e18)
        return false;
    *ret_value = (int64_t)value;
    return true;
}

/* ---- options ------------------------------------------------------------------------------------------------ */

typedef struct Option Option;
struct Option {
    const char *name, *value, *help; /* value: NULL for a switch */
    bool (*apply)(Request *request, const Option *option, char *text);
    size_t offset; /* of a limit or a string in Request */
    const Unit *units;
};

static bool take_limit(Request *request, const Option *option, char *text)
{
    return parse_value(text, option->units, (int64_t *)(void *)((char *)request + option->offset));
}

static bool take_text(Request *request, const Option *option, char *text)
{
    *(const char **)(void *)((char *)request + option->offset) = text;
    return true;
}

static bool take_switch(Request *request, const Option *option, char *text)
{
    (void)text;
    *(bool *)((char *)request + option->offset) = true;
    return true;
}

static bool take_profile(Request *request, const Option *option, char *text)
{
    (void)option;
    return sandbox_profile_from_name(text, &request->plan.profile);
}

static bool take_cgroup(Request *request, const Option *option, char *text)
{
    (void)option;
    for (int kind = SANDBOX_CGROUP_AUTO; kind < SANDBOX_CGROUP_COUNT; kind++)
        if (strcmp(sandbox_cgroup_name((SandboxCgroupKind)kind), text) == 0) {
            request->config.cgroup = (SandboxCgroupKind)kind;
            return true;
        }
    return false;
}

static bool take_copy(Request *request, const Option *option, char *text)
{
    (void)option;
    if (request->copy_count == LIST_MAX)
        return false;
    request->copies[request->copy_count++] = text;
    return true;
}

/* Cuts "LEFT=RIGHT" in two; without '=' both are the whole. */
static char *split(char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return text;
    *equals = 0;
    return equals + 1;
}

static bool take_bind(Request *request, const Option *option, char *text)
{
    (void)option;
    if (request->plan.bind_count == LIST_MAX)
        return false;
    request->binds[request->plan.bind_count++] = (SandboxBind){.jail_path = split(text), .host_path = text};
    return true;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool take_artifact(Request *request, const Option *option, char *text)
{
    (void)option;
    if (request->plan.artifact_count == LIST_MAX)
        return false;
    const char *host_path = split(text);
    request->artifacts[request->plan.artifact_count++] =
        (Artifact){.name = text, .host_path = host_path == text ? last_part(text) : host_path};
    return true;
}

static bool take_environment(Request *request, const Option *option, char *text)
{
    (void)option;
    if (request->environment_count == LIST_MAX || !strchr(text, '='))
        return false;
    request->environment[request->environment_count++] = text;
    return true;
}

static bool take_cpu(Request *request, const Option *option, char *text)
{
    (void)option;
    char *end;
    long cpu = strtol(text, &end, 10);
    if (end == text || *end || cpu < 0 || cpu >= 1024 || request->plan.cpu_count == LIST_MAX)
        return false;
    request->cpus[request->plan.cpu_count++] = (int)cpu;
    return true;
}

#define AT(field)    offsetof(Request, field)
#define LIMIT(field) offsetof(Request, plan.limits) + offsetof(SandboxLimits, field)

static const Option run_options[] = {
    {"--time", "TIME", "CPU time of the whole tree (1s, 100ms)", take_limit, LIMIT(cpu_ns), time_units},
    {"--wall", "TIME", "time from exec to the end; default 2 x --time + 1s", take_limit, LIMIT(wall_ns), time_units},
    {"--idle", "TIME", "ends a program that does nothing for so long", take_limit, LIMIT(idle_ns), time_units},
    {"--mem", "SIZE", "memory of the whole tree (256M, 1G)", take_limit, LIMIT(memory_bytes), size_units},
    {"--stack", "SIZE", "stack; default: the memory limit", take_limit, LIMIT(stack_bytes), size_units},
    {"--procs", "N", "processes and threads", take_limit, LIMIT(processes), count_units},
    {"--output", "SIZE", "cap of standard output", take_limit, LIMIT(output_bytes), size_units},
    {"--file", "SIZE", "largest file the program may write", take_limit, LIMIT(file_bytes), size_units},
    {"--disk", "SIZE", "size of each of /w, /tmp, /dev/shm", take_limit, LIMIT(disk_bytes), size_units},
    {"--open-files", "N", "open descriptors", take_limit, LIMIT(open_files), count_units},
    {"--profile", "NAME", "compile, run-native (default), run-python, run-jvm, author, sanitizer, cuda, machine, probe",
     take_profile, 0, NULL},
    {"--in", "FILE", "standard input; default: empty", take_text, AT(input_path), NULL},
    {"--out", "FILE", "standard output into a host file", take_text, AT(output_path), NULL},
    {"--err", "FILE", "standard error into a host file", take_text, AT(error_path), NULL},
    {"--copy-in", "HOST[=NAME]", "copy a host file to /w/NAME (repeatable)", take_copy, 0, NULL},
    {"--bind", "HOST[=JAIL]", "show a host path read-only (repeatable)", take_bind, 0, NULL},
    {"--artifact", "NAME[=HOST]", "copy /w/NAME out after the end (repeatable)", take_artifact, 0, NULL},
    {"--env", "K=V", "environment; replaces the profile's (repeatable)", take_environment, 0, NULL},
    {"--cpu", "N", "run on this processor only (repeatable)", take_cpu, 0, NULL},
    {"--no-aslr", NULL, "fixed addresses", take_switch, AT(plan.is_address_fixed), NULL},
    {"--in-jail-path", NULL, "the program is a path in the jail, not a host file", take_switch, AT(is_in_jail), NULL},
    {"--cgroup", "KIND", "auto, v2, v1, hybrid, none", take_cgroup, 0, NULL},
    {"--cgroup-parent", "DIR", "a delegated cgroup v2 directory", take_text, AT(config.cgroup_parent), NULL},
    {"--state", "DIR", "directory of the slot locks", take_text, AT(config.state_directory), NULL},
    {"--json", NULL, "one JSON record on standard error instead of the summary", take_switch, AT(wants_json), NULL},
    {"--quiet", NULL, "no summary", take_switch, AT(is_quiet), NULL},
    {"--help", NULL, "this text", take_switch, AT(wants_help), NULL},
    {0},
};

static const Option doctor_options[] = {
    {"--cgroup", "KIND", "auto, v2, v1, hybrid, none", take_cgroup, 0, NULL},
    {"--cgroup-parent", "DIR", "a delegated cgroup v2 directory", take_text, AT(config.cgroup_parent), NULL},
    {"--state", "DIR", "directory of the slot locks", take_text, AT(config.state_directory), NULL},
    {"--json", NULL, "one JSON record on standard output", take_switch, AT(wants_json), NULL},
    {"--help", NULL, "this text", take_switch, AT(wants_help), NULL},
    {0},
};

static const Option help_options[] = {
    {"--help", NULL, "this text", take_switch, AT(wants_help), NULL},
    {0},
};

static const Option *find_option(const Option *options, const char *text, size_t length)
{
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, text, length) == 0)
            return options;
    return NULL;
}

/* Takes the option at argv[0] ("--name value" or "--name=value") and returns how many arguments it was, 0 if wrong. */
static int take_option(Request *request, const Option *options, char **argv)
{
    char *equals = strncmp(argv[0], "--", 2) == 0 ? strchr(argv[0], '=') : NULL;
    size_t length = equals ? (size_t)(equals - argv[0]) : strlen(argv[0]);
    const Option *option = find_option(options, argv[0], length);
    if (!option)
        return complain("unknown option %.*s (see --help)", (int)length, argv[0]), 0;
    if (!option->value && equals)
        return complain("%s takes no value", option->name), 0;
    char *text = equals ? equals + 1 : option->value ? argv[1] : NULL;
    if (option->value && !text)
        return complain("%s needs a value: %s", option->name, option->value), 0;
    if (!option->apply(request, option, text))
        return complain("%s: '%s' is not a usable %s", option->name, text ? text : "", option->value), 0;
    return option->value && !equals ? 2 : 1;
}

/* Options up to "--" or the first word that is none; the rest is the program. */
static bool parse_options(Request *request, const Option *options, char **argv)
{
    while (*argv && (*argv)[0] == '-' && strcmp(*argv, "--") != 0) {
        int taken = take_option(request, options, argv);
        if (taken == 0)
            return false;
        argv += taken;
    }
    request->program = *argv && strcmp(*argv, "--") == 0 ? argv + 1 : argv;
    return true;
}

static void print_options(const Option *options)
{
    for (; options->name; options++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", options->name, options->value ? " " : "",
                 options->value ? options->value : "");
        printf("  %-26s %s\n", left, options->help);
    }
}

/* ---- run: preparing ----------------------------------------------------------------------------------------- */

/* -1 after a complaint. */
static int open_input(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(fd);
        fd = -1;
        errno = EISDIR;
    }
    if (fd < 0)
        complain("%s: %s", path, strerror(errno));
    return fd;
}

static int open_output(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        complain("%s: %s", path, strerror(errno));
    return fd;
}

/* Sealed copies: the program cannot reach the host's files through what it is given, nor charge them to itself. */
static int sealed_file(const char *path, bool is_executable, SandboxError *error)
{
    auto_close int fd = open_input(path);
    if (fd < 0)
        return -1;
    int sealed = sandbox_sealed_copy(last_part(path), fd, is_executable, error);
    if (sealed < 0)
        complain("%s: %s", path, error->text);
    return sealed;
}

static bool open_streams(Request *request, SandboxError *error)
{
    SandboxPlan *plan = &request->plan;
    if (request->input_path) {
        auto_close int sealed = sealed_file(request->input_path, false, error);
        int fd = sealed < 0 ? -1 : sandbox_reopen_read_only(sealed, error);
        if (fd < 0)
            return false;
        plan->input = (SandboxStream){SANDBOX_STREAM_FD, fd};
    }
    plan->output.kind = SANDBOX_STREAM_CAPTURE;
    plan->error.kind = SANDBOX_STREAM_DRAIN;
    return true;
}

static bool open_copies(Request *request, SandboxFile *files)
{
    for (size_t i = 0; i < request->copy_count; i++) {
        char *host_path = strdup(request->copies[i]), *name = host_path ? split(host_path) : NULL;
        struct stat status;
        if (!name)
            return complain("out of memory"), false;
        int fd = open_input(host_path);
        if (fd < 0 || fstat(fd, &status) != 0)
            return false;
        files[i] = (SandboxFile){
            .name = name == host_path ? last_part(name) : name, .fd = fd, .mode = status.st_mode & 0111 ? 0555 : 0444};
    }
    request->plan.files = files;
    request->plan.file_count = request->copy_count;
    return true;
}

static bool open_program(Request *request, SandboxError *error)
{
    if (!request->program[0])
        return complain("no program is named (usage: gavel-sandbox run [options] -- PROGRAM [arguments])"), false;
    request->plan.argv = (const char *const *)request->program;
    if (request->is_in_jail)
        return true;
    request->plan.executable_fd = sealed_file(request->program[0], true, error);
    return request->plan.executable_fd >= 0;
}

static void point_lists(Request *request, SandboxArtifact *artifacts)
{
    SandboxPlan *plan = &request->plan;
    plan->binds = request->binds;
    for (size_t i = 0; i < plan->artifact_count; i++)
        artifacts[i] = (SandboxArtifact){.name = request->artifacts[i].name};
    plan->artifacts = artifacts;
    plan->cpus = plan->cpu_count ? request->cpus : NULL;
    plan->environment = request->environment_count ? request->environment : NULL;
}

/* ---- run: reporting ----------------------------------------------------------------------------------------- */

static void print_line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print_line(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%-*s", COLUMN_WIDTH, name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}

static void print_ending(const SandboxResult *result)
{
    print_line("cause", "%s", sandbox_cause_name(result->cause));
    if (result->cause == SANDBOX_CAUSE_EXEC)
        print_line("exec", "%s%s", strerror(result->exec_errno),
                   result->exec_errno == ENOENT
                       ? " (a dynamically linked program needs a profile with libraries: --profile author)"
                       : "");
    else if (result->signal)
        print_line("signal", "%d (%s)", result->signal, strsignal(result->signal));
    else if (result->exit_code >= 0)
        print_line("exit", "%d", result->exit_code);
    if (result->left_processes)
        print_line("left behind", "%d processes, killed", result->left_processes);
}

static void print_summary(const SandboxResult *result)
{
    print_ending(result);
    print_line("cpu", "%.3f ms (%s)", ms(result->cpu_ns), result->cpu_source);
    if (result->wall_ns >= 0)
        print_line("wall", "%.3f ms", ms(result->wall_ns));
    print_line("memory", "%.1f MiB (%s)", (double)result->memory_peak_bytes / (1 << 20), result->memory_source);
    if (result->is_output_truncated)
        print_line("output", "over %" PRId64 " bytes, cut", result->limits.output_bytes);
    if (result->error_bytes > (int64_t)result->error_size)
        print_line("standard error", "%" PRId64 " bytes, %zu kept", result->error_bytes, result->error_size);
    print_line("isolation", "%s, cgroup %s, profile %s", sandbox_isolation_name(result->isolation),
               sandbox_cgroup_name(result->cgroup), sandbox_profile_name(result->profile));
}

static void limit_json(JsonWriter *json, const char *key, int64_t value)
{
    json_known(json, key, value == SANDBOX_UNLIMITED ? -1 : value);
}

static void limits_json(JsonWriter *json, const SandboxLimits *limits)
{
    json_open(json, "limits", '{');
    limit_json(json, "cpu_ns", limits->cpu_ns);
    limit_json(json, "wall_ns", limits->wall_ns);
    limit_json(json, "idle_ns", limits->idle_ns);
    limit_json(json, "memory_bytes", limits->memory_bytes);
    limit_json(json, "stack_bytes", limits->stack_bytes);
    limit_json(json, "processes", limits->processes);
    limit_json(json, "output_bytes", limits->output_bytes);
    limit_json(json, "file_bytes", limits->file_bytes);
    json_close(json, '}');
}

static void artifacts_json(JsonWriter *json, const Request *request, const SandboxResult *result)
{
    json_open(json, "artifacts", '[');
    for (size_t i = 0; i < result->artifact_count; i++) {
        const SandboxArtifactResult *artifact = &result->artifacts[i];
        json_open(json, NULL, '{');
        json_string(json, "name", request->artifacts[i].name);
        json_known(json, "bytes", artifact->bytes);
        json_string(json, "error", artifact->open_errno ? strerror(artifact->open_errno) : NULL);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void surroundings_json(JsonWriter *json, const SandboxResult *result)
{
    struct utsname system;
    json_open(json, "environment", '{');
    json_string(json, "isolation", sandbox_isolation_name(result->isolation));
    json_string(json, "cgroup", sandbox_cgroup_name(result->cgroup));
    json_string(json, "profile", sandbox_profile_name(result->profile));
    json_number(json, "slot", result->slot);
    json_string(json, "kernel", uname(&system) == 0 ? system.release : NULL);
    json_close(json, '}');
}

static void print_json(const Request *request, const SandboxResult *result)
{
    JsonWriter json = {.file = stderr};
    json_open(&json, NULL, '{');
    json_number(&json, "v", 1);
    json_string(&json, "cause", sandbox_cause_name(result->cause));
    json_known(&json, "exit", result->exit_code);
    json_known(&json, "signal", result->signal ? result->signal : -1);
    json_string(&json, "exec_error", result->exec_errno ? strerror(result->exec_errno) : NULL);
    json_known(&json, "kill_at_ns", result->kill_ns);
    json_known(&json, "cpu_ns", result->cpu_ns);
    json_known(&json, "cpu_user_ns", result->cpu_user_ns);
    json_known(&json, "cpu_system_ns", result->cpu_system_ns);
    json_string(&json, "cpu_source", result->cpu_source);
    json_known(&json, "wall_ns", result->wall_ns);
    json_known(&json, "setup_ns", result->setup_ns);
    json_known(&json, "teardown_ns", result->teardown_ns);
    json_known(&json, "memory_peak_bytes", result->memory_peak_bytes);
    json_string(&json, "memory_source", result->memory_source);
    json_known(&json, "oom_kills", result->oom_kills);
    json_known(&json, "processes_peak", result->processes_peak);
    json_known(&json, "switches_voluntary", result->switches_voluntary);
    json_known(&json, "switches_involuntary", result->switches_involuntary);
    json_known(&json, "faults_major", result->faults_major);
    json_known(&json, "output_bytes", result->output_bytes);
    json_bool(&json, "output_truncated", result->is_output_truncated);
    json_known(&json, "error_bytes", result->error_bytes);
    json_bool(&json, "error_truncated", result->error_bytes > (int64_t)result->error_size);
    json_number(&json, "left_processes", result->left_processes);
    artifacts_json(&json, request, result);
    limits_json(&json, &result->limits);
    surroundings_json(&json, result);
    json_close(&json, '}');
    fputc('\n', stderr);
}

static int report_fault(const Request *request, const SandboxError *error)
{
    if (!request->wants_json) {
        complain("%s: %s", sandbox_stage_name(error->stage), error->text);
        return error->stage == SANDBOX_STAGE_PLAN ? STATUS_USAGE : STATUS_FAULT;
    }
    JsonWriter json = {.file = stderr};
    json_open(&json, NULL, '{');
    json_number(&json, "v", 1);
    json_string(&json, "cause", NULL);
    json_open(&json, "fault", '{');
    json_string(&json, "stage", sandbox_stage_name(error->stage));
    json_number(&json, "errno", error->system_errno);
    json_string(&json, "text", error->text);
    json_close(&json, '}');
    json_close(&json, '}');
    fputc('\n', stderr);
    return error->stage == SANDBOX_STAGE_PLAN ? STATUS_USAGE : STATUS_FAULT;
}

static bool write_bytes(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* The first `limit` bytes of a file, from its start. */
static bool copy_out(int from_fd, int to_fd, int64_t limit)
{
    char bytes[64 * 1024];
    for (off_t offset = 0; offset < limit;) {
        size_t wanted = limit - offset < (int64_t)sizeof bytes ? (size_t)(limit - offset) : sizeof bytes;
        ssize_t got = pread(from_fd, bytes, wanted, offset);
        if (got == 0)
            return true;
        if (got < 0 || !write_bytes(to_fd, bytes, (size_t)got))
            return false;
        offset += got;
    }
    return true;
}

static bool pass_streams(const Request *request, const SandboxResult *result)
{
    auto_close int output_fd = request->output_path ? open_output(request->output_path) : dup(STDOUT_FILENO);
    auto_close int error_fd = request->error_path ? open_output(request->error_path) : dup(STDERR_FILENO);
    return output_fd >= 0 && error_fd >= 0 && copy_out(result->output_fd, output_fd, result->limits.output_bytes) &&
           write_bytes(error_fd, result->error_data ? result->error_data : "", result->error_size);
}

static bool pass_artifacts(const Request *request, const SandboxResult *result)
{
    bool is_good = true;
    for (size_t i = 0; i < result->artifact_count; i++) {
        const SandboxArtifactResult *artifact = &result->artifacts[i];
        if (artifact->open_errno) {
            complain("artifact %s: %s", request->artifacts[i].name, strerror(artifact->open_errno));
            is_good = false;
            continue;
        }
        auto_close int fd = open_output(request->artifacts[i].host_path);
        is_good = fd >= 0 && copy_out(artifact->fd, fd, INT64_MAX) && is_good;
    }
    return is_good;
}

static int report(const Request *request, const SandboxResult *result)
{
    bool is_passed = pass_streams(request, result);
    is_passed = pass_artifacts(request, result) && is_passed;
    if (request->wants_json)
        print_json(request, result);
    else if (!request->is_quiet)
        print_summary(result);
    bool is_well = result->cause == SANDBOX_CAUSE_EXIT && result->exit_code == 0;
    return is_well && is_passed ? STATUS_WELL : STATUS_FINDING;
}

static int run_in(Sandbox *sandbox, const Request *request)
{
    SandboxResult result;
    SandboxError error;
    if (!sandbox_run(sandbox, &request->plan, &result, &error))
        return report_fault(request, &error);
    int status = report(request, &result);
    sandbox_result_done(&result);
    return status;
}

/* Descriptors and copied names live until the process ends: one run, one process. */
static int command_run(Request *request)
{
    SandboxFile files[LIST_MAX];
    SandboxArtifact artifacts[LIST_MAX];
    SandboxError error = {.stage = SANDBOX_STAGE_NONE};
    Sandbox *sandbox;
    if (!open_program(request, &error) || !open_streams(request, &error) || !open_copies(request, files))
        return STATUS_USAGE;
    point_lists(request, artifacts);
    if (!sandbox_open(&request->config, &sandbox, &error))
        return report_fault(request, &error);
    int status = run_in(sandbox, request);
    sandbox_close(sandbox);
    return status;
}

/* ---- doctor ------------------------------------------------------------------------------------------------- */

static void finding(const char *name, const char *text)
{
    printf("%-*s%s\n", COLUMN_WIDTH, name, text);
}

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static void print_machine(const SandboxMachine *machine)
{
    finding("isolation", sandbox_isolation_name(machine->isolation));
    if (machine->degraded_reason)
        finding("  because", machine->degraded_reason);
    finding("cgroup", sandbox_cgroup_name(machine->cgroup));
    finding("cgroup path", machine->cgroup_path ? machine->cgroup_path : "-");
    finding("memory limit", machine->has_memory_cgroup ? "cgroup" : "RLIMIT_AS and watcher");
    finding("process limit", machine->has_pids_cgroup ? "cgroup" : "RLIMIT_NPROC");
    finding("cpu time", machine->has_cpu_cgroup ? "cgroup" : "rusage and /proc");
    finding("freezer", yes_no(machine->has_freezer));
    finding("root", yes_no(machine->is_root));
    finding("user namespaces", yes_no(machine->has_user_namespace));
    printf("%-*s%d\n", COLUMN_WIDTH, "processors", machine->cpu_count);
}

static void print_machine_json(const SandboxMachine *machine)
{
    JsonWriter json = {.file = stdout};
    json_open(&json, NULL, '{');
    json_number(&json, "v", 1);
    json_string(&json, "isolation", sandbox_isolation_name(machine->isolation));
    json_string(&json, "degraded_reason", machine->degraded_reason);
    json_string(&json, "cgroup", sandbox_cgroup_name(machine->cgroup));
    json_string(&json, "cgroup_path", machine->cgroup_path);
    json_bool(&json, "memory_cgroup", machine->has_memory_cgroup);
    json_bool(&json, "pids_cgroup", machine->has_pids_cgroup);
    json_bool(&json, "cpu_cgroup", machine->has_cpu_cgroup);
    json_bool(&json, "freezer", machine->has_freezer);
    json_bool(&json, "root", machine->is_root);
    json_bool(&json, "user_namespaces", machine->has_user_namespace);
    json_number(&json, "processors", machine->cpu_count);
    json_close(&json, '}');
    putchar('\n');
}

static int command_doctor(Request *request)
{
    Sandbox *sandbox;
    SandboxError error;
    if (request->program[0])
        return complain("doctor takes no arguments, only options: %s", request->program[0]);
    if (!sandbox_open(&request->config, &sandbox, &error))
        return report_fault(request, &error);
    const SandboxMachine *machine = sandbox_machine(sandbox);
    if (request->wants_json)
        print_machine_json(machine);
    else
        print_machine(machine);
    int status = machine->isolation == SANDBOX_ISOLATION_DEGRADED ? STATUS_FINDING : STATUS_WELL;
    sandbox_close(sandbox);
    return status;
}

/* ---- main --------------------------------------------------------------------------------------------------- */

typedef struct Command {
    const char *name, *usage, *help;
    const Option *options;
    int (*act)(Request *request);
} Command;

static int command_help(Request *request);

static const Command commands[] = {
    {"run", "run [options] -- PROGRAM [arguments]", "run a program in the sandbox", run_options, command_run},
    {"doctor", "doctor [options]", "show what this machine offers", doctor_options, command_doctor},
    {"help", "help", "show the commands", help_options, command_help},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int command_help(Request *request)
{
    (void)request;
    puts("gavel-sandbox: runs one untrusted program, isolated, limited and measured.\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  gavel-sandbox %-38s %s\n", commands[i].usage, commands[i].help);
    puts("\n'gavel-sandbox COMMAND --help' lists a command's options.\n"
         "Exit status: 0 the program ended with 0; 1 anything else about it; 2 wrong usage; 3 fault of the sandbox.");
    return STATUS_WELL;
}

static int act(const Command *command, char **argv)
{
    Request request = {.plan = sandbox_plan_init(SANDBOX_PROFILE_RUN_NATIVE)};
    if (!parse_options(&request, command->options, argv))
        return STATUS_USAGE;
    if (!request.wants_help)
        return command->act(&request);
    printf("gavel-sandbox %s: %s\n\n", command->usage, command->help);
    print_options(command->options);
    return STATUS_WELL;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return complain("no command is named (try: gavel-sandbox help)");
    const char *name = strcmp(argv[1], "--help") == 0 ? "help" : argv[1];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return act(&commands[i], argv + 2);
    return complain("unknown command %s (try: gavel-sandbox help)", argv[1]);
}
