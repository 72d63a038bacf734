import sys


def count_islands(grid):
    """The number of islands in a list of byte strings of 0 (water) and 1 (land). The list may be empty."""
    return 0  # TODO: your algorithm


def main():
    words = sys.stdin.buffer.read().split()
    m = int(words[0])
    grid = words[2:2 + m]
    print(count_islands(grid))


main()
