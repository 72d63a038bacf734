/* System call filters of the profiles, built once and loaded raw. */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include "gavel/sandbox.h"

#include <linux/filter.h>

typedef struct Filter {
    struct sock_filter *instructions;
    unsigned short count;
} Filter;

bool filter_build(Filter *ret_filter, SandboxProfile profile, SandboxError *error);
void filter_done(Filter *filter);

#endif
