import sys


def shortest_ladder(start, end, words):
    """Number of words in the shortest ladder from start to end over the list words, or 0 if there is none."""
    return 0  # your algorithm goes here


def main():
    _, start, end, *words = sys.stdin.read().split()
    print(shortest_ladder(start, end, words))


main()
