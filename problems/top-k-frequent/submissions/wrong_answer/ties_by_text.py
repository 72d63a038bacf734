"""Wrong: never turns the words into numbers, so ties are broken by text: 10 before 9, and -1 before -2."""
import sys
from collections import Counter


def main():
    words = sys.stdin.read().split()
    counts = Counter(words[2:])
    ordered = sorted(counts)
    ordered.sort(key=counts.get, reverse=True)      # stable, so ties keep the order of the text
    print(*ordered[:int(words[1])])


main()
