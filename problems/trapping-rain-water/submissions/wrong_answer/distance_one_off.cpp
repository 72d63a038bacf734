// Wrong: measures a basin from the column it has just taken off the stack to the right wall, not between the two walls.
// The two agree as long as no lower column was taken off before.
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
            const int floor = open.back();
            open.pop_back();
            if (open.empty())
                break;
            const long long width = i - floor; // the mistake
            water += width * (std::min(height[open.back()], height[i]) - height[floor]);
        }
        open.push_back(i);
    }
    std::printf("%lld\n", water);
}
