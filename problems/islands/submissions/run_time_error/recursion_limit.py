"""Wrong: recursive depth-first search under Python's default limit of 1000 nested calls: RecursionError on any island
that is long enough."""
import sys


def sink(grid, row, column):
    grid[row][column] = 48
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == 49:
            sink(grid, r, c)


def main():
    grid = [bytearray(line) for line in sys.stdin.buffer.read().split()[2:]]
    islands = 0
    for row, line in enumerate(grid):
        column = line.find(b"1")
        while column >= 0:
            islands += 1
            sink(grid, row, column)
            column = line.find(b"1", column)
    print(islands)


main()
