// Counts with std::unordered_map; std::partial_sort brings the k best to the front.
#include <algorithm>
#include <iostream>
#include <unordered_map>
#include <utility>
#include <vector>

int main()
{
    std::ios::sync_with_stdio(false);
    int n, k, value;
    std::cin >> n >> k;
    std::unordered_map<int, int> counts;
    while (n-- > 0 && std::cin >> value)
        counts[value]++;
    std::vector<std::pair<int, int>> order; // (minus count, value): the natural order is the one asked for
    order.reserve(counts.size());
    for (const auto &[number, count] : counts)
        order.emplace_back(-count, number);
    std::partial_sort(order.begin(), order.begin() + k, order.end());
    for (int i = 0; i < k; i++)
        std::cout << order[i].second << (i < k - 1 ? ' ' : '\n');
}
