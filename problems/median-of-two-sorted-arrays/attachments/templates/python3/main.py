import sys


def find_median(a, b):
    """The median of the lists a and b together; both are sorted, one may be empty."""
    return 0.0  # your algorithm goes here


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    print(find_median(numbers[2:2 + n], numbers[2 + n:]))


main()
