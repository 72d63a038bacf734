#include <pthread.h>
#include <stdio.h>

static void *count(void *sum)
{
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add((long *)sum, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    long sum = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, count, &sum))
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return sum != 4000 || puts("hello") < 0;
}
