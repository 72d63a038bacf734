/* Runs hand-written PTX tests: the files of tests/ptx/cases, each of which says in comments at its top how to run it
 * and what must come out. must come out.
 *
 *   // RUN grid=2 block=64 shared=0 cooperative budget=1000000     (all optional: 1, 32, 0, no, 50e6)
 *   // ARG buffer TYPE COUNT zero|iota|VALUE...                     (u32 s32 u64 f32 f64; a short list is repeated)
 *   // ARG TYPE VALUE
 *   // EXPECT N = VALUE VALUE*COUNT FIRST..LAST ...                  (argument N afterwards, from its start)
 *   // TRAP word [line N] [thread X,Y,Z] [block X]                   (PTX line)
 *   // MESSAGE text                                                   (part of the trap's message or of who waits)
 *   // FINDING word
 *   // OUTPUT text\n                                                  (of printf, whole, with \n written so)
 *
 * Usage: run_cases FILE...: every executor of this CPU, TAP on standard output. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fd.h"
#include "gavel/ptx.h"

enum { ARGUMENTS_MAX = 16, VALUES_MAX = 65536 };

typedef struct Argument {
    char type[8];
    bool is_buffer;
    uint64_t count, address;
    uint64_t *values; /* bits */
} Argument;

typedef struct Case {
    const char *path;
    Arena *arena;
    const char *text;
    PtxLaunchPlan plan;
    uint64_t budget;
    Argument arguments[ARGUMENTS_MAX];
    size_t argument_count;
    char problem[600];
} Case;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static bool wrong(Case *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(Case *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!*self->problem)
        vsnprintf(self->problem, sizeof self->problem, format, arguments);
    va_end(arguments);
    return false;
}

static size_t type_bytes(const char *type)
{
    return (size_t)strtoul(type + 1, NULL, 10) / 8;
}

static uint64_t value_bits(const char *type, const char *text)
{
    uint64_t bits = 0;
    if (strcmp(type, "f32") == 0 && strncmp(text, "0x", 2) != 0) {
        const float number = strtof(text, NULL);
        memcpy(&bits, &number, sizeof number);
    } else if (strcmp(type, "f64") == 0 && strncmp(text, "0x", 2) != 0) {
        const double number = strtod(text, NULL);
        memcpy(&bits, &number, sizeof number);
    } else {
        bits = *text == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
        if (type_bytes(type) == 4)
            bits = (uint32_t)bits;
    }
    return bits;
}

static uint64_t *expand(const char *type, char *words, size_t *ret_count, Arena *arena)
{
    uint64_t *values = arena_new_array(arena, uint64_t, VALUES_MAX);
    size_t count = 0;
    char *place = NULL;
    for (char *word = strtok_r(words, " ", &place); word; word = strtok_r(NULL, " ", &place)) {
        const char *range = strstr(word, ".."), *times = strchr(word, '*');
        const unsigned long repeat = times ? strtoul(times + 1, NULL, 10) : 1;
        const long first = strtol(word, NULL, 0), last = range ? strtol(range + 2, NULL, 0) : first;
        for (unsigned long i = 0; !range && i < repeat && count < VALUES_MAX; i++)
            values[count++] = value_bits(type, word);
        for (long i = first; range && i <= last && count < VALUES_MAX; i++) {
            char number[32];
            snprintf(number, sizeof number, "%ld", i);
            values[count++] = value_bits(type, number);
        }
    }
    *ret_count = count;
    return values;
}

static bool read_argument(Case *self, char *line)
{
    Argument *argument = &self->arguments[self->argument_count++];
    int used = 0;
    char count[24], type[8];
    argument->is_buffer = strncmp(line, "buffer ", 7) == 0;
    if (!argument->is_buffer) {
        if (sscanf(line, "%7s %n", argument->type, &used) != 1)
            return wrong(self, "ARG %s", line);
        argument->values = arena_new_array(self->arena, uint64_t, 1);
        argument->values[0] = value_bits(argument->type, line + used);
        argument->count = 1;
        return true;
    }
    if (sscanf(line + 7, "%7s %23s %n", type, count, &used) != 2)
        return wrong(self, "ARG %s", line);
    memcpy(argument->type, type, sizeof type);
    argument->count = strtoull(count, NULL, 10);
    argument->values = arena_new_array(self->arena, uint64_t, argument->count);
    char *content = line + 7 + used;
    size_t given = 0;
    uint64_t *values = strcmp(content, "iota") == 0 || strcmp(content, "zero") == 0
                           ? NULL
                           : expand(argument->type, content, &given, self->arena);
    for (uint64_t i = 0; i < argument->count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%" PRIu64, *content == 'i' ? i : 0);
        argument->values[i] = given ? values[i % given] : value_bits(argument->type, number);
    }
    return true;
}

static void read_run(Case *self, const char *line)
{
    const char *at;
    if ((at = strstr(line, "grid=")))
        (void)sscanf(at, "grid=%u,%u,%u", &self->plan.grid[0], &self->plan.grid[1], &self->plan.grid[2]);
    if ((at = strstr(line, "block=")))
        (void)sscanf(at, "block=%u,%u,%u", &self->plan.block[0], &self->plan.block[1], &self->plan.block[2]);
    if ((at = strstr(line, "shared=")))
        self->plan.dynamic_shared_bytes = (uint32_t)strtoul(at + 7, NULL, 10);
    if ((at = strstr(line, "budget=")))
        self->budget = strtoull(at + 7, NULL, 10);
    self->plan.is_cooperative = strstr(line, "cooperative") != NULL;
}

/* Calls back for each comment line that begins with `word`. */
static bool each_line(Case *self, const char *word, bool (*visit)(Case *self, char *rest, void *context), void *context)
{
    const size_t length = strlen(word);
    for (const char *line = self->text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, "// ", 3) != 0 || strncmp(line + 3, word, length) != 0 || line[3 + length] != ' ')
            continue;
        const size_t size = strcspn(line, "\n");
        char *rest = arena_bytes(self->arena, line + 4 + length, size - 4 - length);
        if (!visit(self, rest, context))
            return false;
    }
    return true;
}

static bool visit_run(Case *self, char *rest, void *context)
{
    (void)context;
    read_run(self, rest);
    return true;
}

static bool visit_argument(Case *self, char *rest, void *context)
{
    (void)context;
    return self->argument_count < ARGUMENTS_MAX ? read_argument(self, rest) : wrong(self, "too many arguments");
}

/* ---- running
 * --------------------------------------------------------------------------------------------------------- */

static bool place_arguments(Case *self, PtxMachine *machine, const PtxEntry *entry, uint8_t *block)
{
    if (entry->parameter_count != self->argument_count)
        return wrong(self, "%u parameters, %zu arguments", entry->parameter_count, self->argument_count);
    for (size_t i = 0; i < self->argument_count; i++) {
        Argument *argument = &self->arguments[i];
        const size_t bytes = type_bytes(argument->type);
        uint64_t value = argument->values[0];
        if (argument->is_buffer) {
            uint8_t *content = arena_alloc(self->arena, argument->count * bytes);
            for (uint64_t k = 0; k < argument->count; k++)
                memcpy(content + k * bytes, &argument->values[k], bytes);
            value = argument->address = ptx_machine_allocate(machine, argument->count * bytes);
            if (!value || !ptx_machine_write(machine, value, content, argument->count * bytes))
                return wrong(self, "no device memory");
        }
        memcpy(block + entry->parameters[i].offset, &value, entry->parameters[i].size_bytes);
    }
    self->plan.parameters = block;
    return true;
}

typedef struct Outcome {
    PtxMachine *machine;
    PtxLaunchResult result;
    char *output;
    bool expects_trap;
} Outcome;

static bool visit_expect(Case *self, char *rest, void *context)
{
    const Outcome *outcome = context;
    char *values = strchr(rest, '=');
    const unsigned long index = strtoul(rest, NULL, 10);
    if (!values || index >= self->argument_count)
        return wrong(self, "EXPECT %s", rest);
    const Argument *argument = &self->arguments[index];
    const size_t bytes = type_bytes(argument->type);
    size_t count;
    const uint64_t *wanted = expand(argument->type, values + 1, &count, self->arena);
    for (size_t i = 0; i < count; i++) {
        uint64_t got = 0;
        if (!ptx_machine_read(outcome->machine, argument->address + i * bytes, &got, bytes))
            return wrong(self, "argument %lu has no element %zu", index, i);
        if (got != wanted[i])
            return wrong(self, "argument %lu element %zu: got 0x%" PRIx64 ", expected 0x%" PRIx64, index, i, got,
                         wanted[i]);
    }
    return true;
}

static bool visit_trap(Case *self, char *rest, void *context)
{
    Outcome *outcome = context;
    const PtxTrap *trap = &outcome->result.trap;
    uint32_t thread[3];
    const char *at;
    outcome->expects_trap = true;
    char *word = arena_bytes(self->arena, rest, strcspn(rest, " "));
    if (strcmp(word, ptx_trap_word(trap->kind)) != 0)
        return wrong(self, "trap %s (%s), expected %s", ptx_trap_word(trap->kind), trap->message, word);
    if ((at = strstr(rest, "line ")) && strtoul(at + 5, NULL, 10) != trap->where.ptx_line)
        return wrong(self, "trapped at line %u, expected %s", trap->where.ptx_line, at);
    if ((at = strstr(rest, "thread ")) && sscanf(at, "thread %u,%u,%u", &thread[0], &thread[1], &thread[2]) == 3 &&
        memcmp(thread, trap->thread, sizeof thread) != 0)
        return wrong(self, "thread %u,%u,%u trapped, expected %s", trap->thread[0], trap->thread[1], trap->thread[2],
                     at);
    if ((at = strstr(rest, "block ")) && strtoul(at + 6, NULL, 10) != trap->block[0])
        return wrong(self, "block %u trapped, expected %s", trap->block[0], at);
    return true;
}

static bool visit_message(Case *self, char *rest, void *context)
{
    const PtxTrap *trap = &((const Outcome *)context)->result.trap;
    return strstr(trap->message, rest) || strstr(trap->waiting, rest) ||
           wrong(self, "'%s' is neither in '%s' nor in '%.200s'", rest, trap->message, trap->waiting);
}

static bool visit_finding(Case *self, char *rest, void *context)
{
    const Outcome *outcome = context;
    for (size_t i = 0; i < outcome->result.finding_count; i++)
        if (strcmp(ptx_finding_word(outcome->result.findings[i].kind), rest) == 0)
            return true;
    return wrong(self, "no finding '%s'", rest);
}

static bool visit_output(Case *self, char *rest, void *context)
{
    const Outcome *outcome = context;
    auto_buffer Buffer wanted = {0};
    for (const char *at = rest; *at; at++) {
        if (at[0] == '\\' && at[1] == 'n')
            at++, buffer_char(&wanted, '\n');
        else
            buffer_char(&wanted, *at);
    }
    return strcmp(buffer_text(&wanted), outcome->output ? outcome->output : "") == 0 ||
           wrong(self, "printed '%s'", outcome->output ? outcome->output : "");
}

static bool visit_any(Case *self, char *rest, void *context)
{
    (void)self, (void)rest;
    ++*(int *)context;
    return true;
}

static bool check(Case *self, Outcome *outcome)
{
    int expectations = 0, findings = 0;
    if (!each_line(self, "TRAP", visit_trap, outcome) || !each_line(self, "MESSAGE", visit_message, outcome) ||
        !each_line(self, "EXPECT", visit_expect, outcome) || !each_line(self, "FINDING", visit_finding, outcome) ||
        !each_line(self, "OUTPUT", visit_output, outcome))
        return false;
    const PtxTrap *trap = &outcome->result.trap;
    if (!outcome->expects_trap && trap->kind != PTX_TRAP_NONE)
        return wrong(self, "trapped: %s, %s, PTX line %u\n# %s", ptx_trap_word(trap->kind), trap->message,
                     trap->where.ptx_line, trap->waiting);
    (void)each_line(self, "FINDING", visit_any, &findings);
    if (findings == 0 && outcome->result.finding_count > 0)
        return wrong(self, "an unexpected finding: %s", ptx_finding_word(outcome->result.findings[0].kind));
    (void)each_line(self, "EXPECT", visit_any, &expectations);
    (void)each_line(self, "OUTPUT", visit_any, &expectations);
    return expectations > 0 || outcome->expects_trap || findings > 0 || wrong(self, "the test expects nothing");
}

static bool launch(Case *self, PtxMachine *machine, const PtxModule *module)
{
    Error error = {0};
    size_t size = 0;
    Outcome outcome = {.machine = machine};
    const PtxEntry *entry = ptx_module_entry(module, 0);
    uint8_t *block = arena_alloc(self->arena, entry ? (size_t)entry->parameter_bytes + 16 : 16);
    if (!entry || !place_arguments(self, machine, entry, block))
        return wrong(self, "no entry");
    self->plan.entry = entry;
    self->plan.output = open_memstream(&outcome.output, &size);
    const bool is_run = ptx_launch(machine, &self->plan, &outcome.result, &error);
    fclose(self->plan.output);
    const bool is_right = is_run ? check(self, &outcome) : wrong(self, "%s", error_text(&error));
    free(outcome.output);
    error_clear(&error);
    return is_right;
}

static bool run_case(Case *self, const char *executor)
{
    Error error = {0};
    auto_buffer Buffer text = {0};
    if (!fd_read_file(self->path, 1 << 20, &text, &error))
        return wrong(self, "%s", error_text(&error));
    self->text = buffer_text(&text);
    self->budget = 50000000;
    for (int axis = 0; axis < 3; axis++)
        self->plan.grid[axis] = self->plan.block[axis] = 1;
    self->plan.block[0] = 32;
    if (!each_line(self, "RUN", visit_run, NULL) || !each_line(self, "ARG", visit_argument, NULL))
        return false;
    PtxMachine *machine =
        ptx_machine_new(&(PtxConfig){.executor = executor, .thread_instruction_budget = self->budget}, &error);
    const PtxModule *module = machine ? ptx_module_load(machine, self->path, self->text, text.size, &error) : NULL;
    const bool is_right = module ? launch(self, machine, module) : wrong(self, "%s", error_text(&error));
    error_clear(&error);
    ptx_machine_free(machine);
    return is_right;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        bool is_usable;
        const char *executor;
        for (size_t k = 0; (executor = ptx_executor_name(k, &is_usable)); k++) {
            if (!is_usable)
                continue;
            Case self = {.path = argv[i], .arena = arena_new()};
            const bool is_right = run_case(&self, executor);
            printf("%s - %s on %s\n", is_right ? "ok" : "not ok", argv[i], executor);
            if (!is_right)
                printf("# %s\n", self.problem);
            failed += !is_right;
            arena_free(self.arena);
        }
    }
    return failed > 0;
}
