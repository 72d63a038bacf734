#include <iostream>
#include <string>
#include <vector>

// Number of words in the shortest ladder from start to end over `words`, or 0 if there is none.
static int shortest_ladder(const std::string &start, const std::string &end, const std::vector<std::string> &words)
{
    (void)start, (void)end, (void)words;
    return 0; // your algorithm goes here
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::string start, end;
    std::cin >> n >> start >> end;
    std::vector<std::string> words(n);
    for (std::string &word : words)
        std::cin >> word;
    std::cout << shortest_ladder(start, end, words) << '\n';
}
