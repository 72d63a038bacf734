"""Least tails of rising subsequences by length, with bisect."""
import sys
from bisect import bisect_left


def longest(numbers):
    tails = []
    for number in numbers:
        at = bisect_left(tails, number)
        if at == len(tails):
            tails.append(number)
        else:
            tails[at] = number
    return len(tails)


def main():
    words = sys.stdin.buffer.read().split()
    print(longest(map(int, words[1:])))


main()
