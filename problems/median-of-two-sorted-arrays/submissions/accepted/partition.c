/* Binary search for the cut: how many of the shorter list belong to the lower half of all values? The rest of that half
 * comes from the longer list. O(log(min(n, m))) after reading. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct List {
    int64_t *values;
    int length;
} List;

static List list_read(int length)
{
    List list = {malloc((size_t)(length ? length : 1) * sizeof *list.values), length};
    for (int i = 0; i < length; i++) {
        long value;
        if (scanf("%ld", &value) != 1)
            exit(1);
        list.values[i] = value;
    }
    return list;
}

/* The value at place i; below all before the list, above all behind it. */
static int64_t at(const List *list, int i)
{
    return i < 0 ? INT64_MIN : i >= list->length ? INT64_MAX : list->values[i];
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Twice the median, so that it is an integer. */
static int64_t doubled_median(const List *a, const List *b)
{
    if (a->length > b->length)
        return doubled_median(b, a);
    int total = a->length + b->length;
    int half = (total + 1) / 2; /* size of the lower half, the middle included */
    int low = 0, high = a->length;
    while (low < high) {
        int cut = (low + high) / 2;
        if (at(a, cut) < at(b, half - cut - 1))
            low = cut + 1; /* a[cut] belongs to the lower half too */
        else
            high = cut;
    }
    int64_t last_of_lower = larger(at(a, low - 1), at(b, half - low - 1));
    if (total % 2 == 1)
        return 2 * last_of_lower;
    return last_of_lower + smaller(at(a, low), at(b, half - low));
}

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    List a = list_read(n);
    List b = list_read(m);
    int64_t doubled = doubled_median(&a, &b);
    printf("%s%lld.%d\n", doubled < 0 ? "-" : "", llabs(doubled) / 2, doubled % 2 ? 5 : 0);
    return 0;
}
