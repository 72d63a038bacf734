/* What handlers see while a kernel runs: the warp, its block, the launch, and how to stop.
 *
 * One worker thread executes whole blocks; nothing here is shared between workers but PtxLaunch and device memory. */
#ifndef GAVEL_PTX_EXEC_H
#define GAVEL_PTX_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gavel/ptx.h"
#include "ptx/memory.h"
#include "ptx/program.h"

/* The virtual card has as many multiprocessors as the one that results are compared with. */
enum { PTX_WARP_LANES = 32, PTX_BARRIERS = 16, PTX_SM_COUNT = 132 };

/* Why a handler returned NULL. */
typedef enum PtxEvent {
    PTX_EVENT_NONE,
    PTX_EVENT_SWITCH, /* the group stays runnable at its pc, another group or warp gets its turn */
    PTX_EVENT_WAIT,   /* the group waits (its state says for what) */
    PTX_EVENT_EXIT,   /* all lanes of the group have left, or it was merged away */
    PTX_EVENT_TRAP,   /* worker->trap is filled */
} PtxEvent;

typedef struct PtxWarp {
    uint8_t *frame;      /* register slots of the executing group */
    uint32_t mask;       /* lanes that execute this op */
    uint32_t keep;       /* other lanes whose registers in this frame must not change; 0: write whole slots */
    uint8_t *local;      /* local memory of this frame: lane * local_stride + offset */
    uint8_t *parameters; /* .param memory of this frame: lane * parameter_stride + offset */
    uint32_t local_stride, parameter_stride;
    uint32_t carry; /* CC.CF, a bit a lane */
    PtxEvent event;
    struct PtxBlock *block;
    struct PtxWorker *worker;
    const struct PtxLaunch *launch;
    uint32_t index;                                 /* in its block */
    uint32_t existing;                              /* lanes that there are */
    uint32_t live;                                  /* lanes that have not exited */
    const uint32_t (*thread_index)[PTX_WARP_LANES]; /* %tid: [axis][lane] */
    struct PtxGroups *groups;                       /* warp.c's */
} PtxWarp;

/* A block that is resident. */
typedef struct PtxBlock {
    uint8_t *shared;       /* host address of shared memory; PTX_SHARED_GUARD bytes of zeros after it */
    uint32_t shared_bytes; /* static + dynamic: what may be accessed */
    uint32_t index[3];     /* %ctaid */
    uint64_t linear_index;
    uint32_t live_threads; /* that have not exited */
    uint32_t thread_count, warp_count;
    PtxWarp *warps;
    struct PtxBarrier *barriers; /* barrier.c's */
    struct PtxAsync *async;      /* async.c's: copies not waited for */
} PtxBlock;

typedef struct PtxLaunch {
    struct PtxMachine *machine;
    PtxMemory *memory;
    const PtxProgram *program;
    const PtxProgramFunction *entry;
    const uint8_t *parameters; /* entry->entry_parameter_bytes */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes, dynamic_shared_begin;
    uint64_t grid_workspace; /* device address of a cooperative launch's barrier, or 0 */
    bool is_cooperative, counts_blocks;
    uint32_t worker_count; /* atomics must be atomic if > 1 */
} PtxLaunch;

typedef struct PtxWorker {
    struct Arena *arena; /* texts of traps and findings */
    const struct PtxLaunch *launch;
    PtxTrap *trap;              /* filled by ptx_trap */
    PtxMemoryHint hints[256];   /* last allocation that each memory op hit */
    uint64_t *block_executions; /* by counter of the basic block; NULL when not counted */
    uint64_t *block_lanes;
    int64_t budget; /* thread-instructions left in this slice */
    uint64_t warp_instructions;
    uint64_t thread_instructions; /* executed so far by this worker in this launch */
    struct PtxFindings *findings; /* finding.c's */
    struct PtxScheduler *scheduler;
    struct PtxConsole *console; /* console.c's: printf output */
} PtxWorker;

/* Takes another slice of the launch's budget; false: it is used up. */
bool ptx_worker_refill(PtxWorker *worker);

/* Records a trap of `lane` and returns NULL for the handler to return. The message is a sentence without the place,
 * which the trap's own fields say. `address` 0 if it is not about memory. Only the first trap of a launch counts. */
const PtxOp *ptx_trap(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxTrapKind kind, uint64_t address,
                      const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Something a user should know that does not stop the kernel (integer division by zero, shfl from an inactive lane, a
 * divergent .aligned barrier). Counted once per op and kind. */
void ptx_finding(PtxWarp *warp, const PtxOp *op, unsigned lane, PtxFindingKind kind);

/* ---- lanes and slots --------------------------------------------------------------------------------------- */

static inline void *ptx_slot(const PtxWarp *warp, uint32_t offset)
{
    return warp->frame + offset;
}
static inline uint32_t ptx_lane_u32(const PtxWarp *warp, uint32_t offset, unsigned lane)
{
    return ((const uint32_t *)(const void *)(warp->frame + offset))[lane];
}
static inline uint64_t ptx_lane_u64(const PtxWarp *warp, uint32_t offset, unsigned lane)
{
    return ((const uint64_t *)(const void *)(warp->frame + offset))[lane];
}
static inline void ptx_set_u32(const PtxWarp *warp, uint32_t offset, unsigned lane, uint32_t value)
{
    ((uint32_t *)(void *)(warp->frame + offset))[lane] = value;
}
static inline void ptx_set_u64(const PtxWarp *warp, uint32_t offset, unsigned lane, uint64_t value)
{
    ((uint64_t *)(void *)(warp->frame + offset))[lane] = value;
}
static inline uint32_t ptx_predicate(const PtxWarp *warp, uint32_t offset)
{
    return *(const uint32_t *)(const void *)(warp->frame + offset);
}
/* Writes the executing lanes' bits of a predicate. */
static inline void ptx_set_predicate(const PtxWarp *warp, uint32_t offset, uint32_t bits)
{
    uint32_t *word = (uint32_t *)(void *)(warp->frame + offset);
    *word = (*word & ~warp->mask) | (bits & warp->mask);
}
/* Host address of a parameter or result in one lane: a register of a frame, or bytes of its .param area. */
static inline uint8_t *ptx_placement(const PtxPlacement *place, uint8_t *registers, uint8_t *parameters,
                                     uint32_t stride, unsigned lane)
{
    return place->is_register ? registers + place->at + (size_t)lane * ptx_lane_bytes(place->bytes)
                              : parameters + (size_t)lane * stride + place->at;
}

/* for (PTX_EACH_LANE(lane, mask)): the set lanes from the lowest. */
#define PTX_EACH_LANE(lane, mask)                                                                                      \
    uint32_t lane##_left = (mask), lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0;                      \
    lane##_left;                                                                                                       \
    lane##_left &= lane##_left - 1, lane = lane##_left ? (uint32_t)__builtin_ctz(lane##_left) : 0

/* ---- handlers by name -------------------------------------------------------------------------------------- */

typedef struct PtxHandlerRow {
    const char *name;
    PtxHandler run;
} PtxHandlerRow;

/* One instruction set's tables of handlers, each ended by a row with a NULL name. */
typedef struct PtxExecutor {
    const char *name; /* "avx512", "avx2", "portable", "scalar" */
    const PtxHandlerRow *const *tables;
} PtxExecutor;

#endif
