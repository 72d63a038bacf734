/* Device memory, and the handlers that touch memory: against a model that moves one byte at a time, on all instruction
 * sets that this CPU has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/async.h"
#include "ptx/exec.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- instruction sets -------------------------------------------------------------------------------------------- */

typedef struct Isa {
    const char *name;
    const PtxHandlerRow *memory, *atomic;
} Isa;

#define TABLES(isa) extern const PtxHandlerRow ptx_##isa##_memory_handlers[], ptx_##isa##_atomic_handlers[];
#define ISA(isa)                                                                                                       \
    (Isa)                                                                                                              \
    {                                                                                                                  \
#isa, ptx_##isa##_memory_handlers, ptx_##isa##_atomic_handlers                                                 \
    }
TABLES(portable)
#if defined(__x86_64__)
TABLES(avx2)
TABLES(avx512)
#endif

enum { ISAS = 3 };

static size_t find_isas(Isa ret[ISAS])
{
    size_t count = 0;
    ret[count++] = ISA(portable);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        ret[count++] = ISA(avx2);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl"))
        ret[count++] = ISA(avx512);
#endif
    return count;
}

static PtxHandler find_handler(const Isa *isa, const char *name)
{
    const PtxHandlerRow *tables[] = {isa->memory, isa->atomic};
    for (size_t i = 0; i < COUNT(tables); i++)
        for (const PtxHandlerRow *row = tables[i]; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row->run;
    fail_msg("%s has no %s", isa->name, name);
    return NULL;
}

/* ---- traps ------------------------------------------------------------------------------------------------------- */

static struct {
    PtxTrapKind kind;
    unsigned lane;
    uint64_t address;
    char message[512];
} trap;

const PtxOp *ptx_trap(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address,
                      const char *format, ...)
{
    (void)warp, (void)op;
    trap.kind = kind;
    trap.lane = lane;
    trap.address = address;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trap.message, sizeof trap.message, format, arguments);
    va_end(arguments);
    return NULL;
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t random_below(uint32_t limit)
{
    return (uint32_t)((random_64() >> 32) * limit >> 32);
}

/* ---- device memory ----------------------------------------------------------------------------------------------- */

static void memory_start(PtxMemory *memory, uint64_t cap)
{
    Error error = {0};
    assert_true(ptx_memory_init(memory, cap, &error));
}

static void allocations_are_apart_and_zero(void **state)
{
    (void)state;
    PtxMemory memory;
    uint64_t bases[100], sizes[100], total = 0;
    memory_start(&memory, 1 << 20);
    for (size_t i = 0; i < COUNT(bases); i++) {
        sizes[i] = 1 + random_below(3000);
        bases[i] = ptx_memory_allocate(&memory, sizes[i], NULL, false);
        assert_int_not_equal(bases[i], 0);
        assert_int_equal(bases[i] % 256, 0);
        assert_true(bases[i] >= (i ? bases[i - 1] + sizes[i - 1] : PTX_GLOBAL_BASE) + 256);
        total += sizes[i];
    }
    assert_int_equal(memory.used_bytes, total);
    assert_int_equal(ptx_memory_allocate(&memory, (1 << 20) - total + 1, NULL, false), 0);
    assert_int_equal(ptx_memory_allocate(&memory, UINT64_MAX, NULL, false), 0);
    for (size_t i = 0; i < COUNT(bases); i++) {
        uint8_t bytes[3000];
        assert_true(ptx_memory_read(&memory, bases[i], bytes, sizes[i]));
        for (uint64_t k = 0; k < sizes[i]; k++)
            assert_int_equal(bytes[k], 0);
        PtxMemoryHint hint = random_below(200);
        const PtxAllocation *found = ptx_memory_find(&memory, bases[i] + sizes[i] - 1, 1, &hint);
        assert_non_null(found);
        assert_ptr_equal(found, &memory.allocations[hint]);
        assert_null(ptx_memory_find(&memory, bases[i], sizes[i] + 1, NULL));
        assert_null(ptx_memory_find(&memory, bases[i] - 1, 1, &hint));
        assert_null(ptx_memory_find(&memory, bases[i] + sizes[i], 1, NULL));
    }
    ptx_memory_done(&memory);
}

static void freed_memory_is_gone_and_reads_as_zero_when_it_comes_back(void **state)
{
    (void)state;
    enum { BIG = 300 << 20 };
    PtxMemory memory;
    memory_start(&memory, 400 << 20);
    uint64_t first = ptx_memory_allocate(&memory, 100, NULL, false), again = 0;
    for (int i = 0; i < 20; i++) { /* more than the range holds at once */
        const uint64_t base = ptx_memory_allocate(&memory, BIG, NULL, false);
        uint8_t bytes[16] = {1};
        uint64_t kernel, host, nobody;
        assert_int_not_equal(base, 0);
        again += base == first + 512;
        for (uint64_t at = 0; at < BIG; at += BIG - 16) {
            assert_true(ptx_memory_writers(&memory, base + at, 16, &kernel, &host, &nobody));
            assert_int_equal(nobody, 16);
            assert_true(ptx_memory_read(&memory, base + at, bytes, 16));
            assert_int_equal(bytes[0] | bytes[15], 0);
            assert_true(ptx_memory_set(&memory, base + at, 7, 16));
        }
        assert_true(ptx_memory_free(&memory, base));
        assert_false(ptx_memory_free(&memory, base));
        assert_false(ptx_memory_free(&memory, base + 256));
        assert_null(ptx_memory_find(&memory, base, 1, NULL));
        assert_false(ptx_memory_set(&memory, base, 1, 1));
        assert_int_equal(memory.used_bytes, 100);
    }
    assert_true(again >= 2);
    ptx_memory_done(&memory);
}

static void many_small_allocations_stay_fast(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    PtxMemory memory;
    memory_start(&memory, 1 << 30);
    uint64_t *bases = calloc(MANY, sizeof *bases);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < MANY; i++)
            assert_int_not_equal(bases[i] = ptx_memory_allocate(&memory, 1 + i % 500, NULL, false), 0);
        for (size_t i = 0; i < MANY; i++) {
            const size_t which = round == 0 ? i : round == 1 ? MANY - 1 - i : i * 7919 % MANY;
            assert_non_null(ptx_memory_find(&memory, bases[which], 1, NULL));
            assert_true(ptx_memory_free(&memory, bases[which]));
            assert_null(ptx_memory_find(&memory, bases[which], 1, NULL));
        }
        assert_int_equal(memory.used_bytes, 0);
    }
    free(bases);
    ptx_memory_done(&memory);
}

/* Who wrote each byte, kept a byte at a time. */
static void writers_are_exact(void **state)
{
    (void)state;
    enum { SIZE = 700 };
    static uint8_t data[SIZE], bytes[SIZE], who[SIZE]; /* 0 nobody, 1 host, 2 kernel */
    PtxMemory memory;
    memory_start(&memory, 1 << 20);
    const uint64_t base = ptx_memory_allocate(&memory, SIZE, NULL, false), offset = base - PTX_GLOBAL_BASE;
    for (int step = 0; step < 20000; step++) {
        const uint32_t at = random_below(SIZE), size = random_below(SIZE - at + 1),
                       from = random_below(SIZE - size + 1);
        switch (random_below(4)) {
        case 0:
            for (uint32_t i = 0; i < size; i++)
                bytes[at + i] = data[i] = (uint8_t)random_64();
            memset(who + at, 1, size);
            assert_true(ptx_memory_write(&memory, base + at, data, size));
            break;
        case 1:
            memset(bytes + at, step, size);
            memset(who + at, 1, size);
            assert_true(ptx_memory_set(&memory, base + at, (uint8_t)step, size));
            break;
        case 2: /* as a kernel would */
            for (uint32_t i = at; i < at + size; i++)
                memory.kernel_bits[(offset + i) / 64] |= UINT64_C(1) << (offset + i) % 64;
            memset(who + at, 2, size);
            break;
        default:
            memmove(bytes + at, bytes + from, size);
            memmove(who + at, who + from, size);
            assert_true(ptx_memory_copy(&memory, base + at, base + from, size));
            break;
        }
        uint64_t got[3], expected[3] = {0};
        const uint32_t start = random_below(SIZE), length = random_below(SIZE - start + 1);
        for (uint32_t i = start; i < start + length; i++)
            expected[who[i]]++;
        assert_true(ptx_memory_writers(&memory, base + start, length, &got[2], &got[1], &got[0]));
        assert_memory_equal(got, expected, sizeof got);
        assert_true(ptx_memory_read(&memory, base + start, data, length));
        assert_memory_equal(data, bytes + start, length);
    }
    assert_false(ptx_memory_write(&memory, base + 1, data, SIZE));
    assert_false(ptx_memory_copy(&memory, base, base - 1, 1));
    ptx_memory_done(&memory);
}

static void explanations_name_what_was_missed(void **state)
{
    (void)state;
    PtxMemory memory;
    memory_start(&memory, 1 << 20);
    const uint64_t a = ptx_memory_allocate(&memory, 4000, NULL, false);
    const uint64_t b = ptx_memory_allocate(&memory, 256, NULL, false);
    const uint64_t c = ptx_memory_allocate(&memory, 16, "table", true);
    assert_true(ptx_memory_free(&memory, b));
    const struct {
        uint64_t address, bytes;
        const char *text;
    } cases[] = {
        {a + 4000, 4, "right at the end of the 4,000-byte allocation #1"},
        {a + 4004, 4, "4 bytes past the end of the 4,000-byte allocation #1"},
        {a + 3998, 4, "the last 2 of them lie past the end of the 4,000-byte allocation #1"},
        {a - 8, 4, "8 bytes before the 4,000-byte allocation #1"},
        {b + 8, 4, "inside the 256-byte allocation #2, which was freed"},
        {c + 16, 1, "right at the end of the 16 bytes of 'table'"},
        {c + 12345, 1, "12,329 bytes past the end of the 16 bytes of 'table'"},
        {0, 4, "null pointer + 0"},
        {16, 4, "null pointer + 16"},
        {PTX_SHARED_WINDOW + 1024, 4, "a generic address of shared memory, offset 1,024"},
        {PTX_LOCAL_WINDOW, 4, "a generic address of local memory, offset 0"},
        {PTX_PARAM_WINDOW + 3, 4, "a generic address of parameters, offset 3"},
        {0x7fff12345678, 4, "0x7fff12345678 is no device address (a host address?)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        ptx_memory_explain(&memory, cases[i].address, cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        char small[10];
        ptx_memory_explain(&memory, cases[i].address, cases[i].bytes, small, sizeof small);
        assert_int_equal(strlen(small), sizeof small - 1);
    }
    ptx_memory_done(&memory);
    memory_start(&memory, 1 << 20);
    char text[200];
    ptx_memory_explain(&memory, PTX_GLOBAL_BASE + 4096, 4, text, sizeof text);
    assert_string_equal(text, "nothing is allocated");
    ptx_memory_done(&memory);
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

enum {
    SLOT_BYTES = 512,
    SLOT_A = SLOT_BYTES,
    SLOT_B = 2 * SLOT_BYTES, /* eight of them */
    SLOT_C = 10 * SLOT_BYTES,
    SLOT_D = 11 * SLOT_BYTES, /* eight of them */
    SLOT_P = 19 * SLOT_BYTES,
    FRAME_BYTES = 20 * SLOT_BYTES,
    GLOBALS = 3,
    GLOBAL_BYTES = 2048,
    SHARED_BYTES = 2048,
    LOCAL_BYTES = 96,
    PARAMETER_BYTES = 64,
};

/* Everything that an instruction could change. */
typedef struct World {
    _Alignas(64) uint8_t frame[FRAME_BYTES];
    _Alignas(64) uint8_t shared[SHARED_BYTES + PTX_SHARED_GUARD];
    uint8_t local[PTX_WARP_LANES * LOCAL_BYTES], parameters[PTX_WARP_LANES * PARAMETER_BYTES];
    uint8_t global[GLOBALS][GLOBAL_BYTES], is_marked[GLOBALS][GLOBAL_BYTES];
} World;

typedef struct Machine {
    World *world;
    PtxMemory memory;
    uint64_t bases[GLOBALS];
    PtxBlock block;
    PtxLaunch launch;
    PtxProgramFunction entry;
    PtxWorker *worker;
    PtxWarp warp;
    PtxOp ops[2];
    uint32_t slots[16];
} Machine;

static void machine_start(Machine *machine)
{
    *machine = (Machine){.world = aligned_alloc(64, (sizeof(World) + 63) / 64 * 64),
                         .worker = calloc(1, sizeof *machine->worker)};
    memset(machine->world, 0, sizeof *machine->world);
    World *world = machine->world;
    memory_start(&machine->memory, 1 << 20);
    for (size_t i = 0; i < GLOBALS; i++)
        machine->bases[i] = ptx_memory_allocate(&machine->memory, GLOBAL_BYTES, NULL, i == 2);
    machine->block = (PtxBlock){.shared = world->shared, .shared_bytes = SHARED_BYTES};
    machine->entry = (PtxProgramFunction){.entry_parameter_bytes = PARAMETER_BYTES};
    machine->launch = (PtxLaunch){
        .memory = &machine->memory, .worker_count = 1, .parameters = world->parameters, .entry = &machine->entry};
    machine->warp = (PtxWarp){.frame = world->frame,
                              .local = world->local,
                              .local_stride = LOCAL_BYTES,
                              .parameters = world->parameters,
                              .parameter_stride = PARAMETER_BYTES,
                              .block = &machine->block,
                              .worker = machine->worker,
                              .launch = &machine->launch};
}

static void machine_end(Machine *machine)
{
    ptx_memory_done(&machine->memory);
    free(machine->worker);
    free(machine->world);
}

/* Between the world's picture of device memory and device memory. */
static void put_world(Machine *machine)
{
    for (size_t i = 0; i < GLOBALS; i++) {
        assert_true(ptx_memory_write(&machine->memory, machine->bases[i], machine->world->global[i], GLOBAL_BYTES));
        memset(machine->world->is_marked[i], 0, GLOBAL_BYTES);
    }
}
static void get_world(Machine *machine)
{
    for (size_t i = 0; i < GLOBALS; i++) {
        const uint64_t offset = machine->bases[i] - PTX_GLOBAL_BASE;
        assert_true(ptx_memory_read(&machine->memory, machine->bases[i], machine->world->global[i], GLOBAL_BYTES));
        for (uint64_t k = 0; k < GLOBAL_BYTES; k++)
            machine->world->is_marked[i][k] = machine->memory.kernel_bits[(offset + k) / 64] >> (offset + k) % 64 & 1;
        /* Nothing beside the allocation is marked. */
        assert_int_equal(machine->memory.kernel_bits[offset / 64 - 1], 0);
        assert_int_equal(machine->memory.kernel_bits[(offset + GLOBAL_BYTES) / 64], 0);
    }
}

/* ---- loads and stores: the model --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t bytes, lane_bytes;
    bool is_signed;
} classes[] = {{"u8", 1, 4, false},  {"s8", 1, 4, true},   {"u16", 2, 4, false},   {"s16", 2, 4, true},
               {"b32", 4, 4, false}, {"b64", 8, 8, false}, {"b128", 16, 16, false}};

static const struct {
    const char *name;
    PtxSpace space;
} spaces[] = {{"none", PTX_SPACE_NONE},       {"global", PTX_SPACE_GLOBAL}, {"const", PTX_SPACE_CONST},
              {"shared", PTX_SPACE_SHARED},   {"local", PTX_SPACE_LOCAL},   {"param", PTX_SPACE_PARAM},
              {"sharedcta", PTX_SPACE_SHARED}};

typedef struct Case {
    size_t class, space;
    uint32_t count, mask, keep;
    bool is_store;
    uint8_t address; /* PtxAddress */
    int64_t imm;
    uint64_t addresses[PTX_WARP_LANES]; /* without imm */
} Case;

/* The byte that an address means for a lane; NULL: none. */
static uint8_t *byte_at(Machine *machine, World *world, PtxSpace space, uint64_t address, unsigned lane,
                        uint8_t **ret_mark)
{
    *ret_mark = NULL;
    if (space == PTX_SPACE_NONE) {
        space = PTX_SPACE_GLOBAL;
        if (address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
            space = PTX_SPACE_SHARED;
            address -= PTX_SHARED_WINDOW;
        } else if (address - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
            space = PTX_SPACE_LOCAL;
            address -= PTX_LOCAL_WINDOW;
        }
    }
    if (space == PTX_SPACE_SHARED)
        return address < SHARED_BYTES ? world->shared + address : NULL;
    if (space == PTX_SPACE_LOCAL)
        return address < LOCAL_BYTES ? world->local + (size_t)lane * LOCAL_BYTES + address : NULL;
    if (space == PTX_SPACE_PARAM)
        return address < PARAMETER_BYTES ? world->parameters + (size_t)lane * PARAMETER_BYTES + address : NULL;
    for (size_t i = 0; i < GLOBALS; i++)
        if (address - machine->bases[i] < GLOBAL_BYTES) {
            *ret_mark = &world->is_marked[i][address - machine->bases[i]];
            return &world->global[i][address - machine->bases[i]];
        }
    return NULL;
}

/* False at the first lane that must trap. */
static bool model_lane(Machine *machine, World *world, const Case *test, unsigned lane)
{
    const uint32_t bytes = classes[test->class].bytes, lane_bytes = classes[test->class].lane_bytes;
    const uint64_t address = test->addresses[lane] + (uint64_t)test->imm;
    const PtxSpace space = spaces[test->space].space;
    if (address % (bytes * test->count) != 0)
        return false;
    for (uint32_t i = 0; i < bytes * test->count; i++) {
        uint8_t *mark;
        if (!byte_at(machine, world, space, address + i, lane, &mark))
            return false;
        if (test->is_store && mark && (size_t)(mark - world->is_marked[0]) >= 2 * (size_t)GLOBAL_BYTES)
            return false; /* read only */
    }
    for (uint32_t i = 0; i < bytes * test->count; i++) {
        uint8_t *mark, *byte = byte_at(machine, world, space, address + i, lane, &mark);
        uint8_t *slot =
            world->frame + (test->is_store ? SLOT_B : SLOT_D) + i / bytes * SLOT_BYTES + (size_t)lane * lane_bytes;
        if (test->is_store) {
            *byte = slot[i % bytes];
            if (mark)
                *mark = 1;
            continue;
        }
        slot[i % bytes] = *byte;
        if (i % bytes == bytes - 1)
            for (uint32_t k = bytes; k < lane_bytes; k++)
                slot[k] = classes[test->class].is_signed && *byte & 0x80 ? 0xff : 0;
    }
    return true;
}

static unsigned model(Machine *machine, World *world, const Case *test)
{
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
        if (test->mask >> lane & 1 && !model_lane(machine, world, test, lane))
            return lane;
    return PTX_WARP_LANES;
}

/* ---- loads and stores: cases ------------------------------------------------------------------------------------- */

static uint32_t random_mask(void)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff,     0xffff0000, 0xff,      1,
                                     0x80000000, 0x00ffffff, 0x55555555, 0x0000fff0, 0x0ff00ff0};
    const uint32_t kind = random_below(COUNT(masks) + 4);
    const uint32_t mask = kind < COUNT(masks) ? masks[kind] : (uint32_t)random_64();
    return mask ? mask : 1;
}

static uint32_t area_bytes(PtxSpace space)
{
    return space == PTX_SPACE_LOCAL ? LOCAL_BYTES : space == PTX_SPACE_PARAM ? PARAMETER_BYTES : GLOBAL_BYTES;
}

static uint64_t area_base(const Machine *machine, PtxSpace space)
{
    const uint64_t generic[] = {machine->bases[0], machine->bases[1], machine->bases[2], PTX_SHARED_WINDOW,
                                PTX_LOCAL_WINDOW};
    switch (space) {
    case PTX_SPACE_NONE: return generic[random_below(COUNT(generic))];
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST: return machine->bases[random_below(GLOBALS)];
    default: return 0;
    }
}

/* Addresses in a line, in two lines, all the same, two of them, anywhere in one area, anywhere; now and then a lane
 * that is out of place. */
static void random_addresses(const Machine *machine, Case *test)
{
    const PtxSpace space = spaces[test->space].space;
    const uint32_t bytes = classes[test->class].bytes * test->count;
    uint64_t base = area_base(machine, space);
    uint32_t size = area_bytes(base == PTX_LOCAL_WINDOW ? PTX_SPACE_LOCAL : space), kind = random_below(6);
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
        const uint32_t elements = size / bytes, k = lane % 16;
        if (lane == 0 || kind == 4 || ((kind == 1 || kind == 3) && lane == 16)) {
            test->addresses[lane] = base + (uint64_t)random_below(elements) * bytes;
            if (kind < 2) /* in reach of a whole line, mostly */
                test->addresses[lane] =
                    base + (uint64_t)random_below(elements > 32 ? elements - (random_below(8) ? 32 : 0) : 1) * bytes;
        } else if (kind == 5) {
            base = area_base(machine, space);
            size = area_bytes(base == PTX_LOCAL_WINDOW ? PTX_SPACE_LOCAL : space);
            test->addresses[lane] = base + (uint64_t)random_below(size / bytes) * bytes;
        } else if (kind < 2) {
            test->addresses[lane] = test->addresses[kind == 1 ? lane - k : 0] + (kind == 1 ? k : lane) * bytes;
        } else {
            test->addresses[lane] = test->addresses[kind == 3 ? lane - k : 0];
        }
    }
    const uint32_t wrong = random_below(40), lane = random_below(PTX_WARP_LANES);
    if (wrong == 0)
        test->addresses[lane] += 1;
    else if (wrong == 1)
        test->addresses[lane] += GLOBAL_BYTES;
    else if (wrong == 2)
        test->addresses[lane] = random_64();
    if (wrong == 3)
        for (unsigned i = 0; i < PTX_WARP_LANES; i++)
            test->addresses[i] += GLOBAL_BYTES - 64;
}

static void random_case(const Machine *machine, Case *test)
{
    static const uint32_t counts[] = {1, 1, 1, 2, 4, 8};
    *test = (Case){.class = random_below(COUNT(classes)),
                   .space = random_below(COUNT(spaces)),
                   .count = counts[random_below(COUNT(counts))],
                   .mask = random_mask(),
                   .is_store = random_below(2)};
    if (classes[test->class].bytes * test->count > 32)
        test->count = 1;
    test->keep = random_below(2) ? ~test->mask : 0;
    test->imm = random_below(3) ? 0 : (int64_t)random_below(256) - 128;
    random_addresses(machine, test);
    const PtxSpace space = spaces[test->space].space;
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
        test->addresses[lane] -= (uint64_t)test->imm;
    test->address = PTX_ADDRESS_64;
    if (space != PTX_SPACE_NONE && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST && random_below(2)) {
        test->address = PTX_ADDRESS_32;
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            test->addresses[lane] = (uint32_t)test->addresses[lane];
    } else if (random_below(8) == 0) {
        test->address = PTX_ADDRESS_NONE;
        test->imm += (int64_t)test->addresses[0];
        memset(test->addresses, 0, sizeof test->addresses);
    }
}

static void random_bytes(void *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)at)[i] = (uint8_t)(random_64() >> 40);
}

static void set_addresses(World *world, uint8_t kind, const uint64_t *addresses, uint32_t mask)
{
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
        const uint64_t address = mask >> lane & 1 ? addresses[lane] : random_64();
        if (kind == PTX_ADDRESS_32)
            ((uint32_t *)(void *)(world->frame + SLOT_A))[lane] = (uint32_t)address;
        else
            ((uint64_t *)(void *)(world->frame + SLOT_A))[lane] = address;
    }
}

static void case_op(Machine *machine, const Case *test, char *ret_name, size_t size)
{
    snprintf(ret_name, size, "%s%s_%s_%s", test->is_store ? "st" : "ld", test->count > 1 ? "v" : "",
             spaces[test->space].name, classes[test->class].name);
    for (uint32_t i = 0; i < test->count; i++)
        machine->slots[i] = (test->is_store ? SLOT_B : SLOT_D) + i * SLOT_BYTES;
    machine->ops[0] = (PtxOp){.d = SLOT_D,
                              .a = SLOT_A,
                              .b = SLOT_B,
                              .imm = test->imm,
                              .address = test->address,
                              .slots = machine->slots,
                              .slot_count = (uint16_t)test->count,
                              .space = spaces[test->space].space,
                              .hint = (uint8_t)random_64()};
    machine->warp.mask = test->mask;
    machine->warp.keep = test->keep;
}

/* Lanes of destinations that may hold anything become zero in both pictures. */
static void drop_arbitrary(World *world, const Case *test)
{
    const uint32_t lane_bytes = classes[test->class].lane_bytes;
    for (uint32_t i = 0; i < test->count && !test->is_store && test->keep == 0; i++)
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            if (!(test->mask >> lane & 1))
                memset(world->frame + SLOT_D + i * SLOT_BYTES + lane * lane_bytes, 0, lane_bytes);
}

static void loads_and_stores_move_what_the_model_moves(void **state)
{
    (void)state;
    enum { CASES = 60000 };
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    World *start = malloc(sizeof *start), *expected = malloc(sizeof *expected);
    unsigned traps = 0;
    memset(start, 0, sizeof *start);
    for (int i = 0; i < CASES; i++) {
        Case test;
        char name[40];
        random_case(&machine, &test);
        if (i % 64 == 0)
            random_bytes(start, offsetof(World, is_marked));
        memset(start->shared + SHARED_BYTES, 0, PTX_SHARED_GUARD);
        memset(start->is_marked, 0, sizeof start->is_marked);
        set_addresses(start, test.address, test.addresses, test.mask);
        *expected = *start;
        const unsigned bad_lane = model(&machine, expected, &test);
        drop_arbitrary(expected, &test);
        traps += bad_lane < PTX_WARP_LANES;
        for (size_t k = 0; k < isa_count; k++) {
            *machine.world = *start;
            put_world(&machine);
            case_op(&machine, &test, name, sizeof name);
            trap.kind = PTX_TRAP_NONE;
            const PtxOp *next = find_handler(&isas[k], name)(&machine.warp, machine.ops);
            get_world(&machine);
            drop_arbitrary(machine.world, &test);
            if (bad_lane < PTX_WARP_LANES) {
                if (next || trap.lane != bad_lane)
                    fail_msg("%s %s: lane %u must trap, not %u (%s)", isas[k].name, name, bad_lane, trap.lane,
                             next ? "it went on" : trap.message);
                continue;
            }
            if (next != &machine.ops[1])
                fail_msg("%s %s: trap: lane %u: %s", isas[k].name, name, trap.lane, trap.message);
            if (memcmp(machine.world, expected, sizeof *expected) != 0)
                fail_msg("%s %s: case %d, mask %08x keep %08x count %u", isas[k].name, name, i, test.mask, test.keep,
                         test.count);
        }
    }
    assert_true(traps > CASES / 100 && traps < CASES / 2);
    free(start);
    free(expected);
    machine_end(&machine);
}

/* ---- traps of loads and stores ----------------------------------------------------------------------------------- */

static void traps_say_what_is_wrong(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    const uint64_t freed = ptx_memory_allocate(&machine.memory, 64, NULL, false);
    assert_true(ptx_memory_free(&machine.memory, freed));
    const uint64_t base = machine.bases[0];
    const struct {
        const char *handler;
        PtxSpace space;
        uint64_t address;
        PtxTrapKind kind;
        const char *word;
    } cases[] = {
        {"ld_global_b32", PTX_SPACE_GLOBAL, base + 2048, PTX_TRAP_OUT_OF_BOUNDS, "right at the end"},
        {"ld_global_b32", PTX_SPACE_GLOBAL, base + 2, PTX_TRAP_MISALIGNED, "multiple of 4"},
        {"st_global_b64", PTX_SPACE_GLOBAL, base + 4, PTX_TRAP_MISALIGNED, "multiple of 8"},
        {"st_global_b32", PTX_SPACE_GLOBAL, machine.bases[2], PTX_TRAP_READ_ONLY, "constant"},
        {"ld_global_u8", PTX_SPACE_GLOBAL, freed, PTX_TRAP_OUT_OF_BOUNDS, "which was freed"},
        {"st_none_b32", PTX_SPACE_NONE, 0, PTX_TRAP_OUT_OF_BOUNDS, "null pointer"},
        {"st_none_b32", PTX_SPACE_NONE, PTX_SHARED_WINDOW + SHARED_BYTES, PTX_TRAP_OUT_OF_BOUNDS, "shared"},
        {"ld_shared_b32", PTX_SPACE_SHARED, SHARED_BYTES, PTX_TRAP_OUT_OF_BOUNDS, "shared"},
        {"ld_shared_b64", PTX_SPACE_SHARED, UINT64_MAX - 7, PTX_TRAP_OUT_OF_BOUNDS, "shared"},
        {"ld_shared_b32", PTX_SPACE_SHARED, 256, PTX_TRAP_PENDING_COPY, "not waited for"},
        {"st_shared_b32", PTX_SPACE_SHARED, 256, PTX_TRAP_PENDING_COPY, "not waited for"},
        {"ld_local_b32", PTX_SPACE_LOCAL, LOCAL_BYTES, PTX_TRAP_OUT_OF_BOUNDS, "local"},
        {"st_param_b32", PTX_SPACE_PARAM, PARAMETER_BYTES - 2, PTX_TRAP_OUT_OF_BOUNDS, "parameter"},
        {"atom_add_u32", PTX_SPACE_GLOBAL, base + 2048, PTX_TRAP_OUT_OF_BOUNDS, "right at the end"},
        {"atom_add_u64", PTX_SPACE_GLOBAL, base + 4, PTX_TRAP_MISALIGNED, "multiple of 8"},
        {"red_max_s32", PTX_SPACE_GLOBAL, machine.bases[2], PTX_TRAP_READ_ONLY, "constant"},
        {"atom_exch_b128", PTX_SPACE_SHARED, SHARED_BYTES - 8, PTX_TRAP_OUT_OF_BOUNDS, "shared"},
        {"red_add_u32", PTX_SPACE_SHARED, 256, PTX_TRAP_PENDING_COPY, "not waited for"},
    };
    uint64_t pending[SHARED_BYTES / 64] = {[4] = 2};
    PtxAsync async = {.pending_count = 1, .pending_bits = pending, .shared_bytes = SHARED_BYTES};
    machine.block.async = &async;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < isa_count; k++) {
            uint64_t addresses[PTX_WARP_LANES];
            const uint64_t good = cases[i].space == PTX_SPACE_GLOBAL || cases[i].space == PTX_SPACE_NONE ? base : 0;
            for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) /* lanes 21 and 29 are wrong */
                addresses[lane] = lane == 21 || lane == 29 ? cases[i].address : good;
            set_addresses(machine.world, PTX_ADDRESS_64, addresses, UINT32_MAX);
            machine.ops[0] = (PtxOp){.d = SLOT_D,
                                     .a = SLOT_A,
                                     .b = SLOT_B,
                                     .c = SLOT_C,
                                     .address = PTX_ADDRESS_64,
                                     .space = (uint8_t)cases[i].space};
            machine.warp.mask = ~(1u << 3);
            trap.kind = PTX_TRAP_NONE;
            assert_null(find_handler(&isas[k], cases[i].handler)(&machine.warp, machine.ops));
            if (trap.kind != cases[i].kind || trap.lane != 21 || !strstr(trap.message, cases[i].word))
                fail_msg("%s: case %zu: trap %d of lane %u: %s", isas[k].name, i, trap.kind, trap.lane, trap.message);
        }
    machine_end(&machine);
}

/* Lanes beside a pending byte are not disturbed by it. */
static void pending_bytes_stop_only_who_touches_them(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    uint64_t pending[SHARED_BYTES / 64] = {[1] = 1}, addresses[PTX_WARP_LANES];
    PtxAsync async = {.pending_count = 1, .pending_bits = pending, .shared_bytes = SHARED_BYTES};
    machine.block.async = &async;
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
        addresses[lane] = lane * 4;
    for (size_t k = 0; k < isa_count; k++) {
        set_addresses(machine.world, PTX_ADDRESS_64, addresses, UINT32_MAX);
        machine.ops[0] = (PtxOp){.d = SLOT_D, .a = SLOT_A, .address = PTX_ADDRESS_64, .space = PTX_SPACE_SHARED};
        const PtxHandler load = find_handler(&isas[k], "ld_shared_b32");
        machine.warp.mask = ~(1u << 16);
        assert_ptr_equal(load(&machine.warp, machine.ops), &machine.ops[1]);
        machine.warp.mask = UINT32_MAX;
        assert_null(load(&machine.warp, machine.ops));
        assert_int_equal(trap.lane, 16);
    }
    machine_end(&machine);
}

/* ---- parameters and addresses ------------------------------------------------------------------------------------ */

static void parameters_are_broadcast(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    random_bytes(machine.world->parameters, PARAMETER_BYTES);
    machine.world->parameters[16] |= 0x80;
    machine.world->parameters[17] |= 0x80;
    for (size_t k = 0; k < isa_count; k++)
        for (size_t c = 0; c < COUNT(classes); c++)
            for (int partial = 0; partial < 2; partial++) {
                const uint32_t bytes = classes[c].bytes, lane_bytes = classes[c].lane_bytes;
                char name[24];
                snprintf(name, sizeof name, "ld_entry_%s", classes[c].name);
                memset(machine.world->frame + SLOT_D, 0xa5, SLOT_BYTES);
                machine.ops[0] = (PtxOp){.d = SLOT_D, .imm = 16};
                machine.warp.mask = partial ? 0x00f0ff03 : UINT32_MAX;
                machine.warp.keep = ~machine.warp.mask;
                assert_ptr_equal(find_handler(&isas[k], name)(&machine.warp, machine.ops), &machine.ops[1]);
                for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
                    uint8_t expected[16];
                    memset(expected, classes[c].is_signed ? 0xff : 0, sizeof expected);
                    memcpy(expected, machine.world->parameters + 16, bytes);
                    if (!(machine.warp.mask >> lane & 1))
                        memset(expected, 0xa5, sizeof expected);
                    assert_memory_equal(machine.world->frame + SLOT_D + lane * lane_bytes, expected, lane_bytes);
                }
            }
    machine_end(&machine);
}

static void generic_addresses_convert(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    static const struct {
        PtxSpace space;
        uint64_t window;
    } rows[] = {{PTX_SPACE_GLOBAL, 0},
                {PTX_SPACE_CONST, 0},
                {PTX_SPACE_SHARED, PTX_SHARED_WINDOW},
                {PTX_SPACE_LOCAL, PTX_LOCAL_WINDOW},
                {PTX_SPACE_PARAM, PTX_PARAM_WINDOW}};
    const uint64_t samples[] = {0,
                                machine.bases[0],
                                machine.bases[2] + 5,
                                PTX_SHARED_WINDOW,
                                PTX_SHARED_WINDOW + PTX_WINDOW_BYTES - 1,
                                PTX_LOCAL_WINDOW + 8,
                                PTX_PARAM_WINDOW + 4,
                                0x7fff00000000,
                                UINT64_MAX};
    static const uint32_t is_inside[] = {0x42, 0x04, 0x18, 0x20, 0x40}; /* bits: samples; parameters are global, too */
    uint64_t *a = (uint64_t *)(void *)(machine.world->frame + SLOT_A);
    uint64_t *d = (uint64_t *)(void *)(machine.world->frame + SLOT_D);
    for (size_t k = 0; k < isa_count; k++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            machine.ops[0] = (PtxOp){.d = SLOT_D, .a = SLOT_A, .space = (uint8_t)rows[i].space};
            machine.warp.mask = 0xfffffff7;
            machine.warp.keep = 8;
            for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
                a[lane] = lane * 16;
            d[3] = 77;
            find_handler(&isas[k], "cvta")(&machine.warp, machine.ops);
            assert_int_equal(d[5], rows[i].window + 80);
            assert_int_equal(d[3], 77);
            machine.ops[0].a = SLOT_D;
            find_handler(&isas[k], "cvta_to")(&machine.warp, machine.ops);
            assert_int_equal(d[5], 80);
            assert_int_equal(d[31], 31 * 16);
            machine.ops[0] = (PtxOp){.d = SLOT_P, .a = SLOT_A, .space = (uint8_t)rows[i].space};
            memcpy(a, samples, sizeof samples);
            machine.warp.mask = (1u << COUNT(samples)) - 1;
            *(uint32_t *)(void *)(machine.world->frame + SLOT_P) = 0xff000000;
            find_handler(&isas[k], "isspacep")(&machine.warp, machine.ops);
            assert_int_equal(ptx_predicate(&machine.warp, SLOT_P), 0xff000000 | is_inside[i]);
        }
    machine_end(&machine);
}

/* ---- atomics: the model ------------------------------------------------------------------------------------------ */

/* Small floats by their definition: sign, exponent, mantissa. */
static double half_value(uint32_t code, int mantissa_bits)
{
    const int exponent_bits = 15 - mantissa_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (int)(code >> mantissa_bits) & ((1 << exponent_bits) - 1);
    const double mantissa = code & ((1u << mantissa_bits) - 1), unit = ldexp(1, -mantissa_bits);
    if (exponent == (1 << exponent_bits) - 1)
        return mantissa != 0 ? NAN : code & 0x8000 ? -INFINITY : INFINITY;
    const double size = exponent ? ldexp(1 + mantissa * unit, exponent - bias) : ldexp(mantissa * unit, 1 - bias);
    return code & 0x8000 ? -size : size;
}

/* The nearest code by bisection; a tie goes to the even one. */
static uint32_t half_code(double value, int mantissa_bits)
{
    const uint32_t infinity = ((1u << (15 - mantissa_bits)) - 1) << mantissa_bits, sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    uint32_t low = 0, high = infinity;
    if (isnan(value))
        return 0x7fff;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (middle < infinity && half_value(middle, mantissa_bits) <= size)
            low = middle;
        else
            high = middle - 1;
    }
    if (isinf(value))
        return infinity | sign;
    /* The step after the largest number is as long as the one before it. */
    const double below = half_value(low, mantissa_bits);
    const double step =
        low + 1 < infinity ? half_value(low + 1, mantissa_bits) - below : below - half_value(low - 1, mantissa_bits);
    const double rest = size - below;
    return (low + (rest > step / 2 || (rest == step / 2 && low & 1))) | sign;
}

static uint32_t half_operation(char operation, uint32_t x, uint32_t y, int mantissa_bits)
{
    const double a = half_value(x, mantissa_bits), b = half_value(y, mantissa_bits);
    if (operation == '+')
        return half_code(a + b, mantissa_bits);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0x7fff : isnan(a) ? y : x;
    const bool x_is_less = a < b || (a == b && signbit(a) && !signbit(b));
    return x_is_less == (operation == '<') ? x : y;
}

static uint64_t model_f32(uint64_t x, uint64_t y, bool is_shared)
{
    float a, b, sum;
    uint32_t bits;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    if (!is_shared) {
        a = fabsf(a) < 0x1p-126f ? copysignf(0, a) : a;
        b = fabsf(b) < 0x1p-126f ? copysignf(0, b) : b;
    }
    sum = a + b;
    if (!is_shared && fabsf(sum) < 0x1p-126f)
        sum = copysignf(0, sum);
    memcpy(&bits, &sum, sizeof bits);
    return isnan(sum) ? 0x7fffffff : bits;
}

static uint64_t model_f64(uint64_t x, uint64_t y)
{
    double a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    const double sum = a + b;
    memcpy(&x, &sum, sizeof x);
    return isnan(sum) ? UINT64_C(0x7ff8000000000000) : x;
}

static int64_t sign_extended(uint64_t value, uint32_t bytes)
{
    return bytes == 8 ? (int64_t)value : (int64_t)(int32_t)(uint32_t)value;
}

/* "add_u32": value after the operation. */
static uint64_t model_atomic(const char *name, uint32_t bytes, uint64_t x, uint64_t y, uint64_t z, bool is_shared)
{
    const char *type = strchr(name, '_') + 1;
    const char operation = name[0] == 'a' && name[1] == 'd' ? '+' : strncmp(name, "min", 3) == 0 ? '<' : '>';
    if (strcmp(name, "add_f32") == 0)
        return model_f32(x, y, is_shared);
    if (strcmp(name, "add_f64") == 0)
        return model_f64(x, y);
    if (strstr(type, "f16")) {
        const int mantissa = type[0] == 'b' ? 7 : 10;
        const uint32_t low = half_operation(operation, x & 0xffff, y & 0xffff, mantissa);
        return bytes == 2 ? low : low | half_operation(operation, x >> 16 & 0xffff, y >> 16 & 0xffff, mantissa) << 16;
    }
    if (strncmp(name, "min", 3) == 0 || strncmp(name, "max", 3) == 0) {
        const bool is_less = type[0] == 's' ? sign_extended(x, bytes) < sign_extended(y, bytes) : x < y;
        return is_less == (operation == '<') ? x : y;
    }
    switch (name[0]) {
    case 'a': return name[1] == 'd' ? x + y : x & y;
    case 'o': return x | y;
    case 'x': return x ^ y;
    case 'e': return y;
    case 'c': return x == y ? z : x;
    case 'i': return x >= y ? 0 : x + 1;
    default: return x == 0 || x > y ? y : x - 1;
    }
}

static const struct {
    const char *name;
    uint32_t bytes;
    bool is_vector; /* has vector forms */
} atomics[] = {{"add_u32", 4, false},   {"add_u64", 8, false},  {"and_b32", 4, false},   {"and_b64", 8, false},
               {"or_b32", 4, false},    {"or_b64", 8, false},   {"xor_b32", 4, false},   {"xor_b64", 8, false},
               {"exch_b32", 4, false},  {"exch_b64", 8, false}, {"cas_b16", 2, false},   {"cas_b32", 4, false},
               {"cas_b64", 8, false},   {"min_u32", 4, false},  {"max_u32", 4, false},   {"min_s32", 4, false},
               {"max_s32", 4, false},   {"min_u64", 8, false},  {"max_u64", 8, false},   {"min_s64", 8, false},
               {"max_s64", 8, false},   {"inc_u32", 4, false},  {"dec_u32", 4, false},   {"add_f64", 8, false},
               {"add_f32", 4, true},    {"add_f16", 2, true},   {"add_f16x2", 4, true},  {"add_bf16", 2, true},
               {"add_bf16x2", 4, true}, {"min_f16", 2, true},   {"min_f16x2", 4, true},  {"max_f16", 2, true},
               {"max_f16x2", 4, true},  {"min_bf16", 2, true},  {"min_bf16x2", 4, true}, {"max_bf16", 2, true},
               {"max_bf16x2", 4, true}};

typedef struct AtomicCase {
    size_t row;
    PtxSpace space;
    uint32_t count, mask; /* count 1: not a vector */
    bool has_result;
    uint64_t addresses[PTX_WARP_LANES];
} AtomicCase;

static uint64_t get_lane(const uint8_t *slot, uint32_t bytes, unsigned lane)
{
    uint64_t value = 0;
    memcpy(&value, slot + (size_t)lane * (bytes == 8 ? 8 : 4), bytes);
    return value;
}

static void model_atomics(Machine *machine, World *world, const AtomicCase *test)
{
    const uint32_t bytes = atomics[test->row].bytes;
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
        for (uint32_t i = 0; test->mask >> lane & 1 && i < test->count; i++) {
            uint8_t *mark, *at = byte_at(machine, world, test->space, test->addresses[lane] + i * bytes, lane, &mark);
            uint64_t old = 0, value;
            memcpy(&old, at, bytes);
            value = model_atomic(atomics[test->row].name, bytes, old,
                                 get_lane(world->frame + SLOT_B + i * SLOT_BYTES, bytes, lane),
                                 get_lane(world->frame + SLOT_C, bytes, lane), mark == NULL);
            memcpy(at, &value, bytes);
            if (mark)
                memset(mark, 1, bytes);
            if (test->has_result)
                memcpy(world->frame + SLOT_D + i * SLOT_BYTES + (size_t)lane * (bytes == 8 ? 8 : 4), &old,
                       bytes == 2 ? 4 : bytes);
        }
}

static void random_atomic(const Machine *machine, AtomicCase *test)
{
    static const PtxSpace all[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_NONE};
    *test = (AtomicCase){.row = random_below(COUNT(atomics)),
                         .space = all[random_below(3)],
                         .mask = random_mask(),
                         .count = 1,
                         .has_result = random_below(2)};
    const uint32_t bytes = atomics[test->row].bytes, kind = random_below(4);
    const bool is_shared = random_below(2);
    const bool exchanges =
        strncmp(atomics[test->row].name, "exch", 4) == 0 || strncmp(atomics[test->row].name, "cas", 3) == 0;
    test->has_result |= exchanges;
    if (atomics[test->row].is_vector && random_below(2)) {
        test->count = bytes == 2 ? 8 : 4;
        test->space = PTX_SPACE_GLOBAL;
    }
    for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
        const uint32_t at = kind == 0 ? 4 : kind == 1 ? random_below(6) : random_below(SHARED_BYTES / 32);
        uint64_t base = machine->bases[kind == 3 ? random_below(2) : 0];
        if (test->space == PTX_SPACE_SHARED)
            base = 0;
        else if (test->space == PTX_SPACE_NONE && (kind == 3 ? random_below(2) != 0 : is_shared))
            base = PTX_SHARED_WINDOW;
        test->addresses[lane] = base + (uint64_t)at * bytes * test->count;
    }
}

/* Equal values often, for cas; numbers close together, for sums. */
static void atomic_bytes(uint8_t *at, size_t size, bool is_plain)
{
    static const uint32_t words[] = {0,          1,          2,          0x80000000, 0x7fffffff, 0xffffffff,
                                     0x3f800000, 0xbf800001, 0x00000123, 0x80400000, 0x7f800000, 0xff800000,
                                     0x7fc12345, 0x00800000, 0x80800001, 0x3c003c01, 0x04008400, 0x7bff0001,
                                     0x7c00fc00, 0x7e01fe00, 0x7f807f81, 0x00017bff, 0x3f803f81};
    for (size_t i = 0; i < size; i += 4) {
        const uint32_t word =
            is_plain || random_below(2) ? words[random_below(is_plain ? 3 : COUNT(words))] : (uint32_t)random_64();
        memcpy(at + i, &word, 4);
    }
}

static void drop_upper_halves(World *world, const AtomicCase *test)
{
    for (uint32_t i = 0; i < test->count && atomics[test->row].bytes == 2; i++)
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            memset(world->frame + SLOT_D + i * SLOT_BYTES + lane * 4 + 2, 0, 2);
}

static void atomics_happen_lane_by_lane(void **state)
{
    (void)state;
    enum { CASES = 30000 };
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    World *start = malloc(sizeof *start), *expected = malloc(sizeof *expected);
    memset(start, 0, sizeof *start);
    for (int i = 0; i < CASES; i++) {
        AtomicCase test;
        char name[40];
        random_atomic(&machine, &test);
        if (i % 16 == 0) {
            atomic_bytes(start->shared, SHARED_BYTES, i % 32 == 0);
            atomic_bytes(start->global[0], sizeof start->global, i % 32 == 0);
            atomic_bytes(start->frame, FRAME_BYTES, i % 32 == 0);
        }
        set_addresses(start, PTX_ADDRESS_64, test.addresses, test.mask);
        memset(start->is_marked, 0, sizeof start->is_marked);
        *expected = *start;
        model_atomics(&machine, expected, &test);
        drop_upper_halves(expected, &test);
        snprintf(name, sizeof name, "%s%s_%s", test.has_result ? "atom" : "red", test.count > 1 ? "v" : "",
                 atomics[test.row].name);
        for (uint32_t k = 0; k < test.count; k++) {
            machine.slots[test.has_result ? k + test.count : k] = SLOT_B + k * SLOT_BYTES;
            if (test.has_result)
                machine.slots[k] = SLOT_D + k * SLOT_BYTES;
        }
        machine.ops[0] = (PtxOp){.d = SLOT_D,
                                 .a = SLOT_A,
                                 .b = SLOT_B,
                                 .c = SLOT_C,
                                 .address = PTX_ADDRESS_64,
                                 .slots = machine.slots,
                                 .slot_count = (uint16_t)(test.count * (test.has_result ? 2 : 1)),
                                 .space = (uint8_t)test.space};
        machine.warp.mask = test.mask;
        machine.warp.keep = ~test.mask;
        for (size_t k = 0; k < 2 * isa_count; k++) { /* plain, and as if there were two workers */
            *machine.world = *start;
            put_world(&machine);
            machine.launch.worker_count = k < isa_count ? 1 : 2;
            trap.message[0] = '\0';
            const PtxOp *next = find_handler(&isas[k % isa_count], name)(&machine.warp, machine.ops);
            get_world(&machine);
            drop_upper_halves(machine.world, &test);
            if (next != &machine.ops[1] || memcmp(machine.world, expected, sizeof *expected) != 0)
                fail_msg("%s %s: case %d, mask %08x, space %d: %s", isas[k % isa_count].name, name, i, test.mask,
                         test.space, trap.message);
        }
    }
    free(start);
    free(expected);
    machine_end(&machine);
}

/* atom.add d, [a], d: the operand is read before the result is written. */
static void a_result_may_take_its_operands_place(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    for (size_t k = 0; k < 2 * isa_count; k++) {
        uint64_t addresses[PTX_WARP_LANES];
        uint32_t *b = (uint32_t *)(void *)(machine.world->frame + SLOT_B);
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
            addresses[lane] = machine.bases[0];
            b[lane] = lane + 1;
        }
        put_world(&machine);
        machine.launch.worker_count = k < isa_count ? 1 : 2;
        set_addresses(machine.world, PTX_ADDRESS_64, addresses, UINT32_MAX);
        machine.ops[0] =
            (PtxOp){.d = SLOT_B, .a = SLOT_A, .b = SLOT_B, .address = PTX_ADDRESS_64, .space = PTX_SPACE_GLOBAL};
        machine.warp.mask = UINT32_MAX;
        find_handler(&isas[k % isa_count], "atom_add_u32")(&machine.warp, machine.ops);
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++)
            assert_int_equal(b[lane], lane * (lane + 1) / 2);
    }
    machine_end(&machine);
}

/* ---- 128 bits, and several workers ------------------------------------------------------------------------------- */

static void wide_values_are_exchanged(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    Machine machine;
    machine_start(&machine);
    uint64_t *b = (uint64_t *)(void *)(machine.world->frame + SLOT_B);
    uint64_t *c = (uint64_t *)(void *)(machine.world->frame + SLOT_C);
    uint64_t *d = (uint64_t *)(void *)(machine.world->frame + SLOT_D);
    for (size_t k = 0; k < 2 * isa_count; k++) {
        uint64_t addresses[PTX_WARP_LANES], value[2];
        for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
            addresses[lane] = machine.bases[0] + 16;
            b[lane * 2] = lane;
            b[lane * 2 + 1] = lane * 5;
            c[lane * 2] = lane + 1;
            c[lane * 2 + 1] = lane * 5 + 5;
        }
        memset(machine.world->global, 0, sizeof machine.world->global);
        put_world(&machine);
        set_addresses(machine.world, PTX_ADDRESS_64, addresses, UINT32_MAX);
        machine.launch.worker_count = k < isa_count ? 1 : 2;
        machine.ops[0] = (PtxOp){
            .d = SLOT_D, .a = SLOT_A, .b = SLOT_B, .c = SLOT_C, .address = PTX_ADDRESS_64, .space = PTX_SPACE_GLOBAL};
        machine.warp.mask = 0x00ffffff; /* a chain: each compares with what the one before has put there */
        assert_non_null(find_handler(&isas[k % isa_count], "atom_cas_b128")(&machine.warp, machine.ops));
        assert_true(ptx_memory_read(&machine.memory, addresses[0], value, sizeof value));
        assert_int_equal(value[0], 24);
        assert_int_equal(value[1], 120);
        assert_int_equal(d[23 * 2], 23);
        machine.warp.mask = 0xff000000;
        assert_non_null(find_handler(&isas[k % isa_count], "atom_exch_b128")(&machine.warp, machine.ops));
        assert_int_equal(d[24 * 2 + 1], 120);
        assert_int_equal(d[31 * 2 + 1], 150);
    }
    machine_end(&machine);
}

typedef struct Racer {
    Machine *machine;
    const Isa *isa;
} Racer;

enum { RACES = 2000 };

/* Adds 1 to three counters, each in its own way, RACES times from 32 lanes. */
static void *race(void *context)
{
    const Racer *racer = context;
    _Alignas(64) uint8_t frame[FRAME_BYTES] = {0};
    PtxWorker *worker = calloc(1, sizeof *worker);
    PtxWarp warp = racer->machine->warp;
    warp.frame = frame;
    warp.worker = worker;
    warp.mask = UINT32_MAX;
    static const char *const names[] = {"atom_add_u32", "red_add_f64", "atom_inc_u32", "redv_add_f32", "st_global_u8"};
    for (size_t i = 0; i < RACES; i++)
        for (size_t k = 0; k < COUNT(names); k++) {
            const uint32_t slot = SLOT_B;
            const PtxOp ops[2] = {{.d = SLOT_D,
                                   .a = SLOT_A,
                                   .b = SLOT_B,
                                   .address = PTX_ADDRESS_64,
                                   .space = PTX_SPACE_GLOBAL,
                                   .imm = (int64_t)k * 64,
                                   .slots = &slot,
                                   .slot_count = 1}};
            const double one = 1;
            const float small_one = 1;
            for (unsigned lane = 0; lane < PTX_WARP_LANES; lane++) {
                ((uint64_t *)(void *)(frame + SLOT_A))[lane] = racer->machine->bases[0];
                if (k == 1)
                    memcpy(frame + SLOT_B + lane * sizeof one, &one, sizeof one);
                else
                    ptx_set_u32(&warp, SLOT_B, lane, k == 2 ? UINT32_MAX : 1);
                if (k == 3)
                    memcpy(frame + SLOT_B + lane * sizeof small_one, &small_one, sizeof small_one);
            }
            (void)find_handler(racer->isa, names[k])(&warp, ops);
        }
    free(worker);
    return NULL;
}

static void workers_do_not_lose_updates(void **state)
{
    (void)state;
    Isa isas[ISAS];
    const size_t isa_count = find_isas(isas);
    for (size_t k = 0; k < isa_count; k++) {
        Machine machine;
        machine_start(&machine);
        machine.launch.worker_count = 2;
        Racer racer = {&machine, &isas[k]};
        pthread_t threads[2];
        for (size_t i = 0; i < COUNT(threads); i++)
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racer), 0);
        for (size_t i = 0; i < COUNT(threads); i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        uint32_t sum, increments;
        double total;
        float small_total;
        const uint32_t expected = 2 * RACES * PTX_WARP_LANES;
        assert_true(ptx_memory_read(&machine.memory, machine.bases[0], &sum, sizeof sum));
        assert_true(ptx_memory_read(&machine.memory, machine.bases[0] + 64, &total, sizeof total));
        assert_true(ptx_memory_read(&machine.memory, machine.bases[0] + 128, &increments, sizeof increments));
        assert_true(ptx_memory_read(&machine.memory, machine.bases[0] + 192, &small_total, sizeof small_total));
        assert_int_equal(sum, expected);
        assert_int_equal(increments, expected);
        assert_true(total == expected && small_total == (float)expected);
        machine_end(&machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_apart_and_zero),
        cmocka_unit_test(freed_memory_is_gone_and_reads_as_zero_when_it_comes_back),
        cmocka_unit_test(many_small_allocations_stay_fast),
        cmocka_unit_test(writers_are_exact),
        cmocka_unit_test(explanations_name_what_was_missed),
        cmocka_unit_test(loads_and_stores_move_what_the_model_moves),
        cmocka_unit_test(traps_say_what_is_wrong),
        cmocka_unit_test(pending_bytes_stop_only_who_touches_them),
        cmocka_unit_test(parameters_are_broadcast),
        cmocka_unit_test(generic_addresses_convert),
        cmocka_unit_test(atomics_happen_lane_by_lane),
        cmocka_unit_test(a_result_may_take_its_operands_place),
        cmocka_unit_test(wide_values_are_exchanged),
        cmocka_unit_test(workers_do_not_lose_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
