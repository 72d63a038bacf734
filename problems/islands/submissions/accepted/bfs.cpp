// Breadth-first search with std::queue; `>>` skips every kind of line end.
#include <array>
#include <iostream>
#include <queue>
#include <string>
#include <utility>
#include <vector>

using Grid = std::vector<std::string>;

static void sink_island(Grid &grid, int row, int column)
{
    static constexpr std::array<std::pair<int, int>, 4> steps{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    const int m = static_cast<int>(grid.size()), n = static_cast<int>(grid[0].size());
    std::queue<std::pair<int, int>> queue;
    grid[row][column] = '0';
    queue.emplace(row, column);
    while (!queue.empty()) {
        const auto [r, c] = queue.front();
        queue.pop();
        for (const auto &[dr, dc] : steps) {
            const int nr = r + dr, nc = c + dc;
            if (nr < 0 || nr >= m || nc < 0 || nc >= n || grid[nr][nc] != '1')
                continue;
            grid[nr][nc] = '0';
            queue.emplace(nr, nc);
        }
    }
}

int main()
{
    std::ios::sync_with_stdio(false);
    int m, n;
    std::cin >> m >> n;
    Grid grid(m);
    for (auto &row : grid)
        std::cin >> row;
    int islands = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++)
            if (grid[row][column] == '1') {
                islands++;
                sink_island(grid, row, column);
            }
    std::cout << islands << '\n';
}
