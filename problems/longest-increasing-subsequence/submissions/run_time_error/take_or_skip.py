"""Wrong: decides for each number in turn, by recursion, whether to take it. Even with all results remembered the calls
nest as deep as the sequence is long: RecursionError from about 500 numbers on."""
import sys
from functools import lru_cache


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()[1:]))

    @lru_cache(maxsize=None)
    def longest(at, last):
        if at == len(numbers):
            return 0
        skip = longest(at + 1, last)
        if last is not None and numbers[at] <= last:
            return skip
        return max(skip, 1 + longest(at + 1, numbers[at]))

    print(longest(0, None))


main()
