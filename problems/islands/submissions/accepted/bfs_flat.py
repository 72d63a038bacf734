"""Breadth-first search, one front after the other, over one flat bytearray: a cell is an index, water is the false
value, and a margin of water saves the tests for edges."""
import sys


def count_islands(rows, width):
    stride = width + 1      # the margin on the right is also the one on the left of the next row
    water = bytes(stride)
    land = b"".join(row + b"0" for row in rows).translate(bytes(c == ord("1") for c in range(256)))
    grid = bytearray(water + land + water)
    islands = 0
    start = grid.find(1)
    while start >= 0:
        islands += 1
        grid[start] = 0
        front = [start]
        while front:
            following = []
            for cell in front:
                for neighbour in (cell - stride, cell - 1, cell + 1, cell + stride):
                    if grid[neighbour]:
                        grid[neighbour] = 0
                        following.append(neighbour)
            front = following
        start = grid.find(1, start + 1)
    return islands


def main():
    words = sys.stdin.buffer.read().split()
    print(count_islands(words[2:], int(words[1])))


main()
