// Row 11: not hostile at all. A compiler forks, executes, opens many headers and maps much: the profile must let it.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main()
{
    std::map<std::string, std::vector<int>> groups;
    groups["a"] = {3, 1, 2};
    std::sort(groups["a"].begin(), groups["a"].end());
    std::cout << groups["a"][0] << "\n";
}
