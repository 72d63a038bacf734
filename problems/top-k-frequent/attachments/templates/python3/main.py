import sys


def find_top(values, k):
    """The k most frequent values, best first; the smaller of equally frequent ones first."""
    return values[:k]  # TODO: your algorithm


def main():
    words = sys.stdin.buffer.read().split()
    k = int(words[1])
    values = [int(word) for word in words[2:]]
    print(*find_top(values, k))


main()
