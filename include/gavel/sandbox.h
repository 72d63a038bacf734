/* Gavel's sandbox: one untrusted process tree, isolated, limited, measured and cleaned up.
 *
 * The library runs in a single-threaded process. A Sandbox is what was found out about the machine plus the prepared
 * filters; it is opened once and starts any number of runs. A run is a SandboxPlan put into practice: three processes,
 *
 *     supervisor (the caller)  ->  keeper (pid 1 of the run's own pid namespace)  ->  program
 *
 * The supervisor holds policy, clocks and the cgroup; the keeper builds the root, starts the program, reaps it, kills
 * what it left behind and opens the artifacts inside the jail; the program sees nothing of either.
 *
 * Every run has one descriptor to poll. Typical use for many runs at once:
 *
 *     sandbox_start(sandbox, &plan, &run, &error);
 *     ... poll(sandbox_poll_fd(run)) together with everything else ...
 *     if (sandbox_step(run) == SANDBOX_STATE_ENDED) sandbox_collect(run, &result, &error);
 *
 * The result states facts and one cause, never a verdict: what a cause means is the judge's business.
 * This header depends on libc only, so that the sandbox can be lifted out, audited and tested alone. */
#ifndef GAVEL_SANDBOX_H
#define GAVEL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- errors ------------------------------------------------------------------------------------------------- */

/* The step of a run's set-up or supervision that failed. Names and texts come from one table in sandbox/stage.c. */
typedef enum SandboxStage {
    SANDBOX_STAGE_NONE,
    SANDBOX_STAGE_PLAN,       /* the plan itself is unusable (a bug or bad input of the caller) */
    SANDBOX_STAGE_STATE,      /* lock files and slots */
    SANDBOX_STAGE_CGROUP,     /* make, limit, join, read or remove the control group */
    SANDBOX_STAGE_FILTER,     /* build or load the system call filter */
    SANDBOX_STAGE_CLONE,      /* start the keeper or the program */
    SANDBOX_STAGE_USER,       /* user namespace and its maps */
    SANDBOX_STAGE_ROOT,       /* tmpfs root, pivot_root */
    SANDBOX_STAGE_BIND,       /* read-only binds and device nodes */
    SANDBOX_STAGE_PROC,       /* /proc of the new pid namespace */
    SANDBOX_STAGE_FILES,      /* copy the plan's files into the jail */
    SANDBOX_STAGE_STREAMS,    /* standard streams and extra descriptors */
    SANDBOX_STAGE_LIMITS,     /* rlimits, affinity, personality */
    SANDBOX_STAGE_PRIVILEGES, /* uid, gid, capabilities, no_new_privs */
    SANDBOX_STAGE_EXEC,       /* execve itself: facts about the artifact, see SANDBOX_CAUSE_EXEC */
    SANDBOX_STAGE_WAIT,       /* supervision: poll, reap, statistics */
    SANDBOX_STAGE_ARTIFACTS,  /* opening files inside the jail */
    SANDBOX_STAGE_COUNT
} SandboxStage;

/* A fault of the sandbox or the machine, never of the program that ran. `text` is a whole clause for people
 * ("mounting /proc: Operation not permitted"); it is always terminated. */
typedef struct SandboxError {
    SandboxStage stage;
    int system_errno; /* 0 if no system call was at fault */
    char text[256];
} SandboxError;

/* Name of a stage, a static string in lower case ("cgroup"). */
const char *sandbox_stage_name(SandboxStage stage);

/* ---- the machine -------------------------------------------------------------------------------------------- */

typedef enum SandboxCgroupKind {
    SANDBOX_CGROUP_AUTO, /* only in SandboxConfig: probe v2, hybrid, v1, none in this order */
    SANDBOX_CGROUP_V2,
    SANDBOX_CGROUP_V1,
    SANDBOX_CGROUP_HYBRID, /* v1 controllers, plus the v2 mount for cgroup.kill and cpu.stat */
    SANDBOX_CGROUP_NONE,
    SANDBOX_CGROUP_COUNT
} SandboxCgroupKind;

typedef enum SandboxIsolation {
    SANDBOX_ISOLATION_DEGRADED, /* no memory cgroup: RLIMIT_AS, process cap, RSS watcher. Always reported */
    SANDBOX_ISOLATION_FRESH,    /* all namespaces and a cgroup, made for this run alone (root: the empty network
                                 * namespace is the slot's, which one run has at a time) */
    SANDBOX_ISOLATION_SLOT,     /* a pooled slot; later, behind the same calls */
    SANDBOX_ISOLATION_COUNT
} SandboxIsolation;

const char *sandbox_cgroup_name(SandboxCgroupKind kind);        /* "v2", "v1", "hybrid", "none" */
const char *sandbox_isolation_name(SandboxIsolation isolation); /* "degraded", "fresh", "slot" */

/* What sandbox_open found out. Strings belong to the Sandbox. */
typedef struct SandboxMachine {
    SandboxIsolation isolation;
    SandboxCgroupKind cgroup;
    bool is_root;            /* effective uid 0 in the initial sense: separate uids per run are possible */
    bool has_user_namespace; /* an unprivileged user namespace can be made */
    bool has_memory_cgroup, has_pids_cgroup, has_cpu_cgroup, has_freezer;
    const char *cgroup_path;     /* directory below which runs get their groups, or NULL */
    const char *degraded_reason; /* one sentence, or NULL when isolation is not degraded */
    int cpu_count;               /* processors this process may use */
} SandboxMachine;

typedef struct SandboxConfig {
    const char
        *state_directory; /* slot lock files; NULL: /run/gavel as root, else $XDG_RUNTIME_DIR/gavel or /tmp/gavel-UID */
    const char *cgroup_parent; /* a delegated cgroup v2 directory; NULL: probe */
    SandboxCgroupKind cgroup;  /* AUTO, or the only kind to accept */
    SandboxIsolation minimum;  /* opening fails if the machine offers less */
} SandboxConfig;

typedef struct Sandbox Sandbox;
typedef struct SandboxRun SandboxRun;

/* Probes the machine (mounts, a real mkdir/limit/attach/kill in the cgroup, user namespaces), prepares the filters of
 * all profiles and removes what a killed supervisor of this user left behind (cgroups of slots nobody holds).
 * `config` may be NULL for all defaults. On success *ret_sandbox is owned by the caller; free with sandbox_close. */
bool sandbox_open(const SandboxConfig *config, Sandbox **ret_sandbox, SandboxError *error);

/* Frees the sandbox. All runs must have been collected. NULL is allowed. */
void sandbox_close(Sandbox *sandbox);

/* Borrowed; lives as long as the sandbox. */
const SandboxMachine *sandbox_machine(const Sandbox *sandbox);

/* ---- the plan of a run -------------------------------------------------------------------------------------- */

/* A profile is one row of sandbox/profiles.def: system call list, binds, /proc or not, default limits. */
typedef enum SandboxProfile {
    SANDBOX_PROFILE_COMPILE,    /* compilers: toolchain visible, fork and exec, no network, no tests */
    SANDBOX_PROFILE_RUN_NATIVE, /* a submission's static binary: empty root, no fork, no /proc */
    SANDBOX_PROFILE_RUN_PYTHON, /* a submission run by the system's python3: /usr read-only, no fork */
    SANDBOX_PROFILE_RUN_JVM,    /* as run-python with threads and larger address space */
    SANDBOX_PROFILE_AUTHOR,     /* validators, generators, references of the problem's author */
    SANDBOX_PROFILE_SANITIZER,  /* a sanitizer build of a submission: as run-native with libraries and /proc */
    SANDBOX_PROFILE_CUDA,       /* CUDA worker: device nodes, ioctl, /proc */
    SANDBOX_PROFILE_MACHINE,    /* the PTX machine */
    SANDBOX_PROFILE_PROBE,      /* counting builds of the complexity probe: ASLR off, alone on a core */
    SANDBOX_PROFILE_COUNT
} SandboxProfile;

/* The profile's name as it stands in languages and reports ("run-native"); and the reverse, false if unknown. */
const char *sandbox_profile_name(SandboxProfile profile);
bool sandbox_profile_from_name(const char *name, SandboxProfile *ret_profile);

typedef enum SandboxStreamKind {
    SANDBOX_STREAM_NULL,    /* /dev/null */
    SANDBOX_STREAM_FD,      /* a descriptor of the caller's, borrowed: dup'ed onto 0, 1 or 2 */
    SANDBOX_STREAM_CAPTURE, /* output only: a memfd of the run's, capped by limits.output_bytes; in the result */
    SANDBOX_STREAM_DRAIN,   /* output only: a pipe read by sandbox_step; the first limits.error_bytes are kept, the rest
                               counted and dropped */
    SANDBOX_STREAM_MERGE    /* standard error only: wherever standard output goes */
} SandboxStreamKind;

typedef struct SandboxStream {
    SandboxStreamKind kind;
    int fd; /* for SANDBOX_STREAM_FD */
} SandboxStream;

/* A file put into /w before the program starts. Name: one component, or "dir/name"; no "..", not absolute. */
typedef struct SandboxFile {
    const char *name;
    const void *data; /* `size` bytes, borrowed until sandbox_start returns; or NULL to copy all of `fd` */
    size_t size;
    int fd;        /* used if data is NULL; read from offset 0 with pread/copy, its own offset is untouched */
    unsigned mode; /* permission bits; 0444 or 0555 as a rule. Owned by the keeper, not by the program */
} SandboxFile;

/* A read-only bind of a host file or directory, with everything mounted below it (nosuid, nodev). */
typedef struct SandboxBind {
    const char *host_path;
    const char *jail_path;
} SandboxBind;

/* An extra descriptor the program inherits: a shared page, a socket. `source_fd` is borrowed. */
typedef struct SandboxDescriptor {
    int source_fd;
    int target_fd; /* 3 or more, no two equal */
} SandboxDescriptor;

/* A file to open inside the jail after everything is dead. Below /w; symlinks, special files and files with more
 * than one link are refused (ELOOP, EMLINK, EINVAL in the result). */
typedef struct SandboxArtifact {
    const char *name;
    int64_t max_bytes; /* larger: EFBIG */
} SandboxArtifact;

/* 0 means the profile's default in every field; SANDBOX_UNLIMITED switches a limit off. */
#define SANDBOX_UNLIMITED INT64_MAX
typedef struct SandboxLimits {
    int64_t cpu_ns;  /* user + system time of the whole tree */
    int64_t wall_ns; /* from the instant of exec */
    int64_t idle_ns; /* ends a run that used < 1 % of a CPU over this window; SANDBOX_UNLIMITED for long-lived runs */
    int64_t memory_bytes; /* cgroup limit, swap 0 */
    int64_t stack_bytes;  /* RLIMIT_STACK; 0: the memory limit */
    int64_t processes;    /* processes and threads together */
    int64_t output_bytes; /* cap of a captured standard output */
    int64_t error_bytes;  /* kept bytes of a drained stream */
    int64_t file_bytes;   /* largest single file written below /w or /tmp */
    int64_t disk_bytes;   /* size of each of /w, /tmp, /dev/shm */
    int64_t disk_inodes;  /* files in each of them */
    int64_t open_files;
} SandboxLimits;

/* Called by sandbox_step when the program is stopped on its way out (PTRACE_EVENT_EXIT), with its pid in the caller's
 * pid namespace, so that /proc/PID/status can still be read (VmStk, VmHWM). The program goes on when it returns. */
typedef void (*SandboxExitObserver)(void *context, pid_t pid);

typedef struct SandboxPlan {
    SandboxProfile profile;
    const char *const *argv;        /* NULL-terminated */
    const char *const *environment; /* NULL-terminated; NULL: the profile's clean default */
    int executable_fd; /* -1: argv[0] is a path in the jail. Else run this file (a sealed memfd) with execveat */
    SandboxStream input, output, error;
    SandboxLimits limits;
    const SandboxFile *files;
    size_t file_count;
    const SandboxBind *binds; /* in addition to the profile's */
    size_t bind_count;
    const SandboxArtifact *artifacts;
    size_t artifact_count;
    const SandboxDescriptor *descriptors;
    size_t descriptor_count;
    const char *const *devices; /* extra device nodes by host path ("/dev/nvidia0"), NULL-terminated, or NULL */
    const int *cpus;            /* processors the program may use; NULL: any */
    size_t cpu_count;
    bool is_address_fixed; /* true: ASLR off (ADDR_NO_RANDOMIZE) */
    bool has_channel;      /* true: a SOCK_SEQPACKET pair; the program's end is descriptor 3, ours sandbox_channel_fd */
    SandboxExitObserver exit_observer; /* or NULL */
    void *observer_context;
} SandboxPlan;

/* A plan with everything empty: executable_fd -1, streams NULL. */
SandboxPlan sandbox_plan_init(SandboxProfile profile);

/* ---- running ------------------------------------------------------------------------------------------------ */

typedef enum SandboxState {
    SANDBOX_STATE_STARTING, /* the keeper builds the jail */
    SANDBOX_STATE_RUNNING,
    SANDBOX_STATE_FROZEN,
    SANDBOX_STATE_ENDING, /* the program is gone or killed; the keeper cleans up */
    SANDBOX_STATE_ENDED   /* collect it */
} SandboxState;

/* Starts a run and returns at once. What the plan points to must stay alive and unchanged until sandbox_collect has
 * returned. On success *ret_run must be given to sandbox_collect exactly once, whatever happens to the run. */
bool sandbox_start(Sandbox *sandbox, const SandboxPlan *plan, SandboxRun **ret_run, SandboxError *error);

/* Becomes readable (POLLIN) when sandbox_step has something to do. Belongs to the run. */
int sandbox_poll_fd(const SandboxRun *run);

/* Our end of the message channel (SOCK_SEQPACKET), or -1. Belongs to the run. */
int sandbox_channel_fd(const SandboxRun *run);

/* Does what is due (limits, drained streams, the keeper's messages) without blocking. Idempotent. */
SandboxState sandbox_step(SandboxRun *run);

/* Stops and continues the whole tree. Time spent frozen counts neither as wall nor as idle time.
 * Needs a freezer (SandboxMachine.has_freezer); false with stage CGROUP otherwise. */
bool sandbox_freeze(SandboxRun *run, SandboxError *error);
bool sandbox_thaw(SandboxRun *run, SandboxError *error);

/* Kills the whole tree; the run ends with SANDBOX_CAUSE_CANCELLED unless another cause came first. */
void sandbox_cancel(SandboxRun *run);

/* ---- the result --------------------------------------------------------------------------------------------- */

/* Why the run ended, decided from the supervisor's own facts: the first kill wins, a signal alone proves nothing. */
typedef enum SandboxCause {
    SANDBOX_CAUSE_EXIT, /* by itself: see exit_code and signal */
    SANDBOX_CAUSE_CPU,  /* cpu_ns over the limit (killed, or found so at the end) */
    SANDBOX_CAUSE_WALL,
    SANDBOX_CAUSE_IDLE,
    SANDBOX_CAUSE_MEMORY, /* the kernel's oom_kill counter moved (degraded: the RSS watcher killed it) */
    SANDBOX_CAUSE_OUTPUT, /* the captured output passed its cap */
    SANDBOX_CAUSE_POLICY, /* killed by the filter (SIGSYS under a killing profile) */
    SANDBOX_CAUSE_EXEC,   /* the kernel refused the artifact: exec_errno (ENOEXEC, EACCES, ENOENT, ENOMEM ...) */
    SANDBOX_CAUSE_CANCELLED,
    SANDBOX_CAUSE_COUNT
} SandboxCause;

const char *sandbox_cause_name(SandboxCause cause); /* "exit", "cpu", ... */

typedef struct SandboxArtifactResult {
    int fd; /* read-only descriptor, close-on-exec; -1 if open_errno is set */
    int64_t bytes;
    int open_errno; /* 0, or why it could not be taken */
} SandboxArtifactResult;

/* Facts, in bytes and nanoseconds; -1 where unknown. Free with sandbox_result_done. */
typedef struct SandboxResult {
    SandboxCause cause;
    int exit_code;                              /* -1 unless the program left by exit */
    int signal;                                 /* 0 unless it died by a signal */
    int exec_errno;                             /* for SANDBOX_CAUSE_EXEC */
    int64_t cpu_ns, cpu_user_ns, cpu_system_ns; /* set-up before exec is not billed */
    const char *cpu_source;                     /* "v2", "v1", "rusage" */
    int64_t wall_ns;                            /* exec to the program's end, frozen time excluded */
    int64_t setup_ns, teardown_ns;
    int64_t memory_peak_bytes;
    const char *memory_source; /* "v2", "v1", "rss" */
    int64_t oom_kills;
    int64_t processes_peak; /* -1 if the kernel does not count it */
    int64_t switches_voluntary, switches_involuntary, faults_major;
    int64_t kill_ns; /* when we killed it, from exec; -1 if we did not */
    int output_fd;   /* captured standard output at offset 0, or -1 */
    int64_t output_bytes;
    bool is_output_truncated;
    char *error_data; /* drained stream (standard error, or output if drained), terminated, or NULL */
    size_t error_size;
    int64_t error_bytes;              /* all that was written to it */
    SandboxArtifactResult *artifacts; /* plan->artifact_count of them */
    size_t artifact_count;
    int left_processes; /* processes that outlived the program and were killed */
    SandboxIsolation isolation;
    SandboxCgroupKind cgroup;
    SandboxProfile profile;
    SandboxLimits limits; /* as applied, defaults filled in */
    int slot;
} SandboxResult;

/* Ends the bookkeeping of a run and frees it, also when it returns false. Waits for the run to end if it has not.
 * False means that the run says nothing about the program: a set-up step failed or statistics are missing. */
bool sandbox_collect(SandboxRun *run, SandboxResult *ret_result, SandboxError *error);

/* Start, wait, collect in one call, for callers with one run at a time. */
bool sandbox_run(Sandbox *sandbox, const SandboxPlan *plan, SandboxResult *ret_result, SandboxError *error);

/* Closes the result's descriptors and frees its memory; the struct may be reused. */
void sandbox_result_done(SandboxResult *result);

/* ---- sealed input ------------------------------------------------------------------------------------------- */

/* A sealed, close-on-exec memfd holding `size` bytes: nobody can write, grow or shrink it, and its pages are charged
 * to the caller, not to the runs that read it. -1 and *error on failure. The caller closes it. */
int sandbox_sealed_memfd(const char *name, const void *data, size_t size, bool is_executable, SandboxError *error);

/* The same with all bytes of `source_fd`, from offset 0. */
int sandbox_sealed_copy(const char *name, int source_fd, bool is_executable, SandboxError *error);

/* A second, read-only description of a sealed memfd with an offset of its own: what a run gets as standard input.
 * -1 and *error on failure. The caller closes it. */
int sandbox_reopen_read_only(int memfd, SandboxError *error);

#endif
