/* Row 87: calls that no submission needs and that exploits begin with. Arguments are invalid on purpose: an answer other
 * than EPERM or ENOSYS means that the kernel's own code was reached. */
#include "attack.h"

#define CALL(name) {#name, SYS_##name}
static const struct {
    const char *name;
    long number;
} calls[] = {
    CALL(userfaultfd), CALL(bpf), CALL(perf_event_open), CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev),
    CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(fsopen), CALL(fsconfig), CALL(fsmount), CALL(fspick),
    CALL(open_tree), CALL(move_mount), CALL(mount_setattr), CALL(swapon), CALL(swapoff), CALL(reboot), CALL(init_module),
    CALL(finit_module), CALL(delete_module), CALL(kexec_load), CALL(iopl), CALL(ioperm), CALL(modify_ldt), CALL(setns),
    CALL(unshare), CALL(quotactl), CALL(acct), CALL(name_to_handle_at), CALL(open_by_handle_at), CALL(syslog),
    CALL(sethostname), CALL(setdomainname), CALL(lookup_dcookie), CALL(fanotify_init), CALL(io_uring_setup), CALL(keyctl),
    CALL(add_key), CALL(kcmp), CALL(vhangup), CALL(migrate_pages), CALL(move_pages), CALL(mbind), CALL(vmsplice),
    CALL(io_setup), CALL(seccomp), CALL(landlock_create_ruleset), CALL(pidfd_getfd),
};

int main(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        must_not_reach(calls[i].name, syscall(calls[i].number, -1L, -1L, -1L, -1L, -1L, -1L));
    return finish_refused();
}
