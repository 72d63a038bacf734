#include "ptx/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "ptx/barrier.h"
#include "ptx/warp.h"

/* ---- words ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *text;
} traps[PTX_TRAP_COUNT] = {
    [PTX_TRAP_NONE] = {"none", "the kernel ran to its end"},
#define PTX_TRAP(suffix, word, text) [PTX_TRAP_##suffix] = {word, text},
#include "gavel/ptx_traps.def"
#undef PTX_TRAP
};

static const struct {
    const char *word, *text;
} finding_rows[PTX_FINDING_COUNT] = {
#define PTX_FINDING(suffix, word, text) [PTX_FINDING_##suffix] = {word, text},
#include "gavel/ptx_findings.def"
#undef PTX_FINDING
};

const char *ptx_trap_word(PtxTrapKind kind)
{
    return traps[kind].word;
}
const char *ptx_trap_text(PtxTrapKind kind)
{
    return traps[kind].text;
}
const char *ptx_finding_word(PtxFindingKind kind)
{
    return finding_rows[kind].word;
}
const char *ptx_finding_text(PtxFindingKind kind)
{
    return finding_rows[kind].text;
}

/* ---- places ------------------------------------------------------------------------------------------------ */

static const char *instruction_text(const PtxInstruction *instruction, Arena *arena)
{
    const char *text = instruction->mnemonic;
    for (uint32_t i = 0; i < instruction->modifier_count; i++)
        text = arena_format(arena, "%s.%s", text, instruction->modifiers[i]);
    return text;
}

PtxWhere ptx_where(const PtxSyntax *syntax, const PtxFunction *function, uint32_t instruction, Arena *arena)
{
    PtxWhere where = {.function = function->name};
    if (instruction >= function->instruction_count)
        return where;
    const PtxInstruction *at = &function->instructions[instruction];
    where.ptx_line = at->place.line;
    where.ptx_column = at->place.column;
    where.instruction = instruction_text(at, arena);
    /* Code that was inlined belongs to the line that a reader knows: the outermost place of the kernel's own file. */
    const PtxSourceLocation *location = at->location;
    while (location && location->inlined_at)
        location = location->inlined_at;
    if (location && location->line) {
        where.line = location->line;
        where.file = location->file < syntax->file_count ? syntax->files[location->file] : NULL;
    }
    return where;
}

static void thread_of(const PtxWarp *warp, unsigned lane, uint32_t ret_block[3], uint32_t ret_thread[3])
{
    memcpy(ret_block, warp->block->index, sizeof warp->block->index);
    for (int axis = 0; axis < 3; axis++)
        ret_thread[axis] = warp->thread_index[axis][lane];
}

/* ---- traps ------------------------------------------------------------------------------------------------- */

const PtxOp *ptx_trap(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address,
                      const char *format, ...)
{
    PtxTrap *trap = warp->worker->trap;
    warp->event = PTX_EVENT_TRAP;
    if (trap->kind != PTX_TRAP_NONE)
        return NULL;
    const PtxFunction *function = ptx_warp_group(warp)->frame->function->syntax;
    trap->kind = kind;
    trap->address = address;
    trap->where = ptx_where(warp->launch->program->syntax, function, op->instruction, warp->worker->arena);
    thread_of(warp, lane, trap->block, trap->thread);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trap->message, sizeof trap->message, format, arguments);
    va_end(arguments);
    if (kind == PTX_TRAP_BUDGET)
        ptx_describe_waiting(warp->block, warp->launch->program->syntax, trap->waiting, sizeof trap->waiting);
    return NULL;
}

static void describe_group(const PtxWarp *warp, const PtxGroup *group, const PtxSyntax *syntax, Buffer *text)
{
    auto_arena Arena *arena = arena_new();
    const PtxWhere where = ptx_where(syntax, group->frame->function->syntax, group->pc->instruction, arena);
    buffer_format(text, "warp %u lanes 0x%08x ", warp->index, group->mask);
    if (group->state == PTX_GROUP_AT_BARRIER) {
        const PtxBarrier *barrier = &warp->block->barriers[group->barrier];
        buffer_format(text, "wait at barrier %u (%u of %u threads have come)", group->barrier, barrier->arrived,
                      barrier->expected ? barrier->expected : warp->block->live_threads);
    } else if (group->state == PTX_GROUP_AT_LANES) {
        buffer_format(text, "wait for lanes 0x%08x", group->members & warp->live & ~group->mask);
    } else {
        buffer_string(text, "run");
    }
    buffer_format(text, ": %s, PTX line %u", where.instruction ? where.instruction : "end", where.ptx_line);
    if (where.line)
        buffer_format(text, ", source line %u", where.line);
    buffer_char(text, '\n');
}

void ptx_describe_waiting(const PtxBlock *block, const PtxSyntax *syntax, char *ret_text, size_t size)
{
    auto_buffer Buffer text = {0};
    for (uint32_t w = 0; w < block->warp_count; w++)
        for (uint32_t i = 0; i < block->warps[w].groups->count; i++)
            describe_group(&block->warps[w], &block->warps[w].groups->items[i], syntax, &text);
    if (text.size < size) {
        memcpy(ret_text, buffer_text(&text), text.size + 1);
        return;
    }
    /* Whole lines, and a word about the rest. */
    static const char more[] = "...\n";
    size_t kept = size - sizeof more;
    while (kept > 0 && text.data[kept - 1] != '\n')
        kept--;
    memcpy(ret_text, text.data, kept);
    memcpy(ret_text + kept, more, sizeof more);
}

/* ---- findings ---------------------------------------------------------------------------------------------- */

static PtxFinding *find_row(PtxFindings *findings, const PtxOp *op, PtxFindingKind kind)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->ops[i] == op && findings->rows[i].kind == kind)
            return &findings->rows[i];
    return NULL;
}

enum { FINDINGS_MAX = 1000 };

static PtxFinding *add_row(PtxFindings *findings, const PtxOp *op)
{
    if (findings->count == FINDINGS_MAX)
        return NULL;
    if (findings->count == findings->capacity) {
        const size_t capacity = findings->capacity ? findings->capacity * 2 : 16;
        PtxFinding *rows = realloc(findings->rows, capacity * sizeof *rows);
        if (rows)
            findings->rows = rows;
        const PtxOp **ops = realloc(findings->ops, capacity * sizeof *ops);
        if (ops)
            findings->ops = ops;
        if (!rows || !ops)
            return NULL; /* one finding less: the run itself is not at stake */
        findings->capacity = capacity;
    }
    findings->ops[findings->count] = op;
    findings->rows[findings->count] = (PtxFinding){0};
    return &findings->rows[findings->count++];
}

void ptx_finding(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxFindingKind kind)
{
    PtxFinding *row = find_row(warp->worker->findings, op, kind);
    if (!row) {
        row = add_row(warp->worker->findings, op);
        if (!row)
            return;
        row->kind = kind;
        row->where = ptx_where(warp->launch->program->syntax, ptx_warp_group(warp)->frame->function->syntax,
                               op->instruction, warp->worker->arena);
        thread_of(warp, lane, row->block, row->thread);
    }
    row->count++;
}

void ptx_findings_merge(PtxFindings *into, const PtxFindings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        PtxFinding *row = find_row(into, from->ops[i], from->rows[i].kind);
        if (row) {
            row->count += from->rows[i].count;
        } else if ((row = add_row(into, from->ops[i]))) {
            *row = from->rows[i];
        }
    }
}

void ptx_findings_clear(PtxFindings *findings)
{
    free(findings->rows);
    free(findings->ops);
    *findings = (PtxFindings){0};
}
