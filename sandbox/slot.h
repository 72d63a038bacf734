/* Slots: numbers that runs hold exclusively on this machine, from which their user ids and group names follow. */
#ifndef SANDBOX_SLOT_H
#define SANDBOX_SLOT_H

#include "cgroup.h"

enum { SLOT_MAX = 1024 };

typedef struct SlotPool {
    char *directory; /* absolute */
    int directory_fd;
    char suffix[24];            /* "-<id of the directory>": two state directories never sweep each other's groups */
    unsigned long long counter; /* of groups made by this process */
    bool is_held[SLOT_MAX];     /* leased by this process and in use */
    int lock_fds[SLOT_MAX];     /* kept locked until the pool closes; 0: not ours */
    int network_fds[SLOT_MAX];  /* network namespace of a slot of ours; 0: none yet */
} SlotPool;

/* Opens (and makes, if missing) the state directory and cleans up after slots that nobody holds. */
bool slot_pool_open(SlotPool *ret_pool, const char *directory, SandboxError *error);
void slot_pool_close(SlotPool *pool);

/* Takes a free slot; what its former holder left behind is removed first. */
bool slot_lease(SlotPool *pool, const CgroupSet *set, int *ret_slot, SandboxError *error);
void slot_release(SlotPool *pool, int slot);

/* A group name that no other process and no other run uses: gavel-slotN-PID-COUNTER-DIRECTORY. */
void slot_group_name(SlotPool *pool, int slot, char ret_name[CGROUP_NAME_BYTES]);

#endif
