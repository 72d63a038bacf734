import sys


def longest(values):
    """The length of the longest strictly increasing subsequence."""
    return 1  # TODO: your algorithm


def main():
    words = sys.stdin.buffer.read().split()
    print(longest([int(word) for word in words[1:]]))


main()
