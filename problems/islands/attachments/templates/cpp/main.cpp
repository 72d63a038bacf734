#include <iostream>
#include <string>
#include <vector>

// The number of islands in the grid, whose cells are '0' (water) or '1' (land). The grid may be empty.
static int count_islands(std::vector<std::string> &grid)
{
    (void)grid;
    return 0; // TODO: your algorithm
}

int main()
{
    std::ios::sync_with_stdio(false);
    int m, n;
    std::cin >> m >> n;
    std::vector<std::string> grid(m);
    for (auto &row : grid)
        std::cin >> row;
    std::cout << count_islands(grid) << '\n';
}
