"""Wrong: takes time for whole numbers and joins [1, 4] and [5, 6], although nothing covers what lies between 4 and 5."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    merged = []
    for left, right in sorted(zip(numbers[1::2], numbers[2::2])):
        if merged and left <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
