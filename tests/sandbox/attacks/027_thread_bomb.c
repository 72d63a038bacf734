/* Row 27: the same with threads, which a run may have. */
#include "attack.h"
#include <pthread.h>

static void *wait_forever(void *context)
{
    (void)context;
    for (;;)
        pause();
    return NULL;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16 * 1024);
    for (int i = 0; i < 10000; i++) {
        pthread_t thread;
        errno = pthread_create(&thread, &attributes, wait_forever, NULL);
        if (errno)
            return finish_with_errno();
    }
    puts("ESCAPED 10000 threads");
    return 0;
}
