// The tails of rising subsequences as an ordered set: a number drives out the least element that is not less than it.
#include <iostream>
#include <set>

int main()
{
    std::ios::sync_with_stdio(false);
    int n, value;
    std::cin >> n;
    std::set<int> tails;
    while (n-- > 0 && std::cin >> value) {
        const auto it = tails.lower_bound(value);
        if (it != tails.end())
            tails.erase(it);
        tails.insert(value);
    }
    std::cout << tails.size() << '\n';
}
