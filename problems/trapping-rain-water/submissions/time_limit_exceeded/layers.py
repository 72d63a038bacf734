"""Too slow: fills the wall one unit of height at a time. Between the first and the last column of a layer every gap
holds water. O(n * highest), and the highest column may have a billion units."""
import sys


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]
    water = 0
    for layer in range(1, max(heights) + 1):
        columns = [i for i, height in enumerate(heights) if height >= layer]
        water += columns[-1] - columns[0] + 1 - len(columns)
    print(water)


main()
