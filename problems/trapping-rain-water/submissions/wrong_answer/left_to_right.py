"""Wrong: counts a basin when its right wall is as high as its left one. To the right of the highest column that never
happens, and the water there is lost; that part must be walked from the other end."""
import sys


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]
    water = basin = wall = 0
    for height in heights:
        if height >= wall:
            water += basin
            basin = 0
            wall = height
        else:
            basin += wall - height
    print(water)


main()
