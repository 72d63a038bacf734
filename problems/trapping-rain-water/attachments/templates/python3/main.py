import sys


def trapped_water(heights):
    """The units of water that stay on the columns."""
    return 0  # your algorithm goes here


def main():
    heights = list(map(int, sys.stdin.buffer.read().split()))[1:]
    print(trapped_water(heights))


main()
