/* A case: a row of the table made into a plan, and its result held against the row. */
#include "corpus.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool complain(Case *attempt, const char *format, ...)
{
    if (attempt->complaint[0])
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(attempt->complaint, sizeof attempt->complaint, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the plan ----------------------------------------------------------------------------------------------- */

/* Tight, so that the whole corpus takes seconds: a program gets little, a compiler what it needs for a small file. */
static const SandboxLimits program_limits = {.cpu_ns = MS(1000),
                                             .wall_ns = MS(2000),
                                             .idle_ns = MS(1000),
                                             .memory_bytes = 64 * MIB,
                                             .processes = 16,
                                             .output_bytes = 64 << 10,
                                             .error_bytes = 4 << 10,
                                             .file_bytes = 8 * MIB,
                                             .disk_bytes = 16 * MIB,
                                             .disk_inodes = 2000,
                                             .open_files = 64};
static const SandboxLimits compiler_limits = {.cpu_ns = MS(4000),
                                              .wall_ns = MS(12000),
                                              .idle_ns = MS(4000),
                                              .memory_bytes = 512 * MIB,
                                              .processes = 64,
                                              .output_bytes = 64 << 10,
                                              .error_bytes = 16 << 10,
                                              .file_bytes = 64 * MIB,
                                              .disk_bytes = 128 * MIB,
                                              .disk_inodes = 4000,
                                              .open_files = 256};

/* The row's own figures over the defaults: every field of SandboxLimits is an int64_t, and 0 means "not given". */
static SandboxLimits merge_limits(const SandboxLimits *defaults, const SandboxLimits *row)
{
    SandboxLimits merged = *defaults;
    int64_t *into = (int64_t *)&merged;
    const int64_t *from = (const int64_t *)row;
    _Static_assert(sizeof(SandboxLimits) % sizeof(int64_t) == 0, "limits are int64_t throughout");
    for (size_t i = 0; i < sizeof(SandboxLimits) / sizeof(int64_t); i++)
        if (from[i] != 0)
            into[i] = from[i];
    return merged;
}

int lab_open_program(Lab *lab, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", lab->programs, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    SandboxError error = {.text = ""};
    int sealed = file < 0 ? -1 : sandbox_sealed_copy(name, file, true, &error);
    if (file >= 0)
        close(file);
    return sealed;
}

/* The text of a source becomes a file of /w. */
static bool add_source(Case *attempt, const char *path, const char *name)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return complain(attempt, "cannot read %s", path);
    attempt->files[0] = (SandboxFile){.name = name, .fd = fd, .mode = 0444};
    attempt->plan.files = attempt->files;
    attempt->plan.file_count = 1;
    return true;
}

static bool prepare_program(Case *attempt)
{
    const Attack *attack = attempt->attack;
    bool is_odd = attack->kind == ATTACK_ODD_BINARY;
    attempt->plan.executable_fd =
        is_odd ? odd_binary_open(attack->program) : lab_open_program(attempt->lab, attack->program);
    if (attempt->plan.executable_fd < 0)
        return complain(attempt, "the program is missing or could not be sealed");
    attempt->argv[0] = attack->program;
    attempt->argv[1] = attack->argument;
    attempt->argv[2] = attempt->lab->secret;
    attempt->argv[3] = attempt->lab->host_name;
    return true;
}

static bool prepare_source(Case *attempt)
{
    const Attack *attack = attempt->attack;
    bool is_cpp = strstr(attack->program, ".cpp") != NULL;
    const char *name = attack->source_name ? attack->source_name : is_cpp ? "main.cpp" : "main.c";
    snprintf(attempt->path, sizeof attempt->path, "%s/attacks/compile/%s", attempt->lab->sources, attack->program);
    if (!add_source(attempt, attempt->path, name))
        return false;
    snprintf(attempt->define, sizeof attempt->define, "-DHOST_SECRET=\"%s\"", attempt->lab->secret);
    snprintf(attempt->path, sizeof attempt->path, "%s%s", name[0] == '-' ? "./" : "", name);
    const char *const argv[] = {is_cpp ? "/usr/bin/g++" : "/usr/bin/gcc",
                                is_cpp ? "-std=gnu++20" : "-std=gnu17",
                                "-o",
                                "a.out",
                                attempt->define,
                                attempt->path,
                                attack->argument[0] ? attack->argument : NULL,
                                NULL};
    memcpy(attempt->argv, argv, sizeof argv);
    return true;
}

static bool prepare_python(Case *attempt)
{
    snprintf(attempt->path, sizeof attempt->path, "%s/%s", attempt->lab->sources, attempt->attack->program);
    if (!add_source(attempt, attempt->path, "main.py"))
        return false;
    const char *const argv[] = {"/usr/bin/python3", "/w/main.py", attempt->attack->argument, attempt->lab->secret,
                                NULL};
    memcpy(attempt->argv, argv, sizeof argv);
    return true;
}

bool case_prepare(Case *attempt, Lab *lab, const Attack *attack)
{
    *attempt =
        (Case){.lab = lab, .attack = attack, .fds = {-1, -1, -1, -1}, .plan = sandbox_plan_init(attack->profile)};
    SandboxPlan *plan = &attempt->plan;
    plan->argv = attempt->argv;
    plan->output.kind = SANDBOX_STREAM_CAPTURE;
    plan->error.kind = SANDBOX_STREAM_DRAIN;
    bool is_compiler = attack->kind == ATTACK_SOURCE;
    plan->limits = merge_limits(is_compiler || attack->kind == ATTACK_PYTHON ? &compiler_limits : &program_limits,
                                &attack->limits);
    if (attack->artifact) {
        attempt->artifact = (SandboxArtifact){attack->artifact, attack->artifact_max ? attack->artifact_max : MIB};
        plan->artifacts = &attempt->artifact;
        plan->artifact_count = 1;
    }
    bool is_ready = is_compiler                     ? prepare_source(attempt)
                    : attack->kind == ATTACK_PYTHON ? prepare_python(attempt)
                                                    : prepare_program(attempt);
    return is_ready && (!attack->hook || !attack->hook->prepare || attack->hook->prepare(attempt));
}

void case_done(Case *attempt)
{
    if (attempt->attack->hook && attempt->attack->hook->clean)
        attempt->attack->hook->clean(attempt);
    if (attempt->plan.executable_fd >= 0)
        close(attempt->plan.executable_fd);
    if (attempt->plan.file_count > 0 && !attempt->files[0].data)
        close(attempt->files[0].fd);
    for (size_t i = 0; i < ARRAY_COUNT(attempt->fds); i++)
        if (attempt->fds[i] >= 0)
            close(attempt->fds[i]);
    free(attempt->output);
}

/* ---- the judgement ------------------------------------------------------------------------------------------ */

static bool read_output(Case *attempt, const SandboxResult *result)
{
    if (result->output_fd < 0)
        return true;
    size_t size = (size_t)result->output_bytes;
    attempt->output = calloc(1, size + 1);
    ssize_t got = attempt->output ? pread(result->output_fd, attempt->output, size, 0) : -1;
    if (got != (ssize_t)size)
        return complain(attempt, "output: %zd bytes could be read, %zu were reported", got, size);
    attempt->output_size = size;
    return true;
}

static const Outcome *expected_outcome(const Case *attempt)
{
    const Attack *attack = attempt->attack;
    bool is_degraded = attempt->lab->machine->isolation == SANDBOX_ISOLATION_DEGRADED;
    return is_degraded && attack->degraded.is_set ? &attack->degraded : &attack->outcome;
}

static bool judge_outcome(Case *attempt, const SandboxResult *result)
{
    const Outcome *expected = expected_outcome(attempt);
    bool is_exit = expected->cause == SANDBOX_CAUSE_EXIT;
    if (result->cause != expected->cause ||
        (is_exit && (result->exit_code != expected->exit_code || result->signal != expected->signal)) ||
        (expected->cause == SANDBOX_CAUSE_EXEC && result->exec_errno != expected->exec_errno))
        return complain(
            attempt,
            "expected %s exit %d signal %d exec %s, got %s exit %d signal %d exec %s; said \"%.200s\" \"%.300s\"",
            sandbox_cause_name(expected->cause), expected->exit_code, expected->signal,
            strerrorname_np(expected->exec_errno), sandbox_cause_name(result->cause), result->exit_code, result->signal,
            strerrorname_np(result->exec_errno), attempt->output ? attempt->output : "",
            result->error_data ? result->error_data : "");
    if (expected->says && (!attempt->output || strcmp(attempt->output, expected->says) != 0))
        return complain(attempt, "expected to hear \"%s\", heard \"%.500s\"", expected->says,
                        attempt->output ? attempt->output : "");
    if (is_exit && result->left_processes != attempt->attack->left_processes)
        return complain(attempt, "expected %d left processes, got %d", attempt->attack->left_processes,
                        result->left_processes);
    return true;
}

/* The words that no row may say on any stream, whatever else it was expected to do. */
static bool judge_words(Case *attempt, const SandboxResult *result)
{
    const char *texts[] = {attempt->output, result->error_data};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        /* The text of the secret, not its file name, which programs print when they fail to open it. */
        const char *found = texts[i] ? strstr(texts[i], "ESCAPED") : NULL;
        if (texts[i] && !found)
            found = strstr(texts[i], "gavel-corpus-"
                                     "secret\n");
        if (found)
            return complain(attempt, "%.300s", found);
    }
    if (attempt->attack->error_says &&
        (!result->error_data || !strstr(result->error_data, attempt->attack->error_says)))
        return complain(attempt, "standard error lacks \"%s\": \"%.500s\"", attempt->attack->error_says,
                        result->error_data ? result->error_data : "");
    return true;
}

static bool judge_artifact(Case *attempt, const SandboxResult *result)
{
    const Attack *attack = attempt->attack;
    if (!attack->artifact || (attack->hook && attack->hook->verify)) /* a verifying hook looks for itself */
        return true;
    if (result->artifact_count != 1)
        return complain(attempt, "%zu artifacts", result->artifact_count);
    const SandboxArtifactResult *taken = &result->artifacts[0];
    if (taken->open_errno != attack->artifact_errno || (taken->fd < 0) != (taken->open_errno != 0))
        return complain(attempt, "artifact: expected %s, got %s (descriptor %d)",
                        strerrorname_np(attack->artifact_errno), strerrorname_np(taken->open_errno), taken->fd);
    char text[64] = "";
    if (attack->artifact_says &&
        (pread(taken->fd, text, sizeof text - 1, 0) < 0 || strcmp(text, attack->artifact_says) != 0))
        return complain(attempt, "artifact: \"%s\"", text);
    return true;
}

static bool judge_figures(Case *attempt, const SandboxResult *result)
{
    const Attack *attack = attempt->attack;
    if (attack->peak_below && (result->memory_peak_bytes < 0 || result->memory_peak_bytes >= attack->peak_below))
        return complain(attempt, "peak memory %lld, expected less than %lld", (long long)result->memory_peak_bytes,
                        (long long)attack->peak_below);
    if (result->cause != SANDBOX_CAUSE_EXEC && (result->wall_ns < 0 || result->cpu_ns < 0))
        return complain(attempt, "clocks: wall %lld cpu %lld", (long long)result->wall_ns, (long long)result->cpu_ns);
    return true;
}

bool case_judge(Case *attempt, const SandboxResult *result)
{
    const Hook *hook = attempt->attack->hook;
    return read_output(attempt, result) && judge_words(attempt, result) && judge_outcome(attempt, result) &&
           judge_artifact(attempt, result) && judge_figures(attempt, result) &&
           (!hook || !hook->verify || hook->verify(attempt, result));
}

/* ---- the benign run after it -------------------------------------------------------------------------------- */

bool lab_run_probe(Lab *lab, char *ret_text, size_t size, char *complaint, size_t complaint_size)
{
    static const Attack row = {.id = "probe",
                               .name = "probe",
                               .kind = ATTACK_PROGRAM,
                               .program = "probe",
                               .argument = "",
                               .profile = SANDBOX_PROFILE_RUN_NATIVE,
                               .outcome = {.is_set = true, .cause = SANDBOX_CAUSE_EXIT}};
    Case attempt;
    SandboxResult result = {0};
    SandboxError error = {.text = ""};
    bool is_good = case_prepare(&attempt, lab, &row);
    if (is_good && !sandbox_run(lab->sandbox, &attempt.plan, &result, &error))
        is_good = complain(&attempt, "%s: %s", sandbox_stage_name(error.stage), error.text);
    else if (is_good) {
        is_good = case_judge(&attempt, &result);
        snprintf(ret_text, size, "%s", attempt.output ? attempt.output : "");
        sandbox_result_done(&result);
    }
    snprintf(complaint, complaint_size, "%s", attempt.complaint);
    case_done(&attempt);
    return is_good;
}
