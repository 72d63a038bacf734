// Out of memory: every entry of the queue carries the whole ladder that leads to it as one text, and none is ever freed.
// A ladder of 10 000 words without branches comes to 550 MB of text in the end.
#include <iostream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

int main()
{
    std::ios::sync_with_stdio(false);
    int n;
    std::string start, end, word;
    std::cin >> n >> start >> end;
    std::unordered_set<std::string> unused;
    while (n-- > 0 && std::cin >> word)
        unused.insert(word);
    unused.erase(start);

    const size_t length = start.size();
    std::vector<std::string> ladders{start};
    for (size_t head = 0; head < ladders.size(); head++) {
        word = ladders[head].substr(ladders[head].size() - length);
        if (word == end) {
            std::cout << (ladders[head].size() + 1) / (length + 1) << '\n';
            return 0;
        }
        for (char &place : word) {
            const char old = place;
            for (place = 'a'; place <= 'z'; place++)
                if (unused.erase(word)) {
                    std::string longer = ladders[head] + " " + word; // the mistake: a parent's index would do
                    ladders.push_back(std::move(longer));
                }
            place = old;
        }
    }
    std::cout << "0\n";
}
