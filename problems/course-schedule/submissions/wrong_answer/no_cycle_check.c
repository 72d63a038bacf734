/* Wrong: depth-first search with one mark only. It can't tell a course that is still open from one that is done, so it
 * never sees a cycle and always prints an order. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int head[50001], link_of[100001], target[100001];
static bool is_seen[50001];
static int finished[50001], finished_count;

static void visit(int course)
{
    is_seen[course] = true;
    for (int i = head[course]; i != 0; i = link_of[i])
        if (!is_seen[target[i]])
            visit(target[i]);
    finished[finished_count++] = course;
}

int main(void)
{
    int n, m;
    if (scanf("%d %d", &n, &m) != 2)
        return 1;
    for (int i = 1; i <= m; i++) {
        int a;
        if (scanf("%d %d", &a, &target[i]) != 2)
            return 1;
        link_of[i] = head[a];
        head[a] = i;
    }
    for (int course = 1; course <= n; course++)
        if (!is_seen[course])
            visit(course);
    while (finished_count > 0)
        printf("%d\n", finished[--finished_count]);
    return 0;
}
