"""Wrong: one bucket for each count from 0 to n - 1; if all numbers are equal, the count is n (IndexError)."""
import sys
from collections import Counter


def main():
    words = sys.stdin.buffer.read().split()
    n, k = int(words[0]), int(words[1])
    counts = Counter(map(int, words[2:]))
    buckets = [[] for _ in range(max(n, 2))]
    for number in sorted(counts):
        buckets[counts[number]].append(number)
    ordered = [number for bucket in reversed(buckets) for number in bucket]
    print(*ordered[:k])


main()
