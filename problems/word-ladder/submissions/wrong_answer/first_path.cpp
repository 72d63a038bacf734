// Wrong: depth-first search, and the length of the first ladder it finds, which need not be the shortest.
#include <iostream>
#include <string>
#include <unordered_set>

static std::unordered_set<std::string> unused;
static std::string goal;

static int ladder_from(std::string word, int rungs)
{
    if (word == goal)
        return rungs;
    for (char &place : word) {
        const char old = place;
        for (place = 'a'; place <= 'z'; place++)
            if (unused.erase(word))
                if (int found = ladder_from(word, rungs + 1))
                    return found;
        place = old;
    }
    return 0;
}

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    std::string start, word;
    std::cin >> n >> start >> goal;
    while (n-- > 0 && std::cin >> word)
        unused.insert(word);
    unused.erase(start);
    std::cout << ladder_from(start, 1) << '\n';
}
