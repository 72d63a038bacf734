#include "ptx/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FREED_MAX = 4096 };

/* ---- the range ---------------------------------------------------------------------------------------------- */

static void *reserve(uint64_t bytes)
{
    void *range = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return range == MAP_FAILED ? NULL : range;
}

/* Twice the cap, so that gaps and holes never stand in the way; untouched pages cost nothing. */
bool ptx_memory_init(PtxMemory *memory, uint64_t cap_bytes, Error *error)
{
    *memory = (PtxMemory){.cap_bytes = cap_bytes, .next_serial = 1};
    memory->reserved_bytes = (2 * cap_bytes + (UINT64_C(1) << 30) + 4095) / 4096 * 4096;
    memory->host = reserve(memory->reserved_bytes);
    memory->kernel_bits = reserve(memory->reserved_bytes / 8);
    memory->host_bits = reserve(memory->reserved_bytes / 8);
    if (memory->host && memory->kernel_bits && memory->host_bits)
        return true;
    ptx_memory_done(memory);
    return error_system(error, "reserving %" PRIu64 " bytes of addresses for device memory", memory->reserved_bytes);
}

void ptx_memory_done(PtxMemory *memory)
{
    if (memory->host)
        (void)munmap(memory->host, memory->reserved_bytes);
    if (memory->kernel_bits)
        (void)munmap(memory->kernel_bits, memory->reserved_bytes / 8);
    if (memory->host_bits)
        (void)munmap(memory->host_bits, memory->reserved_bytes / 8);
    for (uint32_t i = 0; i < memory->allocation_count; i++)
        free(memory->allocations[i].name);
    for (uint32_t i = 0; i < memory->freed_count; i++)
        free(memory->freed[i].name);
    free(memory->allocations);
    free(memory->freed);
    memory->host = NULL;
    memory->kernel_bits = memory->host_bits = NULL;
    memory->allocations = memory->freed = NULL;
    memory->allocation_count = memory->freed_count = 0;
}

/* ---- bits of who wrote a byte ------------------------------------------------------------------------------- */

static void set_bits(uint64_t *bits, uint64_t from, uint64_t count, bool value)
{
    while (count > 0) {
        const uint64_t at = from % 64, here = 64 - at < count ? 64 - at : count;
        const uint64_t mask = (here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1) << at;
        if (value)
            bits[from / 64] |= mask;
        else
            bits[from / 64] &= ~mask;
        from += here;
        count -= here;
    }
}

static bool get_bit(const uint64_t *bits, uint64_t at)
{
    return bits[at / 64] >> (at % 64) & 1;
}

static void mark_as_host(PtxMemory *memory, uint64_t offset, uint64_t size)
{
    set_bits(memory->kernel_bits, offset, size, false);
    set_bits(memory->host_bits, offset, size, true);
}

static void copy_bits(uint64_t *bits, uint64_t to, uint64_t from, uint64_t count)
{
    /* Ranges may overlap: copied in the direction that reads before it writes. */
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t k = to > from ? count - 1 - i : i;
        set_bits(bits, to + k, 1, get_bit(bits, from + k));
    }
}

/* ---- allocations -------------------------------------------------------------------------------------------- */

/* Index of the first allocation whose base is above `address`. */
static uint32_t upper_bound(const PtxMemory *memory, uint64_t address)
{
    uint32_t low = 0, high = memory->allocation_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (memory->allocations[middle].base > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t round_up(uint64_t value)
{
    return (value + PTX_MEMORY_ALIGN - 1) / PTX_MEMORY_ALIGN * PTX_MEMORY_ALIGN;
}

/* Where a range of `size` bytes can begin after allocation `index` (UINT32_MAX: at the start), with a gap on both
 * sides. */
static bool fits_after(const PtxMemory *memory, uint32_t index, uint64_t size, uint64_t *ret_base)
{
    const PtxAllocation *before = index == UINT32_MAX ? NULL : &memory->allocations[index];
    const uint32_t next = index + 1; /* UINT32_MAX + 1 is 0 */
    const uint64_t start = before ? round_up(before->base + before->size) : PTX_GLOBAL_BASE;
    const uint64_t base = start + PTX_MEMORY_ALIGN;
    const uint64_t end =
        next < memory->allocation_count ? memory->allocations[next].base : PTX_GLOBAL_BASE + memory->reserved_bytes;
    *ret_base = base;
    return base <= end && size <= end - base && PTX_MEMORY_ALIGN <= end - base - size;
}

/* After the last allocation while there is room (so that a freed address isn't soon another's), else the first hole. */
static bool find_place(const PtxMemory *memory, uint64_t size, uint64_t *ret_base)
{
    if (fits_after(memory, memory->allocation_count - 1, size, ret_base))
        return true;
    for (uint32_t i = 0; i + 1 < memory->allocation_count; i++)
        if (fits_after(memory, i - (i == 0), size, ret_base) || fits_after(memory, i, size, ret_base))
            return true;
    return false;
}

static bool grow_table(PtxMemory *memory)
{
    if (memory->allocation_count < memory->allocation_capacity)
        return true;
    const uint32_t capacity = memory->allocation_capacity ? memory->allocation_capacity * 2 : 64;
    PtxAllocation *table = realloc(memory->allocations, capacity * sizeof *table);
    if (!table)
        return false;
    memory->allocations = table;
    memory->allocation_capacity = capacity;
    return true;
}

static void forget_freed_within(PtxMemory *memory, uint64_t base, uint64_t size)
{
    for (uint32_t i = memory->freed_count; i-- > 0;) {
        PtxAllocation *freed = &memory->freed[i];
        if (freed->base >= base + size || base >= freed->base + freed->size)
            continue;
        free(freed->name);
        *freed = memory->freed[--memory->freed_count];
    }
}

uint64_t ptx_memory_allocate(PtxMemory *memory, uint64_t size, const char *name, bool is_read_only)
{
    uint64_t base;
    if (size == 0 || size > memory->cap_bytes - memory->used_bytes || !find_place(memory, size, &base) ||
        !grow_table(memory))
        return 0;
    const uint32_t at = upper_bound(memory, base);
    memmove(&memory->allocations[at + 1], &memory->allocations[at],
            (memory->allocation_count - at) * sizeof(PtxAllocation));
    memory->allocations[at] = (PtxAllocation){.base = base,
                                              .size = size,
                                              .name = name ? strdup(name) : NULL,
                                              .is_read_only = is_read_only,
                                              .serial = memory->next_serial++};
    memory->allocation_count++;
    memory->used_bytes += size;
    forget_freed_within(memory, base, size);
    return base;
}

/* Whole pages go back to the system, and read as zeros from then on; the rest is cleared. */
static void clear_range(uint8_t *start, uint64_t size)
{
    const uintptr_t page = 4096, first = (uintptr_t)start, end = first + size;
    const uintptr_t page_first = (first + page - 1) / page * page, page_end = end / page * page;
    if (page_first >= page_end) {
        memset(start, 0, size);
        return;
    }
    memset(start, 0, page_first - first);
    memset((uint8_t *)page_end, 0, end - page_end);
    if (madvise((void *)page_first, page_end - page_first, MADV_DONTNEED) != 0)
        memset((void *)page_first, 0, page_end - page_first);
}

static void keep_tombstone(PtxMemory *memory, const PtxAllocation *allocation)
{
    if (memory->freed_count == FREED_MAX) { /* the oldest is forgotten */
        free(memory->freed[0].name);
        memmove(&memory->freed[0], &memory->freed[1], --memory->freed_count * sizeof *memory->freed);
    }
    if (!memory->freed)
        memory->freed = calloc(FREED_MAX, sizeof *memory->freed);
    if (!memory->freed) {
        free(allocation->name);
        return;
    }
    memory->freed[memory->freed_count] = *allocation;
    memory->freed[memory->freed_count++].is_freed = true;
}

bool ptx_memory_free(PtxMemory *memory, uint64_t address)
{
    const uint32_t at = upper_bound(memory, address);
    if (at == 0 || memory->allocations[at - 1].base != address)
        return false;
    const PtxAllocation allocation = memory->allocations[at - 1];
    const uint64_t offset = allocation.base - PTX_GLOBAL_BASE;
    clear_range(memory->host + offset, allocation.size);
    set_bits(memory->kernel_bits, offset, allocation.size, false);
    set_bits(memory->host_bits, offset, allocation.size, false);
    memmove(&memory->allocations[at - 1], &memory->allocations[at],
            (memory->allocation_count - at) * sizeof allocation);
    memory->allocation_count--;
    memory->used_bytes -= allocation.size;
    keep_tombstone(memory, &allocation);
    return true;
}

static bool contains(const PtxAllocation *allocation, uint64_t address, uint64_t size)
{
    const uint64_t offset = address - allocation->base; /* wraps if below */
    return offset < allocation->size && size <= allocation->size - offset;
}

const PtxAllocation *ptx_memory_find(const PtxMemory *memory, uint64_t address, uint64_t size, PtxMemoryHint *hint)
{
    if (hint && *hint < memory->allocation_count && contains(&memory->allocations[*hint], address, size))
        return &memory->allocations[*hint];
    const uint32_t at = upper_bound(memory, address);
    if (at == 0 || !contains(&memory->allocations[at - 1], address, size))
        return NULL;
    if (hint)
        *hint = at - 1;
    return &memory->allocations[at - 1];
}

/* ---- the host's accesses ------------------------------------------------------------------------------------ */

bool ptx_memory_write(PtxMemory *memory, uint64_t address, const void *data, uint64_t size)
{
    if (size == 0)
        return true;
    if (!ptx_memory_find(memory, address, size, NULL))
        return false;
    memcpy(memory->host + (address - PTX_GLOBAL_BASE), data, size);
    mark_as_host(memory, address - PTX_GLOBAL_BASE, size);
    return true;
}

bool ptx_memory_read(const PtxMemory *memory, uint64_t address, void *ret_data, uint64_t size)
{
    if (size == 0)
        return true;
    if (!ptx_memory_find(memory, address, size, NULL))
        return false;
    memcpy(ret_data, memory->host + (address - PTX_GLOBAL_BASE), size);
    return true;
}

bool ptx_memory_set(PtxMemory *memory, uint64_t address, uint8_t value, uint64_t size)
{
    if (size == 0)
        return true;
    if (!ptx_memory_find(memory, address, size, NULL))
        return false;
    memset(memory->host + (address - PTX_GLOBAL_BASE), value, size);
    mark_as_host(memory, address - PTX_GLOBAL_BASE, size);
    return true;
}

bool ptx_memory_copy(PtxMemory *memory, uint64_t to, uint64_t from, uint64_t size)
{
    if (size == 0)
        return true;
    if (!ptx_memory_find(memory, to, size, NULL) || !ptx_memory_find(memory, from, size, NULL))
        return false;
    memmove(memory->host + (to - PTX_GLOBAL_BASE), memory->host + (from - PTX_GLOBAL_BASE), size);
    copy_bits(memory->kernel_bits, to - PTX_GLOBAL_BASE, from - PTX_GLOBAL_BASE, size);
    copy_bits(memory->host_bits, to - PTX_GLOBAL_BASE, from - PTX_GLOBAL_BASE, size);
    return true;
}

bool ptx_memory_writers(const PtxMemory *memory, uint64_t address, uint64_t size, uint64_t *ret_kernel,
                        uint64_t *ret_host, uint64_t *ret_nobody)
{
    if (!ptx_memory_find(memory, address, size, NULL))
        return false;
    uint64_t kernel = 0, host = 0;
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t offset = address - PTX_GLOBAL_BASE + i;
        if (get_bit(memory->kernel_bits, offset))
            kernel++;
        else if (get_bit(memory->host_bits, offset))
            host++;
    }
    *ret_kernel = kernel;
    *ret_host = host;
    *ret_nobody = size - kernel - host;
    return true;
}

/* ---- explaining --------------------------------------------------------------------------------------------- */

static void describe(const PtxAllocation *allocation, char *ret_text, size_t size)
{
    if (allocation->name)
        snprintf(ret_text, size, "'%s' (%" PRIu64 " bytes)", allocation->name, allocation->size);
    else
        snprintf(ret_text, size, "the %" PRIu64 "-byte allocation #%" PRIu64, allocation->size, allocation->serial);
}

static const PtxAllocation *freed_at(const PtxMemory *memory, uint64_t address)
{
    for (uint32_t i = memory->freed_count; i-- > 0;)
        if (contains(&memory->freed[i], address, 1))
            return &memory->freed[i];
    return NULL;
}

/* The live allocation whose edge is nearest to the address, and how far. */
static const PtxAllocation *nearest(const PtxMemory *memory, uint64_t address, uint64_t *ret_distance,
                                    bool *ret_is_past)
{
    const uint32_t at = upper_bound(memory, address);
    const PtxAllocation *before = at > 0 ? &memory->allocations[at - 1] : NULL;
    const PtxAllocation *after = at < memory->allocation_count ? &memory->allocations[at] : NULL;
    const uint64_t past = before ? address - (before->base + before->size) : UINT64_MAX;
    const uint64_t ahead = after ? after->base - address : UINT64_MAX;
    *ret_is_past = before && past <= ahead;
    *ret_distance = *ret_is_past ? past : ahead;
    return *ret_is_past ? before : after;
}

static bool explain_place(uint64_t address, char *ret_text, size_t size)
{
    static const struct {
        uint64_t base;
        const char *name;
    } windows[] = {
        {PTX_SHARED_WINDOW, "shared memory"}, {PTX_LOCAL_WINDOW, "local memory"}, {PTX_PARAM_WINDOW, "parameters"}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (address - windows[i].base >= PTX_WINDOW_BYTES)
            continue;
        snprintf(ret_text, size, "an address of %s, offset %" PRIu64, windows[i].name, address - windows[i].base);
        return true;
    }
    if (address < 1 << 20) {
        snprintf(ret_text, size, address ? "null pointer + %" PRIu64 : "null pointer", address);
        return true;
    }
    return false;
}

void ptx_memory_explain(const PtxMemory *memory, uint64_t address, uint64_t access_bytes, char *ret_text, size_t size)
{
    char name[160];
    uint64_t distance = 0;
    bool is_past = false;
    if (explain_place(address, ret_text, size))
        return;
    const PtxAllocation *live = ptx_memory_find(memory, address, 1, NULL), *freed = freed_at(memory, address);
    const PtxAllocation *near = live ? live : freed ? freed : nearest(memory, address, &distance, &is_past);
    if (near)
        describe(near, name, sizeof name);
    if (live)
        snprintf(ret_text, size, "its last %" PRIu64 " bytes lie past the end of %s",
                 access_bytes - (live->base + live->size - address), name);
    else if (freed)
        snprintf(ret_text, size, "inside of %s, which was freed", name);
    else if (address - PTX_GLOBAL_BASE >= memory->reserved_bytes)
        snprintf(ret_text, size, "0x%" PRIx64 " is not a device address (a host pointer?)", address);
    else if (!near)
        snprintf(ret_text, size, "nothing is allocated");
    else if (is_past && distance == 0)
        snprintf(ret_text, size, "right past the end of %s", name);
    else
        snprintf(ret_text, size, "%" PRIu64 " bytes %s %s", distance,
                 is_past ? "past the end of" : "before the start of", name);
}
