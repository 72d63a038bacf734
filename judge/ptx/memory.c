/* Device memory.
 *
 * Three ranges of addresses are reserved: the bytes, and two bits for each. Pages that nobody touched cost nothing, and
 * those of a freed allocation are given back. Allocations follow each other upwards, so that an address that was freed
 * isn't soon another's; only when the range is used up are its holes filled. */
#include "ptx/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, WORD = 64, FREED_MAX = 4096, TABLE_FIRST = 64 };

/* Pages become accessible in steps, one system call for many allocations. */
#define ACCESS_STEP (UINT64_C(1) << 21)

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the ranges -------------------------------------------------------------------------------------------------- */

static void *reserve(uint64_t bytes, int protection)
{
    void *range = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return range == MAP_FAILED ? NULL : range;
}

/* Twice the cap, so that gaps and holes seldom stand in the way. */
bool ptx_memory_init(PtxMemory *memory, uint64_t cap_bytes, Error *error)
{
    *memory = (PtxMemory){.cap_bytes = cap_bytes, .next_serial = 1, .fresh_base = PTX_GLOBAL_BASE};
    memory->reserved_bytes = round_up(2 * cap_bytes + (UINT64_C(1) << 30), ACCESS_STEP);
    memory->host = reserve(memory->reserved_bytes, PROT_NONE);
    memory->kernel_bits = reserve(memory->reserved_bytes / 8, PROT_READ | PROT_WRITE);
    memory->host_bits = reserve(memory->reserved_bytes / 8, PROT_READ | PROT_WRITE);
    if (memory->host && memory->kernel_bits && memory->host_bits)
        return true;
    ptx_memory_done(memory);
    return error_system(error, "reserving %" PRIu64 " bytes of addresses for device memory", memory->reserved_bytes);
}

static void unreserve(void *range, uint64_t bytes)
{
    if (range)
        (void)munmap(range, bytes); /* fails only for ranges that never were */
}

void ptx_memory_done(PtxMemory *memory)
{
    unreserve(memory->host, memory->reserved_bytes);
    unreserve(memory->kernel_bits, memory->reserved_bytes / 8);
    unreserve(memory->host_bits, memory->reserved_bytes / 8);
    for (uint32_t i = 0; i < memory->allocation_count; i++)
        free(memory->allocations[i].name);
    for (uint32_t i = 0; i < memory->freed_count; i++)
        free(memory->freed[i].name);
    free(memory->allocations);
    free(memory->freed);
    memory->host = NULL;
    memory->kernel_bits = memory->host_bits = NULL;
    memory->allocations = memory->freed = NULL;
    memory->allocation_count = memory->allocation_capacity = memory->dead_count = memory->freed_count = 0;
}

/* Vector loads may read a little past an allocation's end: the gap after it is accessible too. */
static bool make_accessible(PtxMemory *memory, uint64_t end)
{
    const uint64_t wanted =
        least(round_up(end - PTX_GLOBAL_BASE + PTX_MEMORY_ALIGN, ACCESS_STEP), memory->reserved_bytes);
    if (wanted <= memory->accessible_bytes)
        return true;
    if (mprotect(memory->host + memory->accessible_bytes, wanted - memory->accessible_bytes, PROT_READ | PROT_WRITE))
        return false;
    memory->accessible_bytes = wanted;
    return true;
}

/* Whole pages go back to the system and read as zeros from then on; the rest is cleared. */
static void give_back(void *start, uint64_t size)
{
    uint8_t *first = start, *end = first + size;
    const uint64_t head = least((PAGE - (uintptr_t)first % PAGE) % PAGE, size), tail = (uintptr_t)end % PAGE;
    if (head + tail >= size) {
        memset(first, 0, size);
        return;
    }
    memset(first, 0, head);
    memset(end - tail, 0, tail);
    if (madvise(first + head, size - head - tail, MADV_DONTNEED))
        memset(first + head, 0, size - head - tail);
}

/* ---- bits of who wrote a byte ------------------------------------------------------------------------------------ */

/* `count` ones, of 1 to 64, from bit `at`, which may lose the upper ones. */
static uint64_t ones(uint64_t count, uint64_t at)
{
    return UINT64_MAX >> (WORD - count) << at;
}

/* Words that hold the value already are not written: their page may be one that was never touched. */
static void set_bits(uint64_t *bits, uint64_t from, uint64_t count, bool value)
{
    while (count > 0) {
        const uint64_t at = from % WORD, here = least(WORD - at, count), mask = ones(here, at);
        uint64_t *word = &bits[from / WORD];
        if ((*word & mask) != (value ? mask : 0))
            *word ^= (*word ^ (value ? UINT64_MAX : 0)) & mask;
        from += here;
        count -= here;
    }
}

/* Up to 64 bits that begin anywhere. */
static uint64_t get_bits(const uint64_t *bits, uint64_t from, uint64_t count)
{
    const uint64_t at = from % WORD, low = bits[from / WORD] >> at;
    const uint64_t high = at + count > WORD ? bits[from / WORD + 1] << (WORD - at) : 0;
    return (low | high) & ones(count, 0);
}

static void put_bits(uint64_t *bits, uint64_t from, uint64_t count, uint64_t value)
{
    const uint64_t at = from % WORD, here = least(WORD - at, count);
    uint64_t *word = &bits[from / WORD];
    *word = (*word & ~ones(here, at)) | value << at;
    if (count > here)
        word[1] = (word[1] & ~ones(count - here, 0)) | value >> here;
}

/* The ranges may overlap: copied from the side where nothing is overwritten before it is read. */
static void copy_bits(uint64_t *bits, uint64_t to, uint64_t from, uint64_t count)
{
    for (uint64_t done = 0, here; done < count; done += here) {
        here = least(count - done, WORD);
        const uint64_t at = to > from ? count - done - here : done;
        put_bits(bits, to + at, here, get_bits(bits, from + at, here));
    }
}

static void mark_as_host(PtxMemory *memory, uint64_t offset, uint64_t size)
{
    set_bits(memory->kernel_bits, offset, size, false);
    set_bits(memory->host_bits, offset, size, true);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

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

/* Takes out the freed ones. */
static void tidy(PtxMemory *memory)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < memory->allocation_count; i++)
        if (memory->allocations[i].size > 0)
            memory->allocations[kept++] = memory->allocations[i];
    memory->allocation_count = kept;
    memory->dead_count = 0;
}

static bool grow_table(PtxMemory *memory)
{
    if (memory->allocation_count < memory->allocation_capacity)
        return true;
    const uint32_t capacity = memory->allocation_capacity ? memory->allocation_capacity * 2 : TABLE_FIRST;
    PtxAllocation *table = realloc(memory->allocations, capacity * sizeof *table);
    if (!table)
        return false;
    memory->allocations = table;
    memory->allocation_capacity = capacity;
    return true;
}

static void insert(PtxMemory *memory, const PtxAllocation *allocation)
{
    const uint32_t at = upper_bound(memory, allocation->base);
    memmove(&memory->allocations[at + 1], &memory->allocations[at],
            (memory->allocation_count - at) * sizeof *allocation);
    memory->allocations[at] = *allocation;
    memory->allocation_count++;
}

/* ---- tombstones -------------------------------------------------------------------------------------------------- */

static void forget(PtxMemory *memory, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        free(memory->freed[i].name);
    memory->freed_count -= count;
    memmove(&memory->freed[first], &memory->freed[first + count],
            (memory->freed_count - first) * sizeof *memory->freed);
}

static void forget_within(PtxMemory *memory, uint64_t base, uint64_t size)
{
    for (uint32_t i = memory->freed_count; i-- > 0;)
        if (memory->freed[i].base < base + size && base < memory->freed[i].base + memory->freed[i].size)
            forget(memory, i, 1);
}

/* Takes the name. Many are forgotten at once, so that freeing stays fast. */
static void keep_tombstone(PtxMemory *memory, PtxAllocation allocation)
{
    if (memory->freed_count == FREED_MAX)
        forget(memory, 0, FREED_MAX / 2);
    if (!memory->freed)
        memory->freed = calloc(FREED_MAX, sizeof *memory->freed);
    if (!memory->freed) {
        free(allocation.name);
        return;
    }
    allocation.is_freed = true;
    memory->freed[memory->freed_count++] = allocation;
}

/* ---- allocating -------------------------------------------------------------------------------------------------- */

/* Whether `size` bytes fit between two addresses, with a gap on both sides. */
static bool fits_between(uint64_t start, uint64_t end, uint64_t size, uint64_t *ret_base)
{
    *ret_base = round_up(start, PTX_MEMORY_ALIGN) + PTX_MEMORY_ALIGN;
    return *ret_base <= end && size <= end - *ret_base && PTX_MEMORY_ALIGN <= end - *ret_base - size;
}

static bool find_hole(const PtxMemory *memory, uint64_t size, uint64_t *ret_base)
{
    uint64_t start = PTX_GLOBAL_BASE;
    for (uint32_t i = 0; i < memory->allocation_count; i++) {
        const PtxAllocation *next = &memory->allocations[i];
        if (fits_between(start, next->base, size, ret_base))
            return true;
        start = next->base + next->size;
    }
    return fits_between(start, PTX_GLOBAL_BASE + memory->reserved_bytes, size, ret_base);
}

static bool find_place(PtxMemory *memory, uint64_t size, uint64_t *ret_base)
{
    if (fits_between(memory->fresh_base, PTX_GLOBAL_BASE + memory->reserved_bytes, size, ret_base))
        return true;
    tidy(memory);
    if (!find_hole(memory, size, ret_base))
        return false;
    forget_within(memory, *ret_base, size);
    return true;
}

uint64_t ptx_memory_allocate(PtxMemory *memory, uint64_t size, const char *name, bool is_read_only)
{
    uint64_t base;
    if (size == 0 || size > memory->cap_bytes - memory->used_bytes || !grow_table(memory) ||
        !find_place(memory, size, &base) || !make_accessible(memory, base + size))
        return 0;
    const PtxAllocation allocation = {.base = base,
                                      .size = size,
                                      .name = name ? strdup(name) : NULL,
                                      .is_read_only = is_read_only,
                                      .serial = memory->next_serial++};
    insert(memory, &allocation);
    memory->used_bytes += size;
    if (memory->fresh_base < base + size)
        memory->fresh_base = base + size;
    return base;
}

bool ptx_memory_free(PtxMemory *memory, uint64_t address)
{
    const uint32_t after = upper_bound(memory, address);
    PtxAllocation *allocation = after > 0 ? &memory->allocations[after - 1] : NULL;
    if (!allocation || allocation->base != address || allocation->size == 0)
        return false;
    /* Bases are multiples of 64 bytes: bits of the gap after the end are nobody's. */
    const uint64_t offset = allocation->base - PTX_GLOBAL_BASE, words = round_up(allocation->size, WORD) / WORD;
    give_back(memory->host + offset, allocation->size);
    give_back(&memory->kernel_bits[offset / WORD], words * sizeof(uint64_t));
    give_back(&memory->host_bits[offset / WORD], words * sizeof(uint64_t));
    memory->used_bytes -= allocation->size;
    keep_tombstone(memory, *allocation);
    allocation->size = 0;
    allocation->name = NULL;
    allocation->is_freed = true;
    if (++memory->dead_count > TABLE_FIRST && memory->dead_count > memory->allocation_count / 2)
        tidy(memory);
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
    const uint32_t after = upper_bound(memory, address);
    if (after == 0 || !contains(&memory->allocations[after - 1], address, size))
        return NULL;
    if (hint)
        *hint = after - 1;
    return &memory->allocations[after - 1];
}

/* ---- the host's accesses ----------------------------------------------------------------------------------------- */

static bool is_inside(const PtxMemory *memory, uint64_t address, uint64_t size)
{
    return size == 0 || ptx_memory_find(memory, address, size, NULL);
}

bool ptx_memory_write(PtxMemory *memory, uint64_t address, const void *data, uint64_t size)
{
    const uint64_t offset = address - PTX_GLOBAL_BASE;
    if (!is_inside(memory, address, size))
        return false;
    if (size > 0)
        memcpy(memory->host + offset, data, size);
    mark_as_host(memory, offset, size);
    return true;
}

bool ptx_memory_read(const PtxMemory *memory, uint64_t address, void *ret_data, uint64_t size)
{
    if (!is_inside(memory, address, size))
        return false;
    if (size > 0)
        memcpy(ret_data, memory->host + (address - PTX_GLOBAL_BASE), size);
    return true;
}

bool ptx_memory_set(PtxMemory *memory, uint64_t address, uint8_t value, uint64_t size)
{
    const uint64_t offset = address - PTX_GLOBAL_BASE;
    if (!is_inside(memory, address, size))
        return false;
    if (size > 0)
        memset(memory->host + offset, value, size);
    mark_as_host(memory, offset, size);
    return true;
}

bool ptx_memory_copy(PtxMemory *memory, uint64_t to, uint64_t from, uint64_t size)
{
    const uint64_t to_offset = to - PTX_GLOBAL_BASE, from_offset = from - PTX_GLOBAL_BASE;
    if (!is_inside(memory, to, size) || !is_inside(memory, from, size))
        return false;
    if (size > 0)
        memmove(memory->host + to_offset, memory->host + from_offset, size);
    copy_bits(memory->kernel_bits, to_offset, from_offset, size);
    copy_bits(memory->host_bits, to_offset, from_offset, size);
    return true;
}

bool ptx_memory_writers(const PtxMemory *memory, uint64_t address, uint64_t size, uint64_t *ret_kernel,
                        uint64_t *ret_host, uint64_t *ret_nobody)
{
    uint64_t kernel = 0, host = 0, offset = address - PTX_GLOBAL_BASE;
    if (!is_inside(memory, address, size))
        return false;
    for (uint64_t left = size, here; left > 0; left -= here, offset += here) {
        here = least(left, WORD);
        const uint64_t by_kernel = get_bits(memory->kernel_bits, offset, here);
        kernel += (uint64_t)__builtin_popcountll(by_kernel);
        host += (uint64_t)__builtin_popcountll(get_bits(memory->host_bits, offset, here) & ~by_kernel);
    }
    *ret_kernel = kernel;
    *ret_host = host;
    *ret_nobody = size - kernel - host;
    return true;
}

/* ---- explaining -------------------------------------------------------------------------------------------------- */

enum { NUMBER_SIZE = 27, DESCRIPTION_SIZE = 160 };

/* "12,345". */
static const char *grouped(uint64_t value, char buffer[NUMBER_SIZE])
{
    char *at = buffer + NUMBER_SIZE - 1;
    *at = '\0';
    for (int digits = 0; digits == 0 || value > 0; digits++, value /= 10) {
        if (digits > 0 && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + value % 10);
    }
    return at;
}

static void describe(const PtxAllocation *allocation, char ret_text[DESCRIPTION_SIZE])
{
    char size[NUMBER_SIZE];
    const char *bytes = grouped(allocation->size, size);
    if (allocation->name)
        snprintf(ret_text, DESCRIPTION_SIZE, "the %s bytes of '%.*s'", bytes, 100, allocation->name);
    else
        snprintf(ret_text, DESCRIPTION_SIZE, "the %s-byte allocation #%" PRIu64, bytes, allocation->serial);
}

/* The youngest allocation that was freed there. */
static const PtxAllocation *freed_at(const PtxMemory *memory, uint64_t address)
{
    for (uint32_t i = memory->freed_count; i-- > 0;)
        if (contains(&memory->freed[i], address, 1))
            return &memory->freed[i];
    return NULL;
}

/* The live allocation whose edge is nearest, and how far it is. NULL if there is none. */
static const PtxAllocation *nearest(const PtxMemory *memory, uint64_t address, uint64_t *ret_distance,
                                    bool *ret_is_past)
{
    uint32_t before = upper_bound(memory, address), after = before;
    while (before > 0 && memory->allocations[before - 1].size == 0)
        before--;
    while (after < memory->allocation_count && memory->allocations[after].size == 0)
        after++;
    const PtxAllocation *below = before > 0 ? &memory->allocations[before - 1] : NULL;
    const PtxAllocation *above = after < memory->allocation_count ? &memory->allocations[after] : NULL;
    const uint64_t past = below ? address - (below->base + below->size) : UINT64_MAX;
    const uint64_t ahead = above ? above->base - address : UINT64_MAX;
    *ret_is_past = below && past <= ahead;
    *ret_distance = *ret_is_past ? past : ahead;
    return *ret_is_past ? below : above;
}

/* Addresses that are far from all device memory. */
static bool explain_elsewhere(const PtxMemory *memory, uint64_t address, char *ret_text, size_t size)
{
    static const struct {
        uint64_t base, bytes;
        const char *text;
    } places[] = {{0, 1 << 20, "null pointer + "},
                  {PTX_SHARED_WINDOW, PTX_WINDOW_BYTES, "a generic address of shared memory, offset "},
                  {PTX_LOCAL_WINDOW, PTX_WINDOW_BYTES, "a generic address of local memory, offset "},
                  {PTX_PARAM_WINDOW, PTX_WINDOW_BYTES, "a generic address of parameters, offset "}};
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (address - places[i].base < places[i].bytes) {
            snprintf(ret_text, size, "%s%s", places[i].text, grouped(address - places[i].base, number));
            return true;
        }
    if (address - PTX_GLOBAL_BASE < memory->reserved_bytes)
        return false;
    snprintf(ret_text, size, "0x%" PRIx64 " is no device address (a host address?)", address);
    return true;
}

void ptx_memory_explain(const PtxMemory *memory, uint64_t address, uint64_t access_bytes, char *ret_text, size_t size)
{
    char name[DESCRIPTION_SIZE], number[NUMBER_SIZE];
    uint64_t distance = 0;
    bool is_past = false;
    if (explain_elsewhere(memory, address, ret_text, size))
        return;
    const PtxAllocation *live = ptx_memory_find(memory, address, 1, NULL);
    const PtxAllocation *freed = live ? NULL : freed_at(memory, address);
    const PtxAllocation *near = live ? live : freed ? freed : nearest(memory, address, &distance, &is_past);
    if (!near) {
        snprintf(ret_text, size, "nothing is allocated");
        return;
    }
    describe(near, name);
    if (live) {
        const uint64_t inside = live->base + live->size - address;
        snprintf(ret_text, size, "the last %s of them lie past the end of %s",
                 grouped(access_bytes - least(inside, access_bytes), number), name);
    } else if (freed) {
        snprintf(ret_text, size, "inside %s, which was freed", name);
    } else if (distance == 0) {
        snprintf(ret_text, size, "right at the end of %s", name);
    } else {
        snprintf(ret_text, size, "%s bytes %s %s", grouped(distance, number), is_past ? "past the end of" : "before",
                 name);
    }
}
