"""One pass with a dictionary from number to position."""
import sys


def find_pair(numbers, target):
    position_of = {}
    for position, number in enumerate(numbers, 1):
        partner = position_of.get(target - number)
        if partner is not None:
            return partner, position
        position_of[number] = position
    raise ValueError("no pair")


def main():
    words = sys.stdin.buffer.read().split()
    print(*find_pair(map(int, words[2:]), int(words[1])))


main()
