/* Speed of the PTX machine: four kernels (tests/bench/ptx/kernels.cu) on every executor that this CPU has and on the
 * scalar build of the same machine, in one interleaved run, with bounds checks and block counters on; then the time to
 * load modules. CPU time, medians. Results are checked on the way: a fast wrong machine is no machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "gavel/ptx.h"

enum { VECTOR = 1 << 20, SIDE = 256, COLLATZ = 1 << 16, EXECUTORS_MAX = 8, ROUNDS = 9, KERNELS = 4 };

typedef struct Kernel {
    const char *name;
    uint32_t grid[3], block[3], buffer_count, buffer_elements, n;
} Kernel;

static const Kernel kernels[KERNELS] = {
    {"vector_add", {VECTOR / 256, 1, 1}, {256, 1, 1}, 3, VECTOR, VECTOR},
    {"matmul", {SIDE / 16, SIDE / 16, 1}, {16, 16, 1}, 3, SIDE *SIDE, SIDE},
    {"matmul_tiled", {SIDE / 16, SIDE / 16, 1}, {16, 16, 1}, 3, SIDE *SIDE, SIDE},
    {"collatz", {COLLATZ / 256, 1, 1}, {256, 1, 1}, 1, COLLATZ, COLLATZ},
};

typedef struct Subject {
    const char *name;
    PtxMachine *machine;
    PtxModule *module;
    double speeds[KERNELS][ROUNDS]; /* thread-instructions a second */
    uint64_t sums[KERNELS];         /* of the output's bytes: the same on all */
} Subject;

static void check(bool is_right, const Error *error, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "ptx_bench: %s: %s\n", what, error_text(error));
    exit(2);
}

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[count / 2];
}

/* Buffers on the device: small integers as floats, so that sums are exact. Parameters: the buffers, then n. */
static void place(Subject *subject, const Kernel *kernel, uint64_t addresses[3], uint8_t *parameters)
{
    const uint64_t bytes = (uint64_t)kernel->buffer_elements * sizeof(float);
    float *content = malloc(bytes);
    for (uint32_t i = 0; content && i < kernel->buffer_elements; i++)
        content[i] = (float)(i * 7 % 13);
    for (uint32_t i = 0; i < kernel->buffer_count; i++) {
        addresses[i] = ptx_machine_allocate(subject->machine, bytes);
        check(content && addresses[i] && ptx_machine_write(subject->machine, addresses[i], content, bytes), NULL,
              "no memory");
        memcpy(parameters + 8 * i, &addresses[i], 8);
    }
    memcpy(parameters + 8 * (size_t)kernel->buffer_count, &kernel->n, sizeof kernel->n);
    free(content);
}

static uint64_t output_sum(const Subject *subject, const Kernel *kernel, uint64_t address)
{
    const uint64_t bytes = (uint64_t)kernel->buffer_elements * 4;
    uint8_t *content = malloc(bytes);
    check(content && ptx_machine_read(subject->machine, address, content, bytes), NULL, "no memory");
    uint64_t sum = 14695981039346656037u;
    for (uint64_t i = 0; i < bytes; i++)
        sum = (sum ^ content[i]) * 1099511628211u;
    free(content);
    return sum;
}

static void run_kernel(Subject *subject, size_t index, int round)
{
    const Kernel *kernel = &kernels[index];
    uint64_t addresses[3];
    uint8_t parameters[32] = {0};
    Error error = {0};
    PtxLaunchResult result;
    place(subject, kernel, addresses, parameters);
    PtxLaunchPlan plan = {.entry = ptx_module_find_entry(subject->module, kernel->name), .parameters = parameters};
    memcpy(plan.grid, kernel->grid, sizeof plan.grid);
    memcpy(plan.block, kernel->block, sizeof plan.block);
    const double start = cpu_seconds();
    check(ptx_launch(subject->machine, &plan, &result, &error), &error, kernel->name);
    const double elapsed = cpu_seconds() - start;
    if (result.trap.kind != PTX_TRAP_NONE) {
        fprintf(stderr, "ptx_bench: %s trapped on %s: %s\n", kernel->name, subject->name, result.trap.message);
        exit(2);
    }
    subject->speeds[index][round] = (double)result.thread_instructions / elapsed;
    subject->sums[index] = output_sum(subject, kernel, addresses[kernel->buffer_count - 1]);
    for (uint32_t i = 0; i < kernel->buffer_count; i++)
        (void)ptx_machine_free_memory(subject->machine, addresses[i]);
}

static double geometric_mean(Subject *subject)
{
    double sum = 0;
    printf("%-10s", subject->name);
    for (size_t i = 0; i < KERNELS; i++) {
        const double speed = median(subject->speeds[i], ROUNDS);
        printf(" %12.2f", 1e-9 * speed);
        sum += log(speed);
    }
    const double mean = exp(sum / KERNELS);
    printf(" %12.2f\n", 1e-9 * mean);
    return mean;
}

static size_t open_subjects(Subject *subjects, const Buffer *text)
{
    size_t count = 0;
    bool is_usable;
    const char *name;
    for (size_t i = 0; count < EXECUTORS_MAX && (name = ptx_executor_name(i, &is_usable)); i++) {
        Error error = {0};
        if (!is_usable)
            continue;
        Subject *subject = &subjects[count++];
        subject->name = name;
        subject->machine = ptx_machine_new(&(PtxConfig){.executor = name, .counts_blocks = true}, &error);
        check(subject->machine, &error, name);
        subject->module = ptx_module_load(subject->machine, "kernels.ptx", buffer_text(text), text->size, &error);
        check(subject->module, &error, name);
    }
    return count;
}

static void figure(const char *name, double value, const char *unit, const char *comparison, double goal)
{
    const bool is_reached = *comparison == '>' ? value >= goal : value <= goal;
    printf("figure %s %.2f %s goal %s %g %s\n", name, value, unit, comparison, goal, is_reached ? "ok" : "short");
}

/* ---- loading -------------------------------------------------------------------------------------------------- */

/* A kernel of about `count` instructions: arithmetic, memory, compares and branches in the proportions of real code. */
static void write_kernel(Buffer *text, unsigned count)
{
    buffer_string(text, ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry big(.param .u64 p)\n{\n");
    buffer_format(text, ".reg .pred %%p<%u>;\n.reg .f32 %%f<%u>;\n.reg .b32 %%r<%u>;\n.reg .b64 %%rd<%u>;\n", count,
                  count, count, count);
    buffer_string(
        text,
        "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmov.f32 %f1, 0f3F800000;\n");
    for (unsigned i = 2; i + 12 < count; i += 12) {
        buffer_format(
            text, "mad.lo.s32 %%r%u, %%r%u, 3, %%r1;\nmul.wide.s32 %%rd%u, %%r%u, 4;\nadd.s64 %%rd%u, %%rd2, %%rd%u;\n",
            i, i - 1 ? i - 1 : 1, i + 1, i, i + 2, i + 1);
        buffer_format(text, "ld.global.f32 %%f%u, [%%rd%u+%u];\nfma.rn.f32 %%f%u, %%f%u, %%f1, 0f40000000;\n", i, i + 2,
                      4 * i, i + 1, i);
        buffer_format(text, "add.f32 %%f%u, %%f%u, %%f%u;\nsetp.lt.s32 %%p%u, %%r%u, %u;\n@%%p%u bra L%u;\n", i + 2,
                      i + 1, i, i, i, 1000 + i, i, i);
        buffer_format(text,
                      "st.global.f32 [%%rd%u], %%f%u;\nxor.b32 %%r%u, %%r%u, %u;\nL%u:\nshl.b32 %%r%u, %%r%u, "
                      "1;\nmov.u32 %%r%u, %%ctaid.x;\n",
                      i + 2, i + 2, i + 1, i, i, i, i + 3, i + 1, i + 11);
    }
    buffer_string(text, "ret;\n}\n");
}

static void bench_load(const char *name, unsigned count, double goal_ms)
{
    double times[ROUNDS];
    auto_buffer Buffer text = {0};
    write_kernel(&text, count);
    uint32_t instructions = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Error error = {0};
        PtxMachine *machine = ptx_machine_new(&(PtxConfig){.counts_blocks = true}, &error);
        check(machine, &error, name);
        const double start = cpu_seconds();
        const PtxModule *module = ptx_module_load(machine, name, buffer_text(&text), text.size, &error);
        times[round] = 1e3 * (cpu_seconds() - start);
        check(module, &error, name);
        instructions = ptx_module_entry(module, 0)->instruction_count;
        check(ptx_module_entry(module, 0)->unknown_count == 0, NULL, "an instruction is not implemented");
        ptx_machine_free(machine);
    }
    printf("# %s: %u instructions\n", name, instructions);
    figure(name, median(times, ROUNDS), "ms", "<=", goal_ms);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *executor, *figure;
    double goal;
} goals[] = {
    {"avx512", "ptx_gti_per_s_avx512", 3.0},
    {"avx2", "ptx_gti_per_s_avx2", 1.2},
    {"portable", "ptx_gti_per_s_sse42", 0.6},
};

static void print_figures(Subject *subjects, size_t count)
{
    double means[EXECUTORS_MAX], best = 0, scalar = 0;
    printf("G thread-instructions/s, one core, bounds checks and block counters on, median of %d interleaved "
           "rounds\n%-10s",
           (int)ROUNDS, "");
    for (size_t i = 0; i < KERNELS; i++)
        printf(" %12s", kernels[i].name);
    printf(" %12s\n", "geo. mean");
    for (size_t i = 0; i < count; i++) {
        means[i] = geometric_mean(&subjects[i]);
        if (strcmp(subjects[i].name, "scalar") == 0)
            scalar = means[i];
        else if (means[i] > best)
            best = means[i];
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof goals / sizeof *goals; k++)
            if (strcmp(subjects[i].name, goals[k].executor) == 0)
                figure(goals[k].figure, 1e-9 * means[i], "G/s", ">=", goals[k].goal);
    if (scalar > 0)
        figure("ptx_over_scalar", best / scalar, "x", ">=", 3.0);
}

int main(int argc, char **argv)
{
    static Subject subjects[EXECUTORS_MAX];
    auto_buffer Buffer text = {0};
    Error error = {0};
    check(fd_read_file(argc > 1 ? argv[1] : "tests/bench/ptx/kernels.ptx", 1 << 20, &text, &error), &error, "kernels");
    const size_t count = open_subjects(subjects, &text);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t kernel = 0; kernel < KERNELS; kernel++)
            for (size_t i = 0; i < count; i++)
                run_kernel(&subjects[i], kernel, round);
    for (size_t i = 1; i < count; i++)
        for (size_t kernel = 0; kernel < KERNELS; kernel++)
            if (subjects[i].sums[kernel] != subjects[0].sums[kernel]) {
                fprintf(stderr, "ptx_bench: %s differs on %s and %s\n", kernels[kernel].name, subjects[0].name,
                        subjects[i].name);
                return 2;
            }
    print_figures(subjects, count);
    bench_load("ptx_load_1300_ms", 1300, 5);
    bench_load("ptx_load_32000_ms", 32000, 100);
    for (size_t i = 0; i < count; i++)
        ptx_machine_free(subjects[i].machine);
    return 0;
}
