#include "ptx/flow.h"

#include <string.h>

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *mnemonic;
    PtxFlowKind kind;
} kinds[] = {
    {"bra", PTX_FLOW_BRANCH},      {"brx", PTX_FLOW_TABLE},      {"ret", PTX_FLOW_LEAVE},    {"exit", PTX_FLOW_LEAVE},
    {"call", PTX_FLOW_CALL},       {"bar", PTX_FLOW_WAIT},       {"barrier", PTX_FLOW_WAIT}, {"shfl", PTX_FLOW_WAIT},
    {"vote", PTX_FLOW_WAIT},       {"match", PTX_FLOW_WAIT},     {"redux", PTX_FLOW_WAIT},   {"elect", PTX_FLOW_WAIT},
    {"activemask", PTX_FLOW_WAIT}, {"nanosleep", PTX_FLOW_WAIT}, {"trap", PTX_FLOW_WAIT},
};

static PtxFlowKind kind_of(const PtxInstruction *instruction)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].mnemonic, instruction->mnemonic) == 0)
            return kinds[i].kind;
    return PTX_FLOW_PLAIN;
}

static bool is_skipped(const PtxInstruction *instruction, PtxFlowKind kind)
{
    return instruction->is_guarded && kind != PTX_FLOW_PLAIN && kind != PTX_FLOW_BRANCH;
}

static void mark_leaders(const PtxFunction *function, const PtxFlow *flow, bool *is_leader)
{
    const uint32_t count = function->instruction_count;
    is_leader[0] = true;
    for (uint32_t i = 0; i < function->label_count; i++)
        is_leader[function->label_targets[i]] = true;
    for (uint32_t i = 0; i < count; i++) {
        const PtxFlowKind kind = flow->kinds[i];
        const bool is_alone = is_skipped(&function->instructions[i], kind);
        is_leader[i] |= is_alone;
        is_leader[i + 1] |= is_alone || (kind != PTX_FLOW_PLAIN && kind != PTX_FLOW_WAIT);
    }
}

static void cut_blocks(Arena *arena, const PtxFunction *function, PtxFlow *flow)
{
    const uint32_t count = function->instruction_count;
    bool *is_leader = arena_new_array(arena, bool, (size_t)count + 1);
    flow->kinds = arena_new_array(arena, uint8_t, count);
    for (uint32_t i = 0; i < count; i++)
        flow->kinds[i] = (uint8_t)kind_of(&function->instructions[i]);
    mark_leaders(function, flow, is_leader);
    for (uint32_t i = 0; i < count; i++)
        flow->block_count += is_leader[i];
    flow->blocks = arena_new_array(arena, PtxFlowBlock, (size_t)flow->block_count + 1);
    flow->block_of = arena_new_array(arena, uint32_t, (size_t)count + 1);
    uint32_t block = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (is_leader[i]) {
            block++;
            flow->blocks[block] = (PtxFlowBlock){
                .first = i, .count = 0, .is_skipped = is_skipped(&function->instructions[i], flow->kinds[i])};
        }
        flow->blocks[block].count++;
        flow->block_of[i] = block;
    }
    flow->block_of[count] = flow->block_count;
}

/* ---- edges ------------------------------------------------------------------------------------------------- */

typedef struct Graph {
    uint32_t *first, *targets; /* successors of block b: targets[first[b] .. first[b + 1]) */
} Graph;

static const PtxTable *branch_table(const PtxInstruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_TABLE)
            return instruction->operands[i].table;
    return NULL;
}

/* Calls back with each successor; the fall-through last, so that it is laid out first among equals. */
static uint32_t successors(const PtxFunction *function, const PtxFlow *flow, uint32_t block, uint32_t *ret_targets)
{
    const PtxFlowBlock *self = &flow->blocks[block];
    const uint32_t last_index = self->first + self->count - 1;
    const PtxInstruction *last = &function->instructions[last_index];
    const PtxFlowKind kind = flow->kinds[last_index];
    uint32_t count = 0;
#define ADD(target_block)                                                                                              \
    do {                                                                                                               \
        const uint32_t target_ = (target_block);                                                                       \
        if (target_ < flow->block_count) {                                                                             \
            if (ret_targets)                                                                                           \
                ret_targets[count] = target_;                                                                          \
            count++;                                                                                                   \
        }                                                                                                              \
    } while (0)
    if (kind == PTX_FLOW_BRANCH && last->operand_count && last->operands[0].kind == PTX_OPERAND_LABEL)
        ADD(flow->block_of[last->operands[0].index]);
    const PtxTable *table = kind == PTX_FLOW_TABLE ? branch_table(last) : NULL;
    for (uint32_t i = 0; table && table->labels && i < table->count; i++)
        ADD(flow->block_of[table->labels[i]]);
    const bool is_final =
        kind == PTX_FLOW_LEAVE || kind == PTX_FLOW_TABLE || (kind == PTX_FLOW_BRANCH && !last->is_guarded);
    if (!is_final || self->is_skipped)
        ADD(flow->block_of[self->first + self->count]);
#undef ADD
    return count;
}

static Graph build_graph(Arena *arena, const PtxFunction *function, const PtxFlow *flow)
{
    Graph graph = {.first = arena_new_array(arena, uint32_t, (size_t)flow->block_count + 1)};
    uint32_t total = 0;
    for (uint32_t block = 0; block < flow->block_count; block++) {
        graph.first[block] = total;
        total += successors(function, flow, block, NULL);
    }
    graph.first[flow->block_count] = total;
    graph.targets = arena_new_array(arena, uint32_t, (size_t)total + 1);
    for (uint32_t block = 0; block < flow->block_count; block++)
        (void)successors(function, flow, block, graph.targets + graph.first[block]);
    return graph;
}

/* ---- order: strongly connected components, again and again inside of each ---------------------------------- */

/* Loops nested more deeply keep the order in which the search found them. Only hostile code gets there. */
enum { NESTING_MAX = 64, NESTING_MAX_IF_LARGE = 4, LARGE_BLOCKS = 65536 };

typedef struct Ordering {
    const Graph *graph;
    uint32_t nesting_max;
    uint32_t *level;              /* of the subgraph that a block belongs to; PLACED when it has its place */
    uint32_t *index, *low, *edge; /* Tarjan's numbers, and the next edge to look at */
    bool *is_on_stack;
    uint32_t *stack, *path; /* blocks of open components; the search's path. Inner searches go on above outer ones */
    uint32_t stack_size, path_size, counter;
    uint32_t *placed; /* filled from the end: components are found in reverse order */
    uint32_t free_from;
} Ordering;

#define PLACED UINT32_MAX

static void search_from(Ordering *ordering, uint32_t root, uint32_t level);

static void place(Ordering *ordering, uint32_t block)
{
    ordering->level[block] = PLACED;
    ordering->placed[--ordering->free_from] = block;
}

/* The blocks of a loop without its head, which no longer hangs together: a subgraph of its own, entered where the head
 * goes. */
static void place_body(Ordering *ordering, uint32_t head, const uint32_t *body, uint32_t count, uint32_t level)
{
    for (uint32_t i = 0; i < count; i++) {
        ordering->level[body[i]] = level + 1;
        ordering->index[body[i]] = 0;
    }
    for (uint32_t edge = ordering->graph->first[head]; edge < ordering->graph->first[head + 1]; edge++) {
        const uint32_t next = ordering->graph->targets[edge];
        if (ordering->level[next] == level + 1 && ordering->index[next] == 0)
            search_from(ordering, next, level + 1);
    }
}

/* A component is complete, and everything that it leads to has its place: it takes the last free ones, head first. */
static void place_component(Ordering *ordering, uint32_t head, uint32_t level)
{
    uint32_t start = ordering->stack_size;
    do
        ordering->is_on_stack[ordering->stack[--start]] = false;
    while (ordering->stack[start] != head);
    const uint32_t count = ordering->stack_size - start - 1;
    ordering->stack_size = start;
    ordering->level[head] = PLACED; /* so that inner searches stop at it */
    if (count && level < ordering->nesting_max) {
        Arena *arena = arena_new(); /* the search inside uses the stack's space */
        uint32_t *body = arena_new_array(arena, uint32_t, count);
        memcpy(body, &ordering->stack[start + 1], count * sizeof *body);
        place_body(ordering, head, body, count, level);
        arena_free(arena);
    } else {
        for (uint32_t i = count; i > 0; i--)
            place(ordering, ordering->stack[start + i]);
    }
    place(ordering, head);
}

static void open_block(Ordering *ordering, uint32_t block)
{
    ordering->index[block] = ordering->low[block] = ++ordering->counter;
    ordering->edge[block] = ordering->graph->first[block];
    ordering->stack[ordering->stack_size++] = block;
    ordering->is_on_stack[block] = true;
    ordering->path[ordering->path_size++] = block;
}

static void follow_edge(Ordering *ordering, uint32_t block, uint32_t level)
{
    const uint32_t next = ordering->graph->targets[ordering->edge[block]++];
    if (ordering->level[next] != level)
        return;
    if (ordering->index[next] == 0)
        open_block(ordering, next);
    else if (ordering->is_on_stack[next] && ordering->index[next] < ordering->low[block])
        ordering->low[block] = ordering->index[next];
}

/* R. Tarjan's search for strongly connected components (1972), without recursion. */
static void search_from(Ordering *ordering, uint32_t root, uint32_t level)
{
    const uint32_t base = ordering->path_size;
    open_block(ordering, root);
    while (ordering->path_size > base) {
        const uint32_t block = ordering->path[ordering->path_size - 1];
        if (ordering->edge[block] < ordering->graph->first[block + 1]) {
            follow_edge(ordering, block, level);
            continue;
        }
        ordering->path_size--;
        if (ordering->path_size > base) {
            const uint32_t before = ordering->path[ordering->path_size - 1];
            if (ordering->low[block] < ordering->low[before])
                ordering->low[before] = ordering->low[block];
        }
        if (ordering->low[block] == ordering->index[block])
            place_component(ordering, block, level);
    }
}

static void order_blocks(Arena *arena, const Graph *graph, PtxFlow *flow)
{
    const uint32_t count = flow->block_count;
    Ordering ordering = {
        .graph = graph,
        .nesting_max = count > LARGE_BLOCKS ? NESTING_MAX_IF_LARGE : NESTING_MAX,
        .level = arena_new_array(arena, uint32_t, count),
        .index = arena_new_array(arena, uint32_t, count),
        .low = arena_new_array(arena, uint32_t, count),
        .edge = arena_new_array(arena, uint32_t, count),
        .is_on_stack = arena_new_array(arena, bool, count),
        .stack = arena_new_array(arena, uint32_t, count),
        .path = arena_new_array(arena, uint32_t, count),
        .placed = arena_new_array(arena, uint32_t, count),
        .free_from = count,
    };
    search_from(&ordering, 0, 0);
    const uint32_t reached = count - ordering.free_from;
    flow->order = arena_new_array(arena, uint32_t, count);
    memcpy(flow->order, ordering.placed + ordering.free_from, reached * sizeof *flow->order);
    uint32_t next = reached;
    for (uint32_t block = 0; block < count; block++)
        if (ordering.level[block] != PLACED)
            flow->order[next++] = block;
}

PtxFlow *ptx_flow_new(Arena *arena, const PtxFunction *function)
{
    PtxFlow *flow = arena_alloc(arena, sizeof *flow);
    if (function->instruction_count == 0)
        return flow;
    cut_blocks(arena, function, flow);
    const Graph graph = build_graph(arena, function, flow);
    order_blocks(arena, &graph, flow);
    flow->position = arena_new_array(arena, uint32_t, (size_t)flow->block_count + 1);
    for (uint32_t i = 0; i < flow->block_count; i++)
        flow->position[flow->order[i]] = i;
    return flow;
}
