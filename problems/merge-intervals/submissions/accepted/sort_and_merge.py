"""Sorts by begin, then merges from left to right."""
import sys


def merge(intervals):
    merged = []
    for left, right in sorted(intervals):
        if merged and left <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    return merged


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    merged = merge(zip(numbers[1::2], numbers[2::2]))
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
