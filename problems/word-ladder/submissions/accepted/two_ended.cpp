// Breadth-first search from both ends, a whole level of the smaller side at a time.
#include <iostream>
#include <string>
#include <unordered_set>
#include <utility>

using Words = std::unordered_set<std::string>;

static int shortest_ladder(const std::string &start, const std::string &end, Words &unused)
{
    if (!unused.contains(end))
        return 0;
    Words near{start}, far{end};
    unused.erase(start);
    unused.erase(end);
    for (int rungs = 2; !near.empty(); rungs++) {
        Words level;
        for (std::string word : near)
            for (char &place : word) {
                const char old = place;
                for (place = 'a'; place <= 'z'; place++) {
                    if (far.contains(word))
                        return rungs;
                    if (unused.erase(word))
                        level.insert(word);
                }
                place = old;
            }
        near = std::move(level);
        if (far.size() < near.size())
            std::swap(near, far);
    }
    return 0;
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    std::string start, end, word;
    std::cin >> n >> start >> end;
    Words words;
    while (n-- > 0 && std::cin >> word)
        words.insert(word);
    std::cout << shortest_ladder(start, end, words) << '\n';
}
