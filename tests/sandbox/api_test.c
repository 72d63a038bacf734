/* The sandbox library's seams, one test each: many runs in one loop, cancel, freeze, channels, descriptors, artifacts,
 * observers, sealed memfds, exact caps, limits, and what remains of a supervisor that was killed.
 *
 *   api_test PROGRAMS      PROGRAMS: the directory with the corpus' compiled programs */
#include "gavel/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB                (INT64_C(1) << 20)
#define MS(count)          ((int64_t)(count)*1000000)
#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *programs;
static Sandbox *sandbox;
static const SandboxMachine *machine;

/* ---- vocabulary --------------------------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void nap_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static int count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

/* A run of one of the programs, with the arguments that all of them take. */
typedef struct Job {
    SandboxPlan plan;
    const char *argv[5];
    SandboxRun *run;
    SandboxResult result;
    SandboxError error;
} Job;

static void job_init(Job *job, SandboxProfile profile, const char *program, const char *argument)
{
    char path[512];
    *job = (Job){.plan = sandbox_plan_init(profile), .argv = {program, argument, "/no/secret", "no-host", NULL}};
    snprintf(path, sizeof path, "%s/%s", programs, program);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    job->plan.executable_fd = sandbox_sealed_copy(program, file, true, &job->error);
    assert_true(job->plan.executable_fd >= 0);
    close(file);
    job->plan.argv = job->argv;
    job->plan.output.kind = SANDBOX_STREAM_CAPTURE;
    job->plan.error.kind = SANDBOX_STREAM_DRAIN;
    job->plan.limits = (SandboxLimits){.cpu_ns = MS(1000),
                                       .wall_ns = MS(4000),
                                       .idle_ns = SANDBOX_UNLIMITED,
                                       .memory_bytes = 64 * MIB,
                                       .processes = 16,
                                       .output_bytes = 64 << 10};
}

static void job_done(Job *job)
{
    sandbox_result_done(&job->result);
    close(job->plan.executable_fd);
}

static void job_start(Job *job)
{
    if (!sandbox_start(sandbox, &job->plan, &job->run, &job->error))
        fail_msg("start: %s: %s", sandbox_stage_name(job->error.stage), job->error.text);
}

static void job_collect(Job *job)
{
    if (!sandbox_collect(job->run, &job->result, &job->error))
        fail_msg("collect: %s: %s", sandbox_stage_name(job->error.stage), job->error.text);
}

static void job_run(Job *job)
{
    job_start(job);
    job_collect(job);
}

static void job_wait_running(Job *job)
{
    for (int waited = 0; sandbox_step(job->run) == SANDBOX_STATE_STARTING; waited++) {
        assert_true(waited < 1000);
        nap_ms(2);
    }
}

static void assert_exit(const Job *job, int exit_code)
{
    if (job->result.cause != SANDBOX_CAUSE_EXIT || job->result.exit_code != exit_code)
        fail_msg("expected exit %d, got %s exit %d signal %d: %s", exit_code, sandbox_cause_name(job->result.cause),
                 job->result.exit_code, job->result.signal, job->result.error_data ? job->result.error_data : "");
}

static void assert_cause(const Job *job, SandboxCause cause)
{
    if (job->result.cause != cause)
        fail_msg("expected %s, got %s exit %d signal %d", sandbox_cause_name(cause),
                 sandbox_cause_name(job->result.cause), job->result.exit_code, job->result.signal);
}

static void assert_output(const Job *job, const char *text)
{
    char output[4096] = "";
    assert_true(pread(job->result.output_fd, output, sizeof output - 1, 0) >= 0);
    assert_string_equal(output, text);
}

/* ---- names and plans ---------------------------------------------------------------------------------------- */

static void test_profile_names_go_both_ways(void **state)
{
    (void)state;
    for (int profile = 0; profile < SANDBOX_PROFILE_COUNT; profile++) {
        SandboxProfile back = SANDBOX_PROFILE_COUNT;
        assert_true(sandbox_profile_from_name(sandbox_profile_name((SandboxProfile)profile), &back));
        assert_int_equal(back, profile);
    }
    SandboxProfile unset = SANDBOX_PROFILE_CUDA;
    assert_false(sandbox_profile_from_name("run-nothing", &unset));
    assert_int_equal(unset, SANDBOX_PROFILE_CUDA);
}

static void test_stages_have_distinct_names(void **state)
{
    (void)state;
    for (int a = 0; a < SANDBOX_STAGE_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(sandbox_stage_name((SandboxStage)a), sandbox_stage_name((SandboxStage)b));
}

static void test_unusable_plans_are_refused(void **state)
{
    (void)state;
    static const char *const no_arguments[] = {NULL};
    static const SandboxDescriptor twice[] = {{0, 5}, {0, 5}}, low[] = {{0, 2}};
    for (int variant = 0; variant < 4; variant++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
        if (variant == 0)
            job.plan.argv = no_arguments;
        if (variant == 1)
            job.plan.descriptors = twice, job.plan.descriptor_count = 2;
        if (variant == 2)
            job.plan.descriptors = low, job.plan.descriptor_count = 1;
        if (variant == 3)
            job.plan.profile = SANDBOX_PROFILE_COUNT;
        bool is_run = sandbox_run(sandbox, &job.plan, &job.result, &job.error);
        if (is_run)
            fail_msg("variant %d was accepted", variant);
        assert_int_equal(job.error.stage, SANDBOX_STAGE_PLAN);
        assert_true(job.error.text[0] != '\0');
        close(job.plan.executable_fd);
    }
}

static void test_defaults_are_reported(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
    job.plan.limits = (SandboxLimits){0};
    job_run(&job);
    assert_exit(&job, 0);
    const int64_t *limits = (const int64_t *)&job.result.limits;
    for (size_t i = 0; i < sizeof job.result.limits / sizeof *limits; i++)
        assert_true(limits[i] > 0);
    assert_int_equal(job.result.limits.stack_bytes, job.result.limits.memory_bytes);
    assert_int_equal(job.result.profile, SANDBOX_PROFILE_RUN_NATIVE);
    assert_int_equal(job.result.isolation, machine->isolation);
    assert_int_equal(job.result.cgroup, machine->cgroup);
    assert_int_equal(job.result.left_processes, 0);
    assert_int_equal(job.result.kill_ns, -1);
    job_done(&job);
}

/* A path that is not in the jail is a fact about the artifact; nothing of ours has failed. */
static void test_missing_program_is_a_fact(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
    close(job.plan.executable_fd);
    job.plan.executable_fd = -1;
    job.argv[0] = "/w/not-there";
    job_run(&job);
    assert_cause(&job, SANDBOX_CAUSE_EXEC);
    assert_int_equal(job.result.exec_errno, ENOENT);
    sandbox_result_done(&job.result);
}

/* ---- many runs ---------------------------------------------------------------------------------------------- */

static void poll_all(Job *jobs, size_t count)
{
    for (size_t pending = count; pending > 0;) {
        struct pollfd handles[32];
        pending = 0;
        for (size_t i = 0; i < count; i++)
            if (sandbox_step(jobs[i].run) != SANDBOX_STATE_ENDED)
                handles[pending++] = (struct pollfd){.fd = sandbox_poll_fd(jobs[i].run), .events = POLLIN};
        if (pending > 0)
            assert_true(poll(handles, pending, 10000) > 0);
    }
}

static void test_many_runs_in_one_loop(void **state)
{
    (void)state;
    static const struct {
        const char *program, *argument;
        SandboxCause cause;
        int exit_code;
    } kinds[] = {{"106_exit_code", "3", SANDBOX_CAUSE_EXIT, 3},
                 {"055_busy_loop", "", SANDBOX_CAUSE_CPU, -1},
                 {"056_sleep", "sleep", SANDBOX_CAUSE_IDLE, -1},
                 {"068_flood_output", "", SANDBOX_CAUSE_OUTPUT, -1},
                 {"032_die_by_signal", "abort", SANDBOX_CAUSE_EXIT, -1}};
    Job jobs[20];
    for (size_t i = 0; i < ARRAY_COUNT(jobs); i++) {
        job_init(&jobs[i], SANDBOX_PROFILE_RUN_NATIVE, kinds[i % 5].program, kinds[i % 5].argument);
        jobs[i].plan.limits.cpu_ns = MS(150);
        jobs[i].plan.limits.idle_ns = MS(1500);
        job_start(&jobs[i]);
    }
    poll_all(jobs, ARRAY_COUNT(jobs));
    for (size_t i = 0; i < ARRAY_COUNT(jobs); i++) {
        job_collect(&jobs[i]);
        assert_cause(&jobs[i], kinds[i % 5].cause);
        if (kinds[i % 5].cause == SANDBOX_CAUSE_EXIT)
            assert_int_equal(jobs[i].result.exit_code, kinds[i % 5].exit_code);
        for (size_t other = 0; other < i; other++)
            assert_int_not_equal(jobs[i].result.slot, jobs[other].result.slot);
        if (i % 5 == 4)
            assert_int_equal(jobs[i].result.signal, SIGABRT);
    }
    for (size_t i = 0; i < ARRAY_COUNT(jobs); i++)
        job_done(&jobs[i]);
}

/* Its descriptor is silent while nothing is due: a loop that polls must not spin. */
static void test_poll_is_quiet(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "056_sleep", "sleep");
    job.plan.limits.wall_ns = MS(600);
    job_start(&job);
    int wakes = 0;
    struct pollfd handle = {.fd = sandbox_poll_fd(job.run), .events = POLLIN};
    for (; sandbox_step(job.run) != SANDBOX_STATE_ENDED; wakes++)
        assert_true(poll(&handle, 1, 10000) > 0);
    job_collect(&job);
    assert_cause(&job, SANDBOX_CAUSE_WALL);
    /* The degraded watcher of memory looks every few milliseconds. */
    assert_true(wakes < (machine->has_memory_cgroup ? 60 : 400));
    job_done(&job);
}

static void test_two_hundred_runs_leak_nothing(void **state)
{
    (void)state;
    SandboxError error;
    Sandbox *others = sandbox;
    int before = count_descriptors(), half = 0;
    assert_true(sandbox_open(NULL, &sandbox, &error));
    for (int i = 0; i < 200; i++) {
        if (i == 100)
            half = count_descriptors();
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "106_exit_code", "0");
        job_run(&job);
        assert_exit(&job, 0);
        job_done(&job);
    }
    assert_true(count_descriptors() < half + 20); /* give or take a keeper or two on its way */
    sandbox_close(sandbox);
    sandbox = others;
    assert_int_equal(count_descriptors(), before);
}

/* ---- steering ----------------------------------------------------------------------------------------------- */

static void test_cancel(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "056_sleep", "sleep");
    job_start(&job);
    job_wait_running(&job);
    int64_t start = now_ns();
    sandbox_cancel(job.run);
    job_collect(&job);
    assert_cause(&job, SANDBOX_CAUSE_CANCELLED);
    assert_true(now_ns() - start < MS(1000));
    job_done(&job);
}

/* Also before the program has begun. */
static void test_cancel_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "056_sleep", "sleep");
        job_start(&job);
        sandbox_cancel(job.run);
        job_collect(&job);
        assert_cause(&job, SANDBOX_CAUSE_CANCELLED);
        job_done(&job);
    }
}

/* The first cause stays: a cancel after the kill for the limit changes nothing. */
static void test_cancel_comes_second(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "055_busy_loop", "");
    job.plan.limits.cpu_ns = MS(100);
    job_start(&job);
    struct pollfd handle = {.fd = sandbox_poll_fd(job.run), .events = POLLIN};
    while (sandbox_step(job.run) < SANDBOX_STATE_ENDING)
        assert_true(poll(&handle, 1, 10000) > 0);
    sandbox_cancel(job.run);
    job_collect(&job);
    assert_cause(&job, SANDBOX_CAUSE_CPU);
    job_done(&job);
}

static void test_frozen_time_is_not_billed(void **state)
{
    (void)state;
    if (!machine->has_freezer) {
        print_message("# no freezer here\n");
        skip();
    }
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "061_burn", "150");
    job.plan.limits.wall_ns = MS(900);
    job.plan.limits.idle_ns = MS(600);
    job_start(&job);
    job_wait_running(&job);
    nap_ms(30);
    assert_true(sandbox_freeze(job.run, &job.error));
    for (int i = 0; i < 130; i++) {
        assert_int_equal(sandbox_step(job.run), SANDBOX_STATE_FROZEN);
        nap_ms(10);
    }
    assert_true(sandbox_thaw(job.run, &job.error));
    job_collect(&job);
    assert_exit(&job, 0);
    assert_true(job.result.wall_ns < MS(900));
    job_done(&job);
}

/* ---- channel and descriptors -------------------------------------------------------------------------------- */

static void expect_echo(Job *job, const char *message)
{
    char answer[256] = "";
    int channel = sandbox_channel_fd(job->run);
    struct pollfd handle = {.fd = channel, .events = POLLIN};
    assert_int_equal(send(channel, message, strlen(message), MSG_NOSIGNAL), strlen(message));
    assert_int_equal(poll(&handle, 1, 5000), 1);
    ssize_t size = recv(channel, answer, sizeof answer - 1, 0);
    assert_int_equal(size, strlen(message)); /* one message in, one out: borders are kept */
    assert_string_equal(answer, message);
}

static void test_long_lived_run_with_a_channel(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "api_echo", "channel");
    job.plan.has_channel = true;
    job_start(&job);
    assert_true(sandbox_channel_fd(job.run) >= 0);
    job_wait_running(&job); /* the start takes steps of ours; an echo doesn't */
    for (int i = 0; i < 50; i++) {
        char message[32];
        snprintf(message, sizeof message, "message %d", i);
        expect_echo(&job, message);
        assert_int_equal(sandbox_step(job.run), SANDBOX_STATE_RUNNING);
    }
    assert_true(shutdown(sandbox_channel_fd(job.run), SHUT_WR) == 0);
    job_collect(&job);
    assert_exit(&job, 6);
    assert_output(&job, "50 messages\n");
    job_done(&job);
}

static void test_no_channel_unless_asked(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
    job_start(&job);
    assert_int_equal(sandbox_channel_fd(job.run), -1);
    job_collect(&job);
    job_done(&job);
}

static void test_shared_page(void **state)
{
    (void)state;
    int page = memfd_create("page", MFD_CLOEXEC);
    assert_int_equal(ftruncate(page, 4096), 0);
    char *view = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    assert_true(view != MAP_FAILED);
    strcpy(view, "from us");
    const SandboxDescriptor descriptor = {page, 7};
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "api_echo", "page");
    job.plan.descriptors = &descriptor;
    job.plan.descriptor_count = 1;
    job_run(&job);
    assert_exit(&job, 0);
    assert_string_equal(view, "from the run");
    munmap(view, 4096);
    close(page);
    job_done(&job);
}

/* Source numbers that collide with target numbers must not overwrite one another on the way. */
static void test_descriptors_may_cross(void **state)
{
    (void)state;
    enum { LOW = 207, HIGH = 208 }; /* numbers that nobody else in this process has */
    int first = memfd_create("a", 0), second = memfd_create("b", 0);
    assert_true(dup2(first, HIGH) == HIGH && dup2(second, LOW) == LOW);
    assert_true(write(LOW, "low", 3) == 3 && write(HIGH, "high", 4) == 4);
    const SandboxDescriptor crossed[] = {{HIGH, LOW}, {LOW, HIGH}};
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "api_echo", "crossed");
    job.plan.descriptors = crossed;
    job.plan.descriptor_count = 2;
    job.plan.limits.open_files = 300;
    job_run(&job);
    assert_exit(&job, 0);
    assert_output(&job, "207 high 208 low\n");
    job_done(&job);
    close(first), close(second), close(LOW), close(HIGH);
}

/* ---- artifacts ---------------------------------------------------------------------------------------------- */

static void test_artifacts(void **state)
{
    (void)state;
    static const SandboxArtifact artifacts[] = {
        {"good", MIB},   {"dir/deep", MIB},     {"link", MIB},   {"twin", MIB},      {"fifo", MIB}, {"large", 1000},
        {"exact", 1001}, {"linkdir/deep", MIB}, {"absent", MIB}, {"sparse", 100000}, {"dir", MIB},  {"locked", MIB},
    };
    static const int expected[] = {0, 0, ELOOP, EMLINK, EINVAL, EFBIG, 0, ELOOP, ENOENT, EFBIG, EINVAL, 0};
    _Static_assert(ARRAY_COUNT(artifacts) == ARRAY_COUNT(expected), "an answer for every artifact");
    Job job;
    job_init(&job, SANDBOX_PROFILE_COMPILE, "api_files", "");
    job.plan.artifacts = artifacts;
    job.plan.artifact_count = ARRAY_COUNT(artifacts);
    job_run(&job);
    assert_exit(&job, 0);
    assert_int_equal(job.result.artifact_count, ARRAY_COUNT(artifacts));
    for (size_t i = 0; i < ARRAY_COUNT(artifacts); i++) {
        const SandboxArtifactResult *taken = &job.result.artifacts[i];
        if (taken->open_errno != expected[i])
            fail_msg("%s: expected %s, got %s", artifacts[i].name, strerrorname_np(expected[i]),
                     strerrorname_np(taken->open_errno));
        assert_int_equal(taken->fd >= 0, expected[i] == 0);
        if (taken->fd >= 0) {
            assert_int_equal(fcntl(taken->fd, F_GETFL) & O_ACCMODE, O_RDONLY);
            assert_true(fcntl(taken->fd, F_GETFD) & FD_CLOEXEC);
        }
    }
    char text[16] = "";
    assert_true(pread(job.result.artifacts[1].fd, text, sizeof text - 1, 0) == 4);
    assert_string_equal(text, "deep");
    assert_int_equal(job.result.artifacts[6].bytes, 1001);
    job_done(&job);
}

static void test_artifacts_out_of_the_jail(void **state)
{
    (void)state;
    static const char *const names[] = {"../etc/passwd", "/etc/passwd", "dir/../../etc/passwd", ".."};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const SandboxArtifact artifact = {names[i], MIB};
        Job job;
        job_init(&job, SANDBOX_PROFILE_COMPILE, "api_files", "");
        job.plan.artifacts = &artifact;
        job.plan.artifact_count = 1;
        if (sandbox_run(sandbox, &job.plan, &job.result, &job.error)) /* refused as a plan, or as a file */
            assert_int_equal(job.result.artifacts[0].fd, -1);
        else
            assert_int_equal(job.error.stage, SANDBOX_STAGE_PLAN);
        job_done(&job);
    }
}

/* Artifacts of a run that was killed can be had as well: they may explain why. */
static void test_artifact_of_a_killed_run(void **state)
{
    (void)state;
    const SandboxArtifact artifact = {"gavel_left", 64 * MIB};
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "015_fill_disk", "");
    job.plan.limits.file_bytes = MIB;
    job.plan.artifacts = &artifact;
    job.plan.artifact_count = 1;
    job_run(&job);
    assert_int_equal(job.result.signal, SIGXFSZ);
    assert_int_equal(job.result.artifacts[0].open_errno, 0);
    assert_int_equal(job.result.artifacts[0].bytes, MIB);
    job_done(&job);
}

static void test_files_are_put_in(void **state)
{
    (void)state;
    int source = memfd_create("source", MFD_CLOEXEC);
    assert_int_equal(write(source, "from fd", 7), 7);
    const SandboxFile files[] = {{.name = "a", .data = "from data", .size = 9, .mode = 0444},
                                 {.name = "sub/b", .fd = source, .mode = 0444}};
    const SandboxArtifact artifacts[] = {{"a", MIB}, {"sub/b", MIB}};
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
    job.plan.files = files;
    job.plan.file_count = 2;
    job.plan.artifacts = artifacts;
    job.plan.artifact_count = 2;
    job_run(&job);
    assert_exit(&job, 0);
    char text[16] = "";
    assert_int_equal(pread(job.result.artifacts[0].fd, text, 15, 0), 9);
    assert_string_equal(text, "from data");
    assert_int_equal(pread(job.result.artifacts[1].fd, text, 15, 0), 7);
    assert_memory_equal(text, "from fd", 7);
    assert_int_equal(lseek(source, 0, SEEK_CUR), 7); /* its offset is untouched */
    close(source);
    job_done(&job);
}

/* ---- observer ----------------------------------------------------------------------------------------------- */

typedef struct Observation {
    int calls;
    long peak_kib;
} Observation;

static void observe(void *context, pid_t pid)
{
    Observation *observation = context;
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    observation->calls++;
    while (file && fgets(line, sizeof line, file))
        (void)sscanf(line, "VmHWM: %ld", &observation->peak_kib);
    if (file)
        fclose(file);
}

static void test_exit_observer_sees_the_program(void **state)
{
    (void)state;
    static const char *const ends[][2] = {{"041_touch_memory", "20"}, {"032_die_by_signal", "abort"}};
    for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
        Observation observation = {0, 0};
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, ends[i][0], ends[i][1]);
        job.plan.exit_observer = observe;
        job.plan.observer_context = &observation;
        job_run(&job);
        assert_int_equal(job.result.cause, SANDBOX_CAUSE_EXIT);
        assert_int_equal(job.result.signal, i == 0 ? 0 : SIGABRT);
        assert_int_equal(observation.calls, 1);
        if (i == 0)
            assert_in_range(observation.peak_kib, 20 * 1024, 24 * 1024);
        job_done(&job);
    }
}

/* ---- sealed memfds ------------------------------------------------------------------------------------------ */

static void test_sealed_memfd(void **state)
{
    (void)state;
    SandboxError error;
    int sealed = sandbox_sealed_memfd("text", "0123456789", 10, false, &error);
    assert_true(sealed >= 0);
    assert_true(fcntl(sealed, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(pwrite(sealed, "x", 1, 0), -1);
    assert_int_equal(ftruncate(sealed, 0), -1);
    assert_int_equal(ftruncate(sealed, 100), -1);
    assert_true(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, sealed, 0) == MAP_FAILED);
    assert_int_equal(fcntl(sealed, F_ADD_SEALS, 0), -1); /* sealed against less sealing, too */
    int first = sandbox_reopen_read_only(sealed, &error), second = sandbox_reopen_read_only(sealed, &error);
    assert_true(first >= 0 && second >= 0);
    char a[5] = "", b[5] = "";
    assert_int_equal(read(first, a, 4), 4);
    assert_int_equal(read(second, b, 4), 4);
    assert_string_equal(a, "0123");
    assert_string_equal(b, "0123"); /* offsets of their own */
    assert_int_equal(fcntl(first, F_GETFL) & O_ACCMODE, O_RDONLY);
    int copy = sandbox_sealed_copy("copy", first, false, &error); /* from offset 0, wherever the source's stands */
    char all[11] = "";
    assert_int_equal(pread(copy, all, 10, 0), 10);
    assert_string_equal(all, "0123456789");
    assert_int_equal(lseek(first, 0, SEEK_CUR), 4);
    close(sealed), close(first), close(second), close(copy);
}

static void test_sealed_copy_of_large_and_empty(void **state)
{
    (void)state;
    SandboxError error;
    int source = memfd_create("large", MFD_CLOEXEC), empty = memfd_create("empty", MFD_CLOEXEC);
    assert_int_equal(ftruncate(source, 40 * MIB + 3), 0);
    assert_int_equal(pwrite(source, "end", 3, 40 * MIB), 3);
    int copy = sandbox_sealed_copy("large", source, false, &error),
        none = sandbox_sealed_copy("none", empty, false, &error);
    char text[8] = "";
    assert_int_equal(pread(copy, text, 7, 40 * MIB), 3);
    assert_string_equal(text, "end");
    assert_true(none >= 0);
    assert_int_equal(lseek(none, 0, SEEK_END), 0);
    close(source), close(empty), close(copy), close(none);
}

/* ---- exact caps --------------------------------------------------------------------------------------------- */

static void run_with_output_of(Job *job, const char *count, int64_t cap)
{
    job_init(job, SANDBOX_PROFILE_RUN_NATIVE, "069_flood_error", count);
    job->plan.limits.output_bytes = cap;
    job_run(job);
}

static void test_capture_cap_is_exact(void **state)
{
    (void)state;
    Job at, above, below;
    run_with_output_of(&at, "1:100000", 100000);
    assert_exit(&at, 0);
    assert_int_equal(at.result.output_bytes, 100000);
    assert_false(at.result.is_output_truncated);
    run_with_output_of(&above, "1:100001", 100000);
    assert_cause(&above, SANDBOX_CAUSE_OUTPUT);
    assert_int_equal(above.result.output_bytes, 100000);
    assert_true(above.result.is_output_truncated);
    run_with_output_of(&below, "1:99999", 100000);
    assert_exit(&below, 0);
    assert_int_equal(below.result.output_bytes, 99999);
    job_done(&at), job_done(&above), job_done(&below);
}

/* The two limits are apart: a large output under a small file limit, and the other way round. */
static void test_output_and_file_limits_are_apart(void **state)
{
    (void)state;
    Job output, file;
    job_init(&output, SANDBOX_PROFILE_RUN_NATIVE, "069_flood_error", "1:3000000");
    output.plan.limits.output_bytes = 4 * MIB;
    output.plan.limits.file_bytes = MIB;
    job_run(&output);
    assert_exit(&output, 0);
    assert_int_equal(output.result.output_bytes, 3000000);
    job_init(&file, SANDBOX_PROFILE_RUN_NATIVE, "130_growing_output", "3000000");
    file.plan.limits.output_bytes = MIB;
    file.plan.limits.file_bytes = 4 * MIB;
    job_run(&file);
    assert_exit(&file, 0);
    job_done(&output), job_done(&file);
}

static void test_drain_counts_what_it_drops(void **state)
{
    (void)state;
    static const struct {
        const char *count;
        int64_t all, kept;
    } rows[] = {{"2:999", 999, 999}, {"2:1000", 1000, 1000}, {"2:1001", 1001, 1000}, {"2:2000000", 2000000, 1000}};
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "069_flood_error", rows[i].count);
        job.plan.limits.error_bytes = 1000;
        job_run(&job);
        assert_exit(&job, 0);
        assert_int_equal(job.result.error_bytes, rows[i].all);
        assert_int_equal(job.result.error_size, rows[i].kept);
        assert_int_equal(job.result.error_data[job.result.error_size], '\0');
        job_done(&job);
    }
}

static void test_merged_error_goes_to_the_output(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "108_forged_result", "");
    job.plan.error.kind = SANDBOX_STREAM_MERGE;
    job_run(&job);
    assert_exit(&job, 3);
    assert_int_equal(job.result.output_bytes % 2, 0);
    assert_true(job.result.output_bytes > 100);
    assert_int_equal(job.result.error_bytes <= 0, 1);
    job_done(&job);
}

/* ---- limits ------------------------------------------------------------------------------------------------- */

static void test_child_out_of_memory_and_exit_zero(void **state)
{
    (void)state;
    Job job;
    job_init(&job, SANDBOX_PROFILE_COMPILE, "042_child_oom", "");
    job.plan.limits.memory_bytes = 32 * MIB;
    job_run(&job);
    assert_cause(&job, SANDBOX_CAUSE_MEMORY);
    if (machine->has_memory_cgroup)
        assert_true(job.result.oom_kills >= 1);
    job_done(&job);
}

static int by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void test_cpu_limit_overshoot(void **state)
{
    (void)state;
    int64_t over[15];
    for (size_t i = 0; i < ARRAY_COUNT(over); i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "055_busy_loop", "");
        job.plan.limits.cpu_ns = MS(80);
        job_run(&job);
        assert_cause(&job, SANDBOX_CAUSE_CPU);
        over[i] = job.result.cpu_ns - MS(80);
        assert_true(over[i] >= 0);
        job_done(&job);
    }
    qsort(over, ARRAY_COUNT(over), sizeof over[0], by_value);
    print_message("         median overshoot of the CPU limit: %lld us\n", (long long)over[7] / 1000);
    assert_true(over[7] <= MS(20));
}

/* A program that does nothing is billed nearly nothing, though its jail took milliseconds to build. */
static void test_setup_is_not_billed(void **state)
{
    (void)state;
    int64_t billed[15];
    for (size_t i = 0; i < ARRAY_COUNT(billed); i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "050_nothing", "");
        job_run(&job);
        assert_exit(&job, 0);
        assert_true(job.result.setup_ns > 0);
        billed[i] = job.result.cpu_ns;
        job_done(&job);
    }
    qsort(billed, ARRAY_COUNT(billed), sizeof billed[0], by_value);
    print_message("         median bill of a program that does nothing: %lld us\n", (long long)billed[7] / 1000);
    assert_true(billed[7] <= MS(4));
}

static void test_address_space_layout(void **state)
{
    (void)state;
    char texts[3][64] = {"", "", ""};
    for (int i = 0; i < 3; i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "api_echo", "address");
        job.plan.is_address_fixed = i < 2;
        job_run(&job);
        assert_exit(&job, 0);
        assert_true(pread(job.result.output_fd, texts[i], sizeof texts[i] - 1, 0) > 0);
        job_done(&job);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
}

static void test_environment_is_the_plans(void **state)
{
    (void)state;
    static const char *const environment[] = {"ONLY=this", NULL};
    Job job;
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "api_echo", "environment");
    job.plan.environment = environment;
    job_run(&job);
    assert_exit(&job, 0);
    assert_output(&job, "ONLY=this\n");
    job_done(&job);
}

/* ---- canaries: the glibc upgrade's alarm -------------------------------------------------------------------- */

static void test_canary_native(void **state)
{
    (void)state;
    static const char *const names[] = {"canary_hello_c", "canary_hello_cpp", "canary_threads_c", "canary_stdlib_c"};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, names[i], "");
        job_run(&job);
        assert_exit(&job, 0);
        assert_output(&job, "hello\n");
        job_done(&job);
    }
}

/* The same sources through the compile profile, dynamically linked, then run as an author's program. */
static void compile_and_run(const char *compiler, const char *source, SandboxProfile profile)
{
    char path[512];
    snprintf(path, sizeof path, "tests/sandbox/canary/%s", source);
    int text = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(text >= 0);
    const SandboxFile file = {.name = source, .fd = text, .mode = 0444};
    const SandboxArtifact artifact = {"program", 64 * MIB};
    const char *const argv[] = {compiler, "-O1", "-pthread", source, "-o", "program", "-lm", NULL};
    Job compile = {.plan = sandbox_plan_init(SANDBOX_PROFILE_COMPILE)};
    compile.plan.argv = argv;
    compile.plan.error.kind = SANDBOX_STREAM_DRAIN;
    compile.plan.files = &file;
    compile.plan.file_count = 1;
    compile.plan.artifacts = &artifact;
    compile.plan.artifact_count = 1;
    job_run(&compile);
    assert_exit(&compile, 0);
    assert_int_equal(compile.result.artifacts[0].open_errno, 0);
    Job run;
    job_init(&run, profile, "050_nothing", "");
    close(run.plan.executable_fd);
    run.plan.executable_fd = sandbox_sealed_copy("program", compile.result.artifacts[0].fd, true, &run.error);
    job_run(&run);
    assert_exit(&run, 0);
    assert_output(&run, "hello\n");
    close(text);
    job_done(&run);
    sandbox_result_done(&compile.result);
}

static void test_canary_dynamic(void **state)
{
    (void)state;
    compile_and_run("/usr/bin/gcc", "hello.c", SANDBOX_PROFILE_AUTHOR);
    compile_and_run("/usr/bin/gcc", "threads.c", SANDBOX_PROFILE_AUTHOR);
    compile_and_run("/usr/bin/g++", "hello.cpp", SANDBOX_PROFILE_AUTHOR);
    compile_and_run("/usr/bin/gcc", "stdlib.c", SANDBOX_PROFILE_SANITIZER);
}

static void test_canary_python(void **state)
{
    (void)state;
    if (access("/usr/bin/python3", X_OK) != 0) {
        print_message("# no /usr/bin/python3 here\n");
        skip();
    }
    static const char *const argv[] = {"/usr/bin/python3", "hello.py", NULL};
    int text = open("tests/sandbox/canary/hello.py", O_RDONLY | O_CLOEXEC);
    assert_true(text >= 0);
    const SandboxFile file = {.name = "hello.py", .fd = text, .mode = 0444};
    Job job = {.plan = sandbox_plan_init(SANDBOX_PROFILE_RUN_PYTHON)};
    job.plan.argv = argv;
    job.plan.output.kind = SANDBOX_STREAM_CAPTURE;
    job.plan.error.kind = SANDBOX_STREAM_DRAIN;
    job.plan.files = &file;
    job.plan.file_count = 1;
    job_run(&job);
    assert_exit(&job, 0);
    assert_output(&job, "hello\n");
    close(text);
    sandbox_result_done(&job.result);
}

/* ---- supervisors that die ----------------------------------------------------------------------------------- */

/* In a child: opens a sandbox of its own, starts a sleeping program, says its pid as the host sees it, and waits. */
static void supervise_until_killed(int report)
{
    Observation unused = {0, 0};
    Job job;
    SandboxError error;
    SandboxConfig config = {.cgroup = machine->cgroup};
    if (!sandbox_open(&config, &sandbox, &error))
        _exit(1);
    job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "056_sleep", "sleep");
    job.argv[2] = "gavel-api-test-orphan";
    job.plan.exit_observer = observe;
    job.plan.observer_context = &unused;
    job_start(&job);
    job_wait_running(&job);
    (void)!write(report, "r", 1);
    for (;;) {
        sandbox_step(job.run);
        nap_ms(5);
    }
}

static int count_orphans(void)
{
    int count = 0;
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[64], command[1024];
        snprintf(path, sizeof path, "/proc/%.20s/cmdline", entry->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t size = fd < 0 ? -1 : read(fd, command, sizeof command);
        count += size > 0 && memmem(command, (size_t)size, "gavel-api-test-orphan", 21) != NULL;
        if (fd >= 0)
            close(fd);
    }
    closedir(directory);
    return count;
}

/* Groups that carry a supervisor's pid in their name: neighbours' come and go while we count. */
static int count_groups_of(pid_t supervisor)
{
    int count = 0;
    char part[32];
    snprintf(part, sizeof part, "-%d-", (int)supervisor);
    DIR *directory = machine->cgroup_path ? opendir(machine->cgroup_path) : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_type == DT_DIR && strstr(entry->d_name, part) != NULL;
    if (directory)
        closedir(directory);
    return count;
}

static void test_killed_supervisor_leaves_nothing(void **state)
{
    (void)state;
    int ready[2];
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t supervisor = fork();
    if (supervisor == 0)
        supervise_until_killed(ready[1]);
    char answer = 0;
    close(ready[1]);
    assert_int_equal(read(ready[0], &answer, 1), 1);
    assert_int_equal(count_orphans(), 1);
    if (machine->cgroup_path)
        assert_true(count_groups_of(supervisor) > 0);
    kill(supervisor, SIGKILL);
    waitpid(supervisor, NULL, 0);
    close(ready[0]);
    for (int waited = 0; count_orphans() > 0; waited++) {
        assert_true(waited < 100); /* one second */
        nap_ms(10);
    }
    SandboxError error;
    SandboxConfig config = {.cgroup = machine->cgroup};
    Sandbox *next = NULL;
    assert_true(sandbox_open(&config, &next, &error));
    assert_int_equal(count_groups_of(supervisor), 0);
    sandbox_close(next);
}

static void test_two_supervisors_at_once(void **state)
{
    (void)state;
    pid_t other = fork();
    if (other == 0) {
        SandboxError error;
        SandboxConfig config = {.cgroup = machine->cgroup};
        if (!sandbox_open(&config, &sandbox, &error))
            _exit(2);
    }
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        Job job;
        job_init(&job, SANDBOX_PROFILE_RUN_NATIVE, "106_exit_code", "9");
        if (!sandbox_run(sandbox, &job.plan, &job.result, &job.error) || job.result.exit_code != 9)
            wrong++;
        job_done(&job);
    }
    if (other == 0)
        _exit(wrong ? 1 : 0);
    int status = -1;
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    assert_int_equal(wrong, 0);
}

/* ---- groups ------------------------------------------------------------------------------------------------- */

static int open_sandbox(void **state)
{
    (void)state;
    SandboxError error;
    if (!sandbox_open(NULL, &sandbox, &error)) {
        fprintf(stderr, "api_test: %s: %s\n", sandbox_stage_name(error.stage), error.text);
        return -1;
    }
    machine = sandbox_machine(sandbox);
    return 0;
}

static int close_sandbox(void **state)
{
    (void)state;
    sandbox_close(sandbox);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: api_test PROGRAMS\n");
        return 2;
    }
    programs = argv[1];
    signal(SIGPIPE, SIG_IGN);
    alarm(240);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_names_go_both_ways),
        cmocka_unit_test(test_stages_have_distinct_names),
        cmocka_unit_test(test_unusable_plans_are_refused),
        cmocka_unit_test(test_defaults_are_reported),
        cmocka_unit_test(test_missing_program_is_a_fact),
        cmocka_unit_test(test_many_runs_in_one_loop),
        cmocka_unit_test(test_poll_is_quiet),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_cancel_at_once),
        cmocka_unit_test(test_cancel_comes_second),
        cmocka_unit_test(test_frozen_time_is_not_billed),
        cmocka_unit_test(test_long_lived_run_with_a_channel),
        cmocka_unit_test(test_no_channel_unless_asked),
        cmocka_unit_test(test_shared_page),
        cmocka_unit_test(test_descriptors_may_cross),
        cmocka_unit_test(test_artifacts),
        cmocka_unit_test(test_artifacts_out_of_the_jail),
        cmocka_unit_test(test_artifact_of_a_killed_run),
        cmocka_unit_test(test_files_are_put_in),
        cmocka_unit_test(test_exit_observer_sees_the_program),
        cmocka_unit_test(test_sealed_memfd),
        cmocka_unit_test(test_sealed_copy_of_large_and_empty),
        cmocka_unit_test(test_capture_cap_is_exact),
        cmocka_unit_test(test_output_and_file_limits_are_apart),
        cmocka_unit_test(test_drain_counts_what_it_drops),
        cmocka_unit_test(test_merged_error_goes_to_the_output),
        cmocka_unit_test(test_child_out_of_memory_and_exit_zero),
        cmocka_unit_test(test_cpu_limit_overshoot),
        cmocka_unit_test(test_setup_is_not_billed),
        cmocka_unit_test(test_address_space_layout),
        cmocka_unit_test(test_environment_is_the_plans),
        cmocka_unit_test(test_canary_native),
        cmocka_unit_test(test_canary_dynamic),
        cmocka_unit_test(test_canary_python),
        cmocka_unit_test(test_killed_supervisor_leaves_nothing),
        cmocka_unit_test(test_two_supervisors_at_once),
        cmocka_unit_test(test_two_hundred_runs_leak_nothing),
    };
    return cmocka_run_group_tests_name("sandbox api", tests, open_sandbox, close_sandbox);
}
