#include <iostream>
#include <utility>
#include <vector>

// The two different positions, from 0 and in increasing order, whose values add up to `target`.
static std::pair<int, int> find_pair(const std::vector<long long> &values, long long target)
{
    (void)values;
    (void)target;
    return {0, 1}; // TODO: your algorithm
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    long long target;
    std::cin >> n >> target;
    std::vector<long long> values(n);
    for (auto &value : values)
        std::cin >> value;
    const auto [first, second] = find_pair(values, target);
    std::cout << first + 1 << ' ' << second + 1 << '\n';
}
