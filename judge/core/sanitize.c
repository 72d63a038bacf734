/* The sanitizer run.
 *
 * The sanitizer prints module offsets instead of source lines: its own symbolizer would need a child process and the
 * program's file inside the jail of the submission. addr2line reads the binary afterwards, in a jail of its own, since
 * debug information made from a submission is not to be trusted either. */
#include "core/sanitize.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "core/context.h"
#include "core/jail.h"

#define SECOND INT64_C(1000000000)
#define MIB    (INT64_C(1) << 20)

/* ---- reading the message -------------------------------------------------------------------------------------- */

typedef struct KindRow {
    const char *text;
    const char *kind;
} KindRow;

/* By how the message starts; others are named by their first word. */
static const KindRow address_kinds[] = {
    {"SEGV on unknown address 0x00000000", "null pointer access"},
    {"SEGV", "invalid memory access"},
    {"BUS", "misaligned or invalid memory access"},
    {"FPE", "arithmetic exception, such as a division by zero"},
    {"ILL", "illegal instruction"},
    {"ABRT", "abort"},
    {"TRAP", "trap"},
    {"attempting double-free", "double-free"},
    {"attempting free on address which was not malloc", "bad-free"},
    {"attempting to call malloc_usable_size", "bad-malloc-usable-size"},
    {"requested allocation size", "allocation-size-too-big"},
    {"calloc parameters overflow", "calloc-overflow"},
    {"out of memory", "out-of-memory"},
    {"allocator is out of memory", "out-of-memory"},
};

/* Values in the messages come from the test's data, and are left out. */
static const KindRow undefined_kinds[] = {
    {"signed integer overflow", "signed integer overflow"},
    {"division by zero", "division by zero"},
    {"out of bounds for type", "array index out of bounds"},
    {"index ", "array index out of bounds"},
    {"shift exponent", "shift by an invalid amount"},
    {"left shift", "invalid left shift"},
    {"negation of", "signed integer overflow"},
    {"null pointer", "null pointer access"},
    {"misaligned address", "misaligned memory access"},
    {"insufficient space for an object", "access outside an object"},
    {"variable length array bound", "variable length array of invalid size"},
    {"reached an unreachable", "unreachable code"},
    {"reached the end of a value-returning function", "missing return value"},
    {"pointer index expression", "pointer overflow"},
    {"applying zero offset", "null pointer arithmetic"},
    {"applying non-zero offset", "null pointer arithmetic"},
    {"not a valid value for type", "invalid value"},
    {"outside the range of representable values", "floating-point conversion out of range"},
    {"null pointer passed as argument", "null pointer argument"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The digits at `text` as a line number; 0, which means unknown, if they are none or absurd. */
static int line_number(const char *text)
{
    long line = strtol(text, NULL, 10);
    return line > 0 && line < INT_MAX ? (int)line : 0;
}

static const char *address_kind(const char *message, Arena *arena)
{
    for (size_t i = 0; i < COUNT(address_kinds); i++)
        if (strncmp(message, address_kinds[i].text, strlen(address_kinds[i].text)) == 0)
            return address_kinds[i].kind;
    size_t length = strcspn(message, " :\n(");
    return report_printable(arena, message, length, 60, false);
}

static const char *undefined_kind(const char *message)
{
    size_t line = strcspn(message, "\n");
    for (size_t i = 0; i < COUNT(undefined_kinds); i++)
        if (memmem(message, line, undefined_kinds[i].text, strlen(undefined_kinds[i].text)))
            return undefined_kinds[i].kind;
    return "undefined behaviour";
}

/* "    #0 0x55d0 (/memfd:program (deleted)+0x11d2)  (BuildId: ...)": the offset, if the module is the program. */
static bool parse_frame(const char *line, size_t length, uint64_t *ret_offset)
{
    const char *module = memmem(line, length, "memfd:", strlen("memfd:"));
    const char *plus = module ? memmem(module, length - (size_t)(module - line), "+0x", 3) : NULL;
    if (!plus)
        return false;
    *ret_offset = strtoull(plus + 1, NULL, 16);
    return true;
}

/* The first stack only: the others tell where memory was allocated or freed. */
static void parse_stack(const char *text, SanitizerFinding *finding)
{
    bool is_inside = false;
    while (*text && finding->frame_count < SANITIZE_FRAME_MAX) {
        size_t length = strcspn(text, "\n");
        const char *word = text + strspn(text, " ");
        if (*word == '#')
            is_inside = true;
        else if (is_inside)
            return;
        if (is_inside && parse_frame(text, length, &finding->frames[finding->frame_count]))
            finding->frame_count++;
        text += length + (text[length] == '\n');
    }
}

/* "main.c:5:7: runtime error: " ends at `message`: takes file and line from before it. */
static void parse_place(const char *text, const char *message, Arena *arena, SanitizerFinding *finding)
{
    const char *start = message;
    while (start > text && start[-1] != '\n')
        start--;
    const char *colon = memchr(start, ':', (size_t)(message - start));
    if (!colon || !isdigit((unsigned char)colon[1]))
        return;
    finding->file = arena_bytes(arena, start, (size_t)(colon - start));
    finding->line = line_number(colon + 1);
}

SanitizerFinding sanitizer_parse(const char *text, Arena *arena)
{
    static const char address_mark[] = "ERROR: AddressSanitizer: ", undefined_mark[] = ": runtime error: ";
    SanitizerFinding finding = {0};
    const char *address = strstr(text, address_mark), *undefined = strstr(text, undefined_mark);
    if (undefined && (!address || undefined < address)) {
        finding.kind = undefined_kind(undefined + strlen(undefined_mark));
        parse_place(text, undefined, arena, &finding);
        parse_stack(undefined, &finding);
    } else if (address) {
        finding.kind = address_kind(address + strlen(address_mark), arena);
        parse_stack(address, &finding);
    }
    return finding;
}

/* ---- source lines --------------------------------------------------------------------------------------------- */

/* "/w/main.c" -> "main.c" if that is one of the sources. */
static const char *source_of(const char *path, size_t length, const SourceSet *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        const char *name = sources->files[i].name;
        size_t name_length = strlen(name);
        bool is_tail = length >= name_length && memcmp(path + length - name_length, name, name_length) == 0;
        if (is_tail && (length == name_length || path[length - name_length - 1] == '/'))
            return name;
    }
    return NULL;
}

static const char *shown_file(const char *name, const SourceSet *sources, Arena *arena)
{
    const char *shown = strcmp(name, sources->jail_name) == 0 ? sources->shown_name : name;
    return report_printable(arena, shown, strlen(shown), 200, false);
}

bool sanitizer_parse_frames(const char *text, const SourceSet *sources, Arena *arena, SanitizerReport *report)
{
    while (*text) {
        size_t function_length = strcspn(text, "\n");
        const char *place = text + function_length + (text[function_length] == '\n');
        size_t place_length = strcspn(place, "\n"), path_length = strcspn(place, ":\n");
        const char *name = source_of(place, path_length, sources);
        if (name) {
            report->file = shown_file(name, sources, arena);
            report->line = place[path_length] == ':' ? line_number(place + path_length + 1) : 0;
            report->function = text[0] == '?' ? NULL : report_printable(arena, text, function_length, 200, false);
            return true;
        }
        text = place + place_length + (place[place_length] == '\n');
    }
    return false;
}

static bool run_addr2line(Judge *judge, const Program *program, const SanitizerFinding *finding,
                          const CancelToken *cancel, Arena *arena, const char **ret_text, Error *error)
{
    const char *argv[SANITIZE_FRAME_MAX + 6] = {"/usr/bin/addr2line", "-f", "-C", "-e", "program"};
    for (size_t i = 0; i < finding->frame_count; i++)
        argv[5 + i] = arena_format(arena, "0x%llx", (unsigned long long)finding->frames[i]);
    const SandboxFile file = {.name = "program", .fd = program->executable_fd, .mode = 0444};
    SandboxPlan plan = sandbox_plan_init(SANDBOX_PROFILE_COMPILE);
    plan.argv = argv;
    plan.environment = jail_tool_environment();
    plan.output.kind = SANDBOX_STREAM_DRAIN;
    plan.limits.cpu_ns = 10 * SECOND;
    plan.files = &file;
    plan.file_count = 1;
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!jail_run(judge, &plan, cancel, &result, error))
        return false;
    *ret_text = arena_bytes(arena, result.error_data ? result.error_data : "", result.error_size);
    return true;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

/* Sanitized code is slower and larger; the stack stays as it is, so that an overflow is found as one. */
static SandboxLimits sanitizer_limits(const Problem *problem, int64_t time_limit_ns)
{
    SandboxLimits limits = run_limits(problem, time_limit_ns);
    limits.cpu_ns = 5 * time_limit_ns + 5 * SECOND;
    limits.wall_ns = run_wall_limit(limits.cpu_ns);
    limits.memory_bytes = 3 * limits.memory_bytes + 512 * MIB;
    return limits;
}

static bool run_sanitized(Judge *judge, const RunRequest *request, const CancelToken *cancel, Arena *arena,
                          SanitizerFinding *ret_finding, Error *error)
{
    auto_jail_result SandboxResult result = JAIL_RESULT_NONE;
    if (!run_program(judge, request, cancel, &result, error))
        return false;
    *ret_finding = sanitizer_parse(result.error_data ? result.error_data : "", arena);
    return true;
}

static bool locate(Judge *judge, const Program *program, const SourceSet *sources, const SanitizerFinding *finding,
                   const CancelToken *cancel, Arena *arena, SanitizerReport *report, Error *error)
{
    const char *text = "";
    *report = (SanitizerReport){.is_present = true, .kind = finding->kind};
    if (finding->frame_count > 0 && !run_addr2line(judge, program, finding, cancel, arena, &text, error))
        return false;
    (void)sanitizer_parse_frames(text, sources, arena, report); /* a finding without a place is one too */
    if (finding->file) {
        const char *name = source_of(finding->file, strlen(finding->file), sources);
        report->file = name ? shown_file(name, sources, arena) : NULL;
        report->line = name ? finding->line : 0;
    }
    return true;
}

bool sanitize_run(Judge *judge, const Problem *problem, const SourceSet *sources, const RunInput *input,
                  const char *const *args, int64_t time_limit_ns, const CancelToken *cancel, Arena *arena,
                  SanitizerReport *ret_report, const char **ret_note, Error *error)
{
    static const char *const environment[] = {
        "PATH=/usr/bin:/bin", "LC_ALL=C",
        "ASAN_OPTIONS=symbolize=0:detect_leaks=0:color=never:handle_abort=1:handle_sigill=1:handle_sigfpe=1:"
        "allocator_may_return_null=1:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS=symbolize=0:print_stacktrace=1:color=never:halt_on_error=1", NULL};
    auto_program Program program = program_none();
    SanitizerFinding finding = {0};
    BuildLimits limits = {.time_ns = problem->limits.compilation_time_ns,
                          .memory_bytes = problem->limits.compilation_memory_bytes};
    if (!build_program(judge, sources, BUILD_SANITIZER, limits, cancel, arena, &program, error))
        return false;
    if (!program.compile.has_succeeded) {
        *ret_note = "there is no sanitizer build of this program; gcc's libasan and libubsan may be missing";
        return true;
    }
    const RunRequest request = {
        .program = &program,
        .profile = sources->language->sanitizer_profile,
        .args = args,
        .environment = environment,
        .input = input,
        .limits = sanitizer_limits(problem, time_limit_ns),
    };
    if (!run_sanitized(judge, &request, cancel, arena, &finding, error))
        return false;
    return !finding.kind || locate(judge, &program, sources, &finding, cancel, arena, ret_report, error);
}
