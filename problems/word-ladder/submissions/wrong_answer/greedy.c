/* Wrong: only takes steps that bring a letter to its place in the end word. A shortest ladder may need a detour over
 * letters that neither word has. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char words[10000][11];
static int rungs[10000], queue[10000];

static int places_apart(const char *a, const char *b)
{
    int count = 0;
    for (; *a; a++, b++)
        count += *a != *b;
    return count;
}

int main(void)
{
    int n, tail = 0;
    char start[11], end[11];
    if (scanf("%d %10s %10s", &n, start, end) != 3)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%10s", words[i]) != 1)
            return 1;
    const char *word = start;
    int word_rungs = 1;
    for (int head = 0;; head++) {
        for (int i = 0; i < n; i++) {
            bool is_nearer = places_apart(words[i], end) < places_apart(word, end); /* the mistake */
            if (rungs[i] == 0 && is_nearer && places_apart(words[i], word) == 1) {
                rungs[i] = word_rungs + 1;
                queue[tail++] = i;
            }
        }
        if (head == tail)
            break;
        word = words[queue[head]];
        word_rungs = rungs[queue[head]];
    }
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], end) == 0) {
            printf("%d\n", rungs[i]);
            return 0;
        }
    puts("0");
    return 0;
}
