"""Wrong: merges in the order of the input, each interval with the last merged one only, and sorts when it is too late."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    merged = []
    for left, right in zip(numbers[1::2], numbers[2::2]):
        if merged and left <= merged[-1][1] and right >= merged[-1][0]:
            merged[-1][0] = min(merged[-1][0], left)
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    merged.sort()
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
