"""The highest column so far, from the left and from the right; the lower of the two is the water line. Time O(n)."""
import sys
from itertools import accumulate


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]
    from_left = list(accumulate(heights, max))
    from_right = list(accumulate(reversed(heights), max))[::-1]
    print(sum(map(min, from_left, from_right)) - sum(heights))


main()
