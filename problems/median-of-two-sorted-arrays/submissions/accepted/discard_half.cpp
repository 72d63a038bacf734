// The k-th smallest of two sorted lists: of k candidates look at k/2 in each; the half with the smaller last value can't
// hold the k-th, and is left out. O(log(n + m)) after reading.
#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

static int kth_smallest(std::span<const int> a, std::span<const int> b, size_t k)
{
    if (a.size() > b.size())
        return kth_smallest(b, a, k);
    if (a.empty())
        return b[k - 1];
    if (k == 1)
        return std::min(a[0], b[0]);
    const size_t from_a = std::min(a.size(), k / 2);
    const size_t from_b = k - from_a;
    if (a[from_a - 1] <= b[from_b - 1])
        return kth_smallest(a.subspan(from_a), b, k - from_a);
    return kth_smallest(a, b.subspan(from_b), k - from_b);
}

static std::vector<int> read_list(size_t length)
{
    std::vector<int> values(length);
    for (int &value : values)
        if (std::scanf("%d", &value) != 1)
            break;
    return values;
}

int main()
{
    size_t n, m;
    if (std::scanf("%zu %zu", &n, &m) != 2)
        return 1;
    const std::vector<int> a = read_list(n), b = read_list(m);
    const int lower = kth_smallest(a, b, (n + m + 1) / 2);
    const int upper = kth_smallest(a, b, (n + m) / 2 + 1);
    std::printf("%.1f\n", (static_cast<double>(lower) + upper) / 2);
}
