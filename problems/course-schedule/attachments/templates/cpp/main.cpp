#include <iostream>
#include <optional>
#include <utility>
#include <vector>

// Each rule is a pair (a, b): course a comes before course b. Returns an order of the courses 1 .. n, or nothing if
// there is none.
static std::optional<std::vector<int>> find_order(int n, const std::vector<std::pair<int, int>> &rules)
{
    (void)n, (void)rules;
    return std::nullopt; // your algorithm goes here
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, m;
    std::cin >> n >> m;
    std::vector<std::pair<int, int>> rules(m);
    for (auto &[a, b] : rules)
        std::cin >> a >> b;

    if (auto order = find_order(n, rules))
        for (int course : *order)
            std::cout << course << '\n';
    else
        std::cout << "IMPOSSIBLE\n";
}
