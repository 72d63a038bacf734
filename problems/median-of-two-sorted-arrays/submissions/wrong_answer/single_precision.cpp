// Wrong: keeps the values as float, which has 24 bits for them: above 16 777 216 not every integer can be told apart.
#include <algorithm>
#include <cstdio>
#include <vector>

int main()
{
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2)
        return 1;
    std::vector<float> values(n + m); // the mistake
    for (float &value : values)
        if (std::scanf("%f", &value) != 1)
            return 1;
    std::inplace_merge(values.begin(), values.begin() + n, values.end());
    const size_t count = values.size();
    std::printf("%.1f\n", (values[(count - 1) / 2] + values[count / 2]) / 2);
}
