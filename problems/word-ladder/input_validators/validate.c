/* Input validator: exit 42 if the input is exactly what the statement promises, 43 if not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCEPT = 42, REJECT = 43, MAX_WORDS = 10000, MAX_LENGTH = 10 };

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

static size_t read_word(char word[MAX_LENGTH + 1])
{
    size_t length = 0;
    int c = getchar();
    for (; c >= 'a' && c <= 'z'; c = getchar()) {
        if (length == MAX_LENGTH)
            reject("word too long");
        word[length++] = (char)c;
    }
    ungetc(c, stdin);
    word[length] = '\0';
    if (length == 0)
        reject("expected a word");
    return length;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    static char words[MAX_WORDS][MAX_LENGTH + 1];
    char start[MAX_LENGTH + 1], end[MAX_LENGTH + 1];

    long n = read_integer(1, MAX_WORDS);
    expect('\n', "expected the end of the line");
    size_t length = read_word(start);
    expect(' ', "expected one space");
    if (read_word(end) != length)
        reject("words of different lengths");
    expect('\n', "expected the end of the line");
    if (strcmp(start, end) == 0)
        reject("the start word is the end word");
    for (long i = 0; i < n; i++) {
        if (read_word(words[i]) != length)
            reject("words of different lengths");
        expect('\n', "expected the end of the line");
    }
    expect(EOF, "expected the end of the input");

    qsort(words, (size_t)n, sizeof words[0], compare_words);
    for (long i = 1; i < n; i++)
        if (strcmp(words[i - 1], words[i]) == 0)
            reject("a word is in the list twice");
    return ACCEPT;
}
