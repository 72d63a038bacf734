"""Too slow: breadth-first search that compares each word with all words not reached yet. O(n^2 * length)."""
import sys


def is_step(a, b):
    return sum(x != y for x, y in zip(a, b)) == 1


def shortest_ladder(start, end, words):
    level, unused, rungs = [start], set(words) - {start}, 1
    while level:
        if end in level:
            return rungs
        next_level = []
        for word in level:
            found = [other for other in unused if is_step(word, other)]
            next_level += found
            unused.difference_update(found)
        level = next_level
        rungs += 1
    return 0


def main():
    _, start, end, *words = sys.stdin.read().split()
    print(shortest_ladder(start, end, words))


main()
