/* Row 39: six threads where eight are allowed. Run several times at once: a limit counted per uid and shared between
 * runs would refuse some. */
#include "attack.h"
#include <pthread.h>

static void *nap(void *context)
{
    (void)context;
    sleep_ms(150);
    return NULL;
}

int main(void)
{
    pthread_t threads[5];
    for (size_t i = 0; i < ARRAY_COUNT(threads); i++) {
        errno = pthread_create(&threads[i], NULL, nap, NULL);
        if (errno)
            return finish_with_errno();
    }
    for (size_t i = 0; i < ARRAY_COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    puts("six");
    return 0;
}
