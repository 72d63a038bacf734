"""Fails: finds the highest column to the right by recursion, one call a column, under Python's default limit of 1000
calls."""
import sys


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]

    def fill(i, left_wall):
        """The water from column i on, and the highest column from there to the right."""
        if i == len(heights):
            return 0, 0
        left_wall = max(left_wall, heights[i])
        water, right_wall = fill(i + 1, left_wall)
        right_wall = max(right_wall, heights[i])
        return water + min(left_wall, right_wall) - heights[i], right_wall

    print(fill(0, 0)[0])


main()
