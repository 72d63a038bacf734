/* gavel ptx coverage: which instructions of PTX files the machine implements. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/command.h"
#include "cmd/ptx_file.h"

typedef struct CoverageOptions {
    GlobalOptions global;
    OptionList files;
    bool is_json;
} CoverageOptions;

/* One form ("tex.2d.v4.f32.f32") that is not implemented. */
typedef struct MissingForm {
    const char *text, *reason;
    uint64_t count, file_count;
    size_t last_file;
} MissingForm;

typedef struct Coverage {
    Arena *arena;
    MissingForm *forms;
    size_t form_count, form_capacity;
    size_t file; /* the one being read */
    uint64_t instruction_count, missing_count, file_missing;
    size_t file_count, covered_count, unreadable_count;
} Coverage;

static MissingForm *find_form(Coverage *coverage, const PtxInstructionFact *fact)
{
    for (size_t i = 0; i < coverage->form_count; i++)
        if (strcmp(coverage->forms[i].text, fact->where.instruction) == 0)
            return &coverage->forms[i];
    if (coverage->form_count == coverage->form_capacity) {
        const size_t capacity = coverage->form_capacity ? coverage->form_capacity * 2 : 64;
        MissingForm *forms = arena_new_array(coverage->arena, MissingForm, capacity);
        if (coverage->form_count)
            memcpy(forms, coverage->forms, coverage->form_count * sizeof *forms);
        coverage->forms = forms;
        coverage->form_capacity = capacity;
    }
    MissingForm *form = &coverage->forms[coverage->form_count++];
    *form = (MissingForm){.text = arena_string(coverage->arena, fact->where.instruction),
                          .reason = arena_string(coverage->arena, fact->reason),
                          .last_file = SIZE_MAX};
    return form;
}

static void count_instruction(void *context, const PtxInstructionFact *fact)
{
    Coverage *coverage = context;
    coverage->instruction_count++;
    if (!fact->reason)
        return;
    MissingForm *form = find_form(coverage, fact);
    form->count++;
    form->file_count += form->last_file != coverage->file;
    form->last_file = coverage->file;
    coverage->missing_count++;
    coverage->file_missing++;
}

static bool read_module(const char *path, Coverage *coverage, Error *error)
{
    PtxMachine *machine;
    const PtxModule *module = ptx_file_load(path, &(PtxConfig){0}, &machine, error);
    if (module)
        ptx_module_visit(module, count_instruction, coverage);
    ptx_machine_free(machine);
    return module != NULL;
}

static void read_file(const Session *session, const char *path, Coverage *coverage, bool is_quiet)
{
    auto_error Error error = {0};
    coverage->file_missing = 0;
    coverage->file_count++;
    if (!read_module(path, coverage, &error)) {
        fprintf(stderr, "%s: %s\n", session->program, error_text(&error));
        coverage->unreadable_count++;
    } else {
        coverage->covered_count += coverage->file_missing == 0;
        if (!is_quiet && coverage->file_missing)
            printf("%6llu not implemented  %s\n", (unsigned long long)coverage->file_missing, path);
    }
    coverage->file++;
}

static int compare_forms(const void *a, const void *b)
{
    const MissingForm *x = a, *y = b;
    if (x->file_count != y->file_count)
        return x->file_count < y->file_count ? 1 : -1;
    return strcmp(x->text, y->text);
}

static void print_text(const Coverage *coverage)
{
    for (size_t i = 0; i < coverage->form_count; i++)
        printf("  %-44s %5llu files %7llu times  %s\n", coverage->forms[i].text,
               (unsigned long long)coverage->forms[i].file_count, (unsigned long long)coverage->forms[i].count,
               coverage->forms[i].reason);
    printf("%zu files, %zu unreadable, %zu of implemented instructions only (%.2f %%); %llu instructions, %llu not "
           "implemented\n",
           coverage->file_count, coverage->unreadable_count, coverage->covered_count,
           coverage->file_count ? 100.0 * (double)coverage->covered_count / (double)coverage->file_count : 0.0,
           (unsigned long long)coverage->instruction_count, (unsigned long long)coverage->missing_count);
}

static bool print_json(const Coverage *coverage, Error *error)
{
    json_t *forms = json_array();
    for (size_t i = 0; i < coverage->form_count; i++)
        (void)json_array_append_new(forms, json_pack("{s:s, s:s, s:I, s:I}", "instruction", coverage->forms[i].text,
                                                     "reason", coverage->forms[i].reason, "files",
                                                     (json_int_t)coverage->forms[i].file_count, "count",
                                                     (json_int_t)coverage->forms[i].count));
    return json_write(json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o}", "schema", 1, "files",
                                (json_int_t)coverage->file_count, "unreadable", (json_int_t)coverage->unreadable_count,
                                "covered", (json_int_t)coverage->covered_count, "instructions",
                                (json_int_t)coverage->instruction_count, "not_implemented",
                                (json_int_t)coverage->missing_count, "missing", forms),
                      stdout, error);
}

static ExitCode run_coverage(Session *session, const void *raw_options)
{
    const CoverageOptions *options = raw_options;
    Coverage coverage = {.arena = session->arena};
    auto_error Error error = {0};
    for (size_t i = 0; i < options->files.count; i++)
        read_file(session, options->files.items[i], &coverage, options->is_json || options->global.is_quiet);
    if (coverage.form_count)
        qsort(coverage.forms, coverage.form_count, sizeof *coverage.forms, compare_forms);
    if (options->is_json && !print_json(&coverage, &error))
        return session_fail(session, &error);
    if (!options->is_json)
        print_text(&coverage);
    if (coverage.unreadable_count)
        return EXIT_USAGE;
    return coverage.covered_count == coverage.file_count ? EXIT_ALL_WELL : EXIT_FINDINGS;
}

static const Option coverage_options[] = {OPTION_ROW_JSON(CoverageOptions), {0}};

const Verb verb_ptx_coverage = {
    .name = "ptx coverage",
    .summary = "tell which instructions of PTX files the machine implements",
    .options = coverage_options,
    .arguments = (const OptionArgument[]){{.name = "FILE",
                                           .offset = offsetof(CoverageOptions, files),
                                           .is_list = true,
                                           .help = "PTX text, a fat binary, or an object that holds one"},
                                          {0}},
    .options_size = sizeof(CoverageOptions),
    .run = run_coverage,
    .notes = "Exit codes: 0 all instructions are implemented, 1 some are not, 2 a file could not be read.",
};
