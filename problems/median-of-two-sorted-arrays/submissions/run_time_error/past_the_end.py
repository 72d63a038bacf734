"""Fails: compares the heads of both lists without asking whether one of them is used up: an IndexError if one list is
empty or lies wholly in the lower half."""
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n, m = numbers[:2]
    a, b = numbers[2:2 + n], numbers[2 + n:]
    i = j = lower = upper = 0
    for _ in range((n + m) // 2 + 1):
        lower = upper
        if a[i] <= b[j]:  # the mistake
            upper = a[i]
            i += 1
        else:
            upper = b[j]
            j += 1
    print(upper if (n + m) % 2 == 1 else (lower + upper) / 2)


main()
