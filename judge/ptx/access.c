/* Checked accesses outside of the hot paths. */
#include "ptx/access.h"

#include "ptx/async.h"

static bool is_aligned(uint64_t address, uint32_t bytes)
{
    const uint32_t lowest = bytes & -bytes;
    return (address & ((lowest < 16 ? lowest : 16) - 1)) == 0;
}

static uint8_t *fail(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address, uint32_t bytes,
                     bool is_store)
{
    const char *what = is_store ? "write" : "read";
    char text[256];
    switch (kind) {
    case PTX_TRAP_MISALIGNED:
        ptx_trap(warp, op, lane, kind, address, "the %s of %u bytes at 0x%llx is not aligned", what, bytes,
                 (unsigned long long)address);
        break;
    case PTX_TRAP_OUT_OF_BOUNDS:
        ptx_memory_explain(warp->launch->memory, address, bytes, text, sizeof text);
        ptx_trap(warp, op, lane, kind, address, "the %s of %u bytes: %s", what, bytes, text);
        break;
    case PTX_TRAP_PENDING_COPY:
        ptx_trap(warp, op, lane, kind, address,
                 "the %s of %u bytes of shared memory at offset %llu touches a copy that was not waited for", what,
                 bytes, (unsigned long long)address);
        break;
    default: ptx_trap(warp, op, lane, kind, address, "the %s of %u bytes is not allowed there", what, bytes); break;
    }
    return NULL;
}

/* Bytes of a window or area of `size` bytes: shared, local, parameters. */
static uint8_t *inside(PtxWarp *warp, const PtxOp *op, unsigned lane, uint8_t *base, uint64_t size, const char *name,
                       uint64_t offset, uint32_t bytes)
{
    if (offset > size || bytes > size - offset) {
        ptx_trap(warp, op, lane, PTX_TRAP_OUT_OF_BOUNDS, offset,
                 "%u bytes at offset %llu of %s memory, which has %llu bytes", bytes, (unsigned long long)offset, name,
                 (unsigned long long)size);
        return NULL;
    }
    if (!is_aligned(offset, bytes))
        return fail(warp, op, lane, PTX_TRAP_MISALIGNED, offset, bytes, false);
    return base + offset;
}

static void mark_kernel(PtxMemory *memory, uint64_t index, uint32_t bytes)
{
    for (uint32_t done = 0; done < bytes;) {
        const unsigned bit = (index + done) % 64;
        const uint32_t count = bytes - done < 64 - bit ? bytes - done : 64 - bit;
        const uint64_t ones = (count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1) << bit;
        uint64_t *word = &memory->kernel_bits[(index + done) / 64];
        /* Blocks of several workers may share a word. */
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & ones) != ones)
            __atomic_fetch_or(word, ones, __ATOMIC_RELAXED);
        done += count;
    }
}

static uint8_t *access_global(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address, uint32_t bytes,
                              bool is_store)
{
    PtxMemory *memory = warp->launch->memory;
    const PtxAllocation *allocation =
        ptx_memory_find(memory, address, bytes, warp->worker ? &warp->worker->hints[op->hint] : NULL);
    if (!allocation)
        return fail(warp, op, lane, PTX_TRAP_OUT_OF_BOUNDS, address, bytes, is_store);
    if (!is_aligned(address, bytes))
        return fail(warp, op, lane, PTX_TRAP_MISALIGNED, address, bytes, is_store);
    if (is_store && allocation->is_read_only)
        return fail(warp, op, lane, PTX_TRAP_READ_ONLY, address, bytes, is_store);
    if (is_store)
        mark_kernel(memory, address - PTX_GLOBAL_BASE, bytes);
    return memory->host + (address - PTX_GLOBAL_BASE);
}

static uint8_t *access_shared(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t offset, uint32_t bytes,
                              bool is_store)
{
    const PtxBlock *block = warp->block;
    uint8_t *at = inside(warp, op, lane, block->shared, block->shared_bytes, "shared", offset, bytes);
    if (at && ptx_async_is_pending(block->async, (uint32_t)offset, bytes))
        return fail(warp, op, lane, PTX_TRAP_PENDING_COPY, offset, bytes, is_store);
    return at;
}

static PtxSpace resolve(PtxSpace space, uint64_t *address)
{
    static const struct {
        PtxSpace space;
        uint64_t base;
    } windows[] = {{PTX_SPACE_SHARED, PTX_SHARED_WINDOW},
                   {PTX_SPACE_LOCAL, PTX_LOCAL_WINDOW},
                   {PTX_SPACE_PARAM, PTX_PARAM_WINDOW}};
    for (size_t i = 0; space == PTX_SPACE_NONE && i < sizeof windows / sizeof *windows; i++)
        if (*address - windows[i].base < PTX_WINDOW_BYTES) {
            *address -= windows[i].base;
            return windows[i].space;
        }
    return space == PTX_SPACE_NONE ? PTX_SPACE_GLOBAL : space;
}

uint8_t *ptx_access(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace space, uint64_t address, uint32_t bytes,
                    bool is_store)
{
    const PtxProgramFunction *entry = warp->launch->entry;
    switch (resolve(space, &address)) {
    case PTX_SPACE_SHARED: return access_shared(warp, op, lane, address, bytes, is_store);
    case PTX_SPACE_LOCAL:
        return inside(warp, op, lane, warp->local + (size_t)lane * warp->local_stride, warp->local_stride, "local",
                      address, bytes);
    case PTX_SPACE_PARAM:
        if (is_store)
            return fail(warp, op, lane, PTX_TRAP_READ_ONLY, address, bytes, true);
        /* A reader's pointer: the cast only drops a const that the caller does not write through. */
        return inside(warp, op, lane, (uint8_t *)(uintptr_t)warp->launch->parameters, entry->entry_parameter_bytes,
                      "parameter", address, bytes);
    default: return access_global(warp, op, lane, address, bytes, is_store);
    }
}

uint8_t *ptx_access_shared(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address, uint32_t bytes,
                           uint32_t *ret_offset)
{
    /* No generic address is below 4 GiB: what is there is an offset, whatever the form of the instruction. */
    const uint64_t offset = address - (address < PTX_WINDOW_BYTES ? 0 : PTX_SHARED_WINDOW);
    *ret_offset = (uint32_t)offset;
    return inside(warp, op, lane, warp->block->shared, warp->block->shared_bytes, "shared", offset, bytes);
}

static uint64_t base_of(const PtxWarp *warp, uint32_t slot, uint8_t kind, unsigned lane)
{
    switch ((PtxAddress)kind) {
    case PTX_ADDRESS_32: return ptx_lane_u32(warp, slot, lane);
    case PTX_ADDRESS_64: return ptx_lane_u64(warp, slot, lane);
    default: return 0;
    }
}

uint64_t ptx_address_a(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return base_of(warp, op->a, op->address, lane) + (uint64_t)op->imm;
}

uint64_t ptx_address_b(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return base_of(warp, op->b, op->address2, lane) + (uint64_t)op->imm2;
}
