"""Wrong: takes the one value in the middle also where the number of values is even and two should be averaged."""
import sys


def main():
    values = sorted(map(int, sys.stdin.buffer.read().split()[2:]))
    print(values[(len(values) - 1) // 2])


main()
