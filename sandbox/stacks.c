/* Stacks for the two processes that share our memory for a while. */
#include "context.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { GUARD_BYTES = 4096, PAIR_BYTES = 2 * (GUARD_BYTES + ORDER_STACK_BYTES) };

static unsigned char *map_pair(void)
{
    unsigned char *mapping = mmap(NULL, PAIR_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    unsigned char *keeper = mapping + GUARD_BYTES, *program = keeper + ORDER_STACK_BYTES + GUARD_BYTES;
    if (mprotect(keeper, ORDER_STACK_BYTES, PROT_READ | PROT_WRITE) == 0 &&
        mprotect(program, ORDER_STACK_BYTES, PROT_READ | PROT_WRITE) == 0)
        return mapping;
    munmap(mapping, PAIR_BYTES);
    return NULL;
}

StackPair *stacks_take(struct Sandbox *sandbox)
{
    StackPair *stacks = sandbox->free_stacks;
    if (stacks) {
        sandbox->free_stacks = stacks->next;
        return stacks;
    }
    stacks = malloc(sizeof *stacks);
    if (!stacks)
        return NULL;
    *stacks = (StackPair){.mapping = map_pair()};
    if (stacks->mapping)
        return stacks;
    free(stacks);
    return NULL;
}

void stacks_give(struct Sandbox *sandbox, StackPair *stacks)
{
    if (!stacks)
        return;
    stacks->next = sandbox->free_stacks;
    sandbox->free_stacks = stacks;
}

void stacks_free_all(struct Sandbox *sandbox)
{
    while (sandbox->free_stacks) {
        StackPair *stacks = sandbox->free_stacks;
        sandbox->free_stacks = stacks->next;
        munmap(stacks->mapping, PAIR_BYTES);
        free(stacks);
    }
}

unsigned char *stacks_keeper(const StackPair *stacks)
{
    return stacks->mapping + GUARD_BYTES;
}

unsigned char *stacks_program(const StackPair *stacks)
{
    return stacks->mapping + GUARD_BYTES + ORDER_STACK_BYTES + GUARD_BYTES;
}
