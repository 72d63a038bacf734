/* Slow: looks for every number in a plain list of those seen so far. Quadratic if most are different. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNT = 200000 };

typedef struct Entry {
    int value, count;
} Entry;

static Entry entries[MAX_COUNT];

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
        int at = 0;
        while (at < different && entries[at].value != value)
            at++;
        if (at == different)
            entries[different++].value = value;
        entries[at].count++;
    }
    qsort(entries, (size_t)different, sizeof(entries[0]), compare);
    for (int i = 0; i < k; i++)
        printf(i < k - 1 ? "%d " : "%d\n", entries[i].value);
    return 0;
}
