/* Input validator: exit 42 if the input is exactly what the statement promises, 43 if not. */
#include <stdio.h>
#include <stdlib.h>

enum { ACCEPT = 42, REJECT = 43 };

static int line_number = 1;

static _Noreturn void reject(const char *why)
{
    fprintf(stderr, "line %d: %s\n", line_number, why);
    exit(REJECT);
}

static void expect(int wanted, const char *why)
{
    if (getchar() != wanted)
        reject(why);
    if (wanted == '\n')
        line_number++;
}

/* One integer in its only spelling: no sign, no leading zero, nothing before it. */
static long read_integer(long low, long high)
{
    int c = getchar();
    int digits = 0;
    long value = 0;
    int starts_with_zero = c == '0';
    for (; c >= '0' && c <= '9'; c = getchar()) {
        if (++digits > 10)
            reject("number too long");
        value = value * 10 + (c - '0');
    }
    ungetc(c, stdin);
    if (digits == 0)
        reject("expected a number");
    if (starts_with_zero && digits > 1)
        reject("leading zero");
    if (value < low || value > high)
        reject("number out of bounds");
    return value;
}

int main(void)
{
    long n = read_integer(1, 50000);
    expect(' ', "expected one space");
    long m = read_integer(0, 100000);
    expect('\n', "expected the end of the line");
    for (long i = 0; i < m; i++) {
        read_integer(1, n);
        expect(' ', "expected one space");
        read_integer(1, n);
        expect('\n', "expected the end of the line");
    }
    expect(EOF, "expected the end of the input");
    return ACCEPT;
}
