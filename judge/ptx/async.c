/* Asynchronous copies and mbarriers (PTX ISA 9.7.9.25 and 9.7.13.15). */
#include "ptx/async.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/access.h"
#include "ptx/warp.h"

/* ---- copies that were not waited for --------------------------------------------------------------------------------
 */

/* A copy of at most 16 bytes, aligned to its size: its bits lie in one word of pending_bits. */
typedef struct PtxCopy {
    uint32_t next; /* of the same thread, issued later; 0: none */
    uint32_t offset, bytes;
    uint32_t group; /* number of the thread's group that it belongs to */
} PtxCopy;

typedef struct PtxCopyQueue {
    uint32_t first, last; /* 0: empty */
    uint32_t group;       /* number of the group that is being filled: how many were committed */
} PtxCopyQueue;

/* Copies beyond this many are not tracked: a kernel that never waits must not eat the machine's memory. */
enum { COPIES_MAX = 1 << 20, COPIES_FIRST = 256, MASK_WORD = 64 };

bool ptx_async_bits_are_set(const PtxAsync *async, uint32_t offset, uint32_t bytes)
{
    for (uint32_t done = 0; done < bytes;) {
        const uint32_t bit = (offset + done) % MASK_WORD;
        const uint32_t count = bytes - done < MASK_WORD - bit ? bytes - done : MASK_WORD - bit;
        const uint64_t ones = ~UINT64_C(0) >> (MASK_WORD - count);
        if (async->pending_bits[(offset + done) / MASK_WORD] & (ones << bit))
            return true;
        done += count;
    }
    return false;
}

void ptx_async_end_block(PtxBlock *block)
{
    if (block->async) {
        free(block->async->pending_bits);
        free(block->async->queues);
        free(block->async->copies);
        free(block->async);
    }
    block->async = NULL;
}

/* The block's state, made at its first copy. NULL if there is no memory: then nothing is tracked, which only costs a
 * diagnosis. */
static PtxAsync *block_async(PtxBlock *block)
{
    if (block->async)
        return block->async;
    PtxAsync *async = calloc(1, sizeof *async);
    if (!async)
        return NULL;
    block->async = async;
    async->shared_bytes = block->shared_bytes;
    async->thread_count = block->warp_count * PTX_WARP_LANES;
    async->pending_bits = calloc(block->shared_bytes / MASK_WORD + 1, sizeof *async->pending_bits);
    async->queues = calloc(async->thread_count + 1, sizeof *async->queues);
    if (!async->pending_bits || !async->queues)
        ptx_async_end_block(block);
    return block->async;
}

/* A record, or 0. */
static uint32_t take_copy(PtxAsync *async)
{
    if (async->free_copy) {
        const uint32_t taken = async->free_copy;
        async->free_copy = async->copies[taken].next;
        return taken;
    }
    if (async->copy_count + 1 >= async->copy_capacity) {
        const uint32_t capacity = async->copy_capacity ? async->copy_capacity * 2 : COPIES_FIRST;
        PtxCopy *grown = capacity <= COPIES_MAX ? realloc(async->copies, capacity * sizeof *grown) : NULL;
        if (!grown)
            return 0;
        async->copies = grown;
        async->copy_capacity = capacity;
    }
    return ++async->copy_count;
}

static uint64_t copy_bits(uint32_t offset, uint32_t bytes)
{
    return ((UINT64_C(1) << bytes) - 1) << (offset % MASK_WORD);
}

static void mark_pending(PtxAsync *async, uint32_t thread, uint32_t offset, uint32_t bytes)
{
    const uint32_t taken = take_copy(async);
    if (!taken)
        return;
    PtxCopyQueue *queue = &async->queues[thread];
    async->copies[taken] = (PtxCopy){.offset = offset, .bytes = bytes, .group = queue->group};
    if (queue->first)
        async->copies[queue->last].next = taken;
    else
        queue->first = taken;
    queue->last = taken;
    uint64_t *word = &async->pending_bits[offset / MASK_WORD];
    const uint64_t bits = copy_bits(offset, bytes);
    async->pending_count += (uint32_t)__builtin_popcountll(bits & ~*word);
    *word |= bits;
}

/* Ends the thread's copies but those of its `groups_left` youngest groups; the group being filled is younger than all
 * that were committed, and stays too unless `with_open`. */
static void finish_copies(PtxAsync *async, uint32_t thread, uint32_t groups_left, bool with_open)
{
    PtxCopyQueue *queue = &async->queues[thread];
    while (queue->first) {
        const uint32_t index = queue->first;
        PtxCopy *copy = &async->copies[index];
        if (!with_open && queue->group - copy->group <= groups_left)
            return;
        uint64_t *word = &async->pending_bits[copy->offset / MASK_WORD];
        const uint64_t bits = copy_bits(copy->offset, copy->bytes);
        async->pending_count -= (uint32_t)__builtin_popcountll(bits & *word);
        *word &= ~bits;
        queue->first = copy->next;
        copy->next = async->free_copy;
        async->free_copy = index;
    }
}

static uint32_t thread_of(const PtxWarp *warp, unsigned lane)
{
    return warp->index * PTX_WARP_LANES + lane;
}

static void finish_warp(PtxWarp *warp, uint32_t groups_left, bool with_open)
{
    if (warp->block->async)
        for (PTX_EACH_LANE(lane, warp->mask))
            finish_copies(warp->block->async, thread_of(warp, lane), groups_left, with_open);
}

/* ---- cp.async
 * ---------------------------------------------------------------------------------------------------------- */

/* Copies `used` bytes and zeros up to `bytes`, one lane's. False after a trap. */
static bool copy_lane(PtxWarp *warp, const PtxOp *op, unsigned lane, uint32_t bytes, uint32_t used)
{
    uint32_t offset;
    uint8_t data[16] = {0};
    uint8_t *to = ptx_access_shared(warp, op, lane, ptx_address_a(warp, op, lane), bytes, &offset);
    if (!to)
        return false;
    if (used > 0) {
        const uint64_t address = ptx_address_b(warp, op, lane);
        if (address % bytes != 0) {
            ptx_trap(warp, op, lane, PTX_TRAP_MISALIGNED, address, "the source of a copy of %u bytes is not aligned",
                     bytes);
            return false;
        }
        const uint8_t *from = ptx_access(warp, op, lane, PTX_SPACE_GLOBAL, address, used, false);
        if (!from)
            return false;
        memcpy(data, from, used);
    }
    memcpy(to, data, bytes);
    PtxAsync *async = block_async(warp->block);
    if (async)
        mark_pending(async, thread_of(warp, lane), offset, bytes);
    return true;
}

/* The constant number of bytes of cp.async; 0 after a trap. */
static uint32_t copy_bytes(PtxWarp *warp, const PtxOp *op, uint32_t slot)
{
    const unsigned lane = (unsigned)__builtin_ctz(warp->mask);
    const uint32_t bytes = ptx_lane_u32(warp, slot, lane);
    if (bytes == 4 || bytes == 8 || bytes == 16)
        return bytes;
    ptx_trap(warp, op, lane, PTX_TRAP_UNKNOWN, 0, "an asynchronous copy is of 4, 8 or 16 bytes, not %u", bytes);
    return 0;
}

/* cp.async [A], [B], c{, e}: of c bytes, e come from B and the others are 0. */
static const PtxOp *cp_async(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t bytes = copy_bytes(warp, op, op->c);
    if (bytes == 0)
        return NULL;
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint32_t used = op->flags & PTX_FLAG_HAS_E ? ptx_lane_u32(warp, op->e, lane) : bytes;
        if (!copy_lane(warp, op, lane, bytes, used < bytes ? used : bytes))
            return NULL;
    }
    return op + 1;
}

/* cp.async [A], [B], e, c: zeros where the predicate c holds. */
static const PtxOp *cp_async_ignore(PtxWarp *warp, const PtxOp *op)
{
    const uint32_t bytes = copy_bytes(warp, op, op->e);
    if (bytes == 0)
        return NULL;
    const uint32_t ignored = ptx_predicate(warp, op->c) ^ (op->flags & PTX_FLAG_NEGATE_C ? UINT32_MAX : 0);
    for (PTX_EACH_LANE(lane, warp->mask))
        if (!copy_lane(warp, op, lane, bytes, ignored >> lane & 1 ? 0 : bytes))
            return NULL;
    return op + 1;
}

static const PtxOp *cp_async_commit_group(PtxWarp *warp, const PtxOp *op)
{
    /* Without a copy in the block so far the group is empty, and empty groups may be forgotten. */
    if (warp->block->async)
        for (PTX_EACH_LANE(lane, warp->mask))
            warp->block->async->queues[thread_of(warp, lane)].group++;
    return op + 1;
}

static const PtxOp *cp_async_wait_group(PtxWarp *warp, const PtxOp *op)
{
    finish_warp(warp, (uint32_t)op->imm, false);
    return op + 1;
}

static const PtxOp *cp_async_wait_all(PtxWarp *warp, const PtxOp *op)
{
    finish_warp(warp, 0, true);
    return op + 1;
}

/* ---- mbarrier
 * ------------------------------------------------------------------------------------------------------------ Our
 * layout of the 64-bit object (the ISA leaves it open). A state, as arrive returns it, is the object before the
 * arrival. */

typedef struct Barrier {
    uint32_t expected, pending; /* arrivals per phase, and those that this phase still waits for */
    int32_t transactions; /* bytes that this phase still waits for; below 0 if they came before they were expected */
    uint32_t phase;       /* modulo 4 */
    bool is_valid;
} Barrier;

enum { COUNT_BITS = 20, TRANSACTION_BITS = 21, COUNT_MAX = (1 << COUNT_BITS) - 1, PHASE_MASK = 3 };

static Barrier barrier_unpack(uint64_t bits)
{
    const uint32_t transactions = (uint32_t)(bits >> (2 * COUNT_BITS)) << (32 - TRANSACTION_BITS);
    return (Barrier){.expected = bits & COUNT_MAX,
                     .pending = bits >> COUNT_BITS & COUNT_MAX,
                     .transactions = (int32_t)transactions / (1 << (32 - TRANSACTION_BITS)),
                     .phase = bits >> 61 & PHASE_MASK,
                     .is_valid = bits >> 63};
}

static uint64_t barrier_pack(Barrier barrier)
{
    const uint64_t transactions = (uint32_t)barrier.transactions & ((1u << TRANSACTION_BITS) - 1);
    return barrier.expected | (uint64_t)barrier.pending << COUNT_BITS | transactions << (2 * COUNT_BITS) |
           (uint64_t)barrier.phase << 61 | (uint64_t)barrier.is_valid << 63;
}

/* A phase ends when all arrivals and all bytes are there. */
static void barrier_settle(Barrier *barrier)
{
    if (barrier->pending > 0 || barrier->transactions != 0)
        return;
    barrier->phase = (barrier->phase + 1) & PHASE_MASK;
    barrier->pending = barrier->expected;
}

static uint8_t *barrier_at(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address)
{
    uint32_t offset;
    uint8_t *at = ptx_access_shared(warp, op, lane, address, sizeof(uint64_t), &offset);
    return at;
}

static bool barrier_read(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address, uint8_t **ret_at,
                         Barrier *ret_barrier)
{
    uint64_t bits;
    *ret_at = barrier_at(warp, op, lane, address);
    if (!*ret_at)
        return false;
    memcpy(&bits, *ret_at, sizeof bits);
    *ret_barrier = barrier_unpack(bits);
    if (!ret_barrier->is_valid)
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, address,
                 "there is no mbarrier here: it was not initialised, or was invalidated");
    return ret_barrier->is_valid;
}

static void barrier_write(uint8_t *at, Barrier barrier)
{
    const uint64_t bits = barrier_pack(barrier);
    memcpy(at, &bits, sizeof bits);
}

/* Adds to the bytes that the phase waits for; false after a trap. */
static bool barrier_expect(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier, int64_t bytes)
{
    const int64_t sum = barrier->transactions + bytes;
    if (sum < -COUNT_MAX || sum > COUNT_MAX) {
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "the mbarrier's transaction count would be %lld; its limit is %d",
                 (long long)sum, COUNT_MAX);
        return false;
    }
    barrier->transactions = (int32_t)sum;
    return true;
}

/* One operation on the barrier of each lane in turn: `change` returns false after a trap. */
typedef bool BarrierChange(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier);

static const PtxOp *change_barriers(PtxWarp *warp, const PtxOp *op, BarrierChange *change, bool returns_state)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *at;
        Barrier barrier;
        if (!barrier_read(warp, op, lane, ptx_address_a(warp, op, lane), &at, &barrier))
            return NULL;
        const uint64_t before = barrier_pack(barrier);
        if (!change(warp, op, lane, &barrier))
            return NULL;
        barrier_write(at, barrier);
        if (returns_state)
            ptx_set_u64(warp, op->d, lane, before);
    }
    return op + 1;
}

static uint32_t count_operand(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return op->flags & PTX_FLAG_HAS_C ? ptx_lane_u32(warp, op->c, lane) : 1;
}

static bool arrive(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier, uint32_t count)
{
    if (count == 0 || count > barrier->pending) {
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "%u arrivals at an mbarrier whose phase waits for %u", count,
                 barrier->pending);
        return false;
    }
    barrier->pending -= count;
    return true;
}

static bool change_arrive(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    if (!arrive(warp, op, lane, barrier, count_operand(warp, op, lane)))
        return false;
    barrier_settle(barrier);
    return true;
}

static bool change_arrive_expect_tx(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    if (!barrier_expect(warp, op, lane, barrier, ptx_lane_u32(warp, op->c, lane)) ||
        !arrive(warp, op, lane, barrier, 1))
        return false;
    barrier_settle(barrier);
    return true;
}

/* .noComplete promises that the phase does not end by this. */
static bool change_arrive_no_complete(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    if (!arrive(warp, op, lane, barrier, count_operand(warp, op, lane)))
        return false;
    if (barrier->pending == 0 && barrier->transactions == 0)
        ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "mbarrier.arrive.noComplete completes the phase");
    return barrier->pending > 0 || barrier->transactions != 0;
}

/* Leaves: this and all later phases expect fewer arrivals. An arrival that `arrive` will refuse changes nothing here.
 */
static void drop(Barrier *barrier, uint32_t count)
{
    barrier->expected -= count <= barrier->expected ? count : barrier->expected;
}

static bool change_arrive_drop(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    drop(barrier, count_operand(warp, op, lane));
    return change_arrive(warp, op, lane, barrier);
}

static bool change_arrive_drop_expect_tx(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    drop(barrier, 1);
    return change_arrive_expect_tx(warp, op, lane, barrier);
}

static bool change_arrive_drop_no_complete(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    drop(barrier, count_operand(warp, op, lane));
    return change_arrive_no_complete(warp, op, lane, barrier);
}

static bool change_expect_tx(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    return barrier_expect(warp, op, lane, barrier, ptx_lane_u32(warp, op->c, lane));
}

static bool change_complete_tx(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    if (!barrier_expect(warp, op, lane, barrier, -(int64_t)ptx_lane_u32(warp, op->c, lane)))
        return false;
    barrier_settle(barrier);
    return true;
}

/* cp.async.mbarrier.arrive: copies are done at issue, so that the arrival which they trigger comes at once. Without
 * .noinc it was added to the pending count just before: the count stays as it was. */
static bool change_copies_arrive(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    (void)op;
    (void)barrier;
    if (warp->block->async)
        finish_copies(warp->block->async, thread_of(warp, lane), 0, true);
    return true;
}

static bool change_copies_arrive_noinc(PtxWarp *warp, const PtxOp *op, unsigned lane, Barrier *barrier)
{
    return change_copies_arrive(warp, op, lane, barrier) && change_arrive(warp, op, lane, barrier);
}

#define BARRIER_HANDLER(name, returns_state)                                                                           \
    static const PtxOp *mbarrier_##name(PtxWarp *warp, const PtxOp *op)                                                \
    {                                                                                                                  \
        return change_barriers(warp, op, change_##name, returns_state);                                                \
    }
BARRIER_HANDLER(arrive, true)
BARRIER_HANDLER(arrive_expect_tx, true)
BARRIER_HANDLER(arrive_no_complete, true)
BARRIER_HANDLER(arrive_drop, true)
BARRIER_HANDLER(arrive_drop_expect_tx, true)
BARRIER_HANDLER(arrive_drop_no_complete, true)
BARRIER_HANDLER(expect_tx, false)
BARRIER_HANDLER(complete_tx, false)
BARRIER_HANDLER(copies_arrive, false)
BARRIER_HANDLER(copies_arrive_noinc, false)

static const PtxOp *mbarrier_init(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        const uint32_t count = ptx_lane_u32(warp, op->c, lane);
        uint8_t *at = barrier_at(warp, op, lane, ptx_address_a(warp, op, lane));
        if (!at)
            return NULL;
        if (count == 0 || count > COUNT_MAX)
            return ptx_trap(warp, op, lane, PTX_TRAP_BARRIER, 0, "mbarrier.init for %u arrivals; 1 to %d are possible",
                            count, COUNT_MAX);
        barrier_write(at, (Barrier){.expected = count, .pending = count, .is_valid = true});
    }
    return op + 1;
}

static const PtxOp *mbarrier_inval(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *at;
        Barrier barrier;
        if (!barrier_read(warp, op, lane, ptx_address_a(warp, op, lane), &at, &barrier))
            return NULL;
        barrier_write(at, (Barrier){0});
    }
    return op + 1;
}

/* Whether the phase that operand c names is over. A state names its own phase; a parity names the present phase, which
 * is not over, or the one before it, which is (PTX ISA 9.7.13.15.16). */
static const PtxOp *test_phases(PtxWarp *warp, const PtxOp *op, bool is_parity)
{
    uint32_t over = 0;
    for (PTX_EACH_LANE(lane, warp->mask)) {
        uint8_t *at;
        Barrier barrier;
        if (!barrier_read(warp, op, lane, ptx_address_a(warp, op, lane), &at, &barrier))
            return NULL;
        const bool is_over = is_parity ? (barrier.phase ^ ptx_lane_u32(warp, op->c, lane)) & 1
                                       : barrier.phase != barrier_unpack(ptx_lane_u64(warp, op->c, lane)).phase;
        over |= (uint32_t)is_over << lane;
    }
    ptx_set_predicate(warp, op->d, over);
    if (over != warp->mask)
        ptx_warp_hurry(warp);
    return op + 1;
}

/* try_wait may suspend the thread for a while. Here it does not: the loop around it lets others run at its back-edge,
 * at once. */
static const PtxOp *mbarrier_wait_state(PtxWarp *warp, const PtxOp *op)
{
    return test_phases(warp, op, false);
}

static const PtxOp *mbarrier_wait_parity(PtxWarp *warp, const PtxOp *op)
{
    return test_phases(warp, op, true);
}

static const PtxOp *mbarrier_pending_count(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask))
        ptx_set_u32(warp, op->d, lane, barrier_unpack(ptx_lane_u64(warp, op->a, lane)).pending);
    return op + 1;
}

/* ---- cp.async.bulk
 * ------------------------------------------------------------------------------------------------------- */

/* Size of a lane's bulk copy: a multiple of 16; 0 after a trap or if there is nothing to do (then *ret_ok). */
static uint32_t bulk_bytes(PtxWarp *warp, const PtxOp *op, unsigned lane, bool *ret_ok)
{
    const uint32_t bytes = ptx_lane_u32(warp, op->e, lane);
    *ret_ok = bytes % 16 == 0;
    if (!*ret_ok)
        ptx_trap(warp, op, lane, PTX_TRAP_MISALIGNED, 0, "a bulk copy of %u bytes: its size must be a multiple of 16",
                 bytes);
    return *ret_ok ? bytes : 0;
}

/* The third address: base c, offset q. */
static uint64_t bulk_barrier(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return ptx_address_base(warp, op->c, op->vector, lane) + (uint64_t)(int32_t)op->q;
}

/* [A] in shared memory := [B], e bytes, which are then taken off the mbarrier. */
static bool bulk_lane_to_shared(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace source)
{
    bool is_ok;
    uint32_t offset;
    uint8_t *barrier_bits;
    Barrier barrier;
    const uint32_t bytes = bulk_bytes(warp, op, lane, &is_ok);
    if (!is_ok || !barrier_read(warp, op, lane, bulk_barrier(warp, op, lane), &barrier_bits, &barrier))
        return false;
    if (bytes > 0) {
        uint8_t *to = ptx_access_shared(warp, op, lane, ptx_address_a(warp, op, lane), bytes, &offset);
        const uint8_t *from =
            to ? ptx_access(warp, op, lane, source, ptx_address_b(warp, op, lane), bytes, false) : NULL;
        if (!from)
            return false;
        memmove(to, from, bytes);
    }
    if (!barrier_expect(warp, op, lane, &barrier, -(int64_t)bytes))
        return false;
    barrier_settle(&barrier);
    barrier_write(barrier_bits, barrier);
    return true;
}

static const PtxOp *bulk_to_shared(PtxWarp *warp, const PtxOp *op, PtxSpace source)
{
    for (PTX_EACH_LANE(lane, warp->mask))
        if (!bulk_lane_to_shared(warp, op, lane, source))
            return NULL;
    return op + 1;
}

static const PtxOp *cp_async_bulk_shared_global(PtxWarp *warp, const PtxOp *op)
{
    return bulk_to_shared(warp, op, PTX_SPACE_GLOBAL);
}

static const PtxOp *cp_async_bulk_shared_shared(PtxWarp *warp, const PtxOp *op)
{
    return bulk_to_shared(warp, op, PTX_SPACE_SHARED);
}

static const PtxOp *cp_async_bulk_global_shared(PtxWarp *warp, const PtxOp *op)
{
    for (PTX_EACH_LANE(lane, warp->mask)) {
        bool is_ok;
        const uint32_t bytes = bulk_bytes(warp, op, lane, &is_ok);
        if (!is_ok)
            return NULL;
        if (bytes == 0)
            continue;
        const uint8_t *from = ptx_access(warp, op, lane, PTX_SPACE_SHARED, ptx_address_b(warp, op, lane), bytes, false);
        uint8_t *to =
            from ? ptx_access(warp, op, lane, PTX_SPACE_GLOBAL, ptx_address_a(warp, op, lane), bytes, true) : NULL;
        if (!to)
            return NULL;
        memcpy(to, from, bytes);
    }
    return op + 1;
}

/* Bulk groups and prefetches: copies are done at issue, nothing is left to wait for. */
static const PtxOp *cp_async_bulk_nothing(PtxWarp *warp, const PtxOp *op)
{
    (void)warp;
    return op + 1;
}

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
const PtxHandlerRow ptx_async_handlers[] = {
    ROW(cp_async),
    ROW(cp_async_ignore),
    ROW(cp_async_commit_group),
    ROW(cp_async_wait_group),
    ROW(cp_async_wait_all),
    ROW(cp_async_bulk_shared_global),
    ROW(cp_async_bulk_shared_shared),
    ROW(cp_async_bulk_global_shared),
    ROW(cp_async_bulk_nothing),
    ROW(mbarrier_init),
    ROW(mbarrier_inval),
    ROW(mbarrier_arrive),
    ROW(mbarrier_arrive_expect_tx),
    ROW(mbarrier_arrive_no_complete),
    ROW(mbarrier_arrive_drop),
    ROW(mbarrier_arrive_drop_expect_tx),
    ROW(mbarrier_arrive_drop_no_complete),
    ROW(mbarrier_expect_tx),
    ROW(mbarrier_complete_tx),
    ROW(mbarrier_copies_arrive),
    ROW(mbarrier_copies_arrive_noinc),
    ROW(mbarrier_wait_state),
    ROW(mbarrier_wait_parity),
    ROW(mbarrier_pending_count),
    {NULL, NULL},
};
