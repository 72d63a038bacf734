#include <iostream>
#include <string>

class Cache {
public:
    explicit Cache(int capacity) : capacity(capacity) {}

    // The value of the key, or -1.
    int get(int key)
    {
        (void)key;
        return -1; // your algorithm goes here
    }

    void put(int key, int value)
    {
        (void)key, (void)value; // and here
    }

private:
    int capacity;
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
