/* Runs the hostile corpus: every row of attacks.def against the sandbox of this machine, and after every row the look
 * for what it left behind and a benign run that must see what it always sees.
 *
 *   runner [--only NUMBER] [--as-user] [--cgroup KIND] [--list] PROGRAMS SOURCES
 *
 * TAP on standard output; exit 0 if nothing failed, 1 if something did, 2 on wrong usage. */
#include "corpus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CATALOGUE_ROWS = 130, MOST_COPIES = 8, PLAIN_UID = 61234 };

typedef struct Options {
    const char *only;
    bool is_user, is_list;
    SandboxCgroupKind cgroup;
    const char *programs, *sources;
} Options;

typedef struct Tally {
    int passed, failed, skipped;
} Tally;

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* ---- one row ------------------------------------------------------------------------------------------------ */

/* All copies from one poll loop, which is how the judge uses the library. */
static bool run_copies(Lab *lab, Case *cases, int count)
{
    SandboxRun *runs[MOST_COPIES] = {NULL};
    SandboxError error = {.text = ""};
    bool is_good = true;
    for (int i = 0; i < count; i++)
        if (!sandbox_start(lab->sandbox, &cases[i].plan, &runs[i], &error))
            is_good = complain(&cases[0], "start: %s: %s", sandbox_stage_name(error.stage), error.text);
    for (int pending = 1; pending > 0;) {
        struct pollfd handles[MOST_COPIES];
        pending = 0;
        for (int i = 0; i < count; i++)
            if (runs[i] && sandbox_step(runs[i]) != SANDBOX_STATE_ENDED)
                handles[pending++] = (struct pollfd){.fd = sandbox_poll_fd(runs[i]), .events = POLLIN};
        if (pending > 0 && poll(handles, (nfds_t)pending, 20000) == 0)
            is_good = complain(&cases[0], "nothing happened for 20 s"), pending = 0;
    }
    for (int i = 0; i < count; i++) {
        SandboxResult result = {0};
        if (!runs[i])
            continue;
        if (!sandbox_collect(runs[i], &result, &error)) {
            is_good = complain(&cases[0], "collect: %s: %s", sandbox_stage_name(error.stage), error.text);
            continue;
        }
        if (!case_judge(&cases[i], &result))
            is_good = complain(&cases[0], "copy %d: %s", i, cases[i].complaint);
        sandbox_result_done(&result);
    }
    return is_good;
}

static bool run_attack(Lab *lab, const Attack *attack, Case *first)
{
    static Case cases[MOST_COPIES];
    int count = attack->copies ? attack->copies : 1, prepared = 0;
    bool is_good = true;
    for (; is_good && prepared < count; prepared++)
        is_good = case_prepare(&cases[prepared], lab, attack);
    int64_t start = now_ns();
    is_good = is_good && run_copies(lab, cases, count);
    int64_t spent_ms = (now_ns() - start) / 1000000, most_ms = attack->wall_below_ms ? attack->wall_below_ms : 5000;
    if (is_good && spent_ms > most_ms)
        is_good = complain(&cases[0], "took %lld ms of the supervisor's time", (long long)spent_ms);
    memcpy(first->complaint, cases[prepared ? prepared - 1 : 0].complaint, sizeof first->complaint);
    if (cases[0].complaint[0])
        memcpy(first->complaint, cases[0].complaint, sizeof first->complaint);
    for (int i = 0; i < prepared; i++)
        case_done(&cases[i]);
    return is_good;
}

static const char *missing_need(const Lab *lab, unsigned needs)
{
    const struct {
        unsigned need;
        bool is_there;
        const char *name;
    } table[] = {{NEED_ROOT, lab->machine->is_root, "needs root to set up"},
                 {NEED_MEMORY, lab->machine->has_memory_cgroup, "needs a memory cgroup"},
                 {NEED_CPU, lab->machine->has_cpu_cgroup, "needs CPU accounting of a cgroup"},
                 {NEED_PIDS, lab->machine->has_pids_cgroup, "needs a pids cgroup"},
                 {NEED_FREEZER, lab->machine->has_freezer, "needs a freezer"}};
    _Static_assert(ARRAY_COUNT(table) == NEED_COUNT, "a row for every need");
    for (size_t i = 0; i < ARRAY_COUNT(table); i++)
        if (needs & table[i].need && !table[i].is_there)
            return table[i].name;
    return NULL;
}

static const char *skip_reason(const Lab *lab, const Attack *attack)
{
    if (attack->kind == ATTACK_ELSEWHERE)
        return attack->reason;
    if (lab->machine->isolation == SANDBOX_ISOLATION_DEGRADED && attack->degraded.skip)
        return attack->degraded.skip;
    return missing_need(lab, attack->needs);
}

/* The neighbour after the attack: the same program as before the first row must see the same. */
static bool check_neighbour(Lab *lab, const char *expected, Case *attempt)
{
    char text[16384], complaint[1024];
    if (!lab_run_probe(lab, text, sizeof text, complaint, sizeof complaint))
        return complain(attempt, "the benign run after it failed: %s", complaint);
    if (strcmp(text, expected) != 0)
        return complain(attempt, "the benign run after it saw something else:\n%s", text);
    return true;
}

static void run_row(Lab *lab, const Attack *attack, const char *probe_text, Tally *tally)
{
    const char *reason = skip_reason(lab, attack);
    if (reason) {
        printf("skip %s %s: %s\n", attack->id, attack->name, reason);
        tally->skipped++;
        return;
    }
    Residue before;
    static Case attempt;
    attempt = (Case){.lab = lab, .attack = attack, .fds = {-1, -1, -1, -1}, .plan.executable_fd = -1};
    residue_take(lab, &before);
    int64_t start = now_ns();
    bool is_good = attack->kind == ATTACK_HOST ? attack->check(&attempt) : run_attack(lab, attack, &attempt);
    int64_t spent_ms = (now_ns() - start) / 1000000;
    is_good = residue_compare(&attempt, &before) && is_good;
    is_good = check_neighbour(lab, probe_text, &attempt) && is_good;
    residue_done(&before);
    printf("%s %s %s (%lld ms)\n", is_good ? "ok" : "not ok", attack->id, attack->name, (long long)spent_ms);
    if (!is_good)
        printf("# %s\n", attempt.complaint);
    *(is_good ? &tally->passed : &tally->failed) += 1;
    fflush(stdout);
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

/* Every number of the catalogue has a row, in order: a forgotten attack is not a passed one. */
static bool check_table(void)
{
    int next = 1;
    for (size_t i = 0; i < attack_count; i++) {
        int number = atoi(attacks[i].id);
        if (number != next && number != next - 1)
            return printf("not ok table: row %s stands where %d is due\n", attacks[i].id, next), false;
        if (number == next)
            next++;
        bool is_run = attacks[i].kind < ATTACK_HOST;
        if ((is_run && !attacks[i].outcome.is_set) || (attacks[i].kind == ATTACK_ELSEWHERE && !attacks[i].reason))
            return printf("not ok table: row %s has no outcome or reason\n", attacks[i].id), false;
    }
    if (next != CATALOGUE_ROWS + 1)
        return printf("not ok table: ends with row %d\n", next - 1), false;
    return true;
}

static bool is_chosen(const Attack *attack, const char *only)
{
    if (!only)
        return true;
    char *end;
    long number = strtol(only, &end, 10);
    return number == atoi(attack->id) && (*end == '\0' || strcmp(only, attack->id) == 0);
}

/* ---- surroundings ------------------------------------------------------------------------------------------- */

static int count_all_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

static void print_descriptors(void)
{
    for (int fd = 3; fd < 1024; fd++) {
        char path[64], target[256] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (readlink(path, target, sizeof target - 1) > 0)
            printf("# %d -> %s\n", fd, target);
    }
}

/* Mounts of neighbours are not ours to count, and row 20's are nobody else's business: a mount namespace of our own.
 * A plain user can't have one; there row 20 is skipped. */
static bool leave_mounts(void)
{
    return geteuid() != 0 || (unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
}

/* Starts over as a plain user, and by exec: a process that was root is not dumpable, and its own /proc entries are
 * root's. Returns only if it fails, or if there is nothing to do. */
static bool become_user(char **argv)
{
    if (geteuid() != 0)
        return true;
    unsetenv("XDG_RUNTIME_DIR");
    if (setgroups(0, NULL) == 0 && setresgid(PLAIN_UID, PLAIN_UID, PLAIN_UID) == 0 &&
        setresuid(PLAIN_UID, PLAIN_UID, PLAIN_UID) == 0)
        execv("/proc/self/exe", argv);
    fprintf(stderr, "runner: cannot become a plain user: %s\n", strerror(errno));
    return false;
}

static bool make_secret(Lab *lab)
{
    snprintf(lab->work, sizeof lab->work, "/tmp/gavel-corpus-%d-XXXXXX", (int)getpid());
    if (!mkdtemp(lab->work))
        return false;
    snprintf(lab->secret, sizeof lab->secret, "%s/secret.h", lab->work);
    int fd = open(lab->secret, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_made = fd >= 0 && write(fd, "gavel-corpus-secret\n", 20) == 20;
    if (fd >= 0)
        close(fd);
    return is_made;
}

static bool lab_open(Lab *lab, const Options *options)
{
    SandboxConfig config = {.cgroup = options->cgroup};
    SandboxError error = {.text = ""};
    *lab = (Lab){.programs = options->programs, .sources = options->sources};
    /* A capture that outgrows its cap, a closed pipe: nothing that a run does may end the supervisor by a signal. */
    signal(SIGPIPE, SIG_IGN);
    setenv("GAVEL_SECRET", "gavel-corpus-secret\n", 1);
    gethostname(lab->host_name, sizeof lab->host_name - 1);
    if (!make_secret(lab))
        return fprintf(stderr, "runner: cannot make a secret below /tmp: %s\n", strerror(errno)), false;
    if (!sandbox_open(&config, &lab->sandbox, &error))
        return fprintf(stderr, "runner: %s: %s\n", sandbox_stage_name(error.stage), error.text), false;
    lab->machine = sandbox_machine(lab->sandbox);
    printf("# isolation %s, cgroup %s at %s, %s%s%s\n", sandbox_isolation_name(lab->machine->isolation),
           sandbox_cgroup_name(lab->machine->cgroup), lab->machine->cgroup_path ? lab->machine->cgroup_path : "nowhere",
           lab->machine->is_root ? "root" : "plain user", lab->machine->degraded_reason ? ": " : "",
           lab->machine->degraded_reason ? lab->machine->degraded_reason : "");
    return true;
}

/* Once all is closed nothing may be left of hundreds of runs: no child, dead or alive, and no descriptor. */
static void lab_close(Lab *lab, int descriptors, Tally *tally)
{
    sandbox_close(lab->sandbox);
    unlink(lab->secret);
    rmdir(lab->work);
    int now = count_all_descriptors();
    bool is_good = waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD && now == descriptors;
    printf("%s close leaves no child and no descriptor\n", is_good ? "ok" : "not ok");
    if (!is_good)
        printf("# %d descriptors, were %d\n", now, descriptors), print_descriptors();
    *(is_good ? &tally->passed : &tally->failed) += 1;
}

/* What a run sees of a whole jail is written down, not learnt from the first run. */
static bool check_first_probe(Lab *lab, char *text, size_t size, Tally *tally)
{
    char path[PATH_MAX], complaint[1024], expected[16384] = "";
    snprintf(path, sizeof path, "%s/probe.expected", lab->sources);
    FILE *file = fopen(path, "re");
    if (file) {
        expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
        fclose(file);
    }
    bool is_run = lab_run_probe(lab, text, size, complaint, sizeof complaint);
    bool is_good = is_run && strcmp(text, expected) == 0;
    printf("%s probe what a run sees\n", is_good ? "ok" : "not ok");
    if (!is_run)
        printf("# %s\n", complaint);
    else if (!is_good)
        printf("# expected %s, saw:\n%s", path, text);
    *(is_good ? &tally->passed : &tally->failed) += 1;
    return is_run;
}

static bool parse_options(int argc, char **argv, Options *ret_options)
{
    static const struct option names[] = {{"only", required_argument, NULL, 'o'},
                                          {"as-user", no_argument, NULL, 'u'},
                                          {"cgroup", required_argument, NULL, 'c'},
                                          {"list", no_argument, NULL, 'l'},
                                          {0}};
    *ret_options = (Options){.cgroup = SANDBOX_CGROUP_AUTO};
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (option) {
        case 'o': ret_options->only = optarg; break;
        case 'u': ret_options->is_user = true; break;
        case 'l': ret_options->is_list = true; break;
        case 'c':
            for (int kind = SANDBOX_CGROUP_V2; kind < SANDBOX_CGROUP_COUNT; kind++)
                if (strcmp(optarg, sandbox_cgroup_name((SandboxCgroupKind)kind)) == 0)
                    ret_options->cgroup = (SandboxCgroupKind)kind;
            if (ret_options->cgroup == SANDBOX_CGROUP_AUTO)
                return false;
            break;
        default: return false;
        }
    }
    if (!ret_options->is_list && optind + 2 != argc)
        return false;
    ret_options->programs = argv[optind];
    ret_options->sources = ret_options->is_list ? NULL : argv[optind + 1];
    return true;
}

static int list_rows(void)
{
    for (size_t i = 0; i < attack_count; i++)
        printf("%s\t%s\t%s\n", attacks[i].id, attacks[i].name,
               attacks[i].reason                ? attacks[i].reason
               : attacks[i].kind == ATTACK_HOST ? "(the supervisor's side)"
                                                : attacks[i].program);
    return 0;
}

int main(int argc, char **argv)
{
    Options options;
    static Lab lab;
    static char probe_text[16384];
    Tally tally = {0};
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr,
                "usage: runner [--only NUMBER] [--as-user] [--cgroup v2|v1|hybrid|none] [--list] PROGRAMS SOURCES\n");
        return 2;
    }
    if (!check_table())
        return 1;
    if (options.is_list)
        return list_rows();
    if (!leave_mounts()) {
        fprintf(stderr, "runner: a mount namespace: %s\n", strerror(errno));
        return 2;
    }
    if (options.is_user && !become_user(argv))
        return 2;
    int descriptors = count_all_descriptors();
    if (!lab_open(&lab, &options))
        return 2;
    if (check_first_probe(&lab, probe_text, sizeof probe_text, &tally))
        for (size_t i = 0; i < attack_count; i++)
            if (is_chosen(&attacks[i], options.only))
                run_row(&lab, &attacks[i], probe_text, &tally);
    lab_close(&lab, descriptors, &tally);
    printf("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
    return tally.failed > 0;
}
