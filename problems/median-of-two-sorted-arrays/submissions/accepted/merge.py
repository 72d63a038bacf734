"""Merges the two lists up to the middle. O(n + m), like reading them."""
import sys
from heapq import merge
from itertools import islice


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n, m = numbers[:2]
    middle = (n + m - 1) // 2
    merged = islice(merge(numbers[2:2 + n], numbers[2 + n:]), middle, None)
    lower = next(merged)
    upper = lower if (n + m) % 2 == 1 else next(merged)
    print((lower + upper) / 2)


main()
