"""Fails: looks the end word up without asking whether it was reached; if there is no ladder that is a KeyError."""
import sys


def patterns(word):
    return [word[:i] + "*" + word[i + 1:] for i in range(len(word))]


def main():
    _, start, end, *words = sys.stdin.read().split()
    buckets = {}
    for word in words:
        for pattern in patterns(word):
            buckets.setdefault(pattern, []).append(word)
    rungs = {start: 1}
    queue = [start]
    for word in queue:
        for pattern in patterns(word):
            for neighbour in buckets.pop(pattern, ()):
                if neighbour not in rungs:
                    rungs[neighbour] = rungs[word] + 1
                    queue.append(neighbour)
    print(rungs[end])


main()
