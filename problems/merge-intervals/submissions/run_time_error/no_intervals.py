"""Wrong: begins with the first interval without asking whether there is one (IndexError if n = 0)."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    intervals = sorted(zip(numbers[1::2], numbers[2::2]))
    merged = [list(intervals[0])]
    for left, right in intervals:
        if left <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
