/* Row 5, first half: leave a header in every writable place for the next submission to include. */
#include "attack.h"

int main(void)
{
    static const char *const places[] = {"/w/gavel_left.h", "/tmp/gavel_left.h", "/dev/shm/gavel_left.h"};
    int written = 0;
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        FILE *file = fopen(places[i], "w");
        if (!file)
            continue;
        written += fprintf(file, "#error ESCAPED found what an earlier run left\n") > 0;
        fclose(file);
    }
    printf("left %s\n", written > 0 ? "some" : "none");
    return 0;
}
