// Depth-first search in three colours; a course is placed after everything that follows it. Time O(n + m), and a
// recursion as deep as the longest chain.
#include <algorithm>
#include <cstdio>
#include <vector>

enum Colour { NEW, OPEN, DONE };

static std::vector<std::vector<int>> following;
static std::vector<Colour> colour;
static std::vector<int> finished;

static bool visit(int course)
{
    colour[course] = OPEN;
    for (int next : following[course]) {
        if (colour[next] == OPEN)
            return false;
        if (colour[next] == NEW && !visit(next))
            return false;
    }
    colour[course] = DONE;
    finished.push_back(course);
    return true;
}

int main()
{
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2)
        return 1;
    following.resize(n + 1);
    colour.assign(n + 1, NEW);
    for (int i = 0; i < m; i++) {
        int a, b;
        if (std::scanf("%d %d", &a, &b) != 2)
            return 1;
        following[a].push_back(b);
    }
    for (int course = 1; course <= n; course++)
        if (colour[course] == NEW && !visit(course)) {
            std::puts("IMPOSSIBLE");
            return 0;
        }
    std::reverse(finished.begin(), finished.end());
    for (int course : finished)
        std::printf("%d\n", course);
}
