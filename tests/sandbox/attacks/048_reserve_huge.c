/* Row 48: 64 TiB of address space and not a page of memory: not a crime. */
#include "attack.h"

int main(void)
{
    void *space = mmap(NULL, 64UL << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
        puts(strerrorname_np(errno));
        return 1;
    }
    puts("reserved");
    return 0;
}
