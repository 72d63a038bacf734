/* The whole journey in the real sandbox: a package made here, programs with every verdict, and what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "core/language.h"
#include "gavel/judge.h"

/* The problem: print the sum of two numbers. Secret tests: 2 is a large sum, 3 has hidden words to keep. */
typedef struct World {
    char *directory;
    Judge *judge;
    Problem *sum;     /* feedback: verdict */
    Problem *open;    /* the same with feedback: input */
    Problem *checked; /* custom validator, input validator, include files, a generator */
} World;

/* ---- making the packages -------------------------------------------------------------------------------------- */

typedef struct Content {
    const char *path, *text;
} Content;

#define PROBLEM_YAML(name)                                                                                             \
    "problem_format_version: 2025-09\nname: " name "\nuuid: 00000000-0000-0000-0000-000000000000\ntype: pass-fail\n"   \
    "limits:\n  time_limit: 1.0\n  memory: 64\n  output: 1\n  code: 64\n"

#define SUM_C                                                                                                          \
    "#include <stdio.h>\nint main(void){long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return "                                \
    "1;printf(\"%ld\\n\",a+b);return 0;}\n"

#define SUM_DATA(root)                                                                                                 \
    {root "/data/sample/1.in", "1 2\n"}, {root "/data/sample/1.ans", "3\n"},                                           \
        {root "/data/secret/2.in", "1000000 234567\n"}, {root "/data/secret/2.ans", "1234567\n"},                      \
        {root "/data/secret/3.in", "-5 5\n"}, {root "/data/secret/3.ans", "0\n"},                                      \
    {                                                                                                                  \
        root "/submissions/accepted/sum.c", SUM_C                                                                      \
    }

/* Accepts any answer with the right sum, also written as "a+b"; tells the team a joke and the judge the truth. */
#define CHECKER                                                                                                        \
    "import sys\n"                                                                                                     \
    "want = open(sys.argv[2]).read().strip()\n"                                                                        \
    "assert open(sys.argv[1]).read()\n"                                                                                \
    "got = sys.stdin.read().strip()\n"                                                                                 \
    "if got == 'crash': sys.exit(1)\n"                                                                                 \
    "if got == want and sys.argv[4:] == ['plain']: sys.exit(42)\n"                                                     \
    "open(sys.argv[3] + 'teammessage.txt', 'w').write('that is not it')\n"                                             \
    "open(sys.argv[3] + 'judgemessage.txt', 'w').write('wanted ' + want)\n"                                            \
    "sys.exit(43)\n"

static const Content contents[] = {
    {"sum/problem.yaml", PROBLEM_YAML("Sum")},
    SUM_DATA("sum"),
    {"open/problem.yaml", PROBLEM_YAML("Open sum")},
    {"open/gavel.yaml", "schema: 1\nfeedback: input\n"},
    SUM_DATA("open"),
    {"checked/problem.yaml", PROBLEM_YAML("Checked sum")},
    {"checked/gavel.yaml", "schema: 1\nmodel: submissions/accepted/sum.c\ndata:\n  generator: generators/gen.py\n"
                           "  tests:\n    secret/10-made: [\"7\", \"8\"]\n    secret/11-made: [\"100\", \"1\"]\n"},
    SUM_DATA("checked"),
    {"checked/output_validator/check.py", CHECKER},
    {"checked/data/test_group.yaml", "output_validator_args: [plain]\n"},
    {"checked/input_validators/valid.py",
     "import sys\nt = sys.stdin.read().split()\n"
     "if len(t) != 2: print('two numbers, please', file=sys.stderr); sys.exit(43)\n"
     "sys.exit(42)\n"},
    {"checked/generators/gen.py", "import sys\nprint(sys.argv[1], sys.argv[2])\n"},
    {"checked/include/default/helper.h", "#define ANSWER(a, b) ((a) + (b))\n"},
};

static void write_content(const char *root, const Content *content)
{
    auto_free char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", root, content->path) > 0);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    assert_true(fd_make_directories(path, 0755, NULL));
    *slash = '/';
    assert_true(fd_replace_file(path, content->text, strlen(content->text), 0644, NULL));
}

static Problem *load(World *world, const char *name)
{
    auto_free char *path = NULL;
    Problem *problem = NULL;
    auto_error Error error = {0};
    const ProblemPaths paths = {.data_cache = judge_data_cache(world->judge)};
    assert_true(asprintf(&path, "%s/%s", world->directory, name) > 0);
    if (!problem_load(path, &paths, &problem, &error))
        fail_msg("%s", error_text(&error));
    return problem;
}

static int set_up(void **state)
{
    World *world = calloc(1, sizeof *world);
    auto_free char *cache = NULL;
    auto_error Error error = {0};
    char template[] = "/tmp/core-judge-XXXXXX";
    world->directory = strdup(mkdtemp(template));
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        write_content(world->directory, &contents[i]);
    assert_true(asprintf(&cache, "%s/cache", world->directory) > 0);
    if (!judge_open(&(JudgeConfig){.cache_directory = cache}, &world->judge, &error)) {
        print_message("judge_open: %s\n", error_text(&error));
        return -1;
    }
    world->sum = load(world, "sum");
    world->open = load(world, "open");
    world->checked = load(world, "checked");
    *state = world;
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int tear_down(void **state)
{
    World *world = *state;
    problem_free(world->sum);
    problem_free(world->open);
    problem_free(world->checked);
    judge_close(world->judge);
    (void)nftw(world->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(world->directory);
    free(world);
    return 0;
}

/* ---- judging -------------------------------------------------------------------------------------------------- */

static Report *judge(World *world, JudgeJob job, const char *name, const char *source)
{
    Report *report = NULL;
    auto_error Error error = {0};
    job.problem = job.problem ? job.problem : world->sum;
    job.source_name = name;
    job.source = job.source ? job.source : source;
    job.source_size = job.source_size ? job.source_size : strlen(source);
    if (!judge_submission(world->judge, &job, (EventSink){0}, NULL, &report, &error))
        fail_msg("%s", error_text(&error));
    return report;
}

static void report_cleanup(Report **report)
{
    report_free(*report);
}
#define auto_report __attribute__((cleanup(report_cleanup)))

static void assert_verdict(const Report *report, Verdict verdict)
{
    if (report->verdict != verdict)
        fail_msg("got %s, wanted %s; judge error: %s; compile log: %s; reason: %s", verdict_row(report->verdict)->word,
                 verdict_row(verdict)->word, report->judge_error ? report->judge_error : "-", report->compile.log,
                 report->compile.reason ? report->compile.reason : "-");
}

#define HEAD "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <signal.h>\n"

typedef struct VerdictCase {
    const char *label, *name, *source;
    Verdict verdict;
    const char *detail; /* part of the first failing test's detail, or NULL */
} VerdictCase;

static const VerdictCase verdict_cases[] = {
    {"right", "a.c", SUM_C, VERDICT_ACCEPTED, NULL},
    {"right, C++", "a.cpp",
     "#include <bits/stdc++.h>\nint main(){long a,b;std::cin>>a>>b;std::cout<<a+b<<std::endl;}\n", VERDICT_ACCEPTED,
     NULL},
    {"right, C++ threads", "a.cc",
     "#include <iostream>\n#include <thread>\n#include <mutex>\nint main(){long a,b;"
     "std::cin>>a>>b;long s=0;std::mutex m;auto f=[&](long x){std::lock_guard<std::mutex> g(m);s+=x;};"
     "std::thread t(f,a),u(f,b);t.join();u.join();std::cout<<s<<std::endl;}\n",
     VERDICT_ACCEPTED, NULL},
    {"right, Python", "a.py", "a, b = map(int, input().split())\nprint(a + b)\n", VERDICT_ACCEPTED, NULL},
    {"wrong", "a.c", "#include <stdio.h>\nint main(void){puts(\"3\");return 0;}\n", VERDICT_WRONG_ANSWER, NULL},
    {"silent", "a.c", "int main(void){return 0;}\n", VERDICT_WRONG_ANSWER, NULL},
    {"loop", "a.c", "int main(void){for(volatile int i=0;;)i++;}\n", VERDICT_TIME_LIMIT, NULL},
    {"sleep", "a.c", "#include <unistd.h>\nint main(void){sleep(100);}\n", VERDICT_IDLE_LIMIT, "waited"},
    {"memory", "a.c", HEAD "int main(void){for(;;){char*p=malloc(1<<20);if(!p)return 0;memset(p,1,1<<20);}}\n",
     VERDICT_MEMORY_LIMIT, NULL},
    {"output", "a.c", "#include <stdio.h>\nint main(void){for(;;)puts(\"0123456789\");}\n", VERDICT_OUTPUT_LIMIT,
     "1 MiB"},
    {"exit code", "a.c", "int main(void){return 7;}\n", VERDICT_RUNTIME_ERROR, "exit code 7"},
    {"abort", "a.c", HEAD "int main(void){abort();}\n", VERDICT_RUNTIME_ERROR, "signal 6 (aborted)"},
    {"null", "a.c", "int main(void){*(volatile int*)0=1;}\n", VERDICT_RUNTIME_ERROR, "signal 11 (segmentation fault)"},
    {"forged kill", "a.c", HEAD "int main(void){raise(SIGKILL);}\n", VERDICT_RUNTIME_ERROR, "signal 9"},
    {"forged time-out", "a.c", HEAD "int main(void){raise(SIGXCPU);}\n", VERDICT_RUNTIME_ERROR, "signal 24"},
    {"exception", "a.py", "raise ValueError('x')\n", VERDICT_RUNTIME_ERROR, "exit code 1"},
    {"no main", "a.c", "int x;\n", VERDICT_COMPILE_ERROR, NULL},
    {"syntax, Python", "a.py", "print('a'\n", VERDICT_COMPILE_ERROR, NULL},
    {"huge", "a.c", "volatile char a[1<<27] = {1};\nint main(void){return a[5];}\n", VERDICT_COMPILE_ERROR, NULL},
};

static void every_verdict(void **state)
{
    for (size_t i = 0; i < sizeof verdict_cases / sizeof *verdict_cases; i++) {
        const VerdictCase *row = &verdict_cases[i];
        auto_report Report *report = judge(*state, (JudgeJob){.has_no_sanitizer = true}, row->name, row->source);
        print_message("# %s: %s\n", row->label, verdict_row(report->verdict)->word);
        assert_verdict(report, row->verdict);
        if (row->detail) {
            assert_non_null(report->tests[0].detail);
            assert_non_null(strstr(report->tests[0].detail, row->detail));
        }
        assert_true(report->score == (row->verdict == VERDICT_ACCEPTED ? 100 : 0));
    }
}

static void an_accepted_report_is_whole(void **state)
{
    auto_report Report *report = judge(*state, (JudgeJob){.seed = 5}, "a.c", SUM_C);
    assert_verdict(report, VERDICT_ACCEPTED);
    assert_int_equal(report->test_count, 3);
    assert_int_equal(report->run_count, 3);
    assert_int_equal(report->passed_count, 3);
    assert_in_range(report->slowest_index, 0, 2);
    assert_string_equal(report->tests[0].name, "sample/1");
    assert_true(report->tests[0].is_sample);
    assert_false(report->failure.is_present);
    const Provenance *from = &report->provenance;
    const char *const hashes[] = {from->problem_sha256, from->tests_sha256,    from->checker_sha256,
                                  from->source_sha256,  from->artifact_sha256, from->compiler_sha256,
                                  from->gavel_build};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        assert_int_equal(strlen(hashes[i]), 64);
    assert_non_null(strstr(from->compiler, "gcc"));
    assert_non_null(strstr(from->command, "-std=gnu17"));
    assert_int_equal(from->seed, 5);
    assert_int_equal(from->time_limit_ns, 1000000000);
    assert_true(from->idle_limit_ns > 0);
    assert_true(report->elapsed_ns > 0);
}

static void judging_stops_at_the_first_failure_unless_asked(void **state)
{
    static const char wrong_twice[] =
        HEAD "int main(void){long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return 1;printf(\"%ld\\n\",a>10?0:a<0?1:a+b);}\n";
    auto_report Report *first = judge(*state, (JudgeJob){0}, "a.c", wrong_twice);
    assert_verdict(first, VERDICT_WRONG_ANSWER);
    assert_int_equal(first->run_count, 2);
    assert_int_equal(first->tests[2].verdict, VERDICT_NONE);
    auto_report Report *all = judge(*state, (JudgeJob){.is_exhaustive = true}, "a.c", wrong_twice);
    assert_int_equal(all->run_count, 3);
    assert_int_equal(all->failure.test_index, 1);
    assert_true(all->compile.is_cached);
    auto_report Report *samples = judge(*state, (JudgeJob){.tests = JUDGE_SAMPLES}, "a.c", wrong_twice);
    assert_verdict(samples, VERDICT_ACCEPTED);
    assert_int_equal(samples->run_count, 1);
    assert_int_equal(samples->test_count, 3);
}

/* ---- what is shown -------------------------------------------------------------------------------------------- */

#define WRONG_ON_LARGE                                                                                                 \
    HEAD "int main(void){long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return 1;printf(\"%ld\\n\",a>10?42:a+b);}\n"

static void hidden_tests_stay_hidden(void **state)
{
    World *world = *state;
    auto_report Report *hidden = judge(world, (JudgeJob){0}, "a.c", WRONG_ON_LARGE);
    assert_true(hidden->failure.is_present);
    assert_int_equal(hidden->failure.test_index, 1);
    assert_string_equal(hidden->failure.policy, "verdict");
    assert_false(hidden->failure.difference.is_present);
    assert_null(hidden->failure.input);
    assert_int_equal(hidden->tests[1].attempts[0].output_bytes, -1);
    auto_report Report *open = judge(world, (JudgeJob){.problem = world->open}, "a.c", WRONG_ON_LARGE);
    assert_string_equal(open->failure.difference.expected, "1234567");
    assert_string_equal(open->failure.difference.got, "42");
    assert_string_equal(open->failure.input, "1000000 234567\n");
    auto_report Report *author = judge(world, (JudgeJob){.is_author = true}, "a.c", WRONG_ON_LARGE);
    assert_string_equal(author->failure.difference.got, "42");
}

static void an_exit_code_carries_nothing_out(void **state)
{
    static const char leak[] = HEAD
        "int main(void){long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return 1;if(a>10)exit(a%199);printf(\"%ld\\n\",a+b);}\n";
    auto_report Report *report = judge(*state, (JudgeJob){0}, "a.c", leak);
    assert_verdict(report, VERDICT_RUNTIME_ERROR);
    assert_string_equal(report->tests[1].detail, "exit code other than 0");
    assert_int_equal(report->tests[1].attempts[0].exit_code, -1);
}

static void compile_errors_name_the_contestants_file(void **state)
{
    auto_report Report *report = judge(*state, (JudgeJob){0}, "my solution.c", "int main(void)\n{\n    return x;\n}\n");
    assert_verdict(report, VERDICT_COMPILE_ERROR);
    assert_int_equal(report->run_count, 0);
    assert_true(report->compile.diagnostic_count >= 1);
    const Diagnostic *first = &report->compile.diagnostics[0];
    assert_string_equal(first->file, "my solution.c");
    assert_int_equal(first->line, 3);
    assert_int_equal(first->column, 12);
    assert_non_null(strstr(first->text, "'x' undeclared"));
    assert_null(strstr(report->compile.log, "main.c"));
    auto_report Report *python = judge(*state, (JudgeJob){0}, "mine.py", "x = 1\nif x\n    print(x)\n");
    assert_verdict(python, VERDICT_COMPILE_ERROR);
    assert_string_equal(python->compile.diagnostics[0].file, "mine.py");
    assert_int_equal(python->compile.diagnostics[0].line, 2);
}

static void absurd_sources_are_compile_errors(void **state)
{
    const size_t size = 50 << 20;
    char *large = malloc(size);
    memset(large, 'x', size);
    auto_report Report *too_large = judge(*state, (JudgeJob){.source = large, .source_size = size}, "a.c", "");
    assert_verdict(too_large, VERDICT_COMPILE_ERROR);
    assert_non_null(strstr(too_large->compile.reason, "limit"));
    for (size_t i = 0; i < 60000; i++)
        large[i] = (char)(i * 2654435761u >> 13);
    static const char *const names[] = {"a.c", "a.cpp", "a.py"};
    for (size_t i = 0; i < 3; i++) {
        auto_report Report *junk = judge(*state, (JudgeJob){.source = large, .source_size = 60000}, names[i], "");
        assert_verdict(junk, VERDICT_COMPILE_ERROR);
    }
    free(large);
    auto_report Report *device = judge(*state, (JudgeJob){0}, "a.c", "#include \"/dev/zero\"\nint main(void){}\n");
    assert_verdict(device, VERDICT_COMPILE_ERROR);
    auto_report Report *empty = judge(*state, (JudgeJob){.source = "x", .source_size = 0}, "a.c", "");
    assert_verdict(empty, VERDICT_COMPILE_ERROR);
}

static void the_cache_gives_the_same_report(void **state)
{
    auto_report Report *built = judge(*state, (JudgeJob){0}, "one.c", "#warning careful\n" SUM_C);
    auto_report Report *cached = judge(*state, (JudgeJob){0}, "one.c", "#warning careful\n" SUM_C);
    assert_false(built->compile.is_cached);
    assert_true(cached->compile.is_cached);
    assert_string_equal(built->compile.log, cached->compile.log);
    assert_int_equal(built->compile.cpu_ns, cached->compile.cpu_ns);
    assert_string_equal(built->provenance.artifact_sha256, cached->provenance.artifact_sha256);
    auto_report Report *renamed = judge(*state, (JudgeJob){0}, "two.c", "#warning careful\n" SUM_C);
    assert_true(renamed->compile.is_cached);
    assert_string_equal(renamed->compile.diagnostics[0].file, "two.c");
}

/* ---- crashes -------------------------------------------------------------------------------------------------- */

typedef struct CrashCase {
    const char *source, *kind, *function;
    int line;
} CrashCase;

static const CrashCase crash_cases[] = {
    {"#include <stdlib.h>\nint *p;\nvoid fill(int n)\n{\n    for (int i = 0; i <= n; i++)\n        p[i] = i;\n}\n"
     "int main(void)\n{\n    p = malloc(40);\n    fill(10);\n    abort();\n}\n",
     "heap-buffer-overflow", "fill", 6},
    {"int deep(int n)\n{\n    volatile char a[1000];\n    a[n % 1000] = 1;\n    return deep(n + 1) + a[0];\n}\n"
     "int main(void)\n{\n    return deep(0);\n}\n",
     "stack-overflow", "deep", 0},
    {"#include <stdio.h>\nint main(void)\n{\n    int z = 0;\n    if (scanf(\"%d\", &z) == 5) return 1;\n    z = z - "
     "z;\n"
     "    printf(\"%d\\n\", 5 / z);\n}\n",
     "division by zero", NULL, 7},
};

static void a_crash_is_explained(void **state)
{
    World *world = *state;
    for (size_t i = 0; i < sizeof crash_cases / sizeof *crash_cases; i++) {
        const CrashCase *row = &crash_cases[i];
        ProblemLimits saved = world->sum->limits;
        world->sum->limits.stack_bytes = 8 << 20; /* below the memory limit, or recursion would meet that first */
        auto_report Report *report = judge(world, (JudgeJob){0}, "crash.c", row->source);
        world->sum->limits = saved;
        assert_verdict(report, VERDICT_RUNTIME_ERROR);
        const SanitizerReport *sanitizer = &report->failure.sanitizer;
        if (!sanitizer->is_present)
            fail_msg("no finding: %s", report->note_count ? report->notes[0] : "-");
        assert_string_equal(sanitizer->kind, row->kind);
        assert_string_equal(sanitizer->file, "crash.c");
        if (row->line)
            assert_int_equal(sanitizer->line, row->line);
        if (row->function)
            assert_string_equal(sanitizer->function, row->function);
    }
}

/* ---- time ----------------------------------------------------------------------------------------------------- */

static void a_run_near_the_limit_is_done_again(void **state)
{
    /* burns 0.97 s of CPU time */
    static const char near[] = HEAD
        "#include <time.h>\nint main(void){struct timespec t;long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return 1;"
        "do "
        "clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);while(t.tv_sec<1&&t.tv_nsec<970000000);printf(\"%ld\\n\",a+b);}\n";
    auto_report Report *report = judge(*state, (JudgeJob){.tests = JUDGE_SAMPLES}, "a.c", near);
    assert_int_equal(report->tests[0].attempt_count, 2);
    assert_int_equal(report->tests[0].verdict, report->tests[0].attempts[1].verdict);
    auto_report Report *patient =
        judge(*state, (JudgeJob){.tests = JUDGE_SAMPLES, .time_limit_ns = 4000000000}, "a.c", near);
    assert_verdict(patient, VERDICT_ACCEPTED);
    assert_int_equal(patient->tests[0].attempt_count, 1);
}

static CancelToken alarm_token;
static void on_alarm(int signal)
{
    (void)signal;
    alarm_token.is_cancelled = 1;
}

static void cancelling_ends_the_run(void **state)
{
    World *world = *state;
    static const char loop[] = "int main(void){for(volatile int i=0;;)i++;}\n";
    const JudgeJob job = {.problem = world->sum,
                          .source_name = "a.c",
                          .source = loop,
                          .source_size = strlen(loop),
                          .time_limit_ns = 60000000000};
    Report *report = NULL;
    auto_error Error error = {0};
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 600000}}, NULL);
    assert_false(judge_submission(world->judge, &job, (EventSink){0}, &alarm_token, &report, &error));
    assert_int_equal(error.system_errno, ECANCELED);
    assert_int_equal(error.kind, ERROR_FAULT);
}

/* ---- unusable jobs -------------------------------------------------------------------------------------------- */

static void unusable_jobs_are_refused(void **state)
{
    World *world = *state;
    Report *report = NULL;
    auto_error Error error = {0};
    const JudgeJob unknown = {.problem = world->sum, .source_name = "a.f90", .source = "x", .source_size = 1};
    assert_false(judge_submission(world->judge, &unknown, (EventSink){0}, NULL, &report, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error_text(&error), "Python 3"));
    unsigned traits = world->sum->traits;
    world->sum->traits = PROBLEM_INTERACTIVE;
    const JudgeJob interactive = {.problem = world->sum, .source_name = "a.c", .source = "x", .source_size = 1};
    assert_false(judge_submission(world->judge, &interactive, (EventSink){0}, NULL, &report, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error_text(&error), "interactive"));
    world->sum->traits = traits;
}

/* Our fault, not the submission's: a judge error that says what to install. */
static void a_missing_compiler_is_a_judge_error(void **state)
{
    Language absent = *language_by_id("c");
    absent.compiler = "/nonexistent/gcc";
    auto_report Report *report = judge(*state, (JudgeJob){.language = &absent}, "a.c", SUM_C);
    assert_verdict(report, VERDICT_JUDGE_ERROR);
    assert_int_equal(report->run_count, 0);
    assert_non_null(strstr(report->judge_error, "building the submission"));
    assert_non_null(strstr(report->judge_error, "apt-get install gcc"));
}

/* ---- custom validators, include files, generated data --------------------------------------------------------- */

#define INCLUDING HEAD "#include \"helper.h\"\nint main(void){long a,b;if(scanf(\"%ld%ld\",&a,&b)!=2)return 1;"

typedef struct Seen {
    size_t events[EVENT_KIND_COUNT];
} Seen;

static void count_event(void *context, const Event *event)
{
    Seen *seen = context;
    seen->events[event->kind]++;
}

/* A file of the data is gone: three judges notice at once, and all end with whole data. */
static void judges_at_once_make_one_copy(World *world)
{
    auto_free char *cache = NULL;
    pid_t children[3];
    assert_true(asprintf(&cache, "%s/cache", world->directory) > 0);
    assert_int_equal(unlink(world->checked->tests[1].input_path), 0);
    assert_int_equal(problem_missing_data(world->checked), 1);
    for (size_t i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] != 0)
            continue;
        Judge *own = NULL;
        bool is_made = judge_open(&(JudgeConfig){.cache_directory = cache}, &own, NULL) &&
                       judge_generate_data(own, world->checked, NULL, (EventSink){0}, NULL, NULL);
        judge_close(own);
        _exit(is_made ? 0 : 1);
    }
    for (size_t i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(problem_missing_data(world->checked), 0);
}

static void generated_data_is_made_once_and_checked(void **state)
{
    World *world = *state;
    Seen seen = {0};
    auto_error Error error = {0};
    const EventSink sink = {.on_event = count_event, .context = &seen};
    assert_int_equal(problem_missing_data(world->checked), 2);
    if (!judge_generate_data(world->judge, world->checked, NULL, sink, NULL, &error))
        fail_msg("%s", error_text(&error));
    assert_int_equal(problem_missing_data(world->checked), 0);
    assert_int_equal(seen.events[EVENT_GENERATING], 2);
    assert_true(judge_generate_data(world->judge, world->checked, NULL, sink, NULL, &error));
    assert_int_equal(seen.events[EVENT_GENERATING], 2);
    judges_at_once_make_one_copy(world);
    if (!judge_write_lock(world->judge, world->checked, sink, NULL, &error))
        fail_msg("%s", error_text(&error));
    problem_free(world->checked);
    world->checked = load(world, "checked");
    assert_non_null(world->checked->generated[0].input_sha256);
    assert_non_null(world->checked->generated[1].answer_sha256);
    world->checked->generated[1].answer_sha256 = "00";
    assert_false(judge_generate_data(world->judge, world->checked, NULL, sink, NULL, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error_text(&error), "gavel.lock"));
    problem_free(world->checked);
    world->checked = load(world, "checked");
}

static void a_custom_validator_decides(void **state)
{
    World *world = *state;
    const JudgeJob job = {.problem = world->checked};
    auto_report Report *right = judge(world, job, "a.c", INCLUDING "printf(\"%ld\\n\",ANSWER(a,b));}\n");
    assert_verdict(right, VERDICT_ACCEPTED);
    assert_int_equal(right->run_count, 5);
    auto_report Report *wrong = judge(world, job, "a.c", INCLUDING "printf(\"%ld\\n\",a>9?0:ANSWER(a,b));}\n");
    assert_verdict(wrong, VERDICT_WRONG_ANSWER);
    assert_string_equal(wrong->failure.message, "that is not it");
    assert_null(wrong->failure.judge_message);
    auto_report Report *sample = judge(world, job, "a.c", INCLUDING "printf(\"%ld\\n\",0*ANSWER(a,b));}\n");
    assert_string_equal(sample->failure.judge_message, "wanted 3");
    auto_report Report *crash = judge(world, job, "a.c", "#include <stdio.h>\nint main(void){puts(\"crash\");}\n");
    assert_verdict(crash, VERDICT_JUDGE_ERROR);
    assert_non_null(strstr(crash->judge_error, "exit code 1"));
}

static void custom_input_is_answered_by_the_model(void **state)
{
    World *world = *state;
    CustomRun run;
    auto_error Error error = {0};
    const JudgeJob job = {
        .problem = world->checked, .source_name = "a.c", .source = SUM_C, .source_size = strlen(SUM_C)};
    if (!judge_custom_input(world->judge, &job, "20 22\n", 6, (EventSink){0}, NULL, &run, &error))
        fail_msg("%s", error_text(&error));
    assert_verdict(run.report, VERDICT_ACCEPTED);
    assert_string_equal(run.output, "42\n");
    assert_string_equal(run.answer, "42\n");
    assert_null(run.answer_error);
    custom_run_done(&run);
    assert_true(judge_custom_input(world->judge, &job, "20 22 1\n", 8, (EventSink){0}, NULL, &run, &error));
    assert_string_equal(run.output, "42\n");
    assert_null(run.answer);
    assert_non_null(strstr(run.answer_error, "two numbers"));
    assert_int_equal(run.report->verdict, VERDICT_NONE);
    custom_run_done(&run);
}

static void author_programs_run(void **state)
{
    World *world = *state;
    AuthorRun run;
    auto_error Error error = {0};
    auto_arena Arena *arena = arena_new();
    const AuthorProgram *validator = &world->checked->input_validators[0];
    assert_true(judge_author_run(world->judge, world->checked, validator, NULL, "1\n", 2, arena, &run, &error));
    assert_true(run.has_exited);
    assert_int_equal(run.exit_code, 43);
    assert_string_equal(run.what, "exit code 43");
    assert_string_equal(run.message, "two numbers, please");
    const AuthorProgram missing = {.path = "/nonexistent/x.py", .name = "x"};
    assert_false(judge_author_run(world->judge, world->checked, &missing, NULL, NULL, 0, arena, &run, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict),
        cmocka_unit_test(an_accepted_report_is_whole),
        cmocka_unit_test(judging_stops_at_the_first_failure_unless_asked),
        cmocka_unit_test(hidden_tests_stay_hidden),
        cmocka_unit_test(an_exit_code_carries_nothing_out),
        cmocka_unit_test(compile_errors_name_the_contestants_file),
        cmocka_unit_test(absurd_sources_are_compile_errors),
        cmocka_unit_test(the_cache_gives_the_same_report),
        cmocka_unit_test(a_crash_is_explained),
        cmocka_unit_test(a_run_near_the_limit_is_done_again),
        cmocka_unit_test(cancelling_ends_the_run),
        cmocka_unit_test(unusable_jobs_are_refused),
        cmocka_unit_test(a_missing_compiler_is_a_judge_error),
        cmocka_unit_test(generated_data_is_made_once_and_checked),
        cmocka_unit_test(a_custom_validator_decides),
        cmocka_unit_test(custom_input_is_answered_by_the_model),
        cmocka_unit_test(author_programs_run),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
