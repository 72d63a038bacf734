"""Breadth-first search over patterns: "d*g" leads to "dog" and "dig". A pattern is emptied when it is first walked."""
import sys


def patterns(word):
    return [word[:i] + "*" + word[i + 1:] for i in range(len(word))]


def shortest_ladder(start, end, words):
    buckets = {}
    for word in words:
        for pattern in patterns(word):
            buckets.setdefault(pattern, []).append(word)
    rungs = {start: 1}
    queue = [start]
    for word in queue:
        if word == end:
            return rungs[word]
        for pattern in patterns(word):
            for neighbour in buckets.pop(pattern, ()):
                if neighbour not in rungs:
                    rungs[neighbour] = rungs[word] + 1
                    queue.append(neighbour)
    return 0


def main():
    _, start, end, *words = sys.stdin.read().split()
    print(shortest_ladder(start, end, words))


main()
