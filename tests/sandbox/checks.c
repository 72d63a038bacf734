/* Rows whose attack is on the supervisor's side of the sandbox: a function each, through the public header only. */
#include "corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void nap_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* A plan for one of the corpus' programs, with limits that end it soon whatever it does. */
static bool plan_program(Case *attempt, const char *program, const char *argument)
{
    attempt->plan = sandbox_plan_init(SANDBOX_PROFILE_RUN_NATIVE);
    attempt->plan.executable_fd = lab_open_program(attempt->lab, program);
    attempt->plan.limits = (SandboxLimits){.cpu_ns = MS(1000), .wall_ns = MS(3000), .memory_bytes = 64 * MIB};
    attempt->argv[0] = program;
    attempt->argv[1] = argument;
    attempt->argv[2] = attempt->lab->secret;
    attempt->argv[3] = attempt->lab->host_name;
    attempt->argv[4] = NULL;
    attempt->plan.argv = attempt->argv;
    return attempt->plan.executable_fd >= 0 || complain(attempt, "the program %s is missing", program);
}

static void plan_done(Case *attempt)
{
    if (attempt->plan.executable_fd >= 0)
        close(attempt->plan.executable_fd);
    attempt->plan.executable_fd = -1;
}

/* Row 93. */
bool check_not_setuid(Case *attempt)
{
    char path[PATH_MAX], value[64];
    struct stat information;
    snprintf(path, sizeof path, "%s/../../../gavel-sandbox", attempt->lab->programs);
    if (stat(path, &information) < 0)
        return complain(attempt, "%s: %s", path, strerror(errno));
    if (information.st_mode & (S_ISUID | S_ISGID))
        return complain(attempt, "%s is set-uid", path);
    if (getxattr(path, "security.capability", value, sizeof value) >= 0)
        return complain(attempt, "%s has file capabilities", path);
    return true;
}

/* Row 113: what we or the machine did wrong is an error with its step, not a fact about the program. */
bool check_setup_error(Case *attempt)
{
    SandboxBind missing = {"/no/such/directory", "/bound"};
    SandboxResult result = {0};
    SandboxError error = {.stage = SANDBOX_STAGE_NONE, .text = ""};
    if (!plan_program(attempt, "050_nothing", ""))
        return false;
    attempt->plan.binds = &missing;
    attempt->plan.bind_count = 1;
    bool is_run = sandbox_run(attempt->lab->sandbox, &attempt->plan, &result, &error);
    plan_done(attempt);
    if (is_run) {
        sandbox_result_done(&result);
        return complain(attempt, "a bind of nothing was accepted");
    }
    if (error.stage != SANDBOX_STAGE_BIND || error.system_errno != ENOENT || !strstr(error.text, "/no/such/directory"))
        return complain(attempt, "the error says: %s (%d): %s", sandbox_stage_name(error.stage), error.system_errno,
                        error.text);
    return true;
}

static bool wait_for_state(SandboxRun *run, SandboxState state, int most_ms)
{
    for (int waited = 0; waited < most_ms; waited += 5) {
        if (sandbox_step(run) == state)
            return true;
        nap_ms(5);
    }
    return false;
}

/* Row 116: processes that are frozen do not die of a signal until they are thawed, and their group can't be removed. */
bool check_frozen_cancel(Case *attempt)
{
    SandboxRun *run = NULL;
    SandboxResult result = {0};
    SandboxError error = {.text = ""};
    if (!plan_program(attempt, "055_busy_loop", ""))
        return false;
    bool is_good =
        sandbox_start(attempt->lab->sandbox, &attempt->plan, &run, &error) || complain(attempt, "%s", error.text);
    if (is_good) {
        is_good = wait_for_state(run, SANDBOX_STATE_RUNNING, 2000) || complain(attempt, "never ran");
        is_good = is_good && (sandbox_freeze(run, &error) || complain(attempt, "freeze: %s", error.text));
        sandbox_cancel(run);
        if (!sandbox_collect(run, &result, &error))
            is_good = complain(attempt, "collect: %s", error.text);
        else if (result.cause != SANDBOX_CAUSE_CANCELLED)
            is_good = complain(attempt, "cause %s", sandbox_cause_name(result.cause));
        sandbox_result_done(&result);
    }
    plan_done(attempt);
    return is_good;
}

static bool run_to_exit(Case *attempt, Sandbox *sandbox, int expected_exit)
{
    SandboxResult result = {0};
    SandboxError error = {.text = ""};
    if (!sandbox_run(sandbox, &attempt->plan, &result, &error))
        return complain(attempt, "%s: %s", sandbox_stage_name(error.stage), error.text);
    bool is_good = result.cause == SANDBOX_CAUSE_EXIT && result.exit_code == expected_exit;
    if (!is_good)
        complain(attempt, "cause %s exit %d signal %d exec %d", sandbox_cause_name(result.cause), result.exit_code,
                 result.signal, result.exec_errno);
    sandbox_result_done(&result);
    return is_good;
}

/* Row 117: two judges in two processes, both at once, both right: no name of theirs collides. */
bool check_two_sandboxes(Case *attempt)
{
    enum { RUNS = 15 };
    if (!plan_program(attempt, "106_exit_code", "7"))
        return false;
    pid_t other = fork();
    bool is_good = true;
    SandboxConfig config = {.cgroup = attempt->lab->machine->cgroup};
    SandboxError error = {.text = ""};
    Sandbox *sandbox = attempt->lab->sandbox;
    if (other == 0 && !sandbox_open(&config, &sandbox, &error))
        _exit(2);
    for (int i = 0; i < RUNS && is_good; i++)
        is_good = run_to_exit(attempt, sandbox, 7);
    if (other == 0) {
        sandbox_close(sandbox);
        _exit(is_good ? 0 : 1);
    }
    int status = -1;
    if (waitpid(other, &status, 0) != other || status != 0)
        is_good = complain(attempt, "the other judge ended with %d", status);
    plan_done(attempt);
    return is_good;
}

/* Row 118: the file is still open for writing, as right after a compiler's end in a forked neighbour. */
bool check_busy_binary(Case *attempt)
{
    SandboxError error = {.text = ""};
    char path[256];
    snprintf(path, sizeof path, "%s/busy", attempt->lab->work);
    if (!plan_program(attempt, "106_exit_code", "9"))
        return false;
    int writer = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755);
    char block[64 * 1024];
    off_t at = 0;
    for (ssize_t size; (size = pread(attempt->plan.executable_fd, block, sizeof block, at)) > 0; at += size)
        if (write(writer, block, (size_t)size) != size)
            break;
    close(attempt->plan.executable_fd);
    attempt->plan.executable_fd = sandbox_sealed_copy("busy", writer, true, &error);
    bool is_good = attempt->plan.executable_fd >= 0 ? run_to_exit(attempt, attempt->lab->sandbox, 9)
                                                    : complain(attempt, "%s", error.text);
    close(writer);
    unlink(path);
    plan_done(attempt);
    return is_good;
}

/* Row 119: a supervisor of its own is killed with its run in the middle. The runner's look for left processes comes
 * after; the dead supervisor's cgroup goes when the next one opens, which is done here. */
bool check_supervisor_death(Case *attempt)
{
    SandboxConfig config = {.cgroup = attempt->lab->machine->cgroup};
    SandboxError error = {.text = ""};
    if (!plan_program(attempt, "056_sleep", "sleep"))
        return false;
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) < 0)
        return complain(attempt, "pipe: %s", strerror(errno));
    pid_t supervisor = fork();
    if (supervisor == 0) {
        Sandbox *sandbox;
        SandboxRun *run;
        bool is_running = sandbox_open(&config, &sandbox, &error) &&
                          sandbox_start(sandbox, &attempt->plan, &run, &error) &&
                          wait_for_state(run, SANDBOX_STATE_RUNNING, 2000);
        (void)!write(ready[1], is_running ? "y" : "n", 1);
        for (;;)
            pause();
    }
    char answer = 'n';
    bool is_good =
        (read(ready[0], &answer, 1) == 1 && answer == 'y') || complain(attempt, "the supervisor did not start its run");
    if (is_good && attempt->lab->machine->cgroup_path && !residue_has_group_of(supervisor))
        is_good =
            complain(attempt, "no cgroup with the supervisor's pid in its name: this row can't see what it looks for");
    kill(supervisor, SIGKILL);
    waitpid(supervisor, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    plan_done(attempt);
    nap_ms(100); /* the kernel takes the namespace down on its own; then nobody holds the slot */
    Sandbox *next = NULL;
    if (!sandbox_open(&config, &next, &error))
        return complain(attempt, "the next start: %s", error.text);
    sandbox_close(next);
    if (residue_has_group_of(supervisor))
        return complain(attempt, "the next start left the dead supervisor's cgroup");
    return is_good;
}

/* Row 120: the kernel's refusal is our error and comes at once. */
bool check_bad_processor(Case *attempt)
{
    static const int processors[] = {1000};
    SandboxResult result = {0};
    SandboxError error = {.text = ""};
    if (!plan_program(attempt, "050_nothing", ""))
        return false;
    attempt->plan.cpus = processors;
    attempt->plan.cpu_count = 1;
    bool is_run = sandbox_run(attempt->lab->sandbox, &attempt->plan, &result, &error);
    plan_done(attempt);
    if (!is_run)
        return error.text[0] != '\0' || complain(attempt, "an error without a text");
    sandbox_result_done(&result);
    return complain(attempt, "a processor that does not exist was accepted");
}

/* Row 126b: a plan is the caller's input; a name that leads out of /w is refused before anything runs. */
bool check_escaping_names(Case *attempt)
{
    static const char *const names[] = {"../out", "/etc/passwd", "a/../../out", "", "."};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        SandboxFile file = {.name = names[i], .data = "x", .size = 1, .mode = 0444};
        SandboxResult result = {0};
        SandboxError error = {.text = ""};
        if (!plan_program(attempt, "050_nothing", ""))
            return false;
        attempt->plan.files = &file;
        attempt->plan.file_count = 1;
        bool is_run = sandbox_run(attempt->lab->sandbox, &attempt->plan, &result, &error);
        plan_done(attempt);
        if (is_run)
            sandbox_result_done(&result);
        if (is_run || error.stage != SANDBOX_STAGE_PLAN)
            return complain(attempt, "a file named \"%s\": %s", names[i], is_run ? "accepted" : error.text);
    }
    return true;
}
