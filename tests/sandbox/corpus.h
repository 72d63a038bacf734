/* The shape of a row of attacks.def, and what the runner's files share about the row at hand. */
#ifndef GAVEL_TEST_CORPUS_H
#define GAVEL_TEST_CORPUS_H

#include "gavel/sandbox.h"

#include <limits.h>

#define MIB                (INT64_C(1) << 20)
#define MS(count)          ((int64_t)(count)*1000000)
#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef enum AttackKind {
    ATTACK_PROGRAM, /* attacks/NAME.c, compiled by us, statically, outside; run from a sealed memfd */
    ATTACK_SOURCE, /* attacks/compile/NAME, compiled by gcc inside the compile profile: the attack is on the compiler */
    ATTACK_PYTHON, /* attacks/NAME.py under python3 */
    ATTACK_ODD_BINARY, /* bytes that odd_binary.c makes, given to exec */
    ATTACK_HOST,       /* the supervisor's side is under test: a function of checks.c */
    ATTACK_ELSEWHERE   /* does not apply to one run on a CPU, or is proved somewhere else: see the reason */
} AttackKind;

/* What must come out: one cause, with its code, and the exact standard output if it matters. */
typedef struct Outcome {
    bool is_set;
    SandboxCause cause;
    int exit_code, signal, exec_errno;
    const char *says; /* exact standard output, or NULL */
    const char *skip; /* not "what" but "why not", on machines of that kind */
} Outcome;

/* What a row can't do without; a machine that lacks it skips the row and says so. */
typedef enum Need {
    NEED_ROOT = 1 << 0,   /* the host's side of the attack needs root to set up */
    NEED_MEMORY = 1 << 1, /* memory cgroup */
    NEED_CPU = 1 << 2,    /* CPU time of a whole tree */
    NEED_PIDS = 1 << 3,
    NEED_FREEZER = 1 << 4,
    NEED_COUNT = 5
} Need;

typedef struct Lab Lab;
typedef struct Case Case;

/* The host's half of a row. Each part may be NULL; the first two return false after complain(). */
typedef struct Hook {
    bool (*prepare)(Case *attempt);
    bool (*verify)(Case *attempt, const SandboxResult *result);
    void (*clean)(Case *attempt);
} Hook;

typedef struct Attack {
    const char *id, *name;
    AttackKind kind;
    const char *program;  /* file name without suffix for programs, with it for sources */
    const char *argument; /* argv[1], or one more option of the compiler; "" if none */
    SandboxProfile profile;
    Outcome outcome;
    Outcome degraded; /* where there is no memory cgroup, if that differs */
    unsigned needs;
    SandboxLimits limits; /* over the runner's own tight defaults */
    int copies;           /* runs at once; 0 is 1 */
    int left_processes;   /* that outlive the program, exactly, where it ends by itself */
    const char *source_name;
    const char *error_says; /* must be part of standard error */
    const char *artifact;   /* name to take out */
    int64_t artifact_max;   /* 0: 1 MiB */
    int artifact_errno;
    const char *artifact_says;
    int64_t peak_below;
    int64_t wall_below_ms; /* of the whole attempt as the runner's clock saw it; 0: 5 s */
    const Hook *hook;
    bool (*check)(Case *attempt); /* of ATTACK_HOST */
    const char *reason;           /* of ATTACK_ELSEWHERE */
} Attack;

/* The runner's surroundings, made once. */
struct Lab {
    Sandbox *sandbox;
    const SandboxMachine *machine;
    const char *programs; /* directory of the compiled programs */
    const char *sources;  /* tests/sandbox */
    char work[64];        /* a directory of the host that no run may see; in every program's arguments */
    char secret[96];      /* a file in it */
    char host_name[65];
};

/* One attempt at a row. */
struct Case {
    Lab *lab;
    const Attack *attack;
    SandboxPlan plan;
    SandboxFile files[2];
    SandboxArtifact artifact;
    SandboxBind bind;
    const char *argv[12];
    char define[256];
    char *output; /* captured, terminated; set after the run */
    size_t output_size;
    int fds[4]; /* the hook's; -1 or closed by the runner */
    int cpu;
    char path[PATH_MAX];  /* the hook's */
    char complaint[1024]; /* why the row failed */
};

/* Notes the first reason for failure. Returns false, for `return complain(...)`. */
bool complain(Case *attempt, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const Attack attacks[];
extern const size_t attack_count;

/* hooks.c and checks.c: what attacks.def names. */
extern const Hook hook_sealed_input, hook_large_input, hook_open_input, hook_terminal, hook_closed_output,
    hook_drained_output;
extern const Hook hook_odd_bytes, hook_forged_lines, hook_error_flood, hook_output_cap, hook_submount, hook_setuid,
    hook_default_quota;
extern const Hook hook_one_processor, hook_swap_limit, hook_fat_parent, hook_cpu_overshoot, hook_own_time,
    hook_abstract_socket;
extern const Hook hook_leaked_descriptors, hook_environment, hook_replaced_file, hook_swapped_artifact,
    hook_growing_artifact;
extern const Hook hook_error_cut, hook_hole, hook_fresh_clock, hook_memory_limit, hook_thread_count;
bool check_not_setuid(Case *attempt);
bool check_setup_error(Case *attempt);
bool check_frozen_cancel(Case *attempt);
bool check_two_sandboxes(Case *attempt);
bool check_busy_binary(Case *attempt);
bool check_supervisor_death(Case *attempt);
bool check_bad_processor(Case *attempt);
bool check_escaping_names(Case *attempt);

/* case.c: a case from its row, started and judged. */
bool case_prepare(Case *attempt, Lab *lab, const Attack *attack);
bool case_judge(Case *attempt, const SandboxResult *result);
void case_done(Case *attempt);
int lab_open_program(Lab *lab, const char *name); /* a sealed memfd, or -1 */
bool lab_run_probe(Lab *lab, char *ret_text, size_t size, char *complaint, size_t complaint_size);

/* odd_binary.c: a sealed memfd with an executable that isn't one, by name. */
int odd_binary_open(const char *name);

/* residue.c: what a row may not leave behind. */
typedef struct Residue {
    int mounts, descriptors;
    char *cgroups; /* all directories below the cgroup mounts, one a line */
} Residue;
void residue_take(const Lab *lab, Residue *ret_residue);
bool residue_compare(Case *attempt, const Residue *before);
void residue_done(Residue *residue);
bool residue_has_group_of(pid_t supervisor);

#endif
