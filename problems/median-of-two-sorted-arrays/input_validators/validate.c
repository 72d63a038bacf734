/* Input validator: exit 42 if the input is exactly what the statement promises, 43 if not. */
#include <stdio.h>
#include <stdlib.h>

enum { ACCEPT = 42, REJECT = 43, MAX_LENGTH = 100000, MAX_VALUE = 2000000000 };

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

/* One integer in its only spelling: no plus, no leading zero, no "-0", nothing before it. */
static long read_integer(long low, long high)
{
    int c = getchar();
    int is_negative = c == '-';
    if (is_negative)
        c = getchar();
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
    if (starts_with_zero && (digits > 1 || is_negative))
        reject("leading zero");
    if (is_negative)
        value = -value;
    if (value < low || value > high)
        reject("number out of bounds");
    return value;
}

static void read_list(long length)
{
    long last = -MAX_VALUE;
    for (long i = 0; i < length; i++) {
        if (i > 0)
            expect(' ', "expected one space");
        long value = read_integer(-MAX_VALUE, MAX_VALUE);
        if (value < last)
            reject("the list is not sorted");
        last = value;
    }
    expect('\n', "expected the end of the line");
}

int main(void)
{
    long n = read_integer(0, MAX_LENGTH);
    expect(' ', "expected one space");
    long m = read_integer(0, MAX_LENGTH);
    if (n + m == 0)
        reject("both lists are empty");
    expect('\n', "expected the end of the line");
    read_list(n);
    read_list(m);
    expect(EOF, "expected the end of the input");
    return ACCEPT;
}
