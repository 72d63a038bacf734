/* Row 59: eight threads to do more than the wall clock allows. */
#include "attack.h"
#include <pthread.h>

static void *burn(void *context)
{
    (void)context;
    burn_forever();
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 7; i++) {
        pthread_t thread;
        errno = pthread_create(&thread, NULL, burn, NULL);
        if (errno)
            return finish_with_errno();
    }
    burn_forever();
}
