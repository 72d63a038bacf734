/* The keeper: pid 1 of a run. See keeper.c. */
#ifndef SANDBOX_KEEPER_H
#define SANDBOX_KEEPER_H

#include "order.h"

/* Entry of the keeper's clone; `context` is its KeeperOrder. Returns the keeper's exit status. */
int keeper_main(void *context);

/* Steps of the keeper, each in a file of its own. False: order->failure says why. */
bool jail_build(KeeperOrder *order);   /* jail.c: the root and what is read-only in it */
bool jail_furnish(KeeperOrder *order); /* jail.c: the writable places, if that could not be done before */
bool jail_fill(KeeperOrder *order);    /* jail.c: the plan's files */
int program_main(void *context);       /* program.c: entry of the program's clone, ends in exec */

int64_t keeper_clock_ns(int clock);

/* Records the first failure and returns false; returns true if `result` is not an error. */
bool keeper_check(KeeperOrder *order, SandboxStage stage, long result, const char *what);

#endif
