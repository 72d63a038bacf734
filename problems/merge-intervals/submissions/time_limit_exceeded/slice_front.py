"""Slow: sorts, but then takes every interval off the front by a slice, which copies all that are left."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    intervals = sorted(zip(numbers[1::2], numbers[2::2]))
    merged = []
    while intervals:
        left, right = intervals[0]
        intervals = intervals[1:]
        if merged and left <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
