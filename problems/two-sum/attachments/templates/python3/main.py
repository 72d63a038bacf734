import sys


def find_pair(values, target):
    """The two different positions, from 0 and in increasing order, whose values add up to target."""
    return 0, 1  # TODO: your algorithm


def main():
    words = sys.stdin.buffer.read().split()
    target = int(words[1])
    values = [int(word) for word in words[2:]]
    first, second = find_pair(values, target)
    print(first + 1, second + 1)


main()
