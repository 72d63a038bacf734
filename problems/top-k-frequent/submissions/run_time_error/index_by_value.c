/* Wrong: a table of counts indexed by the number itself, for numbers up to a million either way. Larger ones lie far
 * outside the table. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_ABSOLUTE = 1000000, SIZE = 2 * MAX_ABSOLUTE + 1 };

typedef struct Entry {
    int value, count;
} Entry;

static Entry entries[SIZE];

static int compare(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

int main(void)
{
    int n, k, value, different = 0;
    if (scanf("%d %d", &n, &k) != 2)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &value) != 1)
            return 1;
        entries[value + MAX_ABSOLUTE].value = value;
        entries[value + MAX_ABSOLUTE].count++;
    }
    for (int i = 0; i < SIZE; i++)
        if (entries[i].count != 0)
            entries[different++] = entries[i];
    qsort(entries, (size_t)different, sizeof(entries[0]), compare);
    for (int i = 0; i < k; i++)
        printf(i < k - 1 ? "%d " : "%d\n", entries[i].value);
    return 0;
}
