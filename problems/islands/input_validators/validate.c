/* Is stdin a valid picture? `m n`, then m lines of n characters 0 or 1. Lines end with LF or with CR LF, one of the
 * two throughout, and the last end of line may be missing. Exit status 42: valid, 43: not. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALID = 42, INVALID = 43, MAX_SIDE = 2000 };

static _Noreturn void reject(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(INVALID);
}

/* A decimal without sign or leading zeros. */
static int read_side(void)
{
    int c = getchar();
    if (c < '0' || c > '9')
        reject("a digit was expected");
    if (c == '0')
        return 0;
    int value = 0;
    for (; c >= '0' && c <= '9'; c = getchar()) {
        value = 10 * value + (c - '0');
        if (value > MAX_SIDE)
            reject("the picture is too large");
    }
    ungetc(c, stdin);
    return value;
}

/* 0: no line ended yet; else the character that line ends begin with. */
static void read_line_end(bool is_last, int *style)
{
    int c = getchar();
    if (c == EOF && is_last)
        return;
    if (c != '\n' && c != '\r')
        reject("an end of line was expected");
    if (*style != 0 && c != *style)
        reject("lines end in different ways");
    *style = c;
    if (c == '\r' && getchar() != '\n')
        reject("CR without LF");
}

int main(void)
{
    int style = 0;
    int m = read_side();
    if (getchar() != ' ')
        reject("one space was expected");
    int n = read_side();
    if ((m == 0) != (n == 0))
        reject("only one side is 0");
    read_line_end(m == 0, &style);

    for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
            int c = getchar();
            if (c != '0' && c != '1')
                reject("0 or 1 was expected");
        }
        read_line_end(row == m - 1, &style);
    }
    if (getchar() != EOF)
        reject("text after the last line");
    return VALID;
}
