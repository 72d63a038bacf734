import sys


def find_order(n, rules):
    """rules: list of (a, b), course a comes before course b. Returns a list of the courses 1 .. n, or None."""
    return None  # your algorithm goes here


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    rules = list(zip(numbers[2::2], numbers[3::2]))
    order = find_order(n, rules)
    print("IMPOSSIBLE" if order is None else " ".join(map(str, order)))


main()
