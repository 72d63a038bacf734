/* Asynchronous copies and mbarriers: what is copied, what counts as pending until whose wait, and when a phase ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ptx/async.h"
#include "ptx/memory.h"
#include "ptx/warp.h"

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

static PtxTrapKind trapped;

const PtxOp *ptx_trap(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address,
                      const char *format, ...)
{
    (void)warp, (void)op, (void)lane, (void)address, (void)format;
    trapped = kind;
    return NULL;
}

/* Slots of 256 bytes; predicates in the last. */
enum {
    TO = 256,
    FROM = 512,
    SIZE = 768,
    COUNT = 1024,
    STATE = 1280,
    RESULT = 1536,
    PREDICATE = 1792,
    SHARED_BYTES = 1024
};

typedef struct Machine {
    _Alignas(64) uint8_t frame[2048];
    _Alignas(64) uint8_t shared[SHARED_BYTES + PTX_SHARED_GUARD];
    PtxMemory memory;
    uint64_t global; /* an allocation of 4 KiB of the bytes 0, 1, 2 ... */
    PtxBlock block;
    PtxLaunch launch;
    PtxGroups groups;
    PtxWarp warp;
    PtxOp ops[2];
} Machine;

static Machine machine;

static int start(void **state)
{
    (void)state;
    Error error = {0};
    machine = (Machine){0};
    if (!ptx_memory_init(&machine.memory, 1 << 20, &error))
        return -1;
    machine.global = ptx_memory_allocate(&machine.memory, 4096, NULL, false);
    for (uint32_t i = 0; i < 4096; i++)
        machine.memory.host[machine.global - PTX_GLOBAL_BASE + i] = (uint8_t)i;
    memset(machine.shared, 0xcc, SHARED_BYTES);
    machine.block =
        (PtxBlock){.shared = machine.shared, .shared_bytes = SHARED_BYTES, .thread_count = 32, .warp_count = 1};
    machine.launch = (PtxLaunch){.memory = &machine.memory};
    machine.warp = (PtxWarp){.frame = machine.frame,
                             .mask = UINT32_MAX,
                             .existing = UINT32_MAX,
                             .live = UINT32_MAX,
                             .block = &machine.block,
                             .launch = &machine.launch,
                             .groups = &machine.groups};
    return 0;
}

static int end(void **state)
{
    (void)state;
    ptx_async_end_block(&machine.block);
    ptx_memory_done(&machine.memory);
    return 0;
}

static void set_u32(uint32_t slot, uint32_t lane, uint32_t value)
{
    ptx_set_u32(&machine.warp, slot, lane, value);
}
static void set_u64(uint32_t slot, uint32_t lane, uint64_t value)
{
    ptx_set_u64(&machine.warp, slot, lane, value);
}

/* Runs a handler with the operands of machine.ops[0]; PTX_TRAP_NONE if it went on. */
static PtxTrapKind run(const char *name)
{
    trapped = PTX_TRAP_NONE;
    for (const PtxHandlerRow *row = ptx_async_handlers; row->name; row++)
        if (strcmp(row->name, name) == 0) {
            const PtxOp *next = row->run(&machine.warp, machine.ops);
            assert_ptr_equal(next, trapped == PTX_TRAP_NONE ? &machine.ops[1] : NULL);
            return trapped;
        }
    fail_msg("there is no %s", name);
    return PTX_TRAP_NONE;
}

/* ---- cp.async
 * -------------------------------------------------------------------------------------------------------- */

/* Each lane's 16 bytes of shared memory from as many bytes of global memory, of which `used` are copied. */
static PtxTrapKind copy(uint32_t mask, uint32_t bytes, uint32_t used)
{
    for (uint32_t lane = 0; lane < 32; lane++) {
        set_u32(TO, lane, lane * 16);
        set_u64(FROM, lane, machine.global + (uint64_t)lane * 16);
        set_u32(SIZE, lane, bytes);
        set_u32(COUNT, lane, used);
    }
    machine.ops[0] = (PtxOp){.a = TO,
                             .address = PTX_ADDRESS_32,
                             .b = FROM,
                             .imm2 = 64,
                             .address2 = PTX_ADDRESS_64,
                             .c = SIZE,
                             .e = COUNT,
                             .flags = PTX_FLAG_HAS_C | (used < bytes ? PTX_FLAG_HAS_E : 0)};
    machine.warp.mask = mask;
    return run("cp_async");
}

static void commit(uint32_t mask)
{
    machine.warp.mask = mask;
    assert_int_equal(run("cp_async_commit_group"), PTX_TRAP_NONE);
}

static void wait_group(uint32_t mask, uint32_t groups)
{
    machine.warp.mask = mask;
    machine.ops[0] = (PtxOp){.imm = groups};
    assert_int_equal(run("cp_async_wait_group"), PTX_TRAP_NONE);
}

static bool is_pending(uint32_t lane)
{
    return ptx_async_is_pending(machine.block.async, lane * 16, 16);
}

static void test_copy_moves_bytes(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{16, 16}, {16, 5}, {16, 0}, {8, 8}, {8, 3}, {4, 4}, {4, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t bytes = sizes[i][0], used = sizes[i][1] < bytes ? sizes[i][1] : bytes;
        memset(machine.shared, 0xcc, SHARED_BYTES);
        assert_int_equal(copy(0x80000005, bytes, sizes[i][1]), PTX_TRAP_NONE);
        for (uint32_t at = 0; at < 512; at++) {
            const uint32_t lane = at / 16, k = at % 16;
            const bool is_copied = (0x80000005 >> lane & 1) && k < bytes;
            assert_int_equal(machine.shared[at], !is_copied ? 0xcc : k < used ? (uint8_t)(64 + at) : 0);
        }
    }
}

static void test_ignored_source(void **state)
{
    (void)state;
    assert_int_equal(copy(UINT32_MAX, 16, 16), PTX_TRAP_NONE);
    memset(machine.shared, 0xcc, SHARED_BYTES);
    for (int is_negated = 0; is_negated < 2; is_negated++) {
        const uint32_t ignored = 0x0000ff0f;
        memcpy(machine.frame + PREDICATE, &ignored, sizeof ignored);
        machine.ops[0].e = SIZE;
        machine.ops[0].c = PREDICATE;
        machine.ops[0].flags = is_negated ? PTX_FLAG_NEGATE_C : 0;
        assert_int_equal(run("cp_async_ignore"), PTX_TRAP_NONE);
        for (uint32_t lane = 0; lane < 32; lane++) {
            const bool is_ignored = (ignored >> lane & 1) ^ (is_negated != 0);
            assert_int_equal(machine.shared[lane * 16 + 1], is_ignored ? 0 : (uint8_t)(64 + lane * 16 + 1));
        }
    }
}

static void test_copy_traps(void **state)
{
    (void)state;
    assert_int_equal(copy(1, 12, 12), PTX_TRAP_UNKNOWN);
    assert_int_equal(copy(1, 16, 16), PTX_TRAP_NONE);
    machine.ops[0].imm = 8;
    assert_int_equal(run("cp_async"), PTX_TRAP_MISALIGNED);
    machine.ops[0].imm = SHARED_BYTES;
    assert_int_equal(run("cp_async"), PTX_TRAP_OUT_OF_BOUNDS);
    machine.ops[0].imm = 0;
    machine.ops[0].imm2 = 8;
    assert_int_equal(run("cp_async"), PTX_TRAP_MISALIGNED);
    machine.ops[0].imm2 = 4096;
    assert_int_equal(run("cp_async"), PTX_TRAP_OUT_OF_BOUNDS);
    machine.ops[0].flags |= PTX_FLAG_HAS_E;
    set_u32(COUNT, 0, 0);
    assert_int_equal(run("cp_async"), PTX_TRAP_NONE); /* nothing is read */
}

static void test_waits(void **state)
{
    (void)state;
    assert_false(is_pending(0));
    commit(UINT32_MAX); /* an empty group */
    copy(1 << 0, 16, 16);
    commit(1 << 0);
    copy(1 << 1, 16, 16);
    assert_true(is_pending(0) && is_pending(1) && !is_pending(2));
    assert_int_equal(machine.block.async->pending_count, 32);
    wait_group(UINT32_MAX, 1); /* one group may still be under way */
    assert_true(is_pending(0) && is_pending(1));
    wait_group(1 << 1, 0); /* lane 1 has not committed */
    assert_true(is_pending(0) && is_pending(1));
    wait_group(~(1u << 0), 0); /* others' waits don't count */
    assert_true(is_pending(0));
    wait_group(1 << 0, 0);
    assert_true(!is_pending(0) && is_pending(1));
    machine.warp.mask = UINT32_MAX;
    assert_int_equal(run("cp_async_wait_all"), PTX_TRAP_NONE);
    assert_int_equal(machine.block.async->pending_count, 0);
}

/* A pipeline of two stages, longer than the records that are there at first. */
static void test_pipeline(void **state)
{
    (void)state;
    for (uint32_t step = 0; step < 100; step++) {
        assert_int_equal(copy(step % 2 ? 0xffff0000 : 0x0000ffff, 8, 8), PTX_TRAP_NONE);
        commit(UINT32_MAX);
        wait_group(UINT32_MAX, 1);
        assert_int_equal(machine.block.async->pending_count, 16 * 8);
        for (uint32_t lane = 0; lane < 32; lane++)
            assert_int_equal(is_pending(lane), lane / 16 == step % 2);
    }
    for (uint32_t step = 0; step < 20; step++)
        assert_int_equal(copy(UINT32_MAX, 16, 16), PTX_TRAP_NONE);
    assert_int_equal(machine.block.async->pending_count, 512);
    assert_int_equal(run("cp_async_wait_all"), PTX_TRAP_NONE);
    assert_int_equal(machine.block.async->pending_count, 0);
}

/* ---- mbarrier
 * --------------------------------------------------------------------------------------------------------- */

enum { BARRIER = 512 };

/* One lane's operation on the barrier; `operand` is its count, bytes, state or parity. */
static PtxTrapKind barrier(const char *name, uint64_t operand)
{
    const bool is_wide = strcmp(name, "mbarrier_wait_state") == 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        set_u32(TO, lane, BARRIER);
        if (is_wide)
            set_u64(STATE, lane, operand);
        else
            set_u32(COUNT, lane, (uint32_t)operand);
    }
    machine.ops[0] = (PtxOp){.a = TO,
                             .address = PTX_ADDRESS_32,
                             .c = is_wide ? STATE : COUNT,
                             .flags = PTX_FLAG_HAS_C,
                             .d = strstr(name, "wait") ? PREDICATE : RESULT};
    return run(name);
}

static uint64_t arrive(const char *name, uint32_t count)
{
    assert_int_equal(barrier(name, count), PTX_TRAP_NONE);
    return ptx_lane_u64(&machine.warp, RESULT, 0);
}

/* Lane 0's answer; a "no" must give others their turn. */
static bool is_over(const char *name, uint64_t operand)
{
    machine.groups.limit = 64;
    machine.groups.back_edges = 0;
    assert_int_equal(barrier(name, operand), PTX_TRAP_NONE);
    const bool answer = ptx_predicate(&machine.warp, PREDICATE) & 1;
    assert_int_equal(machine.groups.back_edges, answer ? 0 : 64);
    return answer;
}

static uint32_t pending_count(uint64_t barrier_state)
{
    set_u64(STATE, 0, barrier_state);
    machine.ops[0] = (PtxOp){.a = STATE, .d = COUNT};
    assert_int_equal(run("mbarrier_pending_count"), PTX_TRAP_NONE);
    return ptx_lane_u32(&machine.warp, COUNT, 0);
}

static void test_phases(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    assert_int_equal(barrier("mbarrier_init", 3), PTX_TRAP_NONE);
    for (uint32_t phase = 0; phase < 9; phase++) {
        assert_false(is_over("mbarrier_wait_parity", phase & 1));
        assert_true(is_over("mbarrier_wait_parity", ~phase & 1));
        const uint64_t first = arrive("mbarrier_arrive", 1);
        assert_int_equal(pending_count(first), 3);
        assert_false(is_over("mbarrier_wait_state", first));
        const uint64_t second = arrive("mbarrier_arrive", 2);
        assert_int_equal(pending_count(second), 2);
        assert_true(is_over("mbarrier_wait_state", first));
        assert_true(is_over("mbarrier_wait_state", second));
        assert_true(is_over("mbarrier_wait_parity", phase & 1));
    }
    /* A whole warp arrives lane by lane. */
    assert_int_equal(barrier("mbarrier_init", 32), PTX_TRAP_NONE);
    machine.warp.mask = UINT32_MAX;
    const uint64_t first = arrive("mbarrier_arrive", 1);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(pending_count(ptx_lane_u64(&machine.warp, RESULT, lane)), 32 - lane);
    assert_true(is_over("mbarrier_wait_state", first));
}

static void test_transactions(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    barrier("mbarrier_init", 1);
    const uint64_t first = arrive("mbarrier_arrive_expect_tx", 100);
    assert_false(is_over("mbarrier_wait_state", first));
    barrier("mbarrier_complete_tx", 60);
    assert_false(is_over("mbarrier_wait_parity", 0));
    barrier("mbarrier_complete_tx", 40);
    assert_true(is_over("mbarrier_wait_state", first));
    assert_true(is_over("mbarrier_wait_parity", 0));
    /* Bytes may come before they are expected, and before the last arrival. */
    barrier("mbarrier_complete_tx", 16);
    barrier("mbarrier_expect_tx", 16);
    assert_false(is_over("mbarrier_wait_parity", 1));
    arrive("mbarrier_arrive", 1);
    assert_true(is_over("mbarrier_wait_parity", 1));
    assert_int_equal(barrier("mbarrier_expect_tx", (1 << 20) - 1), PTX_TRAP_NONE);
    assert_int_equal(barrier("mbarrier_expect_tx", 1), PTX_TRAP_BARRIER);
}

static void test_drop(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    barrier("mbarrier_init", 3);
    arrive("mbarrier_arrive_drop", 1);
    arrive("mbarrier_arrive_no_complete", 1);
    assert_int_equal(barrier("mbarrier_arrive_no_complete", 1), PTX_TRAP_BARRIER);
    arrive("mbarrier_arrive", 1);
    assert_true(is_over("mbarrier_wait_parity", 0));
    assert_int_equal(pending_count(arrive("mbarrier_arrive", 1)), 2);
    assert_false(is_over("mbarrier_wait_parity", 1));
    arrive("mbarrier_arrive", 1);
    assert_true(is_over("mbarrier_wait_parity", 1));
}

static void test_barrier_traps(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    memset(machine.shared, 0, SHARED_BYTES);
    assert_int_equal(barrier("mbarrier_arrive", 1), PTX_TRAP_BARRIER);
    assert_int_equal(barrier("mbarrier_init", 0), PTX_TRAP_BARRIER);
    assert_int_equal(barrier("mbarrier_init", 1 << 20), PTX_TRAP_BARRIER);
    assert_int_equal(barrier("mbarrier_init", (1 << 20) - 1), PTX_TRAP_NONE);
    assert_int_equal(barrier("mbarrier_init", 2), PTX_TRAP_NONE);
    assert_int_equal(barrier("mbarrier_arrive", 3), PTX_TRAP_BARRIER);
    assert_int_equal(barrier("mbarrier_inval", 0), PTX_TRAP_NONE);
    assert_int_equal(barrier("mbarrier_wait_parity", 0), PTX_TRAP_BARRIER);
    machine.ops[0].imm = 4;
    assert_int_equal(run("mbarrier_init"), PTX_TRAP_MISALIGNED);
    machine.ops[0].imm = SHARED_BYTES;
    assert_int_equal(run("mbarrier_init"), PTX_TRAP_OUT_OF_BOUNDS);
}

static void test_copies_arrive(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    barrier("mbarrier_init", 1);
    copy(1, 16, 16);
    barrier("mbarrier_copies_arrive", 0);
    assert_false(is_pending(0));
    assert_false(is_over("mbarrier_wait_parity", 0));
    copy(1, 16, 16);
    machine.ops[0] = (PtxOp){.a = TO, .address = PTX_ADDRESS_32}; /* no count */
    set_u32(TO, 0, BARRIER);
    assert_int_equal(run("mbarrier_copies_arrive_noinc"), PTX_TRAP_NONE);
    assert_false(is_pending(0));
    assert_true(is_over("mbarrier_wait_parity", 0));
}

/* ---- bulk copies
 * -------------------------------------------------------------------------------------------------------- */

static void set_bulk(uint32_t bytes)
{
    set_u32(TO, 0, 32);
    set_u64(FROM, 0, machine.global + 16);
    set_u32(SIZE, 0, bytes);
    set_u64(STATE, 0, PTX_SHARED_WINDOW + BARRIER + 8);
    machine.ops[0] = (PtxOp){.a = TO,
                             .address = PTX_ADDRESS_32,
                             .b = FROM,
                             .address2 = PTX_ADDRESS_64,
                             .e = SIZE,
                             .c = STATE,
                             .q = (uint32_t)-8,
                             .vector = PTX_ADDRESS_64};
}

static void test_bulk(void **state)
{
    (void)state;
    machine.warp.mask = 1;
    barrier("mbarrier_init", 1);
    arrive("mbarrier_arrive_expect_tx", 96);
    set_bulk(96);
    assert_int_equal(run("cp_async_bulk_shared_global"), PTX_TRAP_NONE);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(machine.shared[32 + i], 16 + i);
    assert_int_equal(machine.shared[31], 0xcc);
    assert_int_equal(machine.shared[128], 0xcc);
    assert_true(is_over("mbarrier_wait_parity", 0));
    set_bulk(24);
    assert_int_equal(run("cp_async_bulk_shared_global"), PTX_TRAP_MISALIGNED);

    uint64_t kernel, host, nobody;
    set_u64(TO, 0, machine.global + 256);
    set_u32(FROM, 0, 32);
    set_u32(SIZE, 0, 48);
    machine.ops[0] = (PtxOp){.a = TO, .address = PTX_ADDRESS_64, .b = FROM, .address2 = PTX_ADDRESS_32, .e = SIZE};
    assert_int_equal(run("cp_async_bulk_global_shared"), PTX_TRAP_NONE);
    assert_memory_equal(machine.memory.host + (machine.global + 256 - PTX_GLOBAL_BASE), machine.shared + 32, 48);
    assert_true(ptx_memory_writers(&machine.memory, machine.global, 4096, &kernel, &host, &nobody));
    assert_int_equal(kernel, 48);
    copy(4, 16, 16); /* shared bytes 32 to 47 are pending now */
    machine.warp.mask = 1;
    set_u64(TO, 0, machine.global + 256);
    set_u32(FROM, 0, 32);
    set_u32(SIZE, 0, 48);
    machine.ops[0] = (PtxOp){.a = TO, .address = PTX_ADDRESS_64, .b = FROM, .address2 = PTX_ADDRESS_32, .e = SIZE};
    assert_int_equal(run("cp_async_bulk_global_shared"), PTX_TRAP_PENDING_COPY);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        TEST(test_copy_moves_bytes), TEST(test_ignored_source), TEST(test_copy_traps),   TEST(test_waits),
        TEST(test_pipeline),         TEST(test_phases),         TEST(test_transactions), TEST(test_drop),
        TEST(test_barrier_traps),    TEST(test_copies_arrive),  TEST(test_bulk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
