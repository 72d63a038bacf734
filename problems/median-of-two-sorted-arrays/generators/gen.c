/* Generator: gen KIND N M [LOW HIGH] SEED prints one input.
 *
 * random N M LOW HIGH SEED   sorted lists of random values from LOW to HIGH
 * apart N M SEED             no value of one list lies among the other's: the first list is above the second, or below
 *                            it if N has a minus sign */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUE = 2000000000 };

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_next(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void print_list(int length, int low, int high)
{
    uint64_t range = (uint64_t)((int64_t)high - low + 1);
    int *values = malloc((size_t)(length ? length : 1) * sizeof *values);
    if (!values)
        exit(1);
    for (int i = 0; i < length; i++)
        values[i] = (int)(low + (int64_t)(random_next() % range));
    qsort(values, (size_t)length, sizeof *values, compare_ints);
    for (int i = 0; i < length; i++)
        printf("%s%d", i ? " " : "", values[i]);
    putchar('\n');
    free(values);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int number[5] = {0};
    int count = argc - 2;
    if (count < 3 || count > 5) {
        fprintf(stderr, "usage: gen KIND N M [LOW HIGH] SEED\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        number[i] = atoi(argv[i + 2]);
    random_state = (uint64_t)number[count - 1];

    printf("%d %d\n", abs(number[0]), number[1]);
    if (strcmp(kind, "random") == 0 && count == 5) {
        print_list(number[0], number[2], number[3]);
        print_list(number[1], number[2], number[3]);
    } else if (strcmp(kind, "apart") == 0 && count == 3 && number[0] > 0) {
        print_list(number[0], 1, MAX_VALUE);
        print_list(number[1], -MAX_VALUE, 0);
    } else if (strcmp(kind, "apart") == 0 && count == 3) {
        print_list(-number[0], -MAX_VALUE, 0);
        print_list(number[1], 1, MAX_VALUE);
    } else {
        fprintf(stderr, "gen: no kind \"%s\" with %d numbers\n", kind, count);
        return 2;
    }
    return 0;
}
