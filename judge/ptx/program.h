/* A PTX module ready to run: fixed records with every operand resolved.
 *
 * A function's registers live in a frame: a block of memory with one slot a register. A slot holds 32 lanes side by
 * side: 128 bytes for registers of up to 32 bits (a lane is 4 bytes; of a 16- or 8-bit register only the low bits mean
 * something, the bits above are arbitrary, and a reader that cares masks or extends them), 256 bytes for 64 bits, 512
 * for 128. A predicate is one 32-bit word, a bit a lane, bits outside of the executing lanes being arbitrary. Constants
 * have slots of their own, filled once, so that a handler never asks where an operand comes from. Offsets are in bytes
 * from the frame's start; frames are aligned to 64 bytes and every slot to 64 (predicates to 4). */
#ifndef GAVEL_PTX_PROGRAM_H
#define GAVEL_PTX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/opcode.h"
#include "ptx/syntax.h"

struct PtxWarp;
struct PtxOp;

/* Executes `op` for the lanes of warp->mask and returns the next op; NULL when the group can't go on (warp->event says
 * why: it waits, has left, or trapped). */
typedef const struct PtxOp *(*PtxHandler)(struct PtxWarp *warp, const struct PtxOp *op);

/* Bytes of a lane in the slot of a register that has `bytes` in memory. */
static inline uint32_t ptx_lane_bytes(uint32_t bytes)
{
    return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

typedef enum PtxRounding {
    PTX_ROUND_DEFAULT, /* none was written */
    PTX_ROUND_NEAREST_EVEN,
    PTX_ROUND_ZERO,
    PTX_ROUND_DOWN,
    PTX_ROUND_UP,
    PTX_ROUND_NEAREST_AWAY,
    PTX_ROUND_STOCHASTIC,
} PtxRounding;

typedef enum PtxFlag {
    PTX_FLAG_FTZ = 1 << 0,
    PTX_FLAG_SAT = 1 << 1,
    PTX_FLAG_SATFINITE = 1 << 2,
    PTX_FLAG_RELU = 1 << 3,
    PTX_FLAG_NAN = 1 << 4, /* min.NaN, max.NaN */
    PTX_FLAG_ABS = 1 << 5,
    PTX_FLAG_XORSIGN = 1 << 6,
    PTX_FLAG_CC = 1 << 7,
    PTX_FLAG_VOLATILE = 1 << 8,
    PTX_FLAG_TRANS = 1 << 9,
    PTX_FLAG_ALIGNED = 1 << 10,
    PTX_FLAG_UNIFORM = 1 << 11,
    PTX_FLAG_NEGATE_A = 1 << 12, /* predicate source written !p */
    PTX_FLAG_NEGATE_B = 1 << 13,
    PTX_FLAG_NEGATE_C = 1 << 14,
    PTX_FLAG_HAS_C = 1 << 15, /* the optional source c is there (setp ..., p) */
    PTX_FLAG_HAS_Q = 1 << 16, /* the second destination is there */
    PTX_FLAG_HAS_E = 1 << 17, /* an optional source e is there */
} PtxFlag;

typedef enum PtxCompare {
    PTX_COMPARE_NONE,
    PTX_COMPARE_EQ,
    PTX_COMPARE_NE,
    PTX_COMPARE_LT,
    PTX_COMPARE_LE,
    PTX_COMPARE_GT,
    PTX_COMPARE_GE,
    PTX_COMPARE_LO,
    PTX_COMPARE_LS,
    PTX_COMPARE_HI,
    PTX_COMPARE_HS,
    PTX_COMPARE_EQU,
    PTX_COMPARE_NEU,
    PTX_COMPARE_LTU,
    PTX_COMPARE_LEU,
    PTX_COMPARE_GTU,
    PTX_COMPARE_GEU,
    PTX_COMPARE_NUM,
    PTX_COMPARE_NAN,
} PtxCompare;

typedef enum PtxOperation {
    PTX_OPERATION_NONE,
    PTX_OPERATION_AND,
    PTX_OPERATION_OR,
    PTX_OPERATION_XOR,
    PTX_OPERATION_POPC,
} PtxOperation;

/* What the base of an address is. */
typedef enum PtxAddress {
    PTX_ADDRESS_NONE, /* no register: op->imm alone */
    PTX_ADDRESS_32,   /* 32-bit register: zero-extended */
    PTX_ADDRESS_64,
} PtxAddress;

typedef struct PtxOp {
    PtxHandler run;
    PtxHandler guarded;     /* with a guard, `run` is the guard's handler and this the instruction's own */
    uint32_t d, q, a, b, c; /* offsets of slots; 0 if absent (offset 0 is a slot of zeros that nobody writes) */
    uint32_t guard;         /* offset of the guard's predicate */
    uint32_t flags;         /* PtxFlag */
    uint32_t instruction;   /* index in the function's syntax, for places and messages */
    union {
        int64_t imm;                /* constant operand, or offset of address A */
        const struct PtxOp *target; /* branch: first op of the target block */
        const struct PtxCall *call;
        const struct PtxBranchTable *table;
        const char *text; /* why the instruction traps */
    };
    union {
        int64_t imm2;          /* offset of address B, or a second constant */
        const uint32_t *slots; /* vector operands: offsets in order of operands */
    };
    uint32_t e;
    uint16_t slot_count;
    uint8_t type, type2, type3; /* PtxType T, U, V of the row */
    uint8_t rounding, compare, operation, space, vector;
    uint8_t address, address2; /* PtxAddress of A and B */
    bool is_guard_negated;
    uint8_t hint;   /* memory ops: index into the worker's table of last allocations */
    uint32_t block; /* basic block (in order of execution preference) */
} PtxOp;

/* A basic block, in renumbered order: a post-dominator follows the region that it ends. */
typedef struct PtxBasicBlock {
    uint32_t first_op, op_count; /* ops of the program, pseudo-ops included */
    uint32_t first_instruction;  /* in the syntax; UINT32_MAX if it was made */
    uint32_t instruction_count;  /* PTX instructions in it */
    uint32_t counter;            /* index among the counters of the module */
} PtxBasicBlock;

/* Where a parameter or result lies in a frame: a register's slot, or bytes of the .param area of each lane. */
typedef struct PtxPlacement {
    bool is_register;
    uint32_t at; /* slot, or offset in the area */
    uint32_t bytes;
} PtxPlacement;

/* A call site. Callee's places are the callee's own: an indirect call learns them when it knows whom it calls. */
typedef struct PtxCall {
    const PtxFunction *declared;             /* the function named, or the prototype of an indirect call */
    const struct PtxProgramFunction *callee; /* NULL: indirect, or without a body */
    uint32_t target;                         /* indirect: slot of the function's address; 0: direct */
    uint32_t argument_count, result_count;
    const PtxPlacement *arguments, *results; /* in the caller's frame */
} PtxCall;

typedef struct PtxBranchTable {
    uint32_t count;
    const struct PtxOp **targets;
} PtxBranchTable;

typedef struct PtxProgramFunction {
    const PtxFunction *syntax;
    PtxOp *ops;
    uint32_t op_count;
    PtxBasicBlock *blocks;
    uint32_t block_count;
    uint32_t frame_bytes;       /* registers, constants, scratch */
    const uint8_t *frame_image; /* frame_bytes: what a new frame starts with (constants filled, the rest zero) */
    uint32_t constants_offset, constants_bytes; /* the part of the image that is not zero */
    uint32_t local_bytes;                       /* local memory per lane (.local variables), 16-byte multiple */
    uint32_t parameter_bytes; /* .param memory per lane (own parameters of a .func, results, and .param variables) */
    uint32_t entry_parameter_bytes; /* entry: size of the launch's parameter block */
    uint32_t static_shared_bytes;   /* entry: .shared variables it can reach */
    uint32_t dynamic_shared_begin;  /* entry: where dynamic shared memory starts */
    bool copies_parameters; /* entry: the parameter block is copied into each lane's area (its address is taken) */
    const PtxPlacement *parameters, *results; /* .func: in its own frame */
    uint32_t *register_slots;                 /* offset of each register of the syntax */
    uint32_t unknown_count;                   /* instructions that trap when executed */
    uint32_t index;
} PtxProgramFunction;

/* A function's address is PTX_FUNCTION_BASE + PTX_FUNCTION_STEP * its index among the module's functions. */
#define PTX_FUNCTION_BASE UINT64_C(0x0000030000000000)
enum { PTX_FUNCTION_STEP = 16 };

typedef struct PtxProgram {
    const PtxSyntax *syntax;
    PtxProgramFunction *functions; /* as in the syntax; without a body: no ops */
    uint32_t function_count;
    uint32_t counter_count;                       /* basic blocks in all */
    const PtxProgramFunction **counter_functions; /* by counter: whose block, and which */
    uint32_t *counter_blocks;
} PtxProgram;

#endif
