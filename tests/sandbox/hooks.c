/* The host's half of the rows that have one: what must be around the run before it, and what must be true after it. */
#include "corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The supervisor's clock and the kernel's have this much between a limit and its enforcement on a busy small machine.
 * Without a cgroup the processes of the tree are added up one by one, which takes longer. */
enum { OVERSHOOT_MS = 40, OVERSHOOT_COUNTED_MS = 100 };

/* ---- streams ------------------------------------------------------------------------------------------------ */

static bool give_input(Case *attempt, const void *data, size_t size)
{
    SandboxError error = {.text = ""};
    attempt->fds[0] = sandbox_sealed_memfd("input", data, size, false, &error);
    attempt->fds[1] = attempt->fds[0] < 0 ? -1 : sandbox_reopen_read_only(attempt->fds[0], &error);
    if (attempt->fds[1] < 0)
        return complain(attempt, "sealed input: %s", error.text);
    attempt->plan.input = (SandboxStream){SANDBOX_STREAM_FD, attempt->fds[1]};
    return true;
}

static bool prepare_sealed_input(Case *attempt)
{
    return give_input(attempt, "genuine\n", 8);
}

static bool verify_sealed_input(Case *attempt, const SandboxResult *result)
{
    (void)result;
    char text[32] = "";
    struct stat information;
    if (pread(attempt->fds[0], text, sizeof text - 1, 0) != 8 || strcmp(text, "genuine\n") != 0)
        return complain(attempt, "the input changed: \"%s\"", text);
    if (fstat(attempt->fds[0], &information) < 0 || information.st_size != 8)
        return complain(attempt, "the input's size changed");
    SandboxError error = {.text = ""};
    attempt->fds[2] = sandbox_reopen_read_only(attempt->fds[0], &error);
    return attempt->fds[2] >= 0 || complain(attempt, "the next run can't have this input any more: %s", error.text);
}
const Hook hook_sealed_input = {prepare_sealed_input, verify_sealed_input, NULL};

/* Larger than the run's memory limit; the table has the same number as text. */
static bool prepare_large_input(Case *attempt)
{
    const size_t size = 48 << 20;
    void *zeros = calloc(1, size);
    bool is_given = zeros && give_input(attempt, zeros, size);
    free(zeros);
    return is_given;
}
const Hook hook_large_input = {prepare_large_input, NULL, NULL};

static bool prepare_open_input(Case *attempt)
{
    if (pipe2(attempt->fds, O_CLOEXEC) < 0)
        return complain(attempt, "pipe: %s", strerror(errno));
    attempt->plan.input = (SandboxStream){SANDBOX_STREAM_FD, attempt->fds[0]};
    return true;
}
const Hook hook_open_input = {prepare_open_input, NULL, NULL};

static bool prepare_closed_output(Case *attempt)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return complain(attempt, "pipe: %s", strerror(errno));
    close(ends[0]);
    attempt->fds[0] = ends[1];
    attempt->plan.output = (SandboxStream){SANDBOX_STREAM_FD, ends[1]};
    return true;
}
const Hook hook_closed_output = {prepare_closed_output, NULL, NULL};

/* Row 83: the operator's terminal is the slave of a pair of ours; nothing may arrive in it. */
static bool prepare_terminal(Case *attempt)
{
    int unlock = 0, number = 0;
    attempt->fds[0] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (attempt->fds[0] < 0 || ioctl(attempt->fds[0], TIOCSPTLCK, &unlock) < 0 ||
        ioctl(attempt->fds[0], TIOCGPTN, &number) < 0)
        return complain(attempt, "no terminal: %s", strerror(errno));
    char path[32];
    snprintf(path, sizeof path, "/dev/pts/%d", number);
    attempt->fds[1] = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (attempt->fds[1] < 0)
        return complain(attempt, "no terminal: %s", strerror(errno));
    attempt->plan.input = (SandboxStream){SANDBOX_STREAM_FD, attempt->fds[1]};
    return true;
}

static bool verify_terminal(Case *attempt, const SandboxResult *result)
{
    (void)result;
    int waiting = 0;
    if (write(attempt->fds[0], "\n", 1) != 1) /* ends a line that was typed, so that it can be counted */
        return complain(attempt, "terminal: %s", strerror(errno));
    if (ioctl(attempt->fds[1], FIONREAD, &waiting) < 0 || waiting > 1)
        return complain(attempt, "%d bytes were typed into the terminal", waiting - 1);
    return true;
}
const Hook hook_terminal = {prepare_terminal, verify_terminal, NULL};

static bool prepare_drained_output(Case *attempt)
{
    attempt->plan.output.kind = SANDBOX_STREAM_DRAIN;
    attempt->plan.error.kind = SANDBOX_STREAM_NULL;
    return true;
}

static bool verify_error_flood(Case *attempt, const SandboxResult *result)
{
    if (result->error_bytes != 3000000 || result->error_size != 4 << 10)
        return complain(attempt, "of 3000000 bytes %lld were counted, of 4096 to keep %zu kept",
                        (long long)result->error_bytes, result->error_size);
    return true;
}
const Hook hook_error_flood = {NULL, verify_error_flood, NULL};
const Hook hook_drained_output = {prepare_drained_output, verify_error_flood, NULL};

static bool verify_error_cut(Case *attempt, const SandboxResult *result)
{
    int64_t most = attempt->plan.limits.error_bytes;
    if ((int64_t)result->error_size != most || result->error_bytes <= most)
        return complain(attempt, "the log was not cut: %zu kept of %lld", result->error_size,
                        (long long)result->error_bytes);
    return true;
}
const Hook hook_error_cut = {NULL, verify_error_cut, NULL};

static bool verify_output_cap(Case *attempt, const SandboxResult *result)
{
    struct stat information;
    if (!result->is_output_truncated || result->output_bytes != MIB)
        return complain(attempt, "captured %lld of 1 MiB, truncated %d", (long long)result->output_bytes,
                        result->is_output_truncated);
    if (fstat(result->output_fd, &information) < 0 || information.st_size > MIB + (64 << 10))
        return complain(attempt, "the store grew to %lld", (long long)information.st_size);
    return true;
}
const Hook hook_output_cap = {NULL, verify_output_cap, NULL};

/* Row 72b: the store must not have grown to a tebibyte of holes, which its reader would then read. */
static bool verify_hole(Case *attempt, const SandboxResult *result)
{
    if (result->output_bytes != 19)
        return complain(attempt, "output of %lld bytes", (long long)result->output_bytes);
    return true;
}
const Hook hook_hole = {NULL, verify_hole, NULL};

static bool verify_odd_bytes(Case *attempt, const SandboxResult *result)
{
    const char *markup = "\x1b]0;owned\a\x1b[2J<script>alert(1)</script>\r\n";
    char expected[512];
    for (int i = 0; i < 256; i++)
        expected[i] = (char)i;
    strcpy(expected + 256, markup);
    size_t size = 256 + strlen(markup);
    if (attempt->output_size != size || memcmp(attempt->output, expected, size) != 0)
        return complain(attempt, "standard output was not kept as it was");
    if (result->error_size != size || memcmp(result->error_data, expected, size) != 0)
        return complain(attempt, "standard error was not kept as it was");
    return true;
}
const Hook hook_odd_bytes = {NULL, verify_odd_bytes, NULL};

static bool verify_forged_lines(Case *attempt, const SandboxResult *result)
{
    if (attempt->output_size < 20 || strncmp(attempt->output, "exit-code:0\n", 12) != 0 || !result->error_data ||
        strcmp(attempt->output, result->error_data) != 0)
        return complain(attempt, "the forged lines were not kept as output");
    return true;
}
const Hook hook_forged_lines = {NULL, verify_forged_lines, NULL};

/* ---- mounts and files --------------------------------------------------------------------------------------- */

static bool bind_scratch(Case *attempt)
{
    snprintf(attempt->path, sizeof attempt->path, "%s/bound", attempt->lab->work);
    if (mkdir(attempt->path, 0755) < 0)
        return complain(attempt, "%s: %s", attempt->path, strerror(errno));
    if (chmod(attempt->lab->work, 0755) < 0)
        return complain(attempt, "%s: %s", attempt->lab->work, strerror(errno));
    attempt->bind = (SandboxBind){attempt->path, "/bound"};
    attempt->plan.binds = &attempt->bind;
    attempt->plan.bind_count = 1;
    return true;
}

static void make_path(const Case *attempt, const char *name, char *ret_path, size_t size)
{
    snprintf(ret_path, size, "%s/bound/%s", attempt->lab->work, name);
}

static bool prepare_submount(Case *attempt)
{
    char inner[256], present[256];
    make_path(attempt, "inner", inner, sizeof inner);
    make_path(attempt, "inner/present", present, sizeof present);
    if (!bind_scratch(attempt))
        return false;
    if (mkdir(inner, 0777) < 0 || mount("gavel-corpus", inner, "tmpfs", 0, "mode=0777,size=64k") < 0)
        return complain(attempt, "mount: %s", strerror(errno));
    int fd = open(present, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || fchmod(fd, 0666) < 0)
        return complain(attempt, "%s: %s", present, strerror(errno));
    close(fd);
    return true;
}

static void clean_submount(Case *attempt)
{
    char inner[256];
    make_path(attempt, "inner", inner, sizeof inner);
    (void)umount2(inner, MNT_DETACH); /* fails only if prepare did */
    (void)rmdir(inner);
    (void)rmdir(attempt->path);
}
const Hook hook_submount = {prepare_submount, NULL, clean_submount};

static bool prepare_setuid(Case *attempt)
{
    char target[256], command[PATH_MAX];
    make_path(attempt, "setuid_target", target, sizeof target);
    if (!bind_scratch(attempt))
        return false;
    snprintf(command, sizeof command, "%s/024_setuid_target", attempt->lab->programs);
    int from = open(command, O_RDONLY | O_CLOEXEC), to = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    bool is_copied =
        from >= 0 && to >= 0 && copy_file_range(from, NULL, to, NULL, 64 << 20, 0) > 0 && fchmod(to, 06755) == 0;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return is_copied || complain(attempt, "the set-uid program could not be made: %s", strerror(errno));
}

static void clean_setuid(Case *attempt)
{
    char target[256];
    make_path(attempt, "setuid_target", target, sizeof target);
    (void)unlink(target);
    (void)rmdir(attempt->path);
}
const Hook hook_setuid = {prepare_setuid, NULL, clean_setuid};

static bool prepare_default_quota(Case *attempt)
{
    attempt->plan.limits.disk_bytes = 0;
    return true;
}

static bool verify_default_quota(Case *attempt, const SandboxResult *result)
{
    char expected[128];
    long long size = result->limits.disk_bytes;
    snprintf(expected, sizeof expected, "%lld\n%lld\n%lld\n", size, size, size);
    if (size <= 0 || size > 4096 * MIB || strcmp(attempt->output, expected) != 0)
        return complain(attempt, "said to be limited to %lld, the program sees %s", size, attempt->output);
    return true;
}
const Hook hook_default_quota = {prepare_default_quota, verify_default_quota, NULL};

static bool prepare_replaced_file(Case *attempt)
{
    attempt->files[1] = (SandboxFile){.name = "out", .data = "#!/bin/sh\n", .size = 10, .mode = 0555};
    attempt->plan.files = &attempt->files[1];
    attempt->plan.file_count = 1;
    attempt->files[0].data = ""; /* nothing to close */
    return true;
}

/* Hooks that verify look at the artifact themselves. */
static bool expect_artifact_error(Case *attempt, const SandboxResult *result)
{
    if (result->artifact_count != 1 || result->artifacts[0].fd >= 0 ||
        result->artifacts[0].open_errno != attempt->attack->artifact_errno)
        return complain(attempt, "the link was followed: %s", strerrorname_np(result->artifacts[0].open_errno));
    return true;
}
const Hook hook_replaced_file = {prepare_replaced_file, expect_artifact_error, NULL};

/* Row 127: at the instant of the kill the name was the file's or the link's. Either is right; a descriptor, if there
 * is one, must be of the program's own file. */
static bool verify_swapped_artifact(Case *attempt, const SandboxResult *result)
{
    const SandboxArtifactResult *taken = &result->artifacts[0];
    if (taken->open_errno == ELOOP)
        return true;
    char text[32] = "";
    if (taken->open_errno != 0 || pread(taken->fd, text, sizeof text - 1, 0) != 4 || strcmp(text, "ours") != 0)
        return complain(attempt, "took \"%s\" (%s)", text, strerrorname_np(taken->open_errno));
    return true;
}
const Hook hook_swapped_artifact = {NULL, verify_swapped_artifact, NULL};

static bool verify_growing_artifact(Case *attempt, const SandboxResult *result)
{
    const SandboxArtifactResult *taken = &result->artifacts[0];
    struct stat first, later;
    if (taken->fd < 0 || fstat(taken->fd, &first) < 0)
        return complain(attempt, "no artifact: %s", strerrorname_np(taken->open_errno));
    usleep(20000);
    if (fstat(taken->fd, &later) < 0 || later.st_size != first.st_size || first.st_size != taken->bytes ||
        first.st_size == 0)
        return complain(attempt, "said %lld bytes, is %lld, then %lld", (long long)taken->bytes,
                        (long long)first.st_size, (long long)later.st_size);
    return true;
}
const Hook hook_growing_artifact = {NULL, verify_growing_artifact, NULL};

/* ---- processes and processors ------------------------------------------------------------------------------- */

static bool prepare_one_processor(Case *attempt)
{
    attempt->cpu = 0;
    attempt->plan.cpus = &attempt->cpu;
    attempt->plan.cpu_count = 1;
    return true;
}
const Hook hook_one_processor = {prepare_one_processor, NULL, NULL};

static bool verify_thread_count(Case *attempt, const SandboxResult *result)
{
    if (result->processes_peak > attempt->plan.limits.processes)
        return complain(attempt, "%lld at once under a limit of %lld", (long long)result->processes_peak,
                        (long long)attempt->plan.limits.processes);
    return true;
}
const Hook hook_thread_count = {NULL, verify_thread_count, NULL};

/* ---- memory ------------------------------------------------------------------------------------------------- */

static bool verify_memory_limit(Case *attempt, const SandboxResult *result)
{
    int64_t limit = attempt->plan.limits.memory_bytes;
    bool is_killed = result->cause == SANDBOX_CAUSE_MEMORY, is_counted = attempt->lab->machine->has_memory_cgroup;
    if (result->limits.memory_bytes != limit)
        return complain(attempt, "a limit of %lld was applied as %lld", (long long)limit,
                        (long long)result->limits.memory_bytes);
    if (is_counted && (result->memory_peak_bytes > limit || (is_killed && result->oom_kills < 1)))
        return complain(attempt, "peak %lld of %lld, %lld kills", (long long)result->memory_peak_bytes,
                        (long long)limit, (long long)result->oom_kills);
    if (is_killed && result->memory_peak_bytes < limit / 2)
        return complain(attempt, "killed for memory at a peak of %lld of %lld", (long long)result->memory_peak_bytes,
                        (long long)limit);
    return true;
}
const Hook hook_memory_limit = {NULL, verify_memory_limit, NULL};

static long long read_number(const char *path)
{
    FILE *file = fopen(path, "re");
    long long number = -1;
    if (file && fscanf(file, "%lld", &number) != 1)
        number = -2; /* "max" */
    if (file)
        fclose(file);
    return number;
}

/* Row 45, seen from the only place where it can be seen: the limits of the cgroup that the program is in. */
static void look_at_swap(void *context, pid_t pid)
{
    Case *attempt = context;
    char path[64], line[512], group[1024];
    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        char *memory = strstr(line, ":memory:"), *unified = strncmp(line, "0::", 3) == 0 ? line + 3 : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (memory) {
            snprintf(group, sizeof group, "/sys/fs/cgroup/memory%.400s/memory.limit_in_bytes", memory + 8);
            long long limit = read_number(group);
            snprintf(group, sizeof group, "/sys/fs/cgroup/memory%.400s/memory.memsw.limit_in_bytes", memory + 8);
            long long both = read_number(group);
            if (limit != attempt->plan.limits.memory_bytes || (both != -1 && both != limit))
                complain(attempt, "memory %lld, memory and swap %lld", limit, both);
            attempt->cpu = 1; /* seen */
        } else if (unified && attempt->lab->machine->cgroup == SANDBOX_CGROUP_V2) {
            snprintf(group, sizeof group, "/sys/fs/cgroup%.400s/memory.swap.max", unified);
            if (read_number(group) > 0 || read_number(group) == -2)
                complain(attempt, "memory.swap.max is not 0");
            attempt->cpu = 1;
        }
    }
    if (file)
        fclose(file);
}

static bool prepare_swap_limit(Case *attempt)
{
    attempt->plan.exit_observer = look_at_swap;
    attempt->plan.observer_context = attempt;
    return true;
}

static bool verify_swap_limit(Case *attempt, const SandboxResult *result)
{
    (void)result;
    return attempt->complaint[0] == '\0' &&
           (attempt->cpu == 1 || complain(attempt, "the program's memory cgroup was not seen"));
}
const Hook hook_swap_limit = {prepare_swap_limit, verify_swap_limit, NULL};

static void *fat;
enum { FAT_BYTES = 200 << 20 };

static bool prepare_fat_parent(Case *attempt)
{
    fat = malloc(FAT_BYTES);
    if (!fat)
        return complain(attempt, "no memory");
    memset(fat, 1, FAT_BYTES);
    return true;
}

static void clean_fat_parent(Case *attempt)
{
    (void)attempt;
    free(fat);
    fat = NULL;
}
const Hook hook_fat_parent = {prepare_fat_parent, NULL, clean_fat_parent};

/* ---- time --------------------------------------------------------------------------------------------------- */

static bool verify_cpu_overshoot(Case *attempt, const SandboxResult *result)
{
    int64_t limit = attempt->plan.limits.cpu_ns;
    int64_t most = MS(attempt->lab->machine->has_cpu_cgroup ? OVERSHOOT_MS : OVERSHOOT_COUNTED_MS);
    if (result->cpu_ns < limit || result->cpu_ns > limit + most)
        return complain(attempt, "limit %lld us, killed at %lld us", (long long)limit / 1000,
                        (long long)result->cpu_ns / 1000);
    return true;
}
const Hook hook_cpu_overshoot = {NULL, verify_cpu_overshoot, NULL};

/* Rows 60 and 65: the program says how long it ran; killing hundreds of processes takes as long again and more. */
static bool verify_own_time(Case *attempt, const SandboxResult *result)
{
    long long own = atoll(attempt->output);
    int64_t most = MS(attempt->lab->machine->has_cpu_cgroup ? OVERSHOOT_MS : OVERSHOOT_COUNTED_MS);
    if (own <= 0 || result->wall_ns > own + most)
        return complain(attempt, "ran %lld us, billed %lld us", own / 1000, (long long)result->wall_ns / 1000);
    if (result->teardown_ns <= 0)
        return complain(attempt, "no time for the clean-up was reported");
    return true;
}

/* In row 60 the wall limit passes just after the program's own end, while hundreds of processes are being killed. */
const Hook hook_own_time = {NULL, verify_own_time, NULL};

static bool verify_fresh_clock(Case *attempt, const SandboxResult *result)
{
    if (result->cpu_ns < MS(150) || result->cpu_ns > MS(260))
        return complain(attempt, "200 ms of work billed as %lld us", (long long)result->cpu_ns / 1000);
    return true;
}
const Hook hook_fresh_clock = {NULL, verify_fresh_clock, NULL};

/* ---- what the supervisor has and a run must not ------------------------------------------------------------- */

static bool prepare_abstract_socket(Case *attempt)
{
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", attempt->lab->secret);
    socklen_t size = (socklen_t)(sizeof address.sun_family + 1 + strlen(attempt->lab->secret));
    for (size_t i = 0; i < ARRAY_COUNT(types); i++) {
        /* One name has one socket: the first of each type gets it, by a name space of its own per type. */
        attempt->fds[i] = socket(AF_UNIX, types[i] | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (attempt->fds[i] < 0)
            return complain(attempt, "socket: %s", strerror(errno));
        bool is_bound = bind(attempt->fds[i], (struct sockaddr *)&address, size) == 0;
        if (is_bound && types[i] != SOCK_DGRAM && listen(attempt->fds[i], 4) < 0)
            return complain(attempt, "listen: %s", strerror(errno));
        if (!is_bound && errno != EADDRINUSE)
            return complain(attempt, "bind: %s", strerror(errno));
    }
    return true;
}

static bool verify_abstract_socket(Case *attempt, const SandboxResult *result)
{
    (void)result;
    int caller = accept4(attempt->fds[0], NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (caller >= 0) {
        close(caller);
        return complain(attempt, "the run connected to the host's socket");
    }
    return errno == EAGAIN || complain(attempt, "nobody listened: %s", strerror(errno));
}
const Hook hook_abstract_socket = {prepare_abstract_socket, verify_abstract_socket, NULL};

/* Without close-on-exec, as another library in the judge's process might leave them. */
static bool prepare_leaked_descriptors(Case *attempt)
{
    attempt->fds[0] = open("/", O_RDONLY | O_DIRECTORY);
    attempt->fds[1] = open(attempt->lab->work, O_RDONLY | O_DIRECTORY);
    attempt->fds[2] = open(attempt->lab->secret, O_RDONLY);
    attempt->fds[3] = fcntl(attempt->fds[0], F_DUPFD, 1500);
    if (attempt->fds[0] < 0 || attempt->fds[1] < 0 || attempt->fds[2] < 0 || attempt->fds[3] < 0)
        return complain(attempt, "descriptors to leak: %s", strerror(errno));
    return true;
}
const Hook hook_leaked_descriptors = {prepare_leaked_descriptors, NULL, NULL};

/* The variable is set once for the runner; this makes sure that the row means something. */
static bool prepare_environment(Case *attempt)
{
    return getenv("GAVEL_SECRET") != NULL || complain(attempt, "the runner has no secret in its environment");
}
const Hook hook_environment = {prepare_environment, NULL, NULL};
