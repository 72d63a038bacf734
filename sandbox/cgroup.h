/* Control groups: what the machine offers, and one group per run.
 *
 * A CgroupSet is a list of trees (hierarchies) in which every run gets a directory of the same name. Each tree plays
 * some roles; together they cover what the machine can do. v2 is one tree with all roles, v1 several, hybrid v1's
 * memory and pids plus the v2 tree for CPU time, freezing and killing, none an empty list. */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

#include "gavel/sandbox.h"

/* Where a supervisor puts its own group's processes, so that the group may have controllers for its children (v2). */
#define CGROUP_V2_LEAF "gavel-supervisor"

typedef enum CgroupRole {
    CGROUP_ROLE_MEMORY = 1 << 0,
    CGROUP_ROLE_PIDS = 1 << 1,
    CGROUP_ROLE_CPU = 1 << 2,
    CGROUP_ROLE_FREEZER = 1 << 3,
    CGROUP_ROLE_KILL = 1 << 4,
} CgroupRole;

enum { CGROUP_TREE_MAX = 5, CGROUP_NAME_BYTES = 64 };

typedef struct CgroupFacts {
    int64_t memory_peak_bytes, oom_kills, processes_peak; /* -1: unknown */
    int64_t cpu_ns, cpu_user_ns, cpu_system_ns;
} CgroupFacts;

/* What v1 and v2 do differently with the directory of a run. All return 0 or an errno. */
typedef struct CgroupOps {
    const char *attach_file; /* a process writes "0" here to join; NULL: cloned into the directory */
    const char *cpu_file;
    int (*limit)(int directory_fd, unsigned roles, const SandboxLimits *limits);
    bool (*parse_cpu)(const char *text, int64_t *ret_ns);
    void (*read_facts)(int directory_fd, unsigned roles, CgroupFacts *facts); /* only what its roles know */
    int (*set_frozen)(int directory_fd, bool is_frozen);
} CgroupOps;

extern const CgroupOps cgroup_v1_ops, cgroup_v2_ops;

typedef struct CgroupTree {
    const CgroupOps *ops;
    unsigned roles;
    char *parent_path;
    int parent_fd;
} CgroupTree;

typedef struct CgroupSet {
    SandboxCgroupKind kind;
    CgroupTree trees[CGROUP_TREE_MAX];
    size_t tree_count;
    unsigned roles; /* of all trees */
} CgroupSet;

/* The group of one run. */
typedef struct Cgroup {
    const CgroupSet *set;
    char name[CGROUP_NAME_BYTES];
    int directory_fds[CGROUP_TREE_MAX];
    int attach_fds[CGROUP_TREE_MAX]; /* -1 where the tree is joined by cloning into it */
    int into_fd;                     /* borrowed from directory_fds: for CLONE_INTO_CGROUP, or -1 */
    int cpu_fd;                      /* CPU counter, or -1 */
} Cgroup;

/* Finds the trees and proves with a real group and process that they work. `kind` AUTO takes the best; another kind is
 * the only one accepted. Fails only if a wanted kind is missing; *ret_reason then or for NONE says why, in a clause. */
bool cgroup_open(CgroupSet *ret_set, SandboxCgroupKind kind, const char *parent, char *ret_reason, size_t reason_size,
                 SandboxError *error);
void cgroup_close(CgroupSet *set);

bool cgroup_make(Cgroup *ret_group, const CgroupSet *set, const char *name, const SandboxLimits *limits,
                 SandboxError *error);
bool cgroup_remove(Cgroup *group, SandboxError *error); /* every process in it must be dead or dying */
bool cgroup_cpu_ns(const Cgroup *group, int64_t *ret_ns);
int64_t cgroup_oom_kills(const Cgroup *group);
void cgroup_read_facts(const Cgroup *group, CgroupFacts *ret_facts);
bool cgroup_set_frozen(const Cgroup *group, bool is_frozen, SandboxError *error);

/* Kills and removes every group below `parent_path` called <prefix>...<suffix>. */
void cgroup_sweep(const char *parent_path, const char *prefix, const char *suffix);

/* ---- for the back ends ---- */

/* Both return 0 or an errno. The text is terminated; what does not fit is an error. */
int cgroup_read(int directory_fd, const char *file, char *ret_text, size_t size);
int cgroup_write(int directory_fd, const char *file, const char *text);
int cgroup_write_number(int directory_fd, const char *file, int64_t number);
int64_t cgroup_read_number(int directory_fd, const char *file); /* -1: no such file or no number */

/* The number after `key` at the start of a line ("oom_kill 3"), or -1. */
int64_t cgroup_field(const char *text, const char *key);

/* Waits until `file` contains `word`, at most `limit_ms`. */
int cgroup_await(int directory_fd, const char *file, const char *word, int limit_ms);

/* cgroup_v2.c: makes controllers available to children of `parent_fd`, moving the processes of that group into a leaf
 * of their own if the kernel insists. Returns the roles that children will have. */
unsigned cgroup_v2_enable(int parent_fd);

#endif
