/* Is stdin a valid input? `n t`, then n numbers on one line, and exactly one pair of them has the sum t. Single spaces,
 * every line ends with LF. Exit status 42: valid, 43: not. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALID = 42, INVALID = 43 };

static _Noreturn void reject(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(INVALID);
}

static void expect(int wanted, const char *what)
{
    if (getchar() != wanted) {
        fprintf(stderr, "%s was expected\n", what);
        exit(INVALID);
    }
}

/* A decimal: no plus sign, no leading zeros, no minus zero. */
static long long read_integer(long long least, long long most)
{
    int c = getchar();
    bool is_negative = c == '-';
    if (is_negative)
        c = getchar();
    if (c < '0' || c > '9')
        reject("a digit was expected");
    bool is_zero_first = c == '0';
    long long value = 0;
    int digits = 0;
    for (; c >= '0' && c <= '9'; c = getchar()) {
        value = 10 * value + (c - '0');
        if (++digits > 18)
            reject("a number is too long");
    }
    ungetc(c, stdin);
    if (is_zero_first && (digits > 1 || is_negative))
        reject("leading zero or minus zero");
    if (is_negative)
        value = -value;
    if (value < least || value > most)
        reject("a number is out of its bounds");
    return value;
}

enum { MAX_COUNT = 200000 };

static const long long MAX_VALUE = 2000000000;

static long long values[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

/* Pairs of positions with the sum t, in ascending values[0..n-1]; equal values count by their number. */
static long long count_pairs(int n, long long t)
{
    long long pairs = 0;
    int low = 0, high = n - 1;
    while (low < high) {
        long long sum = values[low] + values[high];
        if (sum < t)
            low++;
        else if (sum > t)
            high--;
        else if (values[low] == values[high]) {
            long long equal = high - low + 1;
            return pairs + equal * (equal - 1) / 2;
        } else {
            long long a = values[low], b = values[high], count_a = 0, count_b = 0;
            for (; values[low] == a; low++)
                count_a++;
            for (; values[high] == b; high--)
                count_b++;
            pairs += count_a * count_b;
        }
    }
    return pairs;
}

int main(void)
{
    int n = (int)read_integer(2, MAX_COUNT);
    expect(' ', "one space");
    long long t = read_integer(-2 * MAX_VALUE, 2 * MAX_VALUE);
    expect('\n', "an end of line");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            expect(' ', "one space");
        values[i] = read_integer(-MAX_VALUE, MAX_VALUE);
    }
    expect('\n', "an end of line");
    expect(EOF, "the end of the file");

    qsort(values, (size_t)n, sizeof(values[0]), compare);
    if (count_pairs(n, t) != 1)
        reject("there is not exactly one pair");
    return VALID;
}
