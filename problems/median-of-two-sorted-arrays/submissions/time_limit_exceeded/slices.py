"""Too slow: merges by cutting the first value off a list, and each cut copies what is left. O((n + m)^2)."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n, m = numbers[:2]
    a, b = numbers[2:2 + n], numbers[2 + n:]
    for _ in range((n + m - 1) // 2):
        if not b or (a and a[0] <= b[0]):
            a = a[1:]
        else:
            b = b[1:]
    rest = sorted(a[:2] + b[:2])
    print(rest[0] if (n + m) % 2 == 1 else (rest[0] + rest[1]) / 2)


main()
