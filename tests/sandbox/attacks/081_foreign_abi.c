/* Row 81: system calls by another convention, whose numbers mean other calls. */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    long result = 20; /* getpid for int 0x80 */
    if (strcmp(argv[1], "int80") == 0)
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    else
        result = syscall(0x40000000 | SYS_getpid); /* x32 */
    must_fail(argv[1], result);
    return finish_with_errno();
}
