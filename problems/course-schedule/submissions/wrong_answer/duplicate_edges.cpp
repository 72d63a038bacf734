// Wrong: keeps the followers in a set but counts every rule, so a rule given twice is counted twice and crossed off
// once: the course never becomes free.
#include <cstdio>
#include <set>
#include <vector>

int main()
{
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2)
        return 1;
    std::vector<std::set<int>> following(n + 1);
    std::vector<int> missing(n + 1), order;
    for (int i = 0; i < m; i++) {
        int a, b;
        if (std::scanf("%d %d", &a, &b) != 2)
            return 1;
        following[a].insert(b);
        missing[b]++;
    }
    for (int course = 1; course <= n; course++)
        if (missing[course] == 0)
            order.push_back(course);
    for (size_t head = 0; head < order.size(); head++)
        for (int after : following[order[head]])
            if (--missing[after] == 0)
                order.push_back(after);
    if (order.size() < (size_t)n) {
        std::puts("IMPOSSIBLE");
        return 0;
    }
    for (int course : order)
        std::printf("%d\n", course);
}
