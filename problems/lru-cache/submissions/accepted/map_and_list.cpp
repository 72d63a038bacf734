// The usual pair: std::list in order of use, std::unordered_map from a key to its place in it. O(1) an operation.
#include <iostream>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

class Cache {
public:
    explicit Cache(size_t capacity) : capacity(capacity) {}

    int get(int key)
    {
        auto found = places.find(key);
        if (found == places.end())
            return -1;
        entries.splice(entries.begin(), entries, found->second);
        return found->second->second;
    }

    void put(int key, int value)
    {
        if (get(key) != -1) {
            entries.front().second = value;
            return;
        }
        if (entries.size() == capacity) {
            places.erase(entries.back().first);
            entries.pop_back();
        }
        entries.emplace_front(key, value);
        places[key] = entries.begin();
    }

private:
    size_t capacity;
    std::list<std::pair<int, int>> entries; // newest first
    std::unordered_map<int, std::list<std::pair<int, int>>::iterator> places;
};

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int capacity, q, key, value;
    std::string operation;
    std::cin >> capacity >> q;
    Cache cache(capacity);
    while (q-- > 0) {
        std::cin >> operation >> key;
        if (operation == "get") {
            std::cout << cache.get(key) << '\n';
        } else {
            std::cin >> value;
            cache.put(key, value);
        }
    }
}
