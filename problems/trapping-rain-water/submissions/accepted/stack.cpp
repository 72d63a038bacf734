// A stack of falling columns; a higher one closes the basins on top of it and fills them layer by layer. Time O(n).
#include <algorithm>
#include <cstdio>
#include <vector>

int main()
{
    int n;
    if (std::scanf("%d", &n) != 1)
        return 1;
    std::vector<int> height(n), open;
    long long water = 0;
    for (int i = 0; i < n; i++) {
        if (std::scanf("%d", &height[i]) != 1)
            return 1;
        while (!open.empty() && height[open.back()] <= height[i]) {
            const int floor = height[open.back()];
            open.pop_back();
            if (open.empty())
                break;
            const long long width = i - open.back() - 1;
            water += width * (std::min(height[open.back()], height[i]) - floor);
        }
        open.push_back(i);
    }
    std::printf("%lld\n", water);
}
