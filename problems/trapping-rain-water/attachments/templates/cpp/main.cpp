#include <iostream>
#include <vector>

// The units of water that stay on the columns.
static long long trapped_water(const std::vector<int> &height)
{
    (void)height;
    return 0; // your algorithm goes here
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<int> height(n);
    for (int &column : height)
        std::cin >> column;
    std::cout << trapped_water(height) << '\n';
}
