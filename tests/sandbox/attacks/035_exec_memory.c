/* Row 35: one's own bytes from a memfd can be executed where memfd_create is allowed. It gains nothing: the filter is
 * inherited. The new program asks for a socket and ends with 5 if it was refused, with 42 if it got one. */
#include "attack.h"

static const unsigned char program[] = {
    0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0, 1, 0, 0, 0, 0x78, 0, 0x40, 0, 0, 0, 0, 0,
    64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0,
    0xa8, 0, 0, 0, 0, 0, 0, 0, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0,
    0xb8, 41, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0xbe, 1, 0, 0, 0, 0x31, 0xd2, 0x0f, 0x05, /* socket(AF_INET, SOCK_STREAM, 0) */
    0xbf, 5, 0, 0, 0, 0x85, 0xc0, 0x78, 0x05, 0xbf, 42, 0, 0, 0,                    /* edi = eax < 0 ? 5 : 42 */
    0xb8, 60, 0, 0, 0, 0x0f, 0x05, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};  /* exit(edi) */

int main(void)
{
    char *const arguments[] = {"memory", NULL}, *const environment[] = {NULL};
    int memory = (int)syscall(SYS_memfd_create, "x", 0);
    if (memory < 0 || write(memory, program, sizeof program) < 0)
        return finish_refused();
    (void)syscall(SYS_execveat, memory, "", arguments, environment, AT_EMPTY_PATH);
    return finish_with_errno();
}
