import sys


def merge(intervals):
    """The shortest list of (left, right) that covers the same moments, earliest first. The list may be empty."""
    return intervals  # TODO: your algorithm


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    merged = merge(list(zip(numbers[1::2], numbers[2::2])))
    print(len(merged))
    sys.stdout.write("".join(f"{left} {right}\n" for left, right in merged))


main()
