"""Wrong: counts land cells that have water above and to the left. An island may have several such corners: a cup whose
two sides meet only at the bottom is counted twice."""
import sys


def main():
    rows = sys.stdin.buffer.read().split()[2:]
    islands = 0
    above = 0
    for row in rows:
        here = int(row, 2)
        islands += (here & ~(here >> 1) & ~above).bit_count()
        above = here
    print(islands)


main()
