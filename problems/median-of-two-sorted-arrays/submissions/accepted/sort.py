"""Sorts all values. Python's sort finds the two runs and merges them, so this is O(n + m) as well."""
import sys


def main():
    values = sorted(map(int, sys.stdin.buffer.read().split()[2:]))
    count = len(values)
    print((values[(count - 1) // 2] + values[count // 2]) / 2)


main()
