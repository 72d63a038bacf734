// Too slow: depth-first search that knows which courses are on the current path, but walks into finished ones again.
// The number of paths is exponential when courses share prerequisites.
#include <algorithm>
#include <cstdio>
#include <vector>

static std::vector<std::vector<int>> following;
static std::vector<bool> is_on_path, is_placed;
static std::vector<int> finished;

static bool visit(int course)
{
    if (is_on_path[course])
        return false;
    is_on_path[course] = true;
    for (int next : following[course])
        if (!visit(next))
            return false;
    is_on_path[course] = false;
    if (!is_placed[course]) {
        is_placed[course] = true;
        finished.push_back(course);
    }
    return true;
}

int main()
{
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2)
        return 1;
    following.resize(n + 1);
    is_on_path.resize(n + 1);
    is_placed.resize(n + 1);
    for (int i = 0; i < m; i++) {
        int a, b;
        if (std::scanf("%d %d", &a, &b) != 2)
            return 1;
        following[a].push_back(b);
    }
    for (int course = 1; course <= n; course++)
        if (!is_placed[course] && !visit(course)) {
            std::puts("IMPOSSIBLE");
            return 0;
        }
    std::reverse(finished.begin(), finished.end());
    for (int course : finished)
        std::printf("%d\n", course);
}
