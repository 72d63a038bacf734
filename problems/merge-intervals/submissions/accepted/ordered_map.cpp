// Keeps the merged intervals in an ordered map from begin to end, and absorbs what each new interval meets: right after
// every step, whatever the order of the input. O(n log n), as an interval is absorbed at most once.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>

static void insert(std::map<int, int> &merged, int left, int right)
{
    auto it = merged.upper_bound(left);
    if (it != merged.begin() && std::prev(it)->second >= left)
        --it;
    while (it != merged.end() && it->first <= right) {
        left = std::min(left, it->first);
        right = std::max(right, it->second);
        it = merged.erase(it);
    }
    merged.emplace_hint(it, left, right);
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n, left, right;
    std::cin >> n;
    std::map<int, int> merged;
    while (n-- > 0 && std::cin >> left >> right)
        insert(merged, left, right);
    std::cout << merged.size() << '\n';
    for (const auto &[begin, end] : merged)
        std::cout << begin << ' ' << end << '\n';
}
