#include <iostream>
#include <vector>

// The length of the longest strictly increasing subsequence.
static int longest(const std::vector<int> &values)
{
    (void)values;
    return 1; // TODO: your algorithm
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<int> values(n);
    for (auto &value : values)
        std::cin >> value;
    std::cout << longest(values) << '\n';
}
