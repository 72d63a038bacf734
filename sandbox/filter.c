/* Turns filters.def into BPF, with libseccomp, once per profile at sandbox_open; a run loads the bytes as they are.
 *
 * libseccomp arranges the calls as a binary tree (its optimisation level 2). That matters per run: when a filter is
 * loaded the kernel emulates it for every system call number to fill its cache of constant answers. */
#include "filter.h"
#include "descriptor.h"
#include "profile.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define PR_SET_VMA_VALUE 0x53564d41 /* newer than the oldest headers we build with */
/* CLONE_NEWTIME is not here: clone's low byte is the exit signal, only clone3 and unshare know that flag. */
#define NEW_NAMESPACES                                                                                                 \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

enum { OPTIMIZE_BINARY_TREE = 2 };

typedef enum RuleKind { RULE_ALLOW, RULE_ALLOW_IF, RULE_DENY } RuleKind;

typedef struct Rule {
    const char *call;
    RuleKind kind;
    unsigned group;
    unsigned argument;
    scmp_datum_t mask, value;
    int system_errno;
} Rule;

#define ALLOW(name, groups) {.call = #name, .kind = RULE_ALLOW, .group = (groups)},
#define ALLOW_IF(name, groups, index, bits, wanted)                                                                    \
    {.call = #name, .kind = RULE_ALLOW_IF, .group = (groups), .argument = (index), .mask = (bits), .value = (wanted)},
#define DENY(name, number) {.call = #name, .kind = RULE_DENY, .system_errno = (number)},
static const Rule rules[] = {
#include "filters.def"
};
#undef ALLOW
#undef ALLOW_IF
#undef DENY

enum { RULE_COUNT = sizeof rules / sizeof *rules };

/* A call allowed outright needs no conditional rows, one allowed in any way no refusal. */
static bool is_allowed_before(const Rule *rule, unsigned groups, RuleKind strongest)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (rules[i].kind <= strongest && (rules[i].group & groups) && strcmp(rules[i].call, rule->call) == 0)
            return true;
    return false;
}

static int add_rule(scmp_filter_ctx context, const Rule *rule, unsigned groups)
{
    int number = seccomp_syscall_resolve_name(rule->call);
    if (number == __NR_SCMP_ERROR)
        return 0; /* newer than this libseccomp: stays ENOSYS */
    switch (rule->kind) {
    case RULE_ALLOW: return rule->group & groups ? seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 0) : 0;
    case RULE_ALLOW_IF:
        if (!(rule->group & groups) || is_allowed_before(rule, groups, RULE_ALLOW))
            return 0;
        return seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 1,
                                SCMP_CMP(rule->argument, SCMP_CMP_MASKED_EQ, rule->mask, rule->value & rule->mask));
    case RULE_DENY:
        if (is_allowed_before(rule, groups, RULE_ALLOW_IF))
            return 0;
        return seccomp_rule_add(context, SCMP_ACT_ERRNO((unsigned)rule->system_errno), number, 0);
    }
    return -EINVAL;
}

/* fork() of libc is clone: the refusal programs expect, where only threads are allowed. */
static int refuse_fork(scmp_filter_ctx context, unsigned groups)
{
    if (groups & FILTER_PROCESS)
        return 0;
    return seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                            SCMP_CMP(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
}

static int refuse_foreign_families(scmp_filter_ctx context, unsigned groups)
{
    if (!(groups & FILTER_LOCAL))
        return 0;
    return seccomp_rule_add(context, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                            SCMP_CMP(0, SCMP_CMP_NE, AF_UNIX, 0));
}

static int add_rules(scmp_filter_ctx context, unsigned groups)
{
    int result = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0)
        result = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, OPTIMIZE_BINARY_TREE);
    for (size_t i = 0; i < RULE_COUNT && result == 0; i++)
        result = add_rule(context, &rules[i], groups);
    if (result == 0)
        result = refuse_fork(context, groups);
    if (result == 0)
        result = refuse_foreign_families(context, groups);
    return result;
}

static int export_filter(scmp_filter_ctx context, Filter *ret_filter)
{
    auto_close int fd = memfd_create("gavel-filter", MFD_CLOEXEC);
    struct stat status;
    if (fd < 0 || seccomp_export_bpf(context, fd) != 0 || fstat(fd, &status) != 0)
        return errno ? -errno : -EIO;
    auto_free void *bytes = malloc((size_t)status.st_size);
    if (!bytes || pread(fd, bytes, (size_t)status.st_size, 0) != status.st_size)
        return bytes ? -EIO : -ENOMEM;
    ret_filter->count = (unsigned short)((size_t)status.st_size / sizeof(struct sock_filter));
    ret_filter->instructions = bytes;
    bytes = NULL;
    return 0;
}

bool filter_build(Filter *ret_filter, SandboxProfile profile, SandboxError *error)
{
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (!context)
        return sandbox_fail(error, SANDBOX_STAGE_FILTER, ENOMEM, "starting a filter");
    int result = add_rules(context, profile_row(profile)->filter_groups);
    if (result == 0)
        result = export_filter(context, ret_filter);
    seccomp_release(context);
    return result == 0 || sandbox_fail(error, SANDBOX_STAGE_FILTER, -result, "building the filter of profile %s",
                                       sandbox_profile_name(profile));
}

void filter_done(Filter *filter)
{
    free(filter->instructions);
    *filter = (Filter){0};
}
