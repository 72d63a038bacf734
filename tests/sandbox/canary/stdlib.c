/* What ordinary solutions use of libc: large and small allocations, clocks, random bytes, files, seeking in the input,
 * buffered input, floating point, sorting, signal handlers, alarm-free waiting. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int by_value(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void handle(int number)
{
    (void)number;
}

int main(void)
{
    int values[5000];
    srand((unsigned)time(NULL));
    for (int i = 0; i < 5000; i++)
        values[i] = rand();
    qsort(values, 5000, sizeof values[0], by_value);
    char *large = malloc(8 << 20), *small = malloc(100);
    if (!large || !small || !(large = realloc(large, 16 << 20)))
        return 2;
    memset(large, 1, 16 << 20);
    free(large);
    free(small);
    char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return 3;
    struct timespec now, nap = {.tv_nsec = 1000000};
    if (clock_gettime(CLOCK_MONOTONIC, &now) || nanosleep(&nap, NULL) || clock() < 0)
        return 4;
    if (signal(SIGSEGV, handle) == SIG_ERR)
        return 5;
    FILE *file = tmpfile();
    if (!file || fprintf(file, "%.3f", sqrt(2.0)) < 0)
        return 6;
    if (!isatty(0) && puts("hello") < 0)
        return 7;
    return 0;
}
