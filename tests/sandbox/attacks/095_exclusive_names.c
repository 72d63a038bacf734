/* Row 95: run twice at once. Each wants to be the only one that creates these names, and both must be. */
#include "attack.h"

int main(void)
{
    static const char *const names[] = {"/dev/shm/gavel_left", "/tmp/gavel_left", "/w/gavel_left"};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (open(names[i], O_WRONLY | O_CREAT | O_EXCL, 0666) < 0 && errno == EEXIST)
            printf("ESCAPED %s is shared\n", names[i]);
    sleep_ms(150);
    return finish_refused();
}
