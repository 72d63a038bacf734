#include <iostream>
#include <stdexcept>
#include <vector>

int main()
{
    try {
        std::vector<int>().at(1);
    } catch (const std::out_of_range &) {
        std::ios::sync_with_stdio(false);
        std::cout << "hello" << std::endl;
    }
}
