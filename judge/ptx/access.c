/* Checked accesses outside of the hot paths. */
#include "ptx/access.h"

#include "ptx/async.h"

typedef struct Access {
    PtxWarp *warp;
    const PtxOp *op;
    unsigned lane;
    uint32_t bytes, align;
    bool is_store;
} Access;

/* The trap of an access at `address`, or offset, of a kind whose text says no more than that. */
static uint8_t *fail(const Access *access, PtxTrapKind kind, uint64_t address, const char *text)
{
    ptx_trap(access->warp, access->op, access->lane, kind, address, "the %s of %u bytes%s",
             access->is_store ? "write" : "read", access->bytes, text);
    return NULL;
}

static bool check_align(const Access *access, uint64_t address)
{
    if ((address & (access->align - 1)) == 0)
        return true;
    ptx_trap(access->warp, access->op, access->lane, PTX_TRAP_MISALIGNED, address,
             "the %s of %u bytes at 0x%llx needs an address that is a multiple of %u",
             access->is_store ? "write" : "read", access->bytes, (unsigned long long)address, access->align);
    return false;
}

/* In an area of `size` bytes: shared, local, parameters. */
static uint8_t *inside(const Access *access, uint8_t *base, uint64_t size, const char *name, uint64_t offset)
{
    if (offset <= size && access->bytes <= size - offset)
        return check_align(access, offset) ? base + offset : NULL;
    ptx_trap(access->warp, access->op, access->lane, PTX_TRAP_OUT_OF_BOUNDS, offset,
             "the %s of %u bytes at offset %lld of %s memory, which has %llu bytes",
             access->is_store ? "write" : "read", access->bytes, (long long)offset, name, (unsigned long long)size);
    return NULL;
}

static uint8_t *access_global(const Access *access, uint64_t address)
{
    PtxWarp *warp = access->warp;
    PtxMemory *memory = warp->launch->memory;
    PtxMemoryHint *hint = warp->worker ? &warp->worker->hints[access->op->hint] : NULL;
    const PtxAllocation *allocation = ptx_memory_find(memory, address, access->bytes, hint);
    if (!allocation) {
        char text[260] = ": ";
        ptx_memory_explain(memory, address, access->bytes, text + 2, sizeof text - 2);
        return fail(access, PTX_TRAP_OUT_OF_BOUNDS, address, text);
    }
    if (!check_align(access, address))
        return NULL;
    if (access->is_store && allocation->is_read_only)
        return fail(access, PTX_TRAP_READ_ONLY, address, " goes to constant memory");
    if (access->is_store)
        ptx_memory_mark(memory, address - PTX_GLOBAL_BASE, access->bytes, warp->launch->worker_count > 1);
    return memory->host + (address - PTX_GLOBAL_BASE);
}

static uint8_t *access_shared(const Access *access, uint64_t offset)
{
    const PtxBlock *block = access->warp->block;
    uint8_t *at = inside(access, block->shared, block->shared_bytes, "shared", offset);
    if (at && ptx_async_is_pending(block->async, (uint32_t)offset, access->bytes))
        return fail(access, PTX_TRAP_PENDING_COPY, offset, " of shared memory touches a copy that was not waited for");
    return at;
}

static uint8_t *access_parameters(const Access *access, uint64_t offset)
{
    const PtxLaunch *launch = access->warp->launch;
    if (access->is_store)
        return fail(access, PTX_TRAP_READ_ONLY, offset, " goes to the kernel's parameters");
    /* The cast drops a const that no caller writes through. NOLINTNEXTLINE(performance-no-int-to-ptr) */
    return inside(access, (uint8_t *)(uintptr_t)launch->parameters, launch->entry->entry_parameter_bytes, "parameter",
                  offset);
}

/* The space of a generic address, which becomes an offset in it. */
static PtxSpace resolve(PtxSpace space, uint64_t *address)
{
    static const PtxSpace spaces[] = {PTX_SPACE_SHARED, PTX_SPACE_LOCAL, PTX_SPACE_PARAM};
    for (size_t i = 0; space == PTX_SPACE_NONE && i < sizeof spaces / sizeof *spaces; i++)
        if (*address - ptx_window(spaces[i]) < PTX_WINDOW_BYTES) {
            *address -= ptx_window(spaces[i]);
            return spaces[i];
        }
    return space == PTX_SPACE_NONE ? PTX_SPACE_GLOBAL : space;
}

uint8_t *ptx_access_aligned(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace space, uint64_t address,
                            uint32_t bytes, uint32_t align, bool is_store)
{
    const Access access = {warp, op, lane, bytes, align, is_store};
    if (space == PTX_SPACE_PARAM) /* by name: the lane's own; only generic addresses point to the launch's */
        return inside(&access, warp->parameters + (size_t)lane * warp->parameter_stride, warp->parameter_stride,
                      "parameter", address);
    switch (resolve(space, &address)) {
    case PTX_SPACE_SHARED: return access_shared(&access, address);
    case PTX_SPACE_LOCAL:
        return inside(&access, warp->local + (size_t)lane * warp->local_stride, warp->local_stride, "local", address);
    case PTX_SPACE_PARAM: return access_parameters(&access, address);
    default: return access_global(&access, address);
    }
}

static uint32_t natural_align(uint32_t bytes)
{
    const uint32_t lowest = bytes & -bytes;
    return lowest < 16 ? lowest : 16;
}

uint8_t *ptx_access(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxSpace space, uint64_t address, uint32_t bytes,
                    bool is_store)
{
    return ptx_access_aligned(warp, op, lane, space, address, bytes, natural_align(bytes), is_store);
}

uint8_t *ptx_access_shared(PtxWarp *warp, const PtxOp *op, unsigned lane, uint64_t address, uint32_t bytes,
                           uint32_t *ret_offset)
{
    /* No generic address is below 4 GiB: what is there is an offset, whatever the form of the instruction. */
    const uint64_t offset = address - (address < PTX_WINDOW_BYTES ? 0 : PTX_SHARED_WINDOW);
    const Access access = {warp, op, lane, bytes, natural_align(bytes), true};
    *ret_offset = (uint32_t)offset;
    return inside(&access, warp->block->shared, warp->block->shared_bytes, "shared", offset);
}

uint64_t ptx_address_a(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return ptx_address_base(warp, op->a, op->address, lane) + (uint64_t)op->imm;
}

uint64_t ptx_address_b(const PtxWarp *warp, const PtxOp *op, unsigned lane)
{
    return ptx_address_base(warp, op->b, op->address2, lane) + (uint64_t)op->imm2;
}
