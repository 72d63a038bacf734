#include <cstddef>
#include <iostream>
#include <vector>

// The k most frequent values, best first; the smaller of equally frequent ones first.
static std::vector<int> find_top(const std::vector<int> &values, int k)
{
    (void)values;
    return std::vector<int>(k); // TODO: your algorithm
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n, k;
    std::cin >> n >> k;
    std::vector<int> values(n);
    for (auto &value : values)
        std::cin >> value;
    const auto top = find_top(values, k);
    for (std::size_t i = 0; i < top.size(); i++)
        std::cout << top[i] << (i + 1 < top.size() ? ' ' : '\n');
}
