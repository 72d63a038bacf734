/* The PTX machine: runs what nvcc produced, exactly, on a CPU.
 *
 * A machine owns device memory; a module is PTX loaded into a machine; a launch runs one entry of a module over a grid
 * of blocks. Everything that a kernel does wrong is data (a PtxTrap, PtxFindings), never an Error. One machine is used
 * by one thread at a time. Semantics: PTX ISA 9.0; docs/ptx.md says what is left out. */
#ifndef GAVEL_PTX_H
#define GAVEL_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* ---- what can go wrong in a kernel ------------------------------------------------------------------------- */

typedef enum PtxTrapKind {
    PTX_TRAP_NONE,
#define PTX_TRAP(suffix, word, text) PTX_TRAP_##suffix,
#include "gavel/ptx_traps.def"
#undef PTX_TRAP
    PTX_TRAP_COUNT
} PtxTrapKind;

typedef enum PtxFindingKind {
#define PTX_FINDING(suffix, word, text) PTX_FINDING_##suffix,
#include "gavel/ptx_findings.def"
#undef PTX_FINDING
    PTX_FINDING_COUNT
} PtxFindingKind;

/* Where in the kernel: PTX line and column, and the CUDA source line if the PTX has .loc (else file is NULL, line 0).
 */
typedef struct PtxWhere {
    const char *function;
    uint32_t ptx_line, ptx_column;
    const char *file;
    uint32_t line;
    const char *instruction; /* "ld.global.f32" with all its modifiers */
} PtxWhere;

typedef struct PtxTrap {
    PtxTrapKind kind; /* PTX_TRAP_NONE: the kernel ran to its end */
    PtxWhere where;
    uint32_t block[3], thread[3];
    uint64_t address; /* 0: not about memory */
    char message[512];
    /* PTX_TRAP_DEADLOCK, PTX_TRAP_BUDGET: who waits or spins where, one line a group, "" otherwise */
    char waiting[4096];
} PtxTrap;

typedef struct PtxFinding {
    PtxFindingKind kind;
    PtxWhere where;
    uint32_t block[3], thread[3]; /* of the first occurrence */
    uint64_t count;
} PtxFinding;

/* "out-of-bounds", and the sentence that explains the kind. */
const char *ptx_trap_word(PtxTrapKind kind);
const char *ptx_trap_text(PtxTrapKind kind);
const char *ptx_finding_word(PtxFindingKind kind);
const char *ptx_finding_text(PtxFindingKind kind);

/* ---- machine ----------------------------------------------------------------------------------------------- */

typedef struct PtxMachine PtxMachine;
typedef struct PtxModule PtxModule;

typedef struct PtxConfig {
    const char *executor;               /* "avx512", "avx2", "portable"; NULL: the best that this CPU has */
    uint64_t memory_cap_bytes;          /* 0: 4 GiB */
    uint64_t thread_instruction_budget; /* per launch; 0: 20e9 */
    uint64_t output_cap_bytes;          /* of printf, per launch; 0: 1 MiB */
    uint32_t worker_count;              /* 0 and 1: one, deterministic */
    bool counts_blocks;                 /* keep counters per basic block */
} PtxConfig;

/* NULL: error. ERROR_INPUT if the executor is unknown or this CPU lacks it. */
PtxMachine *ptx_machine_new(const PtxConfig *config, Error *error) MUST_CHECK;
void ptx_machine_free(PtxMachine *machine); /* NULL is allowed */
const char *ptx_machine_executor(const PtxMachine *machine);

/* Device memory; 0 or false as cudaMalloc, cudaFree and cudaMemcpy would fail: cap reached, no such range. */
uint64_t ptx_machine_allocate(PtxMachine *machine, uint64_t size_bytes);
bool ptx_machine_free_memory(PtxMachine *machine, uint64_t address);
bool ptx_machine_write(PtxMachine *machine, uint64_t address, const void *data, uint64_t size_bytes);
bool ptx_machine_read(const PtxMachine *machine, uint64_t address, void *ret_data, uint64_t size_bytes);
bool ptx_machine_set(PtxMachine *machine, uint64_t address, uint8_t value, uint64_t size_bytes);
bool ptx_machine_copy(PtxMachine *machine, uint64_t to, uint64_t from, uint64_t size_bytes);
/* How many bytes of the range were last written by a kernel, by the host, by nobody. */
bool ptx_machine_writers(const PtxMachine *machine, uint64_t address, uint64_t size_bytes, uint64_t *ret_kernel,
                         uint64_t *ret_host, uint64_t *ret_nobody);

/* ---- module ------------------------------------------------------------------------------------------------ */

/* Loads PTX text, a fat binary, or an ELF object that holds one. Global variables are allocated and initialised. An
 * instruction that the machine does not know does not fail the load: it traps when executed. ERROR_INPUT
 * "name:line:column: ..." for a text that is not PTX. The machine owns the module; ptx_module_free may end it earlier.
 */
PtxModule *ptx_module_load(PtxMachine *machine, const char *name, const void *data, size_t size,
                           Error *error) MUST_CHECK;
void ptx_module_free(PtxModule *module);

typedef struct PtxEntry {
    const char *name;
    uint32_t parameter_count;
    const struct PtxParameter *parameters;
    uint32_t parameter_bytes; /* of the whole block */
    uint32_t static_shared_bytes, local_bytes;
    uint32_t max_threads[3], required_threads[3]; /* .maxntid, .reqntid; zeros: absent */
    uint32_t instruction_count, unknown_count;    /* PTX instructions, and those that would trap */
} PtxEntry;

typedef struct PtxParameter {
    const char *name, *type; /* "f32", "b8" for a struct or array */
    uint32_t offset, size_bytes, align_bytes;
} PtxParameter;

size_t ptx_module_entry_count(const PtxModule *module);
const PtxEntry *ptx_module_entry(const PtxModule *module, size_t index);
const PtxEntry *ptx_module_find_entry(const PtxModule *module, const char *name); /* NULL: none */
/* Address and size of a .global or .const variable; false: no such name. */
bool ptx_module_variable(const PtxModule *module, const char *name, uint64_t *ret_address, uint64_t *ret_size_bytes);

/* One PTX instruction of a module, as `gavel ptx coverage` counts them. */
typedef struct PtxInstructionFact {
    PtxWhere where;     /* .instruction: its opcode with all modifiers */
    const char *family; /* "float"; "unknown" if no row fits */
    const char *reason; /* why it would trap; NULL: it is implemented */
} PtxInstructionFact;

/* Visits every instruction of every function, in the order of the text. Texts live as long as the module. */
void ptx_module_visit(const PtxModule *module, void (*visit)(void *context, const PtxInstructionFact *fact),
                      void *context);

/* Writes the program as the machine runs it: blocks in their order, records with handlers and slots. */
void ptx_module_print(const PtxModule *module, FILE *stream);

/* Names of the executors that this build has, best first: index 0, 1, ...; NULL past the last. */
const char *ptx_executor_name(size_t index, bool *ret_is_usable);

/* ---- launch ------------------------------------------------------------------------------------------------ */

typedef struct PtxLaunchPlan {
    const PtxEntry *entry;
    uint32_t grid[3], block[3]; /* blocks, threads; no zeros */
    uint32_t dynamic_shared_bytes;
    bool is_cooperative;
    const void *parameters; /* entry->parameter_bytes bytes */
    FILE *output;           /* printf goes here; NULL: dropped */
} PtxLaunchPlan;

typedef struct PtxBlockCount {
    const char *function;
    uint32_t ptx_line, line; /* of its first instruction; CUDA source line, 0 if unknown */
    const char *file;
    uint32_t instruction_count;
    uint64_t executions; /* by warps */
    uint64_t lanes;      /* sum of active lanes over executions */
} PtxBlockCount;

typedef struct PtxLaunchResult {
    PtxTrap trap; /* kind PTX_TRAP_NONE: ran to the end */
    uint64_t thread_instructions, warp_instructions;
    const PtxFinding *findings; /* owned by the machine, until the next launch */
    size_t finding_count;
    const PtxBlockCount *blocks; /* as above; only if counted */
    size_t block_count;
    uint64_t output_bytes; /* of printf, cut ones included */
} PtxLaunchResult;

/* Runs the entry. A plan that a GPU would refuse (too many threads, too much shared memory, .reqntid violated) is a
 * trap of kind PTX_TRAP_LAUNCH. False only for faults of ours. After a trap the machine's memory holds what was written
 * so far. */
bool ptx_launch(PtxMachine *machine, const PtxLaunchPlan *plan, PtxLaunchResult *ret_result, Error *error) MUST_CHECK;

#endif
