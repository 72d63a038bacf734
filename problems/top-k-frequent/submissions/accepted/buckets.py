"""Counter, then a bucket for each possible count; no sorting by count."""
import sys
from collections import Counter


def top(numbers, k):
    counts = Counter(numbers)
    buckets = [[] for _ in range(max(counts.values()) + 1)]
    for number in sorted(counts):       # so that each bucket is in increasing order
        buckets[counts[number]].append(number)
    ordered = [number for bucket in reversed(buckets) for number in bucket]
    return ordered[:k]


def main():
    words = sys.stdin.buffer.read().split()
    print(*top(map(int, words[2:]), int(words[1])))


main()
