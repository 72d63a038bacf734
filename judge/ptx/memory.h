/* Device memory: allocations apart from the machine's own memory, with gaps around them, checked on every access.
 *
 * Device addresses are not host addresses: a range of host memory is reserved once, and device address A lies at
 * host + (A - PTX_GLOBAL_BASE). Host code that dereferences a device address faults, as on a GPU. For each byte two
 * bits say who wrote it last: a kernel, the host (a copy or a memset), or nobody. */
#ifndef GAVEL_PTX_MEMORY_H
#define GAVEL_PTX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gavel/ptx.h"
#include "ptx/syntax.h"

/* Windows of the generic address space. Shared and local windows are 4 GiB each. A generic address in the shared window
 * is PTX_SHARED_WINDOW + offset in the block's shared memory; local: PTX_LOCAL_WINDOW + offset in the frame's local
 * memory of that lane; entry parameters: PTX_PARAM_WINDOW + offset in the parameter block. */
#define PTX_GLOBAL_BASE   UINT64_C(0x0000020000000000)
#define PTX_SHARED_WINDOW UINT64_C(0x0000010000000000)
#define PTX_LOCAL_WINDOW  UINT64_C(0x0000010100000000)
#define PTX_PARAM_WINDOW  UINT64_C(0x0000010200000000)
#define PTX_WINDOW_BYTES  UINT64_C(0x0000000100000000)

/* Where the window of a space begins; 0 for global and constant memory, whose addresses are generic ones. */
static inline uint64_t ptx_window(PtxSpace space)
{
    switch (space) {
    case PTX_SPACE_SHARED: return PTX_SHARED_WINDOW;
    case PTX_SPACE_LOCAL: return PTX_LOCAL_WINDOW;
    case PTX_SPACE_PARAM: return PTX_PARAM_WINDOW;
    default: return 0;
    }
}

enum { PTX_SHARED_GUARD = 256, PTX_MEMORY_ALIGN = 256 };

typedef struct PtxAllocation {
    uint64_t base, size;
    char *name;        /* variable's name, or NULL */
    bool is_read_only; /* .const */
    bool is_freed;     /* kept as a tombstone for messages until its range is used again */
    uint64_t serial;   /* order of allocation, from 1 */
} PtxAllocation;

/* Index of the allocation that was hit last; checked before use, so any value is safe. */
typedef uint32_t PtxMemoryHint;

typedef struct PtxMemory {
    uint8_t *host;              /* host address of PTX_GLOBAL_BASE */
    uint64_t *kernel_bits;      /* bit i: byte i was last written by a kernel */
    uint64_t *host_bits;        /* bit i: byte i was written by the host; counts only where kernel_bits is 0 */
    PtxAllocation *allocations; /* sorted by base; those that were freed have size 0 until the table is tidied */
    uint32_t allocation_count, allocation_capacity, dead_count;
    PtxAllocation *freed; /* tombstones */
    uint32_t freed_count;
    uint64_t reserved_bytes;   /* size of the range */
    uint64_t accessible_bytes; /* of it, from the start: pages that may be touched */
    uint64_t fresh_base;       /* nothing was ever allocated from here on */
    uint64_t cap_bytes, used_bytes;
    uint64_t next_serial;
} PtxMemory;

bool ptx_memory_init(PtxMemory *memory, uint64_t cap_bytes, Error *error) MUST_CHECK;
void ptx_memory_done(PtxMemory *memory);

/* A new zeroed-by-the-system allocation of `size` > 0 bytes, aligned to 256, at least 256 bytes away from any other. 0
 * when the cap is reached (the CUDA error is the caller's). */
uint64_t ptx_memory_allocate(PtxMemory *memory, uint64_t size, const char *name, bool is_read_only);

/* Ends the allocation that starts at `address`; false if there is none. Its bytes read as freed from then on. */
bool ptx_memory_free(PtxMemory *memory, uint64_t address);

/* The live allocation that contains all of [address, address + size), or NULL. `hint` may be NULL. */
const PtxAllocation *ptx_memory_find(const PtxMemory *memory, uint64_t address, uint64_t size, PtxMemoryHint *hint);

/* Host copies and sets; false if the range isn't wholly inside one allocation. They mark their bytes as the host's.
 * Device-to-device copies keep each byte's mark. */
bool ptx_memory_write(PtxMemory *memory, uint64_t address, const void *data, uint64_t size);
bool ptx_memory_read(const PtxMemory *memory, uint64_t address, void *ret_data, uint64_t size);
bool ptx_memory_set(PtxMemory *memory, uint64_t address, uint8_t value, uint64_t size);
bool ptx_memory_copy(PtxMemory *memory, uint64_t to, uint64_t from, uint64_t size);

/* Loops over the same array find their bits set: then nothing is written. `is_contended`: other workers may share the
 * word. */
static inline void ptx_memory_mark_word(uint64_t *word, uint64_t bits, bool is_contended)
{
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) == bits)
        return;
    if (is_contended)
        (void)__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
    else
        *word |= bits;
}

/* Marks `bytes` bytes from PTX_GLOBAL_BASE + offset as a kernel's. */
static inline void ptx_memory_mark(const PtxMemory *memory, uint64_t offset, uint32_t bytes, bool is_contended)
{
    for (uint32_t left = bytes; left > 0;) {
        const uint32_t here = left < 64 ? left : 64, bit = offset % 64;
        const uint64_t ones = UINT64_MAX >> (64 - here);
        ptx_memory_mark_word(&memory->kernel_bits[offset / 64], ones << bit, is_contended);
        if (bit + here > 64)
            ptx_memory_mark_word(&memory->kernel_bits[offset / 64 + 1], ones >> (64 - bit), is_contended);
        offset += here;
        left -= here;
    }
}

/* How many bytes of the range were last written by a kernel, the host, nobody. */
bool ptx_memory_writers(const PtxMemory *memory, uint64_t address, uint64_t size, uint64_t *ret_kernel,
                        uint64_t *ret_host, uint64_t *ret_nobody);

/* A sentence about an address that no live allocation covers: which allocation is nearest (or was freed there), by how
 * many bytes it is missed. Writes at most size bytes, always terminated. */
void ptx_memory_explain(const PtxMemory *memory, uint64_t address, uint64_t access_bytes, char *ret_text, size_t size);

#endif
