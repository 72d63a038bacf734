/* System calls without libc, for code that runs in the keeper and in the program's process before exec.
 *
 * Both share the supervisor's memory (CLONE_VM) while the supervisor goes on running. A libc wrapper would write errno
 * into the supervisor's thread-local storage, take its locks, or trust its cached thread id. So: inline assembly,
 * results as -errno, and nothing but the caller's own stack and the order is written. x86-64 only, as is Gavel. */
#ifndef SANDBOX_RAW_H
#define SANDBOX_RAW_H

#include <errno.h>
#include <linux/sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* No sanitizer may instrument such a function: its runtime keeps per-thread state of the supervisor's thread, and
 * the keeper's stack is unknown to it. */
#define KEEPER_CODE __attribute__((no_sanitize("address", "undefined", "thread")))

KEEPER_CODE static inline long raw_call6(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* The same for up to six arguments of any integer or pointer type; missing ones are 0. */
#define RAW_PICK(number, a, b, c, d, e, f, ...)                                                                        \
    raw_call6((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define RAW(number, ...) RAW_PICK(SYS_##number, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* clone3 whose child starts in `entry(context)` on the stack named in `args` and never comes back: the child may not
 * return through the parent's frames, which the parent goes on using. */
KEEPER_CODE static inline long raw_clone3(struct clone_args *args, int (*entry)(void *), void *context)
{
    long result;
    register void *r8 __asm__("r8") = context;
    register int (*r9)(void *) __asm__("r9") = entry;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "mov %%r8, %%rdi\n\t"
                     "call *%%r9\n\t"
                     "mov %%eax, %%edi\n\t"
                     "mov %[exit], %%eax\n\t"
                     "syscall\n\t"
                     "hlt\n\t"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone3), "D"(args), "S"(sizeof *args), "r"(r8), "r"(r9), [exit] "i"(SYS_exit_group)
                     : "rcx", "r11", "memory");
    return result;
}

KEEPER_CODE static inline size_t raw_length(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

#endif
