#include <iomanip>
#include <iostream>
#include <vector>

// The median of a and b together; both are sorted, one may be empty.
static double find_median(const std::vector<int> &a, const std::vector<int> &b)
{
    (void)a, (void)b;
    return 0; // your algorithm goes here
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, m;
    std::cin >> n >> m;
    std::vector<int> a(n), b(m);
    for (int &value : a)
        std::cin >> value;
    for (int &value : b)
        std::cin >> value;
    std::cout << std::fixed << std::setprecision(1) << find_median(a, b) << '\n';
}
