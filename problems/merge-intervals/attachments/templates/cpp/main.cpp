#include <iostream>
#include <vector>

struct Interval {
    int left, right;
};

// The shortest list of intervals that covers the same moments, earliest first.
static std::vector<Interval> merge(std::vector<Interval> intervals)
{
    return intervals; // TODO: your algorithm
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<Interval> intervals(n);
    for (auto &interval : intervals)
        std::cin >> interval.left >> interval.right;
    const auto merged = merge(intervals);
    std::cout << merged.size() << '\n';
    for (const auto &interval : merged)
        std::cout << interval.left << ' ' << interval.right << '\n';
}
