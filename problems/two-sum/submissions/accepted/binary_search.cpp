// Sorts (value, position) pairs; for each number looks for its partner further right by binary search. O(n log n).
#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    long long target;
    std::cin >> n >> target;
    std::vector<std::pair<long long, int>> items(n);
    for (int i = 0; i < n; i++) {
        std::cin >> items[i].first;
        items[i].second = i + 1;
    }
    std::sort(items.begin(), items.end());
    for (auto it = items.begin(); it != items.end(); ++it) {
        const auto wanted = std::make_pair(target - it->first, 0);
        const auto partner = std::lower_bound(it + 1, items.end(), wanted);
        if (partner != items.end() && partner->first == wanted.first) {
            const auto [first, second] = std::minmax(it->second, partner->second);
            std::cout << first << ' ' << second << '\n';
            return 0;
        }
    }
    return 1;
}
