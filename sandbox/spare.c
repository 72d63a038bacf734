/* A keeper prepared ahead of its run.
 *
 * Namespaces and the read-only root do not depend on the plan, only on the profile, and they are most of what a fresh
 * run costs. So when a run's program has started, and the supervisor has nothing to do but wait, the next run's keeper
 * is cloned; it builds its root beside the running program and then waits for its order. Every run still gets
 * namespaces and a root of its own, made for it and used once: only the moment they are made is an earlier one.
 *
 * A spare that nobody wants for some milliseconds goes away by itself.
 *
 * A plan with binds or devices of its own needs the host's tree and gets a keeper of its own. */
#include "profile.h"
#include "run.h"

#include <stddef.h>

static bool has_same_root(SandboxProfile left, SandboxProfile right)
{
    const ProfileRow *a = profile_row(left), *b = profile_row(right);
    return a->has_system == b->has_system && a->has_proc == b->has_proc;
}

static bool is_plain(const SandboxPlan *plan)
{
    return plan->bind_count == 0 && !(plan->devices && plan->devices[0]);
}

SandboxRun *spare_take(Sandbox *sandbox, const SandboxPlan *plan)
{
    SandboxRun *spare = sandbox->spare;
    if (!spare || !is_plain(plan))
        return NULL;
    if (!has_same_root(spare->jail_profile, plan->profile) || !order_claim(&spare->order, ORDER_WANTED)) {
        spare_drop(sandbox); /* of another kind, or gone; the next one made will be of the kind now in use */
        return NULL;
    }
    sandbox->spare = NULL;
    return spare;
}

/* Not for the first run: a process that runs one program would only have to take the spare down again. */
void spare_make(Sandbox *sandbox, SandboxProfile profile)
{
    if (sandbox->spare && __atomic_load_n(&sandbox->spare->order.claim, __ATOMIC_ACQUIRE) == ORDER_GIVEN_UP)
        spare_drop(sandbox);
    if (sandbox->start_count > 1 && !sandbox->spare)
        sandbox->spare = run_clone(sandbox, profile, NULL, NULL); /* none is no fault: the next run makes its own */
}

void spare_drop(Sandbox *sandbox)
{
    if (sandbox->spare)
        run_drop(sandbox->spare);
    sandbox->spare = NULL;
}
