/* NVIDIA fat binaries: the container that nvcc puts PTX and machine code into. Layout: measured with nvcc 13.0, see
 * docs/ptx.md. */
#ifndef GAVEL_PTX_FATBIN_H
#define GAVEL_PTX_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef enum PtxFatbinKind { PTX_FATBIN_PTX = 1, PTX_FATBIN_ELF = 2 } PtxFatbinKind;

typedef struct PtxFatbinEntry {
    PtxFatbinKind kind;
    uint32_t architecture;   /* 90 for sm_90 */
    bool is_exact;           /* sm_90a: for that architecture and no later one */
    uint32_t major, minor;   /* PTX ISA version */
    const char *compression; /* "none", "zstd", "lz4" */
    const char *text;        /* PTX only: terminated, in the arena; NULL for machine code */
    size_t text_size;        /* without the terminator */
} PtxFatbinEntry;

typedef struct PtxFatbin {
    PtxFatbinEntry *entries;
    size_t entry_count;
} PtxFatbin;

/* True if the bytes start like a fat binary (magic 0xBA55ED50). */
bool ptx_fatbin_is(const void *data, size_t size);

/* Reads the container at the start of `data` (trailing bytes are allowed). Entries that are neither PTX nor machine
 * code are left out. Every length is checked; texts of more than max_text_bytes together are refused. ERROR_INPUT says
 * what is wrong and at which offset. */
bool ptx_fatbin_read(Arena *arena, const void *data, size_t size, size_t max_text_bytes, PtxFatbin *ret_fatbin,
                     Error *error) MUST_CHECK;

/* Looks for fat binaries in a host object or shared object (ELF64): sections .nv_fatbin and __nv_fatbin hold them one
 * after another. All entries of all containers, in order. No such section: ERROR_INPUT. */
bool ptx_fatbin_read_elf(Arena *arena, const void *data, size_t size, size_t max_text_bytes, PtxFatbin *ret_fatbin,
                         Error *error) MUST_CHECK;

/* The PTX entry to run on sm_90: the highest architecture that it can be, 90a before 90; NULL: there is none, as when
 * there is only machine code. */
const PtxFatbinEntry *ptx_fatbin_choose(const PtxFatbin *fatbin);

#endif
