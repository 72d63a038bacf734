/* Is stdin a valid input? `n k`, then n numbers on one line, of which at least k are different. Single spaces, every
 * line ends with LF. Exit status 42: valid, 43: not. */
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

static long long values[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static int count_different(int n)
{
    int different = 1;
    qsort(values, (size_t)n, sizeof(values[0]), compare);
    for (int i = 1; i < n; i++)
        different += values[i] != values[i - 1];
    return different;
}

int main(void)
{
    const long long limit = 1000000000;
    int n = (int)read_integer(1, MAX_COUNT);
    expect(' ', "one space");
    int k = (int)read_integer(1, n);
    expect('\n', "an end of line");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            expect(' ', "one space");
        values[i] = read_integer(-limit, limit);
    }
    expect('\n', "an end of line");
    expect(EOF, "the end of the file");
    if (k > count_different(n))
        reject("k is more than the different numbers");
    return VALID;
}
