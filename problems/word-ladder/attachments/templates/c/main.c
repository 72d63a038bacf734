#include <stdio.h>
#include <stdlib.h>

/* Number of words in the shortest ladder from start to end over words[0 .. n - 1], or 0 if there is none. */
static int shortest_ladder(const char *start, const char *end, int n, char (*words)[11])
{
    (void)start, (void)end, (void)n, (void)words;
    return 0; /* your algorithm goes here */
}

int main(void)
{
    int n;
    char start[11], end[11];
    if (scanf("%d %10s %10s", &n, start, end) != 3)
        return 1;
    char(*words)[11] = malloc((size_t)n * sizeof *words);
    for (int i = 0; i < n; i++)
        if (scanf("%10s", words[i]) != 1)
            return 1;
    printf("%d\n", shortest_ladder(start, end, n, words));
    return 0;
}
