"""Wrong: Counter.most_common leaves equally frequent numbers in the order in which they were first seen."""
import sys
from collections import Counter


def main():
    words = sys.stdin.buffer.read().split()
    counts = Counter(map(int, words[2:]))
    print(*(number for number, _ in counts.most_common(int(words[1]))))


main()
