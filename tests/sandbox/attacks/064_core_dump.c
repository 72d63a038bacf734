/* Row 64: a core dump of 32 GiB of address space takes minutes and cannot be killed. */
#include "attack.h"

int main(void)
{
    const size_t size = 32UL << 30;
    char *space = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t at = 0; space != MAP_FAILED && at < size; at += 1UL << 28)
        space[at] = 1;
    abort();
}
