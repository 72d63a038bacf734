/* What isolation costs: a fresh sandboxed run of a static `true`, over a bare vfork and exec of the same file.
 *
 * The two are interleaved, so that the machine's load hits both alike, and the medians are compared: a ratio holds on a
 * loaded virtual machine, milliseconds do not. Where it may, the bench runs in real time (SCHED_FIFO), as the study did
 * whose goal this is: else neighbours decide who gets a processor, and the run that uses two loses more. Usage:
 * sandbox-bench PATH-OF-TRUE [ROUNDS] */
#include "gavel/sandbox.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRESH_GOAL 2.4

enum { DEFAULT_ROUNDS = 600, WARM_UP_ROUNDS = 20 };

typedef struct Bench {
    Sandbox *sandbox;
    SandboxPlan plan;
    const char *path;
} Bench;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool run_bare(const Bench *bench)
{
    char *arguments[] = {(char *)bench->path, NULL}, *environment[] = {NULL};
    int status = -1;
    pid_t pid = vfork();
    if (pid == 0) {
        execve(bench->path, arguments, environment);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool run_fresh(const Bench *bench)
{
    SandboxResult result;
    SandboxError error;
    if (!sandbox_run(bench->sandbox, &bench->plan, &result, &error)) {
        fprintf(stderr, "sandbox-bench: %s: %s\n", sandbox_stage_name(error.stage), error.text);
        return false;
    }
    bool is_well = result.cause == SANDBOX_CAUSE_EXIT && result.exit_code == 0;
    sandbox_result_done(&result);
    return is_well;
}

/* -1: the run went wrong. */
static double elapsed_ms(bool (*run)(const Bench *bench), const Bench *bench)
{
    int64_t start_ns = now_ns();
    return run(bench) ? (double)(now_ns() - start_ns) / 1e6 : -1;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double quantile(double *sorted, int count, double share)
{
    return sorted[(int)(share * (count - 1))];
}

static void report(double *bare_ms, double *fresh_ms, int count)
{
    qsort(bare_ms, (size_t)count, sizeof *bare_ms, compare);
    qsort(fresh_ms, (size_t)count, sizeof *fresh_ms, compare);
    double bare = quantile(bare_ms, count, 0.5), fresh = quantile(fresh_ms, count, 0.5), ratio = fresh / bare;
    printf("bare vfork+exec   median %.3f ms  p95 %.3f ms\n", bare, quantile(bare_ms, count, 0.95));
    printf("fresh run         median %.3f ms  p95 %.3f ms  (%d rounds)\n", fresh, quantile(fresh_ms, count, 0.95),
           count);
    printf("figure fresh_over_bare %.2f x goal <= %.1f %.2f %s\n", ratio, FRESH_GOAL, ratio,
           ratio <= FRESH_GOAL ? "ok" : "short");
}

static bool measure(const Bench *bench, double *bare_ms, double *fresh_ms, int rounds)
{
    for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
        double bare = elapsed_ms(run_bare, bench), fresh = elapsed_ms(run_fresh, bench);
        if (bare < 0 || fresh < 0)
            return false;
        if (i < 0)
            continue;
        bare_ms[i] = bare;
        fresh_ms[i] = fresh;
    }
    return true;
}

static bool open_bench(Bench *bench)
{
    SandboxError error;
    int fd = open(bench->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(bench->path);
        return false;
    }
    bench->plan = sandbox_plan_init(SANDBOX_PROFILE_RUN_NATIVE);
    bench->plan.executable_fd = sandbox_sealed_copy("true", fd, true, &error);
    bench->plan.output.kind = SANDBOX_STREAM_CAPTURE;
    bench->plan.error.kind = SANDBOX_STREAM_DRAIN;
    close(fd);
    if (bench->plan.executable_fd >= 0 && sandbox_open(NULL, &bench->sandbox, &error))
        return true;
    fprintf(stderr, "sandbox-bench: %s: %s\n", sandbox_stage_name(error.stage), error.text);
    return false;
}

static void leave_neighbours_behind(void)
{
    struct sched_param priority = {.sched_priority = 10};
    bool is_real_time = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    printf("scheduling        %s\n", is_real_time ? "real time" : "ordinary: on a busy machine the ratio is too high");
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : DEFAULT_ROUNDS;
    if (argc < 2 || rounds < 1) {
        fputs("usage: sandbox-bench PATH-OF-TRUE [ROUNDS]\n", stderr);
        return 2;
    }
    Bench bench = {.path = argv[1]};
    const char *arguments[] = {"true", NULL};
    double *bare_ms = calloc((size_t)rounds, sizeof *bare_ms), *fresh_ms = calloc((size_t)rounds, sizeof *fresh_ms);
    if (!bare_ms || !fresh_ms || !open_bench(&bench))
        return 3;
    bench.plan.argv = arguments;
    leave_neighbours_behind();
    bool is_measured = measure(&bench, bare_ms, fresh_ms, rounds);
    if (is_measured)
        report(bare_ms, fresh_ms, rounds);
    sandbox_close(bench.sandbox);
    free(bare_ms);
    free(fresh_ms);
    return is_measured ? 0 : 3;
}
