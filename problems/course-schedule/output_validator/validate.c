/* Output validator: accepts any order of the courses that keeps every rule.
 *
 * validate IN ANS FEEDBACK_DIR/ < team_output
 * exit 42: accepted; 43: wrong answer; 1: the package itself is broken (the answer file is refuted).
 * The answer file only says whether an order exists; the order in it is one of many. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ACCEPT = 42, REJECT = 43, BROKEN = 1, TOKEN_SIZE = 32 };

static const char *feedback_directory;

static _Noreturn void finish(int status, const char *format, ...)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/judgemessage.txt", feedback_directory);
    FILE *message = fopen(path, "w");
    if (!message)
        exit(BROKEN);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(message, format, arguments);
    va_end(arguments);
    fputc('\n', message);
    fclose(message);
    exit(status);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        finish(BROKEN, "cannot open %s", path);
    return file;
}

/* No answer needs a token of TOKEN_SIZE bytes: what is longer is cut, and can only be wrong. */
static int read_token(FILE *file, char token[TOKEN_SIZE])
{
    int c;
    int length = 0;
    do {
        c = getc(file);
    } while (c == ' ' || (c >= '\t' && c <= '\r'));
    for (; c != EOF && c != ' ' && !(c >= '\t' && c <= '\r'); c = getc(file))
        if (length < TOKEN_SIZE - 1)
            token[length++] = c >= '!' && c <= '~' ? (char)c : '?'; /* the message stays plain text */
    token[length] = '\0';
    return length > 0;
}

/* A course number in digits, or 0 if the token is none. */
static int course_of(const char *token, int n)
{
    if (strlen(token) > 9 || token[strspn(token, "0123456789")] != '\0')
        return 0;
    int course = atoi(token);
    return course <= n ? course : 0;
}

/* Reads the rest of the team's order; position[c] becomes the 1-based place of course c. */
static void read_order(const char *first, int n, int *position)
{
    char token[TOKEN_SIZE];
    memcpy(token, first, TOKEN_SIZE);
    for (int i = 1; i <= n; i++) {
        if (i > 1 && !read_token(stdin, token))
            finish(REJECT, "only %d of %d courses printed", i - 1, n);
        int course = course_of(token, n);
        if (course == 0)
            finish(REJECT, "place %d: \"%s\" is not a course from 1 to %d", i, token, n);
        if (position[course])
            finish(REJECT, "place %d: course %d was already at place %d", i, course, position[course]);
        position[course] = i;
    }
}

static void check_rules(FILE *input, int m, const int *position)
{
    for (int i = 0; i < m; i++) {
        int a, b;
        if (fscanf(input, "%d %d", &a, &b) != 2)
            finish(BROKEN, "the input ends early");
        if (position[a] >= position[b])
            finish(REJECT, "rule %d %d broken: course %d is at place %d, course %d at place %d", a, b, a, position[a], b,
                   position[b]);
    }
}

static void expect_end(void)
{
    char token[TOKEN_SIZE];
    if (read_token(stdin, token))
        finish(REJECT, "unexpected \"%s\" after the answer", token);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return BROKEN;
    feedback_directory = argv[3];
    FILE *input = open_file(argv[1]);
    FILE *answer = open_file(argv[2]);

    char expected[TOKEN_SIZE], token[TOKEN_SIZE];
    if (!read_token(answer, expected))
        finish(BROKEN, "the answer file is empty");
    int is_impossible = strcmp(expected, "IMPOSSIBLE") == 0;

    if (!read_token(stdin, token))
        finish(REJECT, "no output");
    if (strcasecmp(token, "IMPOSSIBLE") == 0) {
        expect_end();
        if (!is_impossible)
            finish(REJECT, "printed IMPOSSIBLE, but there is an order");
        finish(ACCEPT, "rightly IMPOSSIBLE");
    }

    int n, m;
    if (fscanf(input, "%d %d", &n, &m) != 2 || n < 1)
        finish(BROKEN, "the input has no n and m");
    int *position = calloc((size_t)n + 1, sizeof *position);
    if (!position)
        finish(BROKEN, "out of memory");
    read_order(token, n, position);
    expect_end();
    check_rules(input, m, position);
    if (is_impossible)
        finish(BROKEN, "the answer file says IMPOSSIBLE, but this order keeps every rule");
    finish(ACCEPT, "the order keeps every rule");
}
