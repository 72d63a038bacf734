"""Fails: takes the floor of a basin off the stack and looks at its left wall without asking whether there is one: an
IndexError as soon as a column is as high as all before it."""
import sys


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]
    water = 0
    falling = []
    for i, height in enumerate(heights):
        while falling and heights[falling[-1]] <= height:
            floor = heights[falling.pop()]
            left = falling[-1]  # the mistake
            water += (i - left - 1) * (min(heights[left], height) - floor)
        falling.append(i)
    print(water)


main()
